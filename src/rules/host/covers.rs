//! The cells with pieces and the pieces in reading order, computed once for each position.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::table::{Cell, Cells, PieceId, PlayerId, State, Table};

/// How many times as many pieces as cells there must be to look at the cells one by one.
const FEW: usize = 4;

/// The cells with pieces: all, and by player. They hold for one position.
#[derive(Default)]
pub(crate) struct Covers {
    position: Option<(Arc<Table>, u64)>,
    all: Option<Cells>,
    players: Vec<Option<Cells>>,
    /// All cells with pieces in reading order, each with its piece; empty if they were not needed yet.
    ordered: Vec<(Cell, PieceId)>,
}

impl Covers {
    /// Returns the cells with pieces, or with pieces of a player.
    #[inline]
    pub(super) fn of(&mut self, state: &State, player: Option<PlayerId>) -> Cells {
        self.hold_for(state);
        let slot = match player {
            None => Some(&mut self.all),
            Some(player) => self.players.get_mut(player.index()),
        };
        let find = || player.map_or_else(|| state.covered_by(None), |player| state.covered_by_player(player));
        match slot {
            Some(slot) => slot.get_or_insert_with(find).clone(),
            None => find(),
        }
    }

    /// Calls `work` with the pieces on the cells of a set, each once, in reading order.
    pub(super) fn on(&mut self, state: &State, cells: &Cells, mut work: impl FnMut(PieceId)) {
        let all = self.of(state, None).len();
        if cells.len() * FEW < all {
            state.pieces_on(cells).into_iter().for_each(work);
            return;
        }
        if self.ordered.is_empty() && all > 0 {
            let occupied = self.of(state, None);
            let ordered = state.board().reading_order(&occupied).filter_map(|cell| Some((cell, state.at(cell)?)));
            self.ordered.extend(ordered);
        }
        let mut met: SmallVec<[PieceId; 16]> = SmallVec::new();
        for (_, piece) in self.ordered.iter().filter(|(cell, _)| cells.contains(*cell)) {
            if !met.contains(piece) {
                met.push(*piece);
                work(*piece);
            }
        }
    }

    /// Forgets what holds for another position.
    #[inline]
    fn hold_for(&mut self, state: &State) {
        let known = self.position.as_ref();
        if known.is_some_and(|(table, stamp)| *stamp == state.stamps().board() && Arc::ptr_eq(table, &state.table)) {
            return;
        }
        self.position = Some((Arc::clone(&state.table), state.stamps().board()));
        self.all = None;
        self.players.clear();
        self.players.resize(state.schema().players.len(), None);
        self.ordered.clear();
    }
}
