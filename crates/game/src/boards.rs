//! The boards of a game, each shape built once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use referee_table::{Board, BoardError, BoardSpec, Schema};

/// Boards by shape. They are shared: a board is much larger than a position, and many scenarios may use the same one.
#[derive(Debug, Default)]
pub(super) struct Boards(Mutex<BTreeMap<BoardSpec, Arc<Board>>>);

impl Boards {
    /// Returns the board of this shape.
    pub(super) fn get(&self, schema: &Schema, shape: &BoardSpec) -> Result<Arc<Board>, BoardError> {
        // Every board in the map is complete, even if another thread panicked while it held the lock.
        let mut built = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(board) = built.get(shape) {
            return Ok(Arc::clone(board));
        }
        let board = Arc::new(schema.build_board(shape)?);
        built.insert(shape.clone(), Arc::clone(&board));
        Ok(board)
    }
}
