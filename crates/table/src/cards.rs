//! The cards of a game in play: shuffling, drawing, and the view of a player; the cards that are in no place, and where the
//! card went that was drawn last.
//!
//! A card is in no place when it was taken out of a zone and not put anywhere yet. A player sees it if they saw it in that
//! zone. Cards that were never in a zone are out of the game, which all players know.
//!
//! Equal cards are not distinguished, so a card that comes into view may be another copy than the one drawn, and which
//! card is put somewhere may depend on cards that nobody sees. Only where no other card can be meant is the place known.

use super::layout::rest_of;
use super::{Arrival, Counts, Face, Laid, Loose, Order, PieceId, PlayerId, Schema, State, Visibility, Zone, ZoneId};
use referee_diagnostic::MustBe as _;

/// The part of a state that a player may know.
#[derive(Clone, Debug)]
pub struct View {
    /// The state; zones that the player cannot see are empty.
    pub state: State,
    /// The number of cards in each of these zones.
    pub covered: Vec<(ZoneId, u64)>,
    /// All cards in these zones, in no place and face down on the board together, which the player can deduce from the
    /// visible cards.
    pub unseen: Counts,
    /// The number of cards in no place that the player has not seen.
    pub loose: usize,
}

impl State {
    /// Shuffles a zone. Which card is next is decided when it is drawn, or by [`State::arrange`].
    pub fn shuffle(&mut self, zone: ZoneId) {
        let Some(slot) = self.zone_mut(zone).noted("a zone") else { return };
        slot.shuffle();
        self.keep_cards();
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

    /// Makes the order of a zone begin with these cards: now, or after `shuffles` more shuffles. Ignores cards that are
    /// not in the zone then.
    pub fn arrange(&mut self, zone: ZoneId, shuffles: u32, order: &[PieceId]) {
        self.keep_cards();
        if let Some(before) = shuffles.checked_sub(1) {
            self.shuffles.coming.push((zone, before, order.to_vec()));
        } else {
            let rest = self.settle_dealt(zone, order);
            self.zone_mut(zone).noted("a zone").into_iter().for_each(|slot| slot.know(rest));
            self.note_order(zone, Order::Listed);
        }
    }

    /// Drops the last `count` cards from each order of this zone that is still to come.
    pub fn forget_order(&mut self, zone: ZoneId, count: usize) {
        self.keep_cards();
        for (_, _, order) in self.shuffles.coming.iter_mut().filter(|(other, _, _)| *other == zone) {
            order.truncate(order.len().saturating_sub(count));
        }
    }

    /// Returns how often a zone was shuffled since the beginning of the game.
    #[must_use]
    pub fn shuffled(&self, zone: ZoneId) -> u32 {
        self.shuffles.past.iter().find(|(other, _, _)| *other == zone).map_or(0, |(_, times, _)| *times)
    }

    /// Returns the known order of a zone after its last shuffle.
    #[must_use]
    pub fn order(&self, zone: ZoneId) -> Order {
        let past = self.shuffles.past.iter().find(|(other, _, _)| *other == zone);
        past.map_or(Order::Unshuffled, |(_, _, order)| *order)
    }

    /// Returns whether the order of a shuffle that is to come is decided.
    #[must_use]
    pub const fn has_coming_orders(&self) -> bool {
        !self.shuffles.coming.is_empty()
    }

    /// Notes that a card was drawn from a zone by chance.
    pub fn note_drawn(&mut self, zone: ZoneId) {
        self.keep_cards();
        self.note_order(zone, Order::Drawn);
        self.arrival = Some(super::Arrival::Held);
    }

    pub(super) fn note_order(&mut self, zone: ZoneId, known: Order) {
        if let Some((_, _, order)) = self.shuffles.past.iter_mut().find(|(other, _, _)| *other == zone) {
            *order = known;
        }
    }

    /// Returns all cards of the game that are not on the board; unknown face-down cards count as off the board.
    #[must_use]
    pub fn cards_off_the_board(&self) -> Counts {
        let cards = self.schema().pieces.iter().enumerate().filter_map(|(at, piece)| {
            let card = PieceId::at(at);
            Some((card, piece.card.as_ref()?.copies.saturating_sub(self.on_board(card))))
        });
        cards.filter(|(_, count)| *count > 0).collect()
    }

    /// Returns how many copies of a card are in no place: in no zone and not on the board.
    #[must_use]
    pub fn spare(&self, card: PieceId) -> u32 {
        let copies = self.schema().card(card).map_or(0, |card| card.copies);
        let placed: u64 = self.places_of(card).into_iter().map(|(_, count)| count).sum();
        copies.saturating_sub(u32::try_from(placed).unwrap_or(u32::MAX))
    }

    /// Returns the zones that hold copies of a card, and `None` for the board, each with the number of copies there.
    #[must_use]
    pub fn places_of(&self, card: PieceId) -> Vec<(Option<ZoneId>, u64)> {
        let zones = self.contents.zones.iter().enumerate().map(|(at, zone)| (Some(ZoneId::at(at)), zone.count(card)));
        let board = self.on_board(card);
        zones.chain([(None, u64::from(board))]).filter(|(_, count)| *count > 0).collect()
    }

    /// Returns the number of copies of a card that are known to be on the board.
    fn on_board(&self, card: PieceId) -> u32 {
        let down = self.contents.faces.values().filter(|face| face.card() == Some(card));
        self.covered(card).iter().map(|_| 1).chain(down.map(|_| 1)).sum()
    }

    /// Puts all cards that are not on the board into zones. A card that `laid` does not list goes to the zone that
    /// `rest_of` returns.
    pub fn lay_out(&mut self, laid: &[Laid]) {
        let table = std::sync::Arc::clone(&self.table);
        let mut pool = self.cards_off_the_board();
        for (at, zone) in self.schema().zones_at_first().into_iter().enumerate() {
            // The cards of these zones come from the pool.
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
        let unknown_from = table.schema.unknown_zone().filter(|_| laid.iter().any(|laid| laid.unknown > 0));
        for (card, count) in pool.into_iter().filter(|(_, count)| *count > 0) {
            let kind = table.schema.pieces.get(card.index()).map(|piece| piece.kind);
            let home = kind.and_then(|kind| table.schema.kinds.get(kind.index())?.home);
            let count = count.min(self.left_in_the_variant(card, count));
            let zone = rest_of(&table.schema, laid, home).filter(|_| count > 0);
            let slot = zone.and_then(|zone| self.zone_mut(zone));
            if let Some(slot) = slot {
                slot.bag.insert(card, count);
            } else if let Some(slot) =
                unknown_from.filter(|from| home == Some(*from)).and_then(|from| self.zone_mut(from))
            {
                // Nobody knows which of these are in the zones with unknown cards, and which are out of the game.
                slot.bag.insert(card, count);
            }
        }
        self.recount_away();
        if let Some(from) = unknown_from {
            self.lend(laid, from);
        }
        self.note_laid();
    }

    /// Returns how many of the `left` cards that have no place yet are in play in the variant: fewer than `left` if its
    /// set-up lists all cards of the zone that holds them at the start.
    fn left_in_the_variant(&self, card: PieceId, left: u32) -> u32 {
        let schema = self.schema();
        let in_play = schema.variants.get(self.table.variant).and_then(|variant| {
            let piece = schema.pieces.get(card.index())?;
            let home = schema.kinds.get(piece.kind.index())?.home?;
            let lists_all = rest_of(schema, &variant.laid, Some(home)).is_none();
            let listed = variant.laid.iter().flat_map(|laid| &laid.cards).filter(|other| **other == card).count();
            let placed = piece.card.as_ref()?.copies.saturating_sub(left);
            lists_all.then(|| u32::try_from(listed).unwrap_or(u32::MAX).saturating_sub(placed))
        });
        in_play.unwrap_or(left)
    }

    /// Returns the cards that a player does not see, wherever they are.
    #[must_use]
    pub fn unseen(&self, player: PlayerId) -> Counts {
        let mut unseen = Counts::new();
        let mut add = |card: PieceId, count: u32| {
            let all = unseen.entry(card).or_default();
            *all = all.saturating_add(count);
        };
        for face in self.contents.faces.values() {
            if let Face::Card { card, seen, .. } = face
                && !seen.contains(&player)
            {
                add(*card, 1);
            }
        }
        self.unseen_loose(player).for_each(|card| add(card, 1));
        for (at, zone) in self.contents.zones.iter().enumerate() {
            if !self.schema().sees(player, ZoneId::at(at)) {
                zone.counts().into_iter().for_each(|(card, count)| add(card, count));
            }
        }
        unseen
    }

    /// Returns whether anything is hidden from a player: cards, or values.
    #[must_use]
    pub fn hides_any(&self) -> bool {
        !self.faces().is_empty() || self.schema().is_private()
    }

    /// Returns the view of a player: without hidden zones, secret zones of other players, and face-down cards that the
    /// player has not seen; values that the player does not see are as at first.
    #[must_use]
    pub fn view(&self, player: PlayerId) -> View {
        let mut view = View { state: self.clone(), covered: Vec::new(), unseen: Counts::new(), loose: 0 };
        view.state.shuffles.coming.clear();
        view.state.cover_faces(player);
        view.unseen = self.unseen(player);
        view.loose = self.unseen_loose(player).count();
        view.cover(|zone| self.schema().sees(player, zone));
        view.state.forget_values(self.unseen_values(player));
        view
    }

    /// Returns what all players see: without hidden and secret zones, and face-down cards that one of them has not seen.
    #[must_use]
    pub fn public_view(&self) -> View {
        let mut view = View { state: self.clone(), covered: Vec::new(), unseen: Counts::new(), loose: 0 };
        view.state.shuffles.coming.clear();
        let players = &self.table.players;
        players.iter().for_each(|player| view.state.cover_faces(*player));
        view.cover(|zone| players.iter().all(|player| self.schema().sees(*player, zone)));
        players.iter().for_each(|player| view.state.forget_values(self.unseen_values(*player)));
        view
    }
}

impl View {
    /// Empties the zones that are not seen, and notes how many cards they have.
    fn cover(&mut self, sees: impl Fn(ZoneId) -> bool) {
        for at in 0..self.state.schema().zones.len() {
            let id = ZoneId::at(at);
            let Some(zone) = self.state.zone_mut(id).filter(|_| !sees(id)) else { continue };
            self.covered.push((id, std::mem::take(zone).len()));
        }
    }
}

impl Schema {
    /// Returns the zone with this name and owner.
    #[must_use]
    pub fn zone(&self, name: &str, owner: Option<PlayerId>) -> Option<ZoneId> {
        self.zones.iter().position(|zone| zone.name == name && zone.owner == owner).map(ZoneId::at)
    }

    /// Returns whether there is a zone with this name.
    #[must_use]
    pub fn is_zone(&self, name: &str) -> bool {
        self.zones.iter().any(|zone| zone.name == name)
    }

    /// Returns whether a player sees the cards of a zone.
    #[must_use]
    pub fn sees(&self, player: PlayerId, zone: ZoneId) -> bool {
        self.zones.get(zone.index()).is_some_and(|zone| zone.visibility.sight().is_seen(player, zone.owner))
    }

    /// Returns whether the cards of a zone have an order.
    #[must_use]
    pub fn is_ordered(&self, zone: ZoneId) -> bool {
        let visibility = self.zones.get(zone.index()).map(|zone| zone.visibility);
        matches!(visibility, Some(Visibility::Hidden | Visibility::Pile))
    }

    /// Returns the name of a zone in lines: `deck`, `hand red`.
    #[must_use]
    pub fn zone_name(&self, zone: ZoneId) -> String {
        self.zones.get(zone.index()).map_or_else(String::new, |zone| match zone.owner {
            Some(owner) => format!("{} {}", zone.name, self.player_name(owner)),
            None => zone.name.clone(),
        })
    }

    /// Returns the zones before any card is dealt.
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

impl State {
    /// Notes that a card was taken out of a zone and is in no place now.
    pub fn note_loose(&mut self, card: PieceId, from: ZoneId) {
        let Some(zone) = self.schema().zones.get(from.index()).noted("the zone of a card") else { return };
        let seen = match zone.visibility {
            Visibility::Open | Visibility::Pile => return,
            Visibility::Secret => zone.owner,
            Visibility::Hidden => None,
        };
        self.keep_cards();
        if self.loose.iter().any(|other| other.card == card) {
            // Others of its copies may have been put somewhere since: the latest first.
            let mut left = self.spare(card).saturating_sub(1);
            self.loose.retain(|other| {
                let stays = other.card != card || left > 0;
                left = left.saturating_sub(u32::from(other.card == card));
                stays
            });
        }
        self.loose.push(Loose { card, seen });
        self.note_held(card, from);
    }

    /// Returns the cards in no place that not all players have seen.
    #[must_use]
    pub fn loose(&self) -> Vec<Loose> {
        let mut found: Vec<Loose> = Vec::new();
        for loose in &self.loose {
            let same = found.iter().filter(|other| other.card == loose.card).count();
            if u64::from(self.spare(loose.card)) > same as u64 {
                found.push(loose.clone());
            }
        }
        found
    }

    /// Returns the cards in no place that a player has not seen.
    pub(super) fn unseen_loose(&self, player: PlayerId) -> impl Iterator<Item = PieceId> {
        self.loose().into_iter().filter(move |loose| loose.seen != Some(player)).map(|loose| loose.card)
    }

    /// Replaces the cards in no place that not all players have seen.
    pub fn set_loose(&mut self, loose: Vec<Loose>) {
        self.keep_cards();
        self.loose = loose;
    }
}

impl State {
    /// Returns where the card went that chance decided last; `None` if another card may be meant.
    #[must_use]
    pub const fn arrival(&self) -> Option<Arrival> {
        self.arrival
    }

    /// Returns where the card went that chance decided last, if a player has seen it.
    #[must_use]
    pub fn seen_arrival(&self, player: PlayerId) -> Option<Arrival> {
        self.arrival.filter(|arrival| match arrival {
            Arrival::Held => false,
            Arrival::Zone(zone) | Arrival::Left(zone) => self.schema().sees(player, *zone),
            Arrival::Open => true,
            Arrival::Down(seen) => *seen == Some(player),
        })
    }

    /// Notes that the card that was just drawn went there.
    pub fn note_arrival(&mut self, arrival: Arrival) {
        self.keep_cards();
        if self.arrival == Some(Arrival::Held) {
            self.arrival = Some(arrival);
        }
    }

    /// Notes that some card in no place was put there. It is the one that was drawn if no other card was in no place.
    pub fn note_put(&mut self, arrival: Arrival) {
        self.keep_cards();
        if self.arrival == Some(Arrival::Held) {
            self.arrival = self.all_cards_are_placed().then_some(arrival);
        }
    }

    /// Notes that another card than the one that was drawn last is drawn or turned up.
    pub fn note_other(&mut self) {
        self.keep_cards();
        if self.arrival == Some(Arrival::Held) {
            self.arrival = None;
        }
    }

    /// Notes that a card leaves a zone. Returns whether it is the one that was drawn last, as the only card there.
    pub fn note_leaving(&mut self, from: ZoneId) -> bool {
        let came = self.arrival == Some(Arrival::Zone(from));
        if came {
            self.keep_cards();
            self.arrival = Some(Arrival::Left(from));
        }
        came && self.zone(from).is_some_and(|zone| zone.len() == 1 && !zone.is_spread())
    }

    /// Notes that the card that was drawn last moved to a zone.
    pub fn note_moved(&mut self, to: ZoneId) {
        if self.schema().zones.get(to.index()).is_some_and(|zone| zone.visibility.is_open()) {
            self.keep_cards();
            self.arrival = Some(Arrival::Open);
        }
    }

    /// Returns whether no card is in no place.
    fn all_cards_are_placed(&self) -> bool {
        let pieces = self.schema().pieces.iter().enumerate();
        let cards = pieces.filter_map(|(at, piece)| Some((at, piece.card.as_ref()?.copies)));
        let (copies, up) = cards.fold((0, 0), |(copies, up), (at, more)| {
            let single = self.place(PieceId::at(at)).is_some();
            (copies + u64::from(more), up + u64::from(single) + self.contents.fixed.count(PieceId::at(at)))
        });
        let zones: u64 = self.contents.zones.iter().map(|zone| zone.unknown() + zone.known().len() as u64).sum();
        let down = self.contents.faces.values().filter(|face| face.card().is_some()).count() as u64;
        zones + up + down == copies
    }
}
