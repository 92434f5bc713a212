//! Zones: where cards are that lie on no board, such as decks, hands and discard piles.
//!
//! Equal cards are counted and never told apart. Of a hidden zone the first cards may be known; the order of the others
//! is not: it is settled by chance, card by card, when they are drawn.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{PieceId, PlayerId, Schema, State, ZoneId};

/// Cards by their numbers; none with the number 0.
pub type Counts = BTreeMap<PieceId, u32>;

/// Who sees what lies in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Everybody.
    Open,
    /// The player whose zone it is.
    Secret,
    /// Nobody: cards lie face down, in an order that nobody knows.
    Hidden,
}

impl Sight {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Secret => "secret",
            Self::Hidden => "hidden",
        }
    }
}

/// A declared zone; one `for each player` is as many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneDef {
    /// Its name.
    pub name: String,
    /// Whose it is, for a zone `for each player`.
    pub owner: Option<PlayerId>,
    /// Who sees what lies in it.
    pub sight: Sight,
}

/// What lies in a zone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Zone {
    /// The cards that are drawn first, the next one first.
    known: Vec<PieceId>,
    /// The others, in no order.
    bag: Counts,
}

impl Zone {
    /// A zone with a known beginning and others in no order.
    #[must_use]
    pub const fn new(known: Vec<PieceId>, bag: Counts) -> Self {
        Self { known, bag }
    }

    /// The cards that are drawn first, the next one first.
    #[must_use]
    pub fn known(&self) -> &[PieceId] {
        &self.known
    }

    /// The cards in no order.
    #[must_use]
    pub const fn bag(&self) -> &Counts {
        &self.bag
    }

    /// All cards by their numbers.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut all = self.bag.clone();
        for card in &self.known {
            let count = all.entry(*card).or_default();
            *count = count.saturating_add(1);
        }
        all
    }

    /// How many cards there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.bag.values().map(|count| u64::from(*count)).sum::<u64>() + self.known.len() as u64
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.is_empty() && self.bag.is_empty()
    }

    /// How many there are of a card.
    #[must_use]
    pub fn count(&self, card: PieceId) -> u64 {
        let known = self.known.iter().filter(|other| **other == card).count();
        u64::from(self.bag.get(&card).copied().unwrap_or(0)) + known as u64
    }

    /// Put a card with those in no order.
    pub fn add(&mut self, card: PieceId) {
        let count = self.bag.entry(card).or_default();
        *count = count.saturating_add(1);
    }

    /// Put a card before all others.
    pub fn put_first(&mut self, card: PieceId) {
        self.known.insert(0, card);
    }

    /// Take out one card of this sort, a known one first; whether there was one.
    pub fn take(&mut self, card: PieceId) -> bool {
        if let Some(at) = self.known.iter().position(|other| *other == card) {
            self.known.remove(at);
            return true;
        }
        let Some(count) = self.bag.get_mut(&card) else { return false };
        *count = count.saturating_sub(1);
        if *count == 0 {
            self.bag.remove(&card);
        }
        true
    }

    /// Forget the order.
    pub fn shuffle(&mut self) {
        self.bag = self.counts();
        self.known.clear();
    }
}

/// What a player may know of a state.
#[derive(Clone, Debug)]
pub struct View {
    /// The state; zones that the player cannot look into are empty.
    pub state: State,
    /// How many cards those hold.
    pub covered: Vec<(ZoneId, u64)>,
    /// All cards in them together: what the player can work out from what lies open and in the own hand.
    pub unseen: Counts,
}

impl State {
    /// What a player may know: neither other players' secret zones nor hidden ones.
    #[must_use]
    pub fn view(&self, player: PlayerId) -> View {
        let mut view = View { state: self.clone(), covered: Vec::new(), unseen: Counts::new() };
        for (at, def) in self.schema().zones.iter().enumerate() {
            let id = ZoneId::at(at);
            let seen = match def.sight {
                Sight::Open => true,
                Sight::Secret => def.owner == Some(player),
                Sight::Hidden => false,
            };
            let Some(zone) = view.state.zone_mut(id).filter(|_| !seen) else { continue };
            let zone = std::mem::take(zone);
            view.covered.push((id, zone.len()));
            for (card, count) in zone.counts() {
                let unseen = view.unseen.entry(card).or_default();
                *unseen = unseen.saturating_add(count);
            }
        }
        view
    }
}

impl Schema {
    /// A zone by its name, and the player whose it is.
    #[must_use]
    pub fn zone(&self, name: &str, owner: Option<PlayerId>) -> Option<ZoneId> {
        self.zones.iter().position(|zone| zone.name == name && zone.owner == owner).map(ZoneId::at)
    }

    /// Whether there is a zone of this name.
    #[must_use]
    pub fn is_zone(&self, name: &str) -> bool {
        self.zones.iter().any(|zone| zone.name == name)
    }

    /// What lines call a zone: `deck`, `hand red`.
    #[must_use]
    pub fn zone_name(&self, zone: ZoneId) -> String {
        self.zones.get(zone.index()).map_or_else(String::new, |zone| match zone.owner {
            Some(owner) => format!("{} {}", zone.name, self.player_name(owner)),
            None => zone.name.clone(),
        })
    }

    /// Where all cards are before anything is dealt.
    #[must_use]
    pub(super) fn zones_at_first(&self) -> Vec<Zone> {
        let mut zones = vec![Zone::default(); self.zones.len()];
        for (at, piece) in self.pieces.iter().enumerate() {
            let home = self.kinds.get(piece.kind.index()).and_then(|kind| kind.home);
            let zone = home.and_then(|home| zones.get_mut(home.index()));
            if let (Some(zone), Some(card)) = (zone, &piece.card) {
                zone.bag.insert(PieceId::at(at), card.copies);
            }
        }
        zones
    }
}
