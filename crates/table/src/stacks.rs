//! Cells on which several pieces stand, one on the other.
//!
//! The top piece of a stack is what is on its cell ([`State::at`]). The columns of the cells with more than one piece are kept
//! beside that: what lies on a cell, and the cells of each piece, follow from them.

use super::contents::Stacks;
use super::{BoardSpec, Cell, Cells, PieceId, PlaceError, Schema, Stacking, State};
use referee_diagnostic::MustBe as _;

/// Returns the pieces of a stack as runs of equal ones, from the top, each with its number.
#[must_use]
pub fn runs_of(stack: impl IntoIterator<Item = PieceId>) -> Vec<(PieceId, usize)> {
    let mut runs: Vec<(PieceId, usize)> = Vec::new();
    for piece in stack {
        match runs.last_mut() {
            Some((last, count)) if *last == piece => *count += 1,
            _ => runs.push((piece, 1)),
        }
    }
    runs
}

impl Schema {
    /// Returns whether pieces stack on some cells.
    #[must_use]
    pub fn has_stacks(&self) -> bool {
        self.stacks != Stacking::Nowhere
    }

    /// Returns the piece of which diagrams show the number alone: the only one of a game with stacks, of which there are many.
    #[must_use]
    pub fn counted_piece(&self) -> Option<PieceId> {
        let mut pieces = self.pieces.iter().enumerate().filter(|(_, piece)| !piece.is_back());
        let (at, only) = pieces.next().filter(|_| self.has_stacks())?;
        (only.many && pieces.next().is_none() && !matches!(self.board, BoardSpec::Track(_))).then(|| PieceId::at(at))
    }
}

