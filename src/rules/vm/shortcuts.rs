//! Carries out the native functions that rules call most.

use std::sync::Arc;

use super::code::Code;
use super::machine::Machine;
use super::op::Site;
use super::quick::{CellTexts, Quick};
use super::window::Window;
use crate::rules::host;
use crate::rules::values::{Arena, Val, Wrong};
use crate::table::Board;

impl Code {
    /// Calls `work` with what the constants of the rules say of a board.
    #[inline]
    fn with_cell_texts<T>(&self, board: &Arc<Board>, arena: &Arena, work: impl FnOnce(&CellTexts) -> T) -> T {
        let mut known = self.cell_texts.borrow_mut();
        if !known.board.as_ref().is_some_and(|known| Arc::ptr_eq(known, board)) {
            *known = self.cell_texts_of(board, arena);
        }
        work(&known)
    }

    #[cold]
    fn cell_texts_of(&self, board: &Arc<Board>, arena: &Arena) -> CellTexts {
        let texts = arena.texts.get(..self.constants().texts).unwrap_or_default();
        let mut names = vec![None; board.size()];
        let mut cells = Vec::with_capacity(texts.len());
        for (at, text) in (0..).zip(texts) {
            let cell = board.cell(text);
            cells.push(cell);
            // Other ways to write a name are not the name.
            if let Some(cell) = cell.filter(|cell| board.name(*cell) == text.as_str())
                && let Some(slot) = names.get_mut(cell.index())
            {
                *slot = Some(Val::Text(at));
            }
        }
        CellTexts { board: Some(Arc::clone(board)), cells, names }
    }
}

impl Machine<'_> {
    /// Returns the result of a call; `None` without effect if it is to be called as any other native function.
    #[inline(never)]
    pub(crate) fn quick(&mut self, quick: &Quick, site: &Site, window: &Window<'_>) -> Result<Option<Val>, Wrong> {
        let first = site.args.first().map_or(Val::Nothing, |(at, _)| window[*at]);
        match (quick, first) {
            (Quick::At, Val::Cell(cell)) => {
                self.link.with(|session| Ok(Some(session.state.at(cell).map_or(Val::Nothing, Val::Piece))))
            }
            (Quick::Mine(pieces), Val::Player(player)) => {
                Ok(pieces.get(player.index()).copied().flatten().map(Val::Piece))
            }
            (Quick::CellNamed, Val::Text(at)) => self.link.with(|session| {
                let cell = |texts: &CellTexts| texts.cells.get(at as usize).copied().flatten();
                Ok(self.code.with_cell_texts(&session.state.table.board, &self.memory.arena, cell).map(Val::Cell))
            }),
            (Quick::NameOfCell, Val::Cell(cell)) => self.link.with(|session| {
                let name = |texts: &CellTexts| texts.names.get(cell.index()).copied().flatten();
                Ok(self.code.with_cell_texts(&session.state.table.board, &self.memory.arena, name))
            }),
            (Quick::After, Val::Player(player)) => {
                self.link.with(|session| Ok(Some(Val::Player(session.state.table.after(player)))))
            }
            (Quick::Roll(die), _) => host::rolled(self.link, *die, &mut self.memory.arena),
            (Quick::Choose(ask), Val::Player(player)) => {
                let options = site.args.get(2).map_or(Val::Nothing, |(at, _)| window[*at]);
                self.picked(player, *ask, options)
            }
            (Quick::Then(phase), _) => {
                let values = site.args.iter().skip(1).map(|(at, _)| window[*at]);
                Ok(host::queued(self.link, phase, values)?.then_some(Val::Nothing))
            }
            _ => Ok(None),
        }
    }
}
