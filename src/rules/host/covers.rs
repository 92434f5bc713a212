//! The cells with pieces, computed once for each position.

use std::sync::Arc;

use crate::table::{Cells, PlayerId, State, Table};

/// The cells with pieces: all, and by player. They hold for one position.
#[derive(Default)]
pub(crate) struct Covers {
    position: Option<(Arc<Table>, u64)>,
    all: Option<Cells>,
    players: Vec<Option<Cells>>,
}

impl Covers {
    /// Returns the cells with pieces, or with pieces of a player.
    #[inline]
    pub(super) fn of(&mut self, state: &State, player: Option<PlayerId>) -> Cells {
        let known = self.position.as_ref();
        if !known.is_some_and(|(table, stamp)| *stamp == state.stamps().board() && Arc::ptr_eq(table, &state.table)) {
            self.position = Some((Arc::clone(&state.table), state.stamps().board()));
            self.all = None;
            self.players.clear();
            self.players.resize(state.schema().players.len(), None);
        }
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
}
