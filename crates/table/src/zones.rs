//! Zones: the places of cards off the board, such as decks, hands and discard piles.
//!
//! Equal cards are counted and never distinguished. In a hidden zone the first cards may be known. The others have no
//! order: chance decides each card when it is drawn.

use litemap::LiteMap;

use serde::{Deserialize, Serialize};

use super::{Cell, PieceId, PlayerId, Sight, ZoneId};

/// The number of each card; never 0.
pub type Counts = LiteMap<PieceId, u32>;

/// Who sees the cards in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// All players.
    Open,
    /// The player who owns the zone.
    Secret,
    /// No player: the cards are face down, in an unknown order.
    Hidden,
    /// All players, who also see the order of the cards: face up, the latest card on top.
    Pile,
}

impl Visibility {
    /// Returns who sees the cards.
    #[must_use]
    pub const fn sight(self) -> Sight {
        match self {
            Self::Open | Self::Pile => Sight::Open,
            Self::Secret => Sight::Secret,
            Self::Hidden => Sight::Hidden,
        }
    }

    /// Returns the word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pile => "pile",
            other => other.sight().word(),
        }
    }

    /// Returns whether all players see the cards.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self.sight(), Sight::Open)
    }
}

/// A declared zone; a declaration `for each player` gives one zone for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneDef {
    /// Its name.
    pub name: String,
    /// Its owner, for a zone `for each player`.
    pub owner: Option<PlayerId>,
    /// Who sees its cards.
    pub visibility: Visibility,
}

/// Unknown cards of a zone. They were dealt from a hidden zone, and stay among the cards without an order of that zone until it is
/// decided which they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lent {
    /// The hidden zone.
    pub from: ZoneId,
    /// How many there are; never 0.
    pub count: u32,
}

/// The contents of a zone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Zone {
    /// The known cards in the order in which they are drawn.
    pub(super) known: Vec<PieceId>,
    /// The other cards, without an order.
    pub(super) bag: Counts,
    /// The number of cards in the bag that are face down on the board, unknown cards of another zone or out of the game, without it
    /// being known which. An encoded state has these numbers after its zones.
    #[serde(skip)]
    pub(super) away: u32,
    /// Its unknown cards. An encoded state has them after its zones.
    #[serde(skip)]
    pub(super) lent: Option<Lent>,
}

impl Zone {
    /// Returns a zone with known first cards and others without an order.
    #[must_use]
    pub const fn new(known: Vec<PieceId>, bag: Counts) -> Self {
        Self { known, bag, away: 0, lent: None }
    }

    /// Returns the number of its cards that are elsewhere, and its unknown cards: the fields that are not written with a zone.
    pub(super) const fn unwritten(&self) -> (u32, Option<Lent>) {
        let Self { known: _, bag: _, away, lent } = self;
        (*away, *lent)
    }

    /// Returns the same zone with as many unknown cards elsewhere as `other`, and with its unknown cards.
    #[must_use]
    pub const fn with_unknown_of(mut self, other: &Self) -> Self {
        self.away = other.away;
        self.lent = other.lent;
        self
    }

    /// Returns the same zone with so many unknown cards, for what lines say of it: not from where they come.
    #[must_use]
    pub fn with_unknown(mut self, count: u32) -> Self {
        self.lent = (count > 0).then_some(Lent { from: ZoneId(0), count });
        self
    }

    /// Returns its unknown cards: it is not decided which they are.
    #[must_use]
    pub const fn lent(&self) -> Option<Lent> {
        self.lent
    }

    /// Returns the number of its unknown cards.
    #[must_use]
    pub fn lent_count(&self) -> u64 {
        self.lent.map_or(0, |lent| lent.count.into())
    }

    /// Returns the number of cards without an order in the zone itself.
    #[must_use]
    pub fn rest(&self) -> u64 {
        self.unknown().saturating_sub(u64::from(self.away))
    }

    /// Returns the number of cards without an order, including those on the board.
    #[must_use]
    pub fn unknown(&self) -> u64 {
        self.bag.values().map(|count| u64::from(*count)).sum()
    }

    /// Returns whether some of its unknown cards are elsewhere.
    #[must_use]
    pub const fn is_spread(&self) -> bool {
        self.away > 0
    }

