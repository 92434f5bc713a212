//! What a board with places of a second kind says of them, and how the sides and corners of squares and hexagons are made.

use std::collections::BTreeMap;

use super::Board;
use super::second::{Joined, Made, PlaceKind, Second, Spot, all_pairs, steps_of};
use crate::cells::Step;
use crate::{Cell, Cells, SecondKinds, Shape};

impl Board {
    /// Returns whether a slot is a place of a second kind.
    #[must_use]
    pub fn is_second(&self, place: Cell) -> bool {
        self.second.is_some() && place.index() >= self.second.first && place.index() < self.size()
    }

    /// Returns whether it has places of a second kind.
    #[must_use]
    pub const fn has_second(&self) -> bool {
        self.second.is_some()
    }

    /// Returns the kind of a place.
    #[must_use]
    pub fn place_kind(&self, place: Cell) -> PlaceKind {
        match &self.second {
            second if second.links.contains(place) => PlaceKind::Link,
            second if second.sides.contains(place) => PlaceKind::Side,
            second if second.corners.contains(place) => PlaceKind::Corner,
            _ => PlaceKind::Cell,
        }
    }

    /// Returns all places of a kind; `None` if the board has no places of this kind.
    #[must_use]
    pub fn places(&self, kind: PlaceKind) -> Option<&Cells> {
        let found = match kind {
            PlaceKind::Cell => &self.all,
            PlaceKind::Link => return self.graph.is_some().then_some(&self.second.links),
            PlaceKind::Side => &self.second.sides,
            PlaceKind::Corner => &self.second.corners,
        };
        (!found.is_empty()).then_some(found)
    }

