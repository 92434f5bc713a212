//! Graphs and rings: boards whose steps are not the same everywhere.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::second::{Made, PlaceKind, all_pairs, steps_of};
use super::{Board, BoardError, Heading, Laid, letters};
use crate::cells::Step;
use crate::{Cell, Cells, Graph, Shape, Value};

/// The four directions of rings.
const RINGS: [Heading; 4] = [
    Heading { name: "CW", long: "clockwise", dx: 1, dy: 0 },
    Heading { name: "OUT", long: "outward", dx: 0, dy: 1 },
    Heading { name: "CCW", long: "anticlockwise", dx: -1, dy: 0 },
    Heading { name: "IN", long: "inward", dx: 0, dy: -1 },
];

/// The maximum number of rings, and of the cells of a ring.
pub(crate) const MAX_RINGS: i64 = 20;
pub(crate) const MAX_RING: i64 = 64;

impl Board {
    /// Returns concentric rings of cells: `a1` is at the top of the innermost ring, the cells are numbered clockwise. A row of
    /// the board is a ring.
    ///
    /// # Errors
    /// Returns an error if there are fewer than 1 or more than 20 rings, or fewer than 3 or more than 64 cells in one.
    pub fn rings(rings: i64, cells: i64) -> Result<Self, BoardError> {
        if !(1..=MAX_RINGS).contains(&rings) || !(3..=MAX_RING).contains(&cells) {
            return Err(BoardError::Size);
        }
        let (Ok(count), Ok(long)) = (i32::try_from(rings), i32::try_from(cells)) else { return Err(BoardError::Size) };
        let row = |y: i32| {
            let label = letters(y);
            let cells = (0..long).map(|x| ((x, y), format!("{label}{}", x + 1))).collect();
            Laid { label, indent: 0, cells }
        };
        let board =
            Self::build(format!("rings {rings}x{cells}"), RINGS.to_vec(), (0..count).map(row).collect(), Vec::new());
        let end = |x: i32| (0..count).filter_map(|y| board.at((x, y))).collect::<Vec<_>>();
        let (firsts, lasts) = (end(0), end(long - 1));
        let size = board.size();
        let wrap = |from: &[Cell], to: &[Cell]| {
            let step = steps_of(size, from.iter().copied().zip(to.iter().copied()));
            step.into_iter().next()
        };
        let wraps = vec![wrap(&lasts, &firsts), None, wrap(&firsts, &lasts), None];
        let ways = board.steps.iter().cloned().chain(wraps.iter().flatten().cloned()).collect();
        Ok(Self { wraps, ways: Some(ways), shape: Shape::Rings, ..board })
    }

    /// Returns the directions of rings.
    #[must_use]
    pub fn ring_headings() -> Vec<Heading> {
        RINGS.to_vec()
    }

    /// Returns the number of cells of a ring.
    #[must_use]
    pub(crate) fn ring_cells(&self) -> usize {
        usize::try_from(self.stride).unwrap_or(1).max(1)
    }

    /// Returns the board of a graph: its places in their order, then its links. Its rows are the places that are equally high.
    #[must_use]
    pub fn graph(graph: &Arc<Graph>) -> Self {
        let cells = |numbers: &[usize]| numbers.iter().map(|number| Cell::at(*number)).collect::<Vec<_>>();
        let named =
            |(at, place): (usize, &crate::GraphPlace)| ((i32::try_from(at).unwrap_or(i32::MAX), 0), place.name.clone());
        let row = Laid { label: String::new(), indent: 0, cells: graph.places.iter().enumerate().map(named).collect() };
        let words = format!("graph from \"{}\"", graph.file);
        let mut board = Self::build(words, Vec::new(), vec![row], Vec::new());
        let fine: Vec<(i32, i32)> = graph.places.iter().map(|place| (2 * place.at.0, 2 * place.at.1)).collect();
        let made = graph.links.iter().map(|link| {
            let spots = link.ends.map(|end| graph.places.get(end).map_or((0, 0), |place| place.at));
            let [one, other] = spots;
            let [first, second] = link.ends.map(|end| graph.places.get(end).map_or("", |place| place.name.as_str()));
            // Further links of the same places have only their own names.
            let plain = [first, second].join("/");
            let names =
                if link.name == plain { vec![plain, format!("{second}/{first}")] } else { vec![link.name.clone()] };
            Made {
                kind: PlaceKind::Link,
                fine: (one.0 + other.0, one.1 + other.1),
                names,
                cells: cells(&link.ends).into_iter().collect(),
            }
        });
        board = board.adding(made.collect(), fine);
        let steps = graph.links.iter().flat_map(|link| {
            let [from, to] = link.ends.map(Cell::at);
            [Some((from, to)), (!link.one_way).then_some((to, from))].into_iter().flatten()
        });
        let mut at_place: BTreeMap<Cell, Vec<Cell>> = BTreeMap::new();
        for (place, link) in board.seconds().zip(&graph.links) {
            for end in link.ends {
                at_place.entry(Cell::at(end)).or_default().push(place);
            }
        }
        let meeting = at_place.values().flat_map(|links| all_pairs(links));
        let both = meeting.flat_map(|(one, other)| [(one, other), (other, one)]);
        let ways: Vec<Step> = steps_of(board.size(), steps.chain(both));
        board.lay_rows(graph);
        Self { ways: Some(ways), graph: Some(Arc::clone(graph)), shape: Shape::Graph, ..board }
    }

