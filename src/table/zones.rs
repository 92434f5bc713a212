//! Zones: where cards are that lie on no board, such as decks, hands and discard piles.
//!
//! Equal cards are counted and never distinguished. Of a hidden zone the first cards may be known; the order of the others
//! is not: it is settled by chance, card by card, when they are drawn.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Cell, PieceId, PlayerId, Schema, State, ZoneId};

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
    /// Everybody, and in which order the cards lie: face up, the one that came last on top.
    Pile,
}

impl Sight {
    /// Returns the word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Secret => "secret",
            Self::Hidden => "hidden",
            Self::Pile => "pile",
        }
    }

    /// Returns whether everybody sees the cards.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Open | Self::Pile)
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
    /// How many of those lie face down on the board, or out of the game, without anybody knowing which.
    #[serde(skip)]
    pub(super) away: u32,
}

impl Zone {
    /// Returns a zone with a known beginning and others in no order.
    #[must_use]
    pub const fn new(known: Vec<PieceId>, bag: Counts) -> Self {
        Self { known, bag, away: 0 }
    }

    /// Returns the same with as many of its unknown cards on the board as `other` has there.
    #[must_use]
    pub const fn with_away(mut self, other: &Self) -> Self {
        self.away = other.away;
        self
    }

    /// Returns how many cards in no order are in the zone itself.
    #[must_use]
    pub fn rest(&self) -> u64 {
        self.unknown().saturating_sub(u64::from(self.away))
    }

    /// Returns how many cards there are in no order, those on the board among them.
    #[must_use]
    pub fn unknown(&self) -> u64 {
        self.bag.values().map(|count| u64::from(*count)).sum()
    }

    /// Returns whether some of its unknown cards lie on the board.
    #[must_use]
    pub const fn is_spread(&self) -> bool {
        self.away > 0
    }

    /// Returns the cards that are drawn first, the next one first.
    #[must_use]
    pub fn known(&self) -> &[PieceId] {
        &self.known
    }

    /// Returns the cards in no order.
    #[must_use]
    pub const fn bag(&self) -> &Counts {
        &self.bag
    }

    /// Returns all cards by their numbers, unknown ones on the board among them.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut all = self.bag.clone();
        for card in &self.known {
            let count = all.entry(*card).or_default();
            *count = count.saturating_add(1);
        }
        all
    }

    /// Returns how many cards there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.rest() + self.known.len() as u64
    }

    /// Returns whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.is_empty() && self.rest() == 0
    }

    /// Returns how many there are of a card.
    #[must_use]
    pub fn count(&self, card: PieceId) -> u64 {
        let known = self.known.iter().filter(|other| **other == card).count();
        u64::from(self.bag.get(&card).copied().unwrap_or(0)) + known as u64
    }

    /// Puts a card with those in no order.
    pub fn add(&mut self, card: PieceId) {
        let count = self.bag.entry(card).or_default();
        *count = count.saturating_add(1);
    }

    /// Puts a card before all others.
    pub fn put_first(&mut self, card: PieceId) {
        self.known.insert(0, card);
    }

    /// Takes out one card of this sort, a known one first; whether there was one.
    pub fn take(&mut self, card: PieceId) -> bool {
        if let Some(at) = self.known.iter().position(|other| *other == card) {
            self.known.remove(at);
            return true;
        }
        self.take_unknown(card)
    }

    /// Takes out one of the cards in no order; whether there was one.
    pub fn take_unknown(&mut self, card: PieceId) -> bool {
        let Some(count) = self.bag.get_mut(&card) else { return false };
        *count = count.saturating_sub(1);
        if *count == 0 {
            self.bag.remove(&card);
        }
        true
    }

    /// Forgets the order; see [`State::shuffle`].
    fn shuffle(&mut self) {
        self.bag = self.counts();
        self.known.clear();
    }

    /// These of the cards in no order come next, behind those that are known.
    fn know(&mut self, order: &[PieceId]) {
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

/// What a position says of a zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Laid {
    /// The zone.
    pub zone: ZoneId,
    /// What lies in it, the card that is drawn first first.
    pub cards: Vec<PieceId>,
    /// Whether all cards follow of which nothing else is said.
    pub more: bool,
}

/// What is known of the order that the last shuffling of a zone gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// It was not shuffled.
    Unshuffled,
    /// Nothing yet.
    Open,
    /// Cards came by chance since then.
    Drawn,
    /// It was said how it begins.
    Said,
}

