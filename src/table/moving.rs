//! Makes moves: their effect on a state.

use super::{Cells, Move, MoveError, State};

impl State {
    /// Moves a piece along the path of a move, and takes the captured pieces off the board.
    ///
    /// # Errors
    /// Returns an error if the move does not match the pieces on the board; then the state is unchanged.
    pub fn make(&mut self, made: &Move) -> Result<(), MoveError> {
        let (from, to) = (made.from(), made.to());
        let piece = self.at(from).ok_or(MoveError::NothingMoves(from))?;
        let many = self.schema().is_many(piece);
        let size = self.board().size();
        let own = if many { Cells::of(size, [from]) } else { self.covered(piece) };
        let mut freed = own.clone();
        for cell in made.captured() {
            let captured = self.at(cell).ok_or(MoveError::NothingCaptured(cell))?;
            if own.contains(cell) {
                return Err(MoveError::CapturesItself(cell));
            }
            match self.schema().is_many(captured) {
                true => freed.insert(cell),
                false => freed.add(&self.covered(captured)),
            }
        }
        let goal = self.board().footprint(to, self.table.size(piece)).ok_or(MoveError::DoesNotFit(to))?;
        if goal.iter().any(|cell| self.board().is_too_far(cell)) {
            return Err(MoveError::DoesNotFit(to));
        }
        for cell in goal.iter().filter(|cell| !freed.contains(*cell)) {
            if let Some(other) = self.at(cell) {
                return Err(MoveError::Occupied(cell, other));
            }
        }
        for cell in made.captured() {
            self.clear(cell);
        }
        if from == to {
            return Ok(());
        }
        if many {
            self.follow_face(from, Some(to));
            self.clear(from);
        }
        self.put(piece, to).map_err(|_| MoveError::DoesNotFit(to))
    }
}
