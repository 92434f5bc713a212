//! Straight lines: cells at a distance, and whole lines from edge to edge.

use std::sync::OnceLock;

use super::Board;
use crate::table::{Cell, Cells, Direction};

/// What is found out of a board once, when somebody asks for it. It follows from the board, so that it makes no board
/// unlike another.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    /// The lines of each direction.
    whole: OnceLock<Vec<Vec<Cells>>>,
    /// For each direction the ways back over 1, 2, 4, … cells.
    back: OnceLock<Vec<Vec<Way>>>,
}

/// A way back over some cells: so many places of the paper, and the cells that it leads to.
type Way = (i32, Cells);

impl PartialEq for Lines {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Lines {}

impl Board {
    /// Returns the cell `distance` steps on; nothing beyond the edge.
    #[must_use]
    pub fn beyond(&self, cell: Cell, direction: Direction, distance: usize) -> Option<Cell> {
        if distance > self.longest_line() {
            return None;
        }
        (0..distance).try_fold(cell, |cell, _| self.step(cell, direction))
    }

    /// Returns the cells from which one of `cells` lies 0, 1, 2, … steps on in a direction, up to the longest line.
    pub fn at_distances(&self, cells: &Cells, direction: Direction) -> impl Iterator<Item = Cells> {
        let next = move |cells: &Cells| Some(self.shift_back(cells, direction)).filter(|cells| !cells.is_empty());
        std::iter::successors(Some(cells.clone()), next)
    }

    /// Returns the whole lines of a direction, each once; found out the first time.
    pub fn lines(&self, direction: Direction) -> &[Cells] {
        let all = self.lines.whole.get_or_init(|| {
            let found = |number| self.find_lines(Direction::at(number)).collect();
            (1..=self.headings().len()).map(found).collect()
        });
        all.get(direction.index().wrapping_sub(1)).map_or(&[], Vec::as_slice)
    }

    /// Returns the cells from which a cell of the set lies in a direction, at any distance.
    #[must_use]
    pub fn all_back(&self, cells: &Cells, direction: Direction) -> Cells {
        // Twice as far each time, over the cells whose way so far stays on the board.
        let mut ways = self.ways_back(direction).iter();
        let Some((by, way)) = ways.next() else { return Cells::none(self.size()) };
        let mut reached = cells.moved(*by, way);
        ways.for_each(|(by, way)| reached.add(&reached.moved(*by, way)));
        reached
    }

    fn ways_back(&self, direction: Direction) -> &[Way] {
        let all = self.lines.back.get_or_init(|| {
            let found = |number| self.find_ways_back(Direction::at(number)).unwrap_or_default();
            (1..=self.headings().len()).map(found).collect()
        });
        all.get(direction.index().wrapping_sub(1)).map_or(&[], Vec::as_slice)
    }

    fn find_ways_back(&self, direction: Direction) -> Option<Vec<Way>> {
        let mut by = -self.places(direction)?;
        let mut ways = vec![(by, self.all().clone())];
        let mut way = self.all().moved(by, self.all());
        while !way.is_empty() {
            let next = way.moved(by, &way);
            ways.push((by, std::mem::replace(&mut way, next)));
            by = by.checked_mul(2)?;
        }
        Some(ways)
    }

    fn find_lines(&self, direction: Direction) -> impl Iterator<Item = Cells> {
        // A line ends where a step leads off the board; behind that end lie its other cells.
        let end = self.leaving(direction);
        let ends: Vec<Cell> = end.iter().collect();
        ends.into_iter().map(move |end| {
            let end = Cells::of(self.size(), [end]);
            self.at_distances(&end, direction).fold(Cells::none(self.size()), |line, cell| line.union(&cell))
        })
    }

    /// Returns how many cells the longest line has: none is longer than the paper is wide or high.
    #[must_use]
    pub fn longest_line(&self) -> usize {
        // A row of the paper has one place to spare.
        let stride = usize::try_from(self.stride).unwrap_or(1);
        (stride - 1).max(self.size() / stride.max(1))
    }
}
