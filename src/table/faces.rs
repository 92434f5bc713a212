//! Cards that lie face down on the board.
//!
//! A card that nobody has seen is one of the cards in no order of the zone from which it came: it stays in the bag of
//! that zone until somebody comes to know it, so that all unseen cards of the zone and the board are equally likely in
//! each place. Any other face-down card is a certain one, with the players who know it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Cell, KindId, PieceDef, PieceId, PlaceError, PlayerId, Schema, Sight, State, ZoneId};

/// A card that lies face down.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Face {
    /// Nobody has seen it: one of the cards in no order of this zone.
    Unknown(ZoneId),
    /// A certain card.
    Card {
        /// Which.
        card: PieceId,
        /// The zone from which it was dealt, if it was dealt.
        from: Option<ZoneId>,
        /// The players who know it, in their order.
        seen: Vec<PlayerId>,
    },
    /// In what a player may know of a state: a card that the player does not know.
    Unseen,
}

/// The cards that lie face down, by their cells.
pub type Faces = BTreeMap<Cell, Face>;

impl Schema {
    /// Returns the piece that stands for every face-down card, if the game has cards.
    #[must_use]
    pub fn back(&self) -> Option<PieceId> {
        self.pieces.last().filter(|piece| piece.is_back()).map(|_| PieceId::at(self.pieces.len() - 1))
    }

    /// Returns whether a piece stands for the face-down cards.
    #[must_use]
    pub fn is_back(&self, piece: PieceId) -> bool {
        self.pieces.get(piece.index()).is_some_and(PieceDef::is_back)
    }

    /// Adds to a game with cards the piece that stands for those that lie face down.
    pub(crate) fn add_back(&mut self) {
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

    /// Returns the one hidden zone in which cards begin: where a drawing says no more than that a card lies face down,
    /// it is one of the unknown cards of this zone. `None` if there is none, or several.
    #[must_use]
    pub fn unknown_zone(&self) -> Option<ZoneId> {
        let hidden = |zone: &ZoneId| self.zones.get(zone.index()).is_some_and(|zone| zone.sight == Sight::Hidden);
        let mut homes: Vec<ZoneId> = self.kinds.iter().filter_map(|kind| kind.home).filter(hidden).collect();
        homes.dedup();
        match homes.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }
}

impl PieceDef {
    /// The kind of the piece that stands for face-down cards: none of those that the game declares.
    pub(crate) const BACK: KindId = KindId(u16::MAX);

    /// Returns whether it stands for the face-down cards.
    #[must_use]
    pub const fn is_back(&self) -> bool {
        self.kind.0 == Self::BACK.0
    }
}

impl State {
    /// Returns the cards that lie face down, by their cells.
    #[must_use]
    pub const fn faces(&self) -> &Faces {
        &self.faces
    }

    /// Returns the card that lies face down on a cell.
    #[must_use]
    pub fn face(&self, cell: Cell) -> Option<&Face> {
        self.faces.get(&cell)
    }

    /// Puts a card face down on a cell.
    ///
    /// # Errors
    /// Something lies there, or the board has no such cell; then nothing has changed.
    pub fn lay_face_down(&mut self, cell: Cell, face: Face) -> Result<(), PlaceError> {
        let back = self.schema().back().ok_or(PlaceError::DoesNotFit)?;
        self.put(back, cell)?;
        if let Face::Unknown(zone) = face {
            self.count_away(zone, 1);
        }
        self.faces.insert(cell, face);
        Ok(())
    }

    /// Puts a piece on the board, or a card face down as if it had been dealt from where cards begin.
    ///
    /// # Errors
    /// As [`State::put`].
    pub fn lay(&mut self, piece: PieceId, cell: Cell, face_down: bool) -> Result<(), PlaceError> {
        if !face_down {
            return self.put(piece, cell);
        }
        let from = self.schema().unknown_zone();
        self.lay_face_down(cell, Face::Card { card: piece, from, seen: Vec::new() })
    }

    /// Deals the next card of a zone face down to a cell; nothing is asked, and nobody comes to know it.
    ///
    /// # Errors
    /// As [`State::lay_face_down`].
    pub fn deal_face_down(&mut self, zone: ZoneId, cell: Cell) -> Result<(), PlaceError> {
        let known = self.zone(zone).and_then(|zone| zone.known().first().copied());
        let Some(card) = known else {
            self.lay_face_down(cell, Face::Unknown(zone))?;
            self.shuffles.dealt.push((zone, cell));
            return Ok(());
        };
        // On a pile everybody has seen it.
        let pile = self.schema().zones.get(zone.index()).is_some_and(|zone| zone.sight == Sight::Pile);
        let seen = if pile { self.players_in_order() } else { Vec::new() };
        self.lay_face_down(cell, Face::Card { card, from: Some(zone), seen })?;
        if let Some(zone) = self.zone_mut(zone) {
            zone.take(card);
        }
        Ok(())
    }

    /// An unknown face-down card is this one of its zone, which nobody has seen yet.
    pub fn settle_face(&mut self, cell: Cell, card: PieceId) {
        let Some(Face::Unknown(zone)) = self.face(cell).cloned() else { return };
        self.count_away(zone, -1);
        if let Some(slot) = self.zone_mut(zone) {
            slot.take_unknown(card);
        }
        self.shuffles.dealt.retain(|(_, other)| *other != cell);
        self.faces.insert(cell, Face::Card { card, from: Some(zone), seen: Vec::new() });
    }