    /// Returns the places of a second kind, in order.
    pub fn seconds(&self) -> impl Iterator<Item = Cell> + '_ {
        let slots = if self.second.is_some() { self.second.first..self.size() } else { 0..0 };
        slots.map(Cell::at)
    }

    /// Returns the places of all kinds.
    #[must_use]
    pub fn every_place(&self) -> Cells {
        let mut places = self.all.clone();
        self.seconds().for_each(|place| {
            places.insert(place);
        });
        places
    }

    /// Returns the places of a kind that belong to these places: the corners of a cell, the sides that meet at a corner, the
    /// places that a link joins. To places of the same kind belong none.
    #[must_use]
    pub fn joined(&self, places: &Cells, kind: PlaceKind) -> Cells {
        let of = |place: Cell| self.second.joined.get(place.index())?.get(kind as usize);
        Cells::of(self.size(), places.iter().filter_map(of).flatten().copied())
    }

    /// Returns the cells that a place of a second kind touches, in order: for a link where it begins and where it ends.
    #[must_use]
    pub fn touched_by(&self, place: Cell) -> &[Cell] {
        self.second.joined.get(place.index()).map_or(&[], |[cells, ..]| cells.as_slice())
    }

    /// Returns the coordinates of a place, in steps that are fine enough for its places of a second kind.
    pub(crate) fn fine_spot(&self, place: Cell) -> Spot {
        self.second.fine.get(place.index()).copied().unwrap_or_else(|| self.spot(place))
    }

    /// Returns the place with these coordinates in fine steps.
    pub(crate) fn at_fine(&self, spot: Spot) -> Option<Cell> {
        if self.second.is_some() { self.second.by_fine.get(&spot).copied() } else { self.at(spot) }
    }

    /// Returns the board with the sides and corners of its squares or hexagons as places.
    pub(crate) fn with_second(self, kinds: SecondKinds) -> Self {
        if !(kinds.sides || kinds.corners) || self.numbered || self.is_open || !self.is_even() || !self.has_cells() {
            return self;
        }
        let around: &[Around] = if self.shape == Shape::Hexagons { &HEXAGON } else { &SQUARE };
        let scale = if self.shape == Shape::Hexagons { 6 } else { 2 };
        let mut found: BTreeMap<(bool, i32, i32), Made> = BTreeMap::new();
        // Which corners end a side, by the coordinates of both.
        let mut ends: BTreeMap<Spot, [Spot; 2]> = BTreeMap::new();
        for cell in self.cells() {
            let (x, y) = self.spot(cell);
            let moved = |(dx, dy): Spot| (scale * x + dx, scale * y + dy);
            for (one, next) in around.iter().zip(around.iter().cycle().skip(1)) {
                let [side, corner, before] = [one.side, next.corner, one.corner].map(moved);
                ends.insert(side, [before, corner]);
                let add = |found: &mut BTreeMap<_, Made>, kind, (x, y): Spot, name: String| {
                    let names = Vec::new();
                    let made = Made { kind, fine: (x, y), names, cells: Joined::new() };
                    let made = found.entry((kind == PlaceKind::Corner, y, x)).or_insert(made);
                    made.names.push(name);
                    made.cells.push(cell);
                };
                if kinds.sides {
                    add(&mut found, PlaceKind::Side, side, format!("{}/{}", self.name(cell), one.side_name));
                }
                if kinds.corners {
                    add(&mut found, PlaceKind::Corner, before, format!("{}^{}", self.name(cell), one.corner_name));
                }
            }
        }
        let mut made: Vec<Made> = found.into_values().collect();
        for one in made.iter_mut().filter(|one| one.kind == PlaceKind::Side) {
            if let [first, second] = one.cells.as_slice() {
                let names = [self.name(*first), self.name(*second)];
                one.names.extend([names.join("/"), format!("{}/{}", self.name(*second), self.name(*first))]);
            }
        }
        let fine: Vec<Spot> = (0..self.size()).map(Cell::at).map(|cell| self.spot(cell)).collect();
        let fine = fine.into_iter().map(|(x, y)| (scale * x, scale * y)).collect();
        let mut board = self.adding(made, fine);
        board.join_ends(&ends);
        board.add_second_ways(&ends);
        board
    }

    /// Returns the board with these places of a second kind; `fine` has the coordinates of its cells.
    pub(super) fn adding(mut self, made: Vec<Made>, mut fine: Vec<Spot>) -> Self {
        let first = self.names.len();
        let size = first + made.len();
        let wider = |cells: &Cells| Cells::of(size, cells.iter());
        let step = |step: &Step| Step { by: step.by, onto: wider(&step.onto), from: wider(&step.from) };
        (self.all, self.inside) = (wider(&self.all), wider(&self.inside));
        self.steps = self.steps.iter().map(step).collect();
        self.ways = self.ways.as_ref().map(|ways| ways.iter().map(step).collect());
        self.wraps = self.wraps.iter().map(|wrap| wrap.as_ref().map(step)).collect();
        let mut joined: Vec<[Joined; 4]> = vec![Default::default(); size];
        let of_kind = |kind: PlaceKind| {
            let those = made.iter().enumerate().filter(move |(_, one)| one.kind == kind);
            Cells::of(size, those.map(|(at, _)| Cell::at(first + at)))
        };
        let (links, sides, corners) = (of_kind(PlaceKind::Link), of_kind(PlaceKind::Side), of_kind(PlaceKind::Corner));
        let mut join = |from: Cell, kind: PlaceKind, to: Cell| {
            let list = joined.get_mut(from.index()).and_then(|lists| lists.get_mut(kind as usize));
            list.into_iter().filter(|list| !list.contains(&to)).for_each(|list| list.push(to));
        };
        for (at, one) in made.into_iter().enumerate() {
            let place = Cell::at(first + at);
            for cell in &one.cells {
                join(place, PlaceKind::Cell, *cell);
                join(*cell, one.kind, place);
            }
            fine.push(one.fine);
            for name in &one.names {
                self.by_name.entry(name.clone()).or_insert(place);
            }
            self.names.push(one.names.into_iter().next().unwrap_or_default());
        }
        // Where a link has its middle on a place, that is the place.
        let places = (first..size).map(Cell::at).chain(self.all.iter());
        let by_fine = places.filter_map(|place| Some((*fine.get(place.index())?, place))).collect();
        self.second = Second { first, links, sides, corners, joined, fine, by_fine };
        self
    }

    /// Joins the sides with the corners that end them.
    fn join_ends(&mut self, ends: &BTreeMap<Spot, [Spot; 2]>) {
        let Second { by_fine, joined, .. } = &mut self.second;
        let mut join = |from: Cell, kind: PlaceKind, to: Cell| {
            let list = joined.get_mut(from.index()).and_then(|lists| lists.get_mut(kind as usize));
            list.into_iter().for_each(|list| list.push(to));
        };
        for (side, corners) in ends {
            for corner in corners {
                let Some((side, corner)) = by_fine.get(side).copied().zip(by_fine.get(corner).copied()) else {
                    continue;
                };
                join(side, PlaceKind::Corner, corner);
                join(corner, PlaceKind::Side, side);
            }
        }
    }

    /// Adds the steps from corner to corner along a side, and from side to side at a corner.
    fn add_second_ways(&mut self, ends: &BTreeMap<Spot, [Spot; 2]>) {
        let at = |spot: &Spot| self.second.by_fine.get(spot).copied();
        let mut pairs: Vec<(Cell, Cell)> = Vec::new();
        let mut meeting: BTreeMap<Spot, Vec<Cell>> = BTreeMap::new();
        for (side, [one, other]) in ends {
            pairs.extend(at(one).zip(at(other)));
            for corner in [one, other] {
                meeting.entry(*corner).or_default().extend(at(side));
            }
        }
        pairs.extend(meeting.values().flat_map(|sides| all_pairs(sides)));
        let both = pairs.into_iter().flat_map(|(one, other)| [(one, other), (other, one)]);
        let more = steps_of(self.size(), both);
        let mut ways = self.steps.clone();
        ways.extend(more);
        self.ways = Some(ways);
    }
}

/// A side of a cell and the corner before it, clockwise: their coordinates from the middle of the cell, and their names.
struct Around {
    side: Spot,
    side_name: &'static str,
    corner: Spot,
    corner_name: &'static str,
}

const fn around(side: Spot, side_name: &'static str, corner: Spot, corner_name: &'static str) -> Around {
    Around { side, side_name, corner, corner_name }
}

const SQUARE: [Around; 4] = [
    around((0, 1), "N", (-1, 1), "NW"),
    around((1, 0), "E", (1, 1), "NE"),
    around((0, -1), "S", (1, -1), "SE"),
    around((-1, 0), "W", (-1, -1), "SW"),
];

/// A corner is a third of the way along the sum of the steps to the two cells beside it.
const HEXAGON: [Around; 6] = [
    around((0, 3), "NE", (-2, 4), "N"),
    around((3, 0), "E", (2, 2), "NE"),
    around((3, -3), "SE", (4, -2), "SE"),
    around((0, -3), "SW", (2, -4), "S"),
    around((-3, 0), "W", (-2, -2), "SW"),
    around((-3, 3), "NW", (-4, 2), "NW"),
];