/// What was done with the order of zones. That is history; the orders still to come are not, and are in a state's key.
#[derive(Clone, Debug, Default)]
pub(super) struct Shuffles {
    /// The zones that were shuffled, how often, and what is known since.
    past: Vec<(ZoneId, u32, Order)>,
    /// Orders of shufflings still to come: of this zone, behind so many others, its first cards.
    pub(super) coming: Vec<(ZoneId, u32, Vec<PieceId>)>,
    /// The cells to which unknown cards were dealt since their zone was shuffled, in the order of dealing.
    pub(super) dealt: Vec<(ZoneId, Cell)>,
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
    /// Shuffles a zone: which card is next is settled when it is drawn, or by what [`State::arrange`] has said.
    pub fn shuffle(&mut self, zone: ZoneId) {
        let Some(slot) = self.zone_mut(zone) else { return };
        slot.shuffle();
        self.shuffles.dealt.retain(|(other, _)| *other != zone);
        match self.shuffles.past.iter_mut().find(|(other, _, _)| *other == zone) {
            Some((_, times, order)) => (*times, *order) = (times.saturating_add(1), Order::Open),
            None => self.shuffles.past.push((zone, 1, Order::Open)),
        }
        let mut given = None;
        self.shuffles.coming.retain_mut(|(other, before, order)| match before.checked_sub(1) {
            _ if *other != zone => true,
            Some(fewer) => {
                *before = fewer;
                true
            }
            None => {
                given = Some(std::mem::take(order));
                false
            }
        });
        if let Some(order) = given {
            self.arrange(zone, 0, &order);
        }
    }

    /// The order of a zone begins with these cards: as it is now, or as it will be when it has been shuffled so many
    /// times more. Cards that are not there then are passed over.
    pub fn arrange(&mut self, zone: ZoneId, shuffles: u32, order: &[PieceId]) {
        if let Some(before) = shuffles.checked_sub(1) {
            self.shuffles.coming.push((zone, before, order.to_vec()));
        } else {
            let rest = self.settle_dealt(zone, order);
            if let Some(slot) = self.zone_mut(zone) {
                slot.know(rest);
            }
            self.note_order(zone, Order::Said);
        }
    }

    /// Of the orders that shufflings of a zone are still to give, forget the last `count` cards.
    pub fn forget_order(&mut self, zone: ZoneId, count: usize) {
        for (_, _, order) in self.shuffles.coming.iter_mut().filter(|(other, _, _)| *other == zone) {
            order.truncate(order.len().saturating_sub(count));
        }
    }

    /// Returns how often a zone was shuffled, as long as the game has been going on.
    #[must_use]
    pub fn shuffled(&self, zone: ZoneId) -> u32 {
        self.shuffles.past.iter().find(|(other, _, _)| *other == zone).map_or(0, |(_, times, _)| *times)
    }

    /// What is known of the order that the last shuffling of a zone gave.
    #[must_use]
    pub fn order(&self, zone: ZoneId) -> Order {
        let past = self.shuffles.past.iter().find(|(other, _, _)| *other == zone);
        past.map_or(Order::Unshuffled, |(_, _, order)| *order)
    }

    /// A card came from a zone by chance.
    pub fn note_drawn(&mut self, zone: ZoneId) {
        self.note_order(zone, Order::Drawn);
    }

    fn note_order(&mut self, zone: ZoneId, known: Order) {
        if let Some((_, _, order)) = self.shuffles.past.iter_mut().find(|(other, _, _)| *other == zone) {
            *order = known;
        }
    }

    /// Returns all cards of the game that do not lie on the board, as far as that is certain.
    #[must_use]
    pub fn cards_off_the_board(&self) -> Counts {
        let cards = self.schema().pieces.iter().enumerate().filter_map(|(at, piece)| {
            let card = PieceId::at(at);
            let down = self.faces.values().filter(|face| face.card() == Some(card));
            let on_board: u32 = self.covered(card).iter().map(|_| 1).chain(down.map(|_| 1)).sum();
            Some((card, piece.card.as_ref()?.copies.saturating_sub(on_board)))
        });
        cards.filter(|(_, count)| *count > 0).collect()
    }

