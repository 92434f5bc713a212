//! Open boards: squares without an edge, named by their coordinates.
//!
//! A board is a list of cells, so an open board is a wide square around `(0,0)`. No piece may be on its outermost ring.
//! So every occupied cell has all its neighbours, and no rule meets the edge. To place a piece further out is an error.

use super::{Board, Heading, Laid};
use crate::table::{Cell, Cells};

/// The distance of the outermost ring of an open board from `(0,0)`, in both directions.
pub(crate) const REACH: i32 = 31;

impl Board {
    /// Returns a board without an edge.
    #[must_use]
    pub fn open(headings: Vec<Heading>) -> Self {
        let cell = |x: i32, y: i32| ((x, y), format!("({x},{y})"));
        let row =
            |y: i32| Laid { label: y.to_string(), indent: 0, cells: (-REACH..=REACH).map(|x| cell(x, y)).collect() };
        let columns = (-REACH..=REACH).map(|x| x.to_string()).collect();
        Self { is_open: true, ..Self::build("open".to_owned(), headings, (-REACH..=REACH).map(row).collect(), columns) }
    }

    /// Returns whether it has no edge.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.is_open
    }

    /// Returns whether a cell of an open board is too far out for a piece.
    #[must_use]
    pub fn is_too_far(&self, cell: Cell) -> bool {
        self.is_open && {
            let (x, y) = self.spot(cell);
            x.abs() >= REACH || y.abs() >= REACH
        }
    }

    /// Returns the cell with these coordinates, which count from `a1` on a grid and from the centre on hexagons.
    #[must_use]
    pub fn cell_at(&self, x: i64, y: i64) -> Option<Cell> {
        self.at((i32::try_from(x).ok()?, i32::try_from(y).ok()?))
    }

    /// Returns the cells that can be reached from the edge of the board by steps outside a set: all cells outside the
    /// set except those that it encloses.
    #[must_use]
    pub fn outside(&self, cells: &Cells) -> (Cells, usize) {
        let free = self.all().difference(cells);
        let directions = (1..=self.headings().len()).map(crate::table::Direction::at);
        let edge = directions
            .map(|direction| self.leaving(direction))
            .fold(Cells::none(self.size()), |all, edge| all.union(&edge));
        self.flood(&edge, &free)
    }
}
