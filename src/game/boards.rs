//! The boards on which a game's positions lie, each shape built once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::table::{Board, BoardError, BoardSpec, Schema};

/// Boards by shape: a board is much larger than a position on it, and a thousand scenarios may use the same.
#[derive(Debug, Default)]
pub(super) struct Boards(Mutex<BTreeMap<BoardSpec, Arc<Board>>>);

impl Boards {
    /// Returns the board of this shape.
    pub(super) fn get(&self, schema: &Schema, shape: BoardSpec) -> Result<Arc<Board>, BoardError> {
        // A board that is in the map is whole, whatever became of a thread that worked on another.
        let mut built = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(board) = built.get(&shape) {
            return Ok(Arc::clone(board));
        }
        let board = Arc::new(schema.build_board(shape)?);
        built.insert(shape, Arc::clone(&board));
        Ok(board)
    }
}
