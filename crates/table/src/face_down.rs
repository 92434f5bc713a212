//! Face-down cards on the board: how they get there, who has seen them, and how they are turned up.

use std::sync::Arc;

use super::is_symbol;
use super::{Cell, Face, Faces, KindId, PieceDef, PieceId, PlaceError, PlayerId, Schema, State, Visibility, ZoneId};
use referee_diagnostic::MustBe as _;
use referee_source::quoted;

impl Schema {
    /// Returns the piece that represents every face-down card, if the game has cards.
    #[must_use]
    pub fn back(&self) -> Option<PieceId> {
        self.pieces.last().filter(|piece| piece.is_back()).map(|_| PieceId::at(self.pieces.len() - 1))
    }

    /// Returns whether a piece represents the face-down cards.
    #[must_use]
    pub fn is_back(&self, piece: PieceId) -> bool {
        self.pieces.get(piece.index()).is_some_and(PieceDef::is_back)
    }

    /// Adds the piece that represents face-down cards, if the game has cards.
    pub fn add_back(&mut self) {
        if self.back().is_none() && self.pieces.iter().any(|piece| piece.card.is_some()) {
            self.pieces.push(PieceDef {
                kind: PieceDef::BACK,
                name: "a face-down card".to_owned(),
                symbol: "(?)".to_owned(),
                owner: None,
                number: None,
                many: true,
                card: None,
            });
        }
    }

    /// Returns the only hidden zone that holds cards at the start; `None` if there is none, or several. A face-down
    /// card that a diagram does not name is one of the unknown cards of this zone.
    #[must_use]
    pub fn unknown_zone(&self) -> Option<ZoneId> {
        let hidden =
            |zone: &ZoneId| self.zones.get(zone.index()).is_some_and(|zone| zone.visibility == Visibility::Hidden);
        let mut homes: Vec<ZoneId> = self.kinds.iter().filter_map(|kind| kind.home).filter(hidden).collect();
        homes.dedup();
        match homes.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }
}

impl PieceDef {
    /// The kind of the piece that represents face-down cards; the game does not declare it.
    pub(crate) const BACK: KindId = KindId(u16::MAX);

    /// Returns its symbol as diagrams have it: in quotes if it is a name that is not one word.
    #[must_use]
    pub fn drawn(&self) -> String {
        let is_read_otherwise =
            self.symbol == self.name && (self.symbol.contains([':', '(']) || matches!(&*self.symbol, "." | "?"));
        if is_symbol(&self.symbol) && !is_read_otherwise { self.symbol.clone() } else { quoted(&self.symbol) }
    }

    /// Returns whether it represents the face-down cards.
    #[must_use]
    pub const fn is_back(&self) -> bool {
        self.kind.0 == Self::BACK.0
    }
}

impl State {
    /// Returns the face-down cards by their cells.
    #[must_use]
    pub const fn faces(&self) -> &Faces {
        &self.contents.faces
    }

    /// Returns the face-down card on a cell.
    #[must_use]
    pub fn face(&self, cell: Cell) -> Option<&Face> {
        self.contents.faces.get(&cell)
    }

    /// Puts a card face down on a cell.
    ///
    /// # Errors
    /// Returns an error if the cell is occupied or not on the board; then the state is unchanged.
    pub fn lay_face_down(&mut self, cell: Cell, face: Face) -> Result<(), PlaceError> {
        let back = self.schema().back().ok_or(PlaceError::DoesNotFit)?;
        self.put(back, cell)?;
        if let Face::Unknown(zone) = face {
            self.count_away(zone, 1);
        }
        self.keep_cards();
        self.contents.faces.insert(cell, face);
        Ok(())
    }

    /// Puts a piece on the board, or a card face down as if it were dealt from the zone that holds cards at the start.
    ///
    /// # Errors
    /// Returns an error as [`State::put`] does.
    pub fn lay(&mut self, piece: PieceId, cell: Cell, face_down: bool) -> Result<(), PlaceError> {
        if !face_down {
            return self.put(piece, cell);
        }
        let from = self.schema().unknown_zone();
        self.lay_face_down(cell, Face::Card { card: piece, from, seen: Vec::new() })
    }

    /// Deals the next card of a zone face down to a cell. Asks nothing, and no player learns which card it is.
    ///
    /// # Errors
    /// Returns an error as [`State::lay_face_down`] does.
    pub fn deal_face_down(&mut self, zone: ZoneId, cell: Cell) -> Result<(), PlaceError> {
        let known = self.zone(zone).and_then(|zone| zone.known().first().copied());
        let Some(card) = known else {
            self.lay_face_down(cell, Face::Unknown(zone))?;
            self.shuffles.dealt.push((zone, cell));
            return Ok(());
        };
        // All players have seen the cards of a pile.
        let pile = self.schema().zones.get(zone.index()).is_some_and(|zone| zone.visibility == Visibility::Pile);
        let seen = if pile { self.players_in_order() } else { Vec::new() };
        self.lay_face_down(cell, Face::Card { card, from: Some(zone), seen })?;
        if let Some(slot) = self.zone_mut(zone) {
            slot.take(card);
        }
        self.note_passed(card, Some(zone), None);
        Ok(())
    }