    /// Returns the known cards in the order in which they are drawn.
    #[must_use]
    pub fn known(&self) -> &[PieceId] {
        &self.known
    }

    /// Returns the cards without an order.
    #[must_use]
    pub const fn bag(&self) -> &Counts {
        &self.bag
    }

    /// Returns the number of each card, including unknown ones on the board.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut all = self.bag.clone();
        for card in &self.known {
            let count = all.entry(*card).or_default();
            *count = count.saturating_add(1);
        }
        all
    }

    /// Returns the number of cards.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.rest() + self.known.len() as u64 + self.lent_count()
    }

    /// Returns whether there are no cards.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        // No count in the bag is 0.
        self.known.is_empty() && self.lent.is_none() && (self.bag.is_empty() || self.is_spread() && self.rest() == 0)
    }

    /// Returns the number of equal cards.
    #[must_use]
    pub fn count(&self, card: PieceId) -> u64 {
        let known = self.known.iter().filter(|other| **other == card).count();
        u64::from(self.bag.get(&card).copied().unwrap_or(0)) + known as u64
    }

    /// Adds a card to those without an order.
    pub fn add(&mut self, card: PieceId) {
        let count = self.bag.entry(card).or_default();
        *count = count.saturating_add(1);
    }

    /// Puts a card first: it is drawn next.
    pub fn put_first(&mut self, card: PieceId) {
        self.known.insert(0, card);
    }

    /// Removes one such card, preferring a known one; returns whether there was one.
    pub fn take(&mut self, card: PieceId) -> bool {
        if let Some(at) = self.known.iter().position(|other| *other == card) {
            self.known.remove(at);
            return true;
        }
        self.take_unknown(card)
    }

    /// Removes one of the cards without an order; returns whether there was one.
    pub fn take_unknown(&mut self, card: PieceId) -> bool {
        let Some(count) = self.bag.get_mut(&card) else { return false };
        *count = count.saturating_sub(1);
        if *count == 0 {
            self.bag.remove(&card);
        }
        true
    }

    /// Forgets the order; see [`super::State::shuffle`].
    pub(super) fn shuffle(&mut self) {
        self.bag = self.counts();
        self.known.clear();
    }

    /// Moves these cards from the bag to the end of the known cards.
    pub(super) fn know(&mut self, order: &[PieceId]) {
        for card in order {
            let Some(count) = self.bag.get_mut(card) else { continue };
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.bag.remove(card);
            }
            self.known.push(*card);
        }
    }
}

/// The contents of a zone in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Laid {
    /// The zone.
    pub zone: ZoneId,
    /// The listed cards, in the order in which they are drawn.
    pub cards: Vec<PieceId>,
    /// Whether the cards follow that begin there and that no line names.
    pub more: bool,
    /// The number of unknown cards.
    pub unknown: u32,
}

/// A card in no place that not all players have seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loose {
    /// The card.
    pub card: PieceId,
    /// The player who sees it, if any does.
    pub seen: Option<PlayerId>,
}

/// Where the card went that chance decided last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arrival {
    /// It is in no place yet.
    Held,
    /// Into this zone.
    Zone(ZoneId),
    /// Where all players see it: face up on the board, or in an open zone after another.
    Open,
    /// Into this zone; it or another card has left the zone since.
    Left(ZoneId),
    /// Face down on the board, where this player knows it, if any does.
    Down(Option<PlayerId>),
}

/// The known order of a zone after its last shuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The zone was not shuffled.
    Unshuffled,
    /// Nothing is known yet.
    Open,
    /// Cards were drawn by chance since then.
    Drawn,
    /// A line gave the first cards.
    Listed,
}

/// The orders of shuffled zones. Only the orders still to come are part of the key of a state; the rest is history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shuffles {
    /// The shuffled zones, the number of shuffles of each, and its known order.
    pub(super) past: Vec<(ZoneId, u32, Order)>,
    /// Orders of shuffles still to come: the zone, the number of its shuffles before that one, and its first cards.
    pub(super) coming: Vec<(ZoneId, u32, Vec<PieceId>)>,
    /// The cells to which unknown cards were dealt since their zone was shuffled, in the order of dealing.
    pub(super) dealt: Vec<(ZoneId, Cell)>,
}
