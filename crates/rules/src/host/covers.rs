//! The cells with pieces, those under each piece, and the pieces in reading order, computed once for each position.

use std::sync::Arc;

use referee_table::{Cell, Cells, KindId, Met, PieceId, PlayerId, State, Table};

/// How many times as many pieces as cells there must be to look at the cells one by one.
const FEW: usize = 4;

/// The cells with pieces: all, by player, by kind, and by piece. They hold for one position; those under a piece also hold
/// as long as it stays where it is.
#[derive(Default)]
pub(crate) struct Covers {
    position: Option<(Arc<Table>, u64)>,
    all: Option<Cells>,
    players: Vec<Option<Cells>>,
    kinds: Vec<Option<Cells>>,
    /// For each piece, its place and the cells that it covers there.
    pieces: Vec<Option<(Cell, Cells)>>,
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

    /// Returns the cells with pieces of a kind.
    pub(super) fn of_kind(&mut self, state: &State, kind: KindId) -> Cells {
        self.hold_for(state);
        let find = || state.covered_by(Some(kind));
        if self.kinds.is_empty() {
            self.kinds.resize(state.schema().kinds.len(), None);
        }
        match self.kinds.get_mut(kind.index()) {
            Some(slot) => slot.get_or_insert_with(find).clone(),
            None => find(),
        }
    }

    /// Returns the cells that a piece covers, or all cells of a piece with `many`.
    pub(super) fn of_piece(&mut self, state: &State, piece: PieceId) -> Cells {
        self.hold_for(state);
        let Some(place) = state.place(piece) else { return state.covered(piece) };
        if self.pieces.is_empty() {
            self.pieces.resize(state.schema().pieces.len(), None);
        }
        match self.pieces.get_mut(piece.index()) {
            Some(Some((known, cells))) if *known == place => cells.clone(),
            Some(slot) => slot.insert((place, state.covered(piece))).1.clone(),
            None => state.covered(piece),
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
            let ordered = state
                .board()
                .reading_order(&occupied)
                .flat_map(|cell| state.stack(cell).map(move |piece| (cell, piece)));
            self.ordered.extend(ordered);
        }
        let mut met = Met::default();
        for (_, piece) in self.ordered.iter().filter(|(cell, _)| cells.contains(*cell)) {
            if met.is_new(*piece) {
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
        if known.is_none_or(|(table, _)| !Arc::ptr_eq(table, &state.table)) {
            self.pieces.clear();
        }
        self.position = Some((Arc::clone(&state.table), state.stamps().board()));
        self.all = None;
        self.kinds.clear();
        self.players.clear();
        self.players.resize(state.schema().players.len(), None);
        self.ordered.clear();
    }
}
