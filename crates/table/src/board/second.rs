//! Places of a second kind: the links of a graph, and the sides and corners of squares and hexagons.
//!
//! They are slots after those of the grid, so pieces stand on them, and sets, keys and records have them as they have cells.
//! `Board::all` does not: it is the cells of the first kind. Each has its own steps: from corner to corner along a side, from
//! side to side at a corner, from link to link at a place.
//!
//! Their coordinates are finer than those of cells, so that all of them are whole numbers: twice those of squares, six times
//! those of hexagons.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use crate::cells::Step;
use crate::{Cell, Cells};

/// A kind of places of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// The cells of the board: squares, hexagons, the places of a graph.
    Cell,
    /// The links of a graph.
    Link,
    /// The sides of squares or hexagons.
    Side,
    /// Their corners.
    Corner,
}

impl PlaceKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Cell, Self::Link, Self::Side, Self::Corner];

    /// Returns the word for a place of the kind.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Cell => "cell",
            Self::Link => "link",
            Self::Side => "side",
            Self::Corner => "corner",
        }
    }
}

/// The places that belong to one place.
pub(super) type Joined = SmallVec<[Cell; 4]>;
/// Coordinates.
pub(super) type Spot = (i32, i32);

/// The places of a second kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Second {
    /// The number of slots of the grid: the first place of a second kind.
    pub(super) first: usize,
    pub(super) links: Cells,
    pub(super) sides: Cells,
    pub(super) corners: Cells,
    /// For each slot the cells, links, sides and corners that belong to it.
    pub(super) joined: Vec<[Joined; 4]>,
    /// The coordinates of each slot, in fine steps.
    pub(super) fine: Vec<Spot>,
    pub(super) by_fine: BTreeMap<Spot, Cell>,
}

impl Second {
    /// Returns whether there are any.
    pub(super) const fn is_some(&self) -> bool {
        !self.joined.is_empty()
    }
}

/// A place of a second kind while a board is built: its coordinates, its names, the first of which is written, and the places
/// of other kinds that belong to it.
pub(super) struct Made {
    pub(super) kind: PlaceKind,
    pub(super) fine: Spot,
    pub(super) names: Vec<String>,
    pub(super) cells: Joined,
}

/// Returns all pairs of different places of a list, each once.
pub(super) fn all_pairs(places: &[Cell]) -> impl Iterator<Item = (Cell, Cell)> {
    places.iter().enumerate().flat_map(|(at, one)| places.iter().skip(at + 1).map(|other| (*one, *other)))
}

/// Returns the steps from place to place as steps of sets: one for all that lead over the same number of slots.
pub(super) fn steps_of(size: usize, pairs: impl Iterator<Item = (Cell, Cell)>) -> Vec<Step> {
    let mut steps: BTreeMap<i32, Step> = BTreeMap::new();
    for (from, to) in pairs.filter(|(from, to)| from != to) {
        let by = i32::try_from(to.index()).unwrap_or(0) - i32::try_from(from.index()).unwrap_or(0);
        let none = || Step { by, onto: Cells::none(size), from: Cells::none(size) };
        let step = steps.entry(by).or_insert_with(none);
        step.onto.insert(to);
        step.from.insert(from);
    }
    steps.into_values().collect()
}