impl State {
    /// Returns the pieces on a cell, the top one first.
    pub fn stack(&self, cell: Cell) -> impl Iterator<Item = PieceId> + '_ {
        let column = self.contents.stacks.get(&cell);
        let alone = if column.is_some() { None } else { self.at(cell) };
        column.into_iter().flat_map(|column| column.iter().rev().copied()).chain(alone)
    }

    /// Returns the number of pieces on a cell.
    #[must_use]
    pub fn height(&self, cell: Cell) -> usize {
        self.contents.stacks.get(&cell).map_or_else(|| self.at(cell).is_some().into(), Vec::len)
    }

    /// Returns whether any piece stands on another.
    #[must_use]
    pub fn has_stacks(&self) -> bool {
        !self.contents.stacks.is_empty()
    }

    /// Returns whether a piece is on a cell, at the top or below.
    #[must_use]
    pub fn stands(&self, piece: PieceId, cell: Cell) -> bool {
        self.stack(cell).any(|other| other == piece)
    }

    /// Returns the cells whose top piece is one of these.
    pub fn topped_by(&self, is_one: impl Fn(PieceId) -> bool) -> Cells {
        let occupied = self.covered_by(None);
        Cells::of(self.board().size(), occupied.iter().filter(|cell| self.at(*cell).is_some_and(&is_one)))
    }

    /// Puts one more piece on what is on a cell, where nothing prevents it.
    pub(super) fn raise(&mut self, cell: Cell, piece: PieceId) {
        if let Some(below) = self.at(cell) {
            self.keep_stack(cell);
            self.contents.stacks.entry(cell).or_insert_with(|| vec![below]).push(piece);
        }
        self.stand(cell, piece);
        self.set_occupied(cell, Some(piece));
    }

    /// Puts a piece below what is on a cell.
    ///
    /// # Errors
    /// Returns an error if pieces do not stack there; then the state is unchanged.
    pub fn put_under(&mut self, piece: PieceId, cell: Cell) -> Result<(), PlaceError> {
        self.may_stand(piece, cell)?;
        if self.at(cell).is_none() {
            return self.put(piece, cell);
        }
        if !self.schema().is_many(piece) {
            self.lift(piece);
        }
        // It may have been the only one there.
        let Some(top) = self.at(cell) else { return self.put(piece, cell) };
        self.keep_stack(cell);
        self.contents.stacks.entry(cell).or_insert_with(|| vec![top]).insert(0, piece);
        self.stand(cell, piece);
        self.set_occupied(cell, Some(top));
        Ok(())
    }

    /// Takes the topmost piece of a name off a cell. Returns whether it is there.
    pub fn take_off(&mut self, piece: PieceId, cell: Cell) -> bool {
        self.keep_stack(cell);
        let Some(column) = self.contents.stacks.get_mut(&cell) else {
            let is_there = self.at(cell) == Some(piece);
            if is_there {
                self.clear(cell);
            }
            return is_there;
        };
        let Some(level) = column.iter().rposition(|other| *other == piece) else { return false };
        column.remove(level);
        let (top, is_left, is_stack) = (column.last().copied(), column.contains(&piece), column.len() > 1);
        if !is_stack {
            self.contents.stacks.remove(&cell);
        }
        match self.schema().is_many(piece) {
            true => self.contents.fixed.set_one(piece, cell, is_left),
            false => self.contents.fixed.set_place(piece, None),
        }
        self.set_occupied(cell, top);
        true
    }

    /// Takes all pieces of a name out of the stacks on these cells. Returns those of the cells on which one is left, alone.
    pub(super) fn take_out_of_stacks(&mut self, piece: PieceId, cells: Cells) -> Cells {
        for cell in cells.iter() {
            while self.contents.stacks.contains_key(&cell) && self.take_off(piece, cell) {}
        }
        Cells::of(self.board().size(), cells.iter().filter(|cell| self.at(*cell) == Some(piece)))
    }

    /// Takes all pieces on a cell off the board.
    pub fn sweep(&mut self, cell: Cell) {
        (0..self.height(cell)).for_each(|_| self.clear(cell));
    }

    /// Moves the top pieces of a cell to another one, on what is there, in the same order.
    ///
    /// # Errors
    /// Returns an error if pieces do not stack on the other cell; then the state is unchanged.
    pub fn move_stack(&mut self, count: usize, from: Cell, to: Cell) -> Result<(), PlaceError> {
        let mut moved: Vec<PieceId> = self.stack(from).take(count).collect();
        let Some(lowest) = moved.last().copied().filter(|_| from != to) else { return Ok(()) };
        self.may_stand(lowest, to)?;
        if moved.len() > 1 && !self.board().stacks(to) {
            return Err(PlaceError::NoStack(to));
        }
        if !self.board().all().contains(to) || self.board().is_too_far(to) {
            return Err(PlaceError::DoesNotFit);
        }
        self.follow_face(from, Some(to));
        moved.iter().for_each(|_| self.clear(from));
        moved.reverse();
        moved.into_iter().for_each(|piece| self.raise(to, piece));
        Ok(())
    }

    /// Checks that one more piece may stand on what is on a cell.
    pub(super) fn may_stand(&self, piece: PieceId, cell: Cell) -> Result<(), PlaceError> {
        let many = self.schema().is_many(piece);
        let Some(other) = self.at(cell).filter(|other| many || *other != piece) else { return Ok(()) };
        // Nothing lies on a card that is face down, so that it needs no order.
        let may = self.board().stacks(cell) && !self.schema().is_back(other) && !self.schema().is_back(piece);
        if may { Ok(()) } else { Err(PlaceError::Occupied(cell, other)) }
    }

    /// Notes that a piece is on a cell.
    fn stand(&mut self, cell: Cell, piece: PieceId) {
        match self.schema().is_many(piece) {
            true => self.contents.fixed.set_one(piece, cell, true),
            false => self.contents.fixed.set_place(piece, Some(cell)),
        }
    }

    /// Replaces the columns of all stacks, of pieces whose cells are known. Returns `false`, if they do not fit to these.
    pub(super) fn set_stacks(&mut self, stacks: Stacks) -> bool {
        let fits = |(cell, column): (&Cell, &Vec<PieceId>)| {
            let is_there = |piece: &PieceId| match self.contents.fixed.many(*piece) {
                Some(cells) => cells.contains(*cell),
                None => self.place(*piece) == Some(*cell),
            };
            column.len() > 1 && self.board().stacks(*cell) && column.iter().all(is_there)
        };
        if !stacks.iter().all(fits) {
            return false;
        }
        for (cell, column) in &stacks {
            let top = column.last().copied().or_missing("the top of a stack", PieceId(0));
            self.contents.fixed.occupy(*cell, Some(top));
        }
        self.contents.stacks = stacks;
        true
    }
}