    /// Decides which card of its zone an unknown face-down card is; no player has seen it yet.
    pub fn settle_face(&mut self, cell: Cell, card: PieceId) {
        let Some(Face::Unknown(zone)) = self.face(cell).cloned() else { return };
        self.count_away(zone, -1);
        if let Some(slot) = self.zone_mut(zone) {
            slot.take_unknown(card);
        }
        self.keep_cards();
        self.shuffles.dealt.retain(|(_, other)| *other != cell);
        self.contents.faces.insert(cell, Face::Card { card, from: Some(zone), seen: Vec::new() });
        self.note_passed(card, Some(zone), None);
    }

    /// Adds a player to those who know a known face-down card.
    pub fn see_face(&mut self, cell: Cell, player: PlayerId) {
        self.keep_cards();
        self.changed();
        if let Some(Face::Card { seen, .. }) = self.contents.faces.get_mut(&cell)
            && let Err(at) = seen.binary_search(&player)
        {
            seen.insert(at, player);
        }
    }

    /// Takes a face-down card off the board and returns it; an unknown one rejoins the unknown cards of its zone.
    pub fn take_face(&mut self, cell: Cell) -> Option<Face> {
        let face = self.contents.faces.get(&cell).cloned()?;
        self.clear(cell);
        if let Face::Unknown(zone) = face {
            self.count_away(zone, -1);
        }
        Some(face)
    }

    /// Moves the face-down card of a cell to another cell, or off the board. An unknown card that leaves the board does
    /// not return to its zone.
    pub(super) fn follow_face(&mut self, from: Cell, to: Option<Cell>) {
        if !self.contents.faces.contains_key(&from) {
            return;
        }
        self.keep_cards();
        let Some(face) = self.contents.faces.remove(&from) else { return };
        match to {
            None => {
                self.shuffles.dealt.retain(|(_, cell)| *cell != from);
                face.card().into_iter().for_each(|card| self.note_lifted(card));
            }
            Some(to) => {
                self.contents.faces.insert(to, face);
                self.shuffles.dealt.iter_mut().filter(|(_, cell)| *cell == from).for_each(|(_, cell)| *cell = to);
            }
        }
    }

    /// Forgets every face-down card: all are off the board.
    pub(super) fn forget_faces(&mut self) {
        self.keep_cards();
        self.contents.faces.clear();
        self.shuffles.dealt.clear();
    }

    /// Decides which cards the unknown ones are that were dealt from a zone since it was shuffled: the first of
    /// `order`, in the order of dealing. Returns the rest of `order`.
    pub(super) fn settle_dealt<'o>(&mut self, zone: ZoneId, order: &'o [PieceId]) -> &'o [PieceId] {
        let dealt = self.shuffles.dealt.iter().filter(|(other, _)| *other == zone);
        let cells: Vec<Cell> = dealt.map(|(_, cell)| *cell).collect();
        let (first, rest) = order.split_at_checked(cells.len()).unwrap_or((order, &[]));
        for (cell, card) in cells.into_iter().zip(first) {
            self.settle_face(cell, *card);
        }
        rest
    }

    /// Replaces the face-down cards that a player does not know by [`Face::Unseen`].
    pub(super) fn cover_faces(&mut self, player: PlayerId) {
        self.keep_cards();
        for face in self.contents.faces.values_mut() {
            if !matches!(face, Face::Card { seen, .. } if seen.contains(&player)) {
                *face = Face::Unseen;
            }
        }
        self.shuffles.dealt.clear();
    }

    /// Makes cards unknown again that were dealt face down in a known order and that a player has not seen. Returns
    /// whether there were any.
    pub fn forget_dealt(&mut self, player: PlayerId, now: &Faces) -> bool {
        let forgotten = |(cell, face): (&Cell, &Face)| match face {
            Face::Card { card, from: Some(zone), seen } if !seen.contains(&player) && now.get(cell) == Some(face) => {
                Some((*cell, *card, *zone))
            }
            _ => None,
        };
        let found: Vec<(Cell, PieceId, ZoneId)> = self.contents.faces.iter().filter_map(forgotten).collect();
        self.keep_cards();
        for (cell, card, zone) in &found {
            self.contents.faces.insert(*cell, Face::Unknown(*zone));
            self.zone_mut(*zone).into_iter().for_each(|zone| zone.add(*card));
            self.count_away(*zone, 1);
        }
        !found.is_empty()
    }

    /// Replaces all face-down cards by `faces`; the cells must already hold face-down cards.
    pub fn set_faces(&mut self, faces: Faces) {
        self.keep_cards();
        self.changed();
        self.contents.faces = faces;
    }

    /// Returns the empty cells inside the margin in reading order.
    #[must_use]
    pub fn free_inside(&self) -> Vec<Cell> {
        let board = Arc::clone(&self.table.board);
        board.reading_order(board.inside()).filter(|cell| self.at(*cell).is_none()).collect()
    }

    /// Counts again how many unknown cards of each zone are on the board, after zones were laid out.
    pub(super) fn recount_away(&mut self) {
        let unknown: Vec<ZoneId> = self.contents.faces.values().filter_map(Face::unknown).collect();
        for zone in unknown {
            self.count_away(zone, 1);
        }
    }

    pub(super) fn count_away(&mut self, zone: ZoneId, by: i32) {
        if let Some(zone) = self.zone_mut(zone).noted("the zone of a card") {
            zone.away = zone.away.saturating_add_signed(by);
        }
    }

    fn players_in_order(&self) -> Vec<PlayerId> {
        let mut players = self.table.players.clone();
        players.sort_unstable();
        players
    }
}