    /// Lays out all cards that do not lie on the board. Those that are not said to lie somewhere lie with the rest;
    /// else where cards begin, if nothing is said of that zone; else they are out of the game.
    pub fn lay_out(&mut self, laid: &[Laid]) {
        let table = std::sync::Arc::clone(&self.table);
        let mut pool = self.cards_off_the_board();
        for (at, zone) in self.schema().zones_at_first().into_iter().enumerate() {
            // What begins there comes from the pool.
            let empty = Zone::default();
            if let Some(slot) = (zone != empty).then(|| self.zone_mut(ZoneId::at(at))).flatten() {
                *slot = empty;
            }
        }
        for Laid { zone, cards, .. } in laid {
            let ordered = table.schema.is_ordered(*zone);
            for card in cards {
                if let Some(left) = pool.get_mut(card) {
                    *left = left.saturating_sub(1);
                }
            }
            if let Some(slot) = self.zone_mut(*zone) {
                *slot = Zone::default();
                if ordered {
                    slot.known.clone_from(cards);
                } else {
                    cards.iter().for_each(|card| slot.add(*card));
                }
            }
        }
        let rest = laid.iter().find(|laid| laid.more).map(|laid| laid.zone);
        for (card, count) in pool.into_iter().filter(|(_, count)| *count > 0) {
            let kind = table.schema.pieces.get(card.index()).map(|piece| piece.kind);
            let home = kind.and_then(|kind| table.schema.kinds.get(kind.index())?.home);
            let home = home.filter(|home| !laid.iter().any(|laid| laid.zone == *home));
            let count = count.min(self.left_in_the_variant(card, count));
            let slot = rest.or(home).and_then(|zone| self.zone_mut(zone)).filter(|_| count > 0);
            if let Some(slot) = slot {
                slot.bag.insert(card, count);
            }
        }
        self.recount_away();
    }

    /// Returns how many of a card the variant has in play beside those that lie somewhere, where `left` are not placed:
    /// fewer if its set-up lists all cards of the zone in which the card begins.
    fn left_in_the_variant(&self, card: PieceId, left: u32) -> u32 {
        let schema = self.schema();
        let in_play = schema.variants.get(self.table.variant).and_then(|variant| {
            let piece = schema.pieces.get(card.index())?;
            let home = schema.kinds.get(piece.kind.index())?.home?;
            let lists_all =
                variant.laid.iter().any(|laid| laid.zone == home) && !variant.laid.iter().any(|laid| laid.more);
            let listed = variant.laid.iter().flat_map(|laid| &laid.cards).filter(|other| **other == card).count();
            let placed = piece.card.as_ref()?.copies.saturating_sub(left);
            lists_all.then(|| u32::try_from(listed).unwrap_or(u32::MAX).saturating_sub(placed))
        });
        in_play.unwrap_or(left)
    }

    /// Returns whether some player may not see everything.
    #[must_use]
    pub fn hides_cards(&self) -> bool {
        !self.faces().is_empty() || self.schema().zones.iter().any(|zone| !zone.sight.is_open())
    }

    /// What a player may know: neither other players' secret zones nor hidden ones, nor cards face down that the player
    /// has not seen.
    #[must_use]
    pub fn view(&self, player: PlayerId) -> View {
        let mut view = View { state: self.clone(), covered: Vec::new(), unseen: Counts::new() };
        view.state.shuffles.coming.clear();
        for card in view.state.cover_faces(player) {
            let unseen = view.unseen.entry(card).or_default();
            *unseen = unseen.saturating_add(1);
        }
        for (at, def) in self.schema().zones.iter().enumerate() {
            let id = ZoneId::at(at);
            let seen = match def.sight {
                Sight::Open | Sight::Pile => true,
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
    /// Returns a zone by its name, and the player whose it is.
    #[must_use]
    pub fn zone(&self, name: &str, owner: Option<PlayerId>) -> Option<ZoneId> {
        self.zones.iter().position(|zone| zone.name == name && zone.owner == owner).map(ZoneId::at)
    }

    /// Returns whether there is a zone of this name.
    #[must_use]
    pub fn is_zone(&self, name: &str) -> bool {
        self.zones.iter().any(|zone| zone.name == name)
    }

    /// Returns whether the cards of a zone lie in an order.
    #[must_use]
    pub fn is_ordered(&self, zone: ZoneId) -> bool {
        let sight = self.zones.get(zone.index()).map(|zone| zone.sight);
        matches!(sight, Some(Sight::Hidden | Sight::Pile))
    }

    /// What lines call a zone: `deck`, `hand red`.
    #[must_use]
    pub fn zone_name(&self, zone: ZoneId) -> String {
        self.zones.get(zone.index()).map_or_else(String::new, |zone| match zone.owner {
            Some(owner) => format!("{} {}", zone.name, self.player_name(owner)),
            None => zone.name.clone(),
        })
    }

    /// Returns where all cards are before anything is dealt.
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
