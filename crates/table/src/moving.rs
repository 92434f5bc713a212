//! Makes moves: their effect on a state.

use super::{Cells, Move, MoveError, PieceId, State};

impl State {
    /// Moves a piece along the path of a move, of a stack the top one, and takes the captured pieces off the board: all of those on
    /// the cells on which the move captures.
    ///
    /// # Errors
    /// Returns an error if the move does not match the pieces on the board; then the state is unchanged.
    pub fn make(&mut self, made: &Move) -> Result<(), MoveError> {
        let (from, to) = (made.from(), made.to());
        let piece = self.at(from).ok_or(MoveError::NothingMoves(from))?;
        let many = self.schema().is_many(piece);
        if many && self.makes_step(piece, made) {
            return Ok(());
        }
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
            if let (Some(other), Err(_)) = (self.at(cell), self.may_stand(piece, cell)) {
                return Err(MoveError::Occupied(cell, other));
            }
        }
        for cell in made.captured() {
            self.sweep(cell);
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

    /// Makes the commonest move: one step of a piece with `many` that captures at most one such piece on its last cell.
    /// Returns `false` without effect if it is not such a move, or if it cannot be made.
    fn makes_step(&mut self, piece: PieceId, made: &Move) -> bool {
        let (from, to) = (made.from(), made.to());
        let board = self.board();
        if !made.is_plain() || from == to || self.table.size(piece) != (1, 1) || board.has_stacks() {
            return false;
        }
        if !board.all().contains(to) || board.is_too_far(to) {
            return false;
        }
        match (made.captured().next(), self.at(to)) {
            (None, None) => {}
            (Some(_), Some(other)) if self.schema().is_many(other) => self.clear(to),
            _ => return false,
        }
        self.follow_face(from, Some(to));
        self.clear(from);
        self.fill(to, piece);
        true
    }
}
