//! Follows the card that chance decided last to the place where it is put.
//!
//! Equal cards are not distinguished, so a card that comes into view may be another copy than the one drawn, and which
//! card is put somewhere may depend on cards that nobody sees. Only where no other card can be meant is the place known.

use super::{Arrival, PlayerId, State, ZoneId};

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
        if self.arrival == Some(Arrival::Held) {
            self.arrival = Some(arrival);
        }
    }

    /// Notes that some card in no place was put there. It is the one that was drawn if no other card was in no place.
    pub fn note_put(&mut self, arrival: Arrival) {
        if self.arrival == Some(Arrival::Held) {
            self.arrival = self.all_cards_are_placed().then_some(arrival);
        }
    }

    /// Notes that another card than the one that was drawn last is drawn or turned up.
    pub fn note_other(&mut self) {
        if self.arrival == Some(Arrival::Held) {
            self.arrival = None;
        }
    }

    /// Notes that a card leaves a zone. Returns whether it is the one that was drawn last, as the only card there.
    pub fn note_leaving(&mut self, from: ZoneId) -> bool {
        let came = self.arrival == Some(Arrival::Zone(from));
        if came {
            self.arrival = Some(Arrival::Left(from));
        }
        came && self.zone(from).is_some_and(|zone| zone.len() == 1 && !zone.is_spread())
    }

    /// Notes that the card that was drawn last moved to a zone.
    pub fn note_moved(&mut self, to: ZoneId) {
        if self.schema().zones.get(to.index()).is_some_and(|zone| zone.visibility.is_open()) {
            self.arrival = Some(Arrival::Open);
        }
    }

    /// Returns whether no card is in no place.
    fn all_cards_are_placed(&self) -> bool {
        let pieces = self.schema().pieces.iter().enumerate();
        let cards = pieces.filter_map(|(at, piece)| Some((at, piece.card.as_ref()?.copies)));
        let (copies, up) = cards.fold((0, 0), |(copies, up), (at, more)| {
            let single = self.contents.places.get(at).is_some_and(Option::is_some);
            let many = self.contents.many.get(at).map_or(0, |cells| cells.iter().count());
            (copies + u64::from(more), up + u64::from(single) + many as u64)
        });
        let zones: u64 = self.contents.zones.iter().map(|zone| zone.unknown() + zone.known().len() as u64).sum();
        let down = self.contents.faces.values().filter(|face| face.card().is_some()).count() as u64;
        zones + up + down == copies
    }
}