    /// Lays the places of a graph in rows of equal height, the top one first, each from the left.
    fn lay_rows(&mut self, graph: &Graph) {
        let mut heights: BTreeMap<i32, Vec<(i32, usize)>> = BTreeMap::new();
        for (at, place) in graph.places.iter().enumerate() {
            heights.entry(place.at.1).or_default().push((place.at.0, at));
        }
        self.rows = Vec::new();
        for places in heights.values_mut().rev() {
            places.sort_unstable();
            let cells: Vec<Cell> = places.iter().map(|(_, at)| Cell::at(*at)).collect();
            let label = cells.iter().map(|cell| self.name(*cell)).collect::<Vec<_>>().join(", ");
            self.rows.push(super::Row { label, indent: 0, cells });
        }
        for (rank, cell) in self.rows.iter().flat_map(|row| &row.cells).enumerate() {
            self.ranks.get_mut(cell.index()).into_iter().for_each(|slot| *slot = rank);
        }
    }

    /// Returns the data of a graph; `None` for any other board.
    #[must_use]
    pub fn as_graph(&self) -> Option<&Graph> {
        self.graph.as_deref()
    }

    /// Returns the link of a graph that a place of the board is.
    #[must_use]
    pub fn link(&self, place: Cell) -> Option<&crate::GraphLink> {
        let graph = self.as_graph()?;
        graph.links.get(place.index().checked_sub(graph.places.len())?)
    }

    /// Returns the value printed on a place or a link of a graph: `None` if neither has it.
    #[must_use]
    pub fn printed_on(&self, place: Cell, name: &str) -> Option<&Value> {
        let graph = self.as_graph()?;
        let of_place = graph.places.get(place.index()).map(|place| &place.printed);
        let printed = of_place.or_else(|| self.link(place).map(|link| &link.printed))?;
        printed.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    /// Returns the lines of a graph, each as a set of places.
    pub fn graph_lines(&self) -> impl Iterator<Item = Cells> + '_ {
        let lines = self.as_graph().into_iter().flat_map(|graph| &graph.lines);
        lines.map(|line| Cells::of(self.size(), line.iter().map(|at| Cell::at(*at))))
    }

    /// Returns the fewest steps from a cell to another, and how many rounds the search took; `None` if no steps lead there.
    #[must_use]
    pub fn distance(&self, from: Cell, to: Cell) -> (Option<usize>, usize) {
        let mut reached = Cells::of(self.size(), [from]);
        let mut ring = reached.clone();
        let mut rounds = 0;
        while !ring.is_empty() {
            if ring.contains(to) {
                return (Some(rounds), rounds);
            }
            ring = self.beside(&ring).difference(&reached);
            reached.add(&ring);
            rounds += 1;
        }
        (None, rounds)
    }

    /// Returns the cells that at most so many steps reach from these, which are among them, and how many rounds it took.
    #[must_use]
    pub fn within(&self, cells: &Cells, steps: usize) -> (Cells, usize) {
        let (mut reached, mut ring, mut rounds) = (cells.clone(), cells.clone(), 0);
        while rounds < steps && !ring.is_empty() {
            ring = self.beside(&ring).difference(&reached);
            reached.add(&ring);
            rounds += 1;
        }
        (reached, rounds)
    }

    /// Returns the places of a shortest way inside `through` from a cell to another, both included, and how many rounds the
    /// search took. Of several ways it takes at each step the place that comes first in the order of the board.
    #[must_use]
    pub fn shortest_way(&self, from: Cell, to: Cell, through: &Cells) -> (Option<Vec<Cell>>, usize) {
        let one = |cell: Cell| Cells::of(self.size(), [cell]);
        let mut through = through.clone();
        through.add(&one(from));
        through.add(&one(to));
        // From the goal back: each ring has the places that are one step further from it.
        let mut rings = vec![one(to)];
        let mut left = through.difference(&one(to));
        while let Some(ring) = rings.last().filter(|ring| !ring.contains(from) && !ring.is_empty()) {
            let next = self.before(ring).intersection(&left);
            left = left.difference(&next);
            rings.push(next);
        }
        let rounds = rings.len();
        if rings.last().is_none_or(Cells::is_empty) {
            return (None, rounds);
        }
        let mut way = vec![from];
        rings.pop();
        for ring in rings.iter().rev() {
            let here = one(way.last().copied().unwrap_or(from));
            let Some(next) = self.beside(&here).intersection(ring).first() else { return (None, rounds) };
            way.push(next);
        }
        (Some(way), rounds)
    }

    /// Returns the places from which one step leads to these.
    fn before(&self, cells: &Cells) -> Cells {
        let mut all = Cells::none(self.size());
        for Step { by, from, .. } in self.neighbours() {
            all.add(&cells.moved(-by, from));
        }
        all
    }
}
