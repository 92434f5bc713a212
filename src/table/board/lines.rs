//! Straight lines: cells at a distance, and whole lines from edge to edge.

use std::sync::OnceLock;

use super::Board;
use crate::table::{Cell, Cells, Direction};

/// The lines of each direction, once somebody has asked for them. They follow from the board, so that they make no board
/// unlike another.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines(OnceLock<Vec<Vec<Cells>>>);

impl PartialEq for Lines {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Lines {}

impl Board {
    /// The cell `distance` steps on; nothing beyond the edge.
    #[must_use]
    pub fn beyond(&self, cell: Cell, direction: Direction, distance: usize) -> Option<Cell> {
        if distance > self.longest_line() {
            return None;
        }
        (0..distance).try_fold(cell, |cell, _| self.step(cell, direction))
    }

    /// The cells from which one of `cells` lies 0, 1, 2, … steps on in a direction, up to the longest line.
    pub fn at_distances(&self, cells: &Cells, direction: Direction) -> impl Iterator<Item = Cells> {
        let next = move |cells: &Cells| Some(self.shift_back(cells, direction)).filter(|cells| !cells.is_empty());
        std::iter::successors(Some(cells.clone()), next)
    }

    /// The whole lines of a direction, each once; found out the first time.
    pub fn lines(&self, direction: Direction) -> &[Cells] {
        let all = self.lines.0.get_or_init(|| {
            let found = |direction| self.find_lines(direction).collect();
            (1..=self.headings().len()).map(|number| found(Direction::at(number))).collect()
        });
        all.get(direction.index().wrapping_sub(1)).map_or(&[], Vec::as_slice)
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

    /// How many cells the longest line has: none is longer than the paper is wide or high.
    #[must_use]
    pub fn longest_line(&self) -> usize {
        // A row of the paper has one place to spare.
        let stride = usize::try_from(self.stride).unwrap_or(1);
        (stride - 1).max(self.size() / stride.max(1))
    }
}
