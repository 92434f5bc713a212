//! Data about steps and straight lines, derived from a board.

use std::sync::OnceLock;

use crate::{Cell, Cells};

/// Data derived from a board, computed on first use. It follows from the board, so it does not affect equality.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    /// The cells one step on: for each slot, those of all directions. Only for boards with few slots.
    pub(super) next: OnceLock<Vec<Option<Cell>>>,
    /// The lines of each direction.
    pub(super) whole: OnceLock<Vec<Vec<Cells>>>,
    /// The ways back over 1, 2, 4, … cells for each direction.
    pub(super) back: OnceLock<Vec<Vec<Way>>>,
}

/// A way back over some cells: the number of slots in the grid, and the cells that it leads to.
pub(super) type Way = (i32, Cells);

impl PartialEq for Lines {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Lines {}
