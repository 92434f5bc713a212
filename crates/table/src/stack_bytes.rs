//! The stacks of a board as bytes with fixed places, for rules that run with a memory of their own.

use super::contents::Stacks;
use super::{Cell, PieceId, State};

/// The size in bytes of the column of a cell: how many pieces stand there, and the number of each, from the bottom to the top.
pub const COLUMN: usize = 32;

/// The maximum number of cells and of pieces; there are no such bytes for a board with more.
const MOST_CELLS: usize = 256;
const MOST_PIECES: usize = 255;

impl State {
    /// Returns the size in bytes of the columns of all cells; `None` if no pieces stack on this board, or if it has no such bytes.
    #[must_use]
    pub fn columns_size(&self) -> Option<usize> {
        let is_small = self.board().size() <= MOST_CELLS && self.schema().pieces.len() <= MOST_PIECES;
        (self.board().has_stacks() && is_small).then(|| self.board().size() * COLUMN)
    }

    /// Writes the column of each cell. Returns `None` if one is too high.
    pub fn write_columns(&self, bytes: &mut [u8]) -> Option<()> {
        for (cell, column) in self.board().cells().zip(bytes.as_chunks_mut::<COLUMN>().0) {
            let height = self.height(cell);
            let (first, places) = column.split_first_mut()?;
            *first = u8::try_from(height).ok()?;
            // The top one comes first.
            for (place, piece) in places.get_mut(..height)?.iter_mut().rev().zip(self.stack(cell)) {
                *place = u8::try_from(piece.index()).ok()?;
            }
        }
        Some(())
    }

    /// Takes the columns of all stacks from what [`Self::write_columns`] has written. Where pieces are is known already.
    pub fn take_columns(&mut self, bytes: &[u8]) {
        let mut stacks = Stacks::new();
        for (cell, column) in (0..).map(Cell::at).zip(bytes.as_chunks::<COLUMN>().0) {
            let Some((height @ 2.., places)) =
                column.split_first().map(|(height, places)| (usize::from(*height), places))
            else {
                continue;
            };
            let pieces = places.iter().take(height).map(|piece| PieceId((*piece).into()));
            stacks.insert(cell, pieces.collect());
        }
        self.contents.stacks = stacks;
    }
}