    /// A player comes to know a certain face-down card.
    pub fn see_face(&mut self, cell: Cell, player: PlayerId) {
        self.changed();
        if let Some(Face::Card { seen, .. }) = self.faces.get_mut(&cell)
            && let Err(at) = seen.binary_search(&player)
        {
            seen.insert(at, player);
        }
    }

    /// Takes a face-down card off the board and returns it; an unknown one is again among the unknown cards of its zone.
    pub fn take_face(&mut self, cell: Cell) -> Option<Face> {
        let face = self.faces.get(&cell).cloned()?;
        self.clear(cell);
        if let Face::Unknown(zone) = face {
            self.count_away(zone, -1);
        }
        Some(face)
    }

    /// What lies on a cell has gone to another, or nowhere. An unknown card that has gone is still none of its zone's.
    pub(super) fn follow_face(&mut self, from: Cell, to: Option<Cell>) {
        let Some(face) = self.faces.remove(&from) else { return };
        match to {
            None => self.shuffles.dealt.retain(|(_, cell)| *cell != from),
            Some(to) => {
                self.faces.insert(to, face);
                self.shuffles.dealt.iter_mut().filter(|(_, cell)| *cell == from).for_each(|(_, cell)| *cell = to);
            }
        }
    }

    /// Every face-down card is off the board.
    pub(super) fn forget_faces(&mut self) {
        self.faces.clear();
        self.shuffles.dealt.clear();
    }

    /// Returns the unknown cards that were dealt from a zone since it was shuffled, in the order in which they were
    /// dealt, turn out to be these; gives the rest of the cards.
    pub(super) fn settle_dealt<'o>(&mut self, zone: ZoneId, order: &'o [PieceId]) -> &'o [PieceId] {
        let dealt = self.shuffles.dealt.iter().filter(|(other, _)| *other == zone);
        let cells: Vec<Cell> = dealt.map(|(_, cell)| *cell).collect();
        let (first, rest) = order.split_at_checked(cells.len()).unwrap_or((order, &[]));
        for (cell, card) in cells.into_iter().zip(first) {
            self.settle_face(cell, *card);
        }
        rest
    }

    /// What a player may know of face-down cards: those that the player does not know are [`Face::Unseen`]. Gives the
    /// certain ones among them.
    pub(super) fn cover_faces(&mut self, player: PlayerId) -> Vec<PieceId> {
        let mut unseen = Vec::new();
        for face in self.faces.values_mut() {
            match face {
                Face::Card { seen, .. } if seen.contains(&player) => continue,
                Face::Card { card, .. } => unseen.push(*card),
                Face::Unknown(_) | Face::Unseen => {}
            }
            *face = Face::Unseen;
        }
        self.shuffles.dealt.clear();
        unseen
    }

    /// Forgets which cards lie where a card was dealt face down in a known order that a player has not seen: they are
    /// unknown cards of their zone again. Gives whether there were any.
    pub fn forget_dealt(&mut self, player: PlayerId, now: &Faces) -> bool {
        let forgotten = |(cell, face): (&Cell, &Face)| match face {
            Face::Card { card, from: Some(zone), seen } if !seen.contains(&player) && now.get(cell) == Some(face) => {
                Some((*cell, *card, *zone))
            }
            _ => None,
        };
        let found: Vec<(Cell, PieceId, ZoneId)> = self.faces.iter().filter_map(forgotten).collect();
        for (cell, card, zone) in &found {
            self.faces.insert(*cell, Face::Unknown(*zone));
            self.zone_mut(*zone).into_iter().for_each(|zone| zone.add(*card));
            self.count_away(*zone, 1);
        }
        !found.is_empty()
    }

    /// Puts face-down cards where they lay before, as `faces` says; the cells hold face-down cards already.
    pub fn set_faces(&mut self, faces: Faces) {
        self.changed();
        self.faces = faces;
    }

    /// Returns the cells inside the margin on which nothing lies, as a reader meets them.
    #[must_use]
    pub fn free_inside(&self) -> Vec<Cell> {
        let board = Arc::clone(&self.table.board);
        board.reading_order(board.inside()).filter(|cell| self.at(*cell).is_none()).collect()
    }

    /// Notes again how many unknown cards of each zone lie on the board, when zones were laid out.
    pub(super) fn recount_away(&mut self) {
        let unknown: Vec<ZoneId> = self.faces.values().filter_map(Face::unknown).collect();
        for zone in unknown {
            self.count_away(zone, 1);
        }
    }

    fn count_away(&mut self, zone: ZoneId, by: i32) {
        if let Some(zone) = self.zone_mut(zone) {
            zone.away = zone.away.saturating_add_signed(by);
        }
    }

    fn players_in_order(&self) -> Vec<PlayerId> {
        let mut players = self.table.players.clone();
        players.sort_unstable();
        players
    }
}

impl Face {
    /// Returns the zone among whose unknown cards it is.
    #[must_use]
    pub const fn unknown(&self) -> Option<ZoneId> {
        match self {
            Self::Unknown(zone) => Some(*zone),
            _ => None,
        }
    }

    /// Returns the card that it is, if that is certain.
    #[must_use]
    pub const fn card(&self) -> Option<PieceId> {
        match self {
            Self::Card { card, .. } => Some(*card),
            _ => None,
        }
    }
}
