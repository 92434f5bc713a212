//! Unknown cards of a zone: a position says how many there are, and not which.
//!
//! They come from the hidden zone in which cards begin, and stay among the cards without an order of that zone. Any of these is as
//! likely as any other. So chance decides which cards they are as if they were drawn: when it matters.

use super::{Arrival, Laid, Lent, Order, PieceId, Schema, State, ZoneId};

impl Schema {
    /// Returns whether a position may say of a zone that it has unknown cards: not all players see them, and they do not begin
    /// there.
    #[must_use]
    pub fn may_be_unknown(&self, zone: ZoneId) -> bool {
        let is_covered = |def: &super::ZoneDef| !def.visibility.is_open();
        self.zones.get(zone.index()).is_some_and(is_covered) && self.unknown_zone() != Some(zone)
    }
}

impl State {
    /// Returns whether a zone has unknown cards.
    #[must_use]
    pub fn lends_any(&self) -> bool {
        self.contents.zones.iter().any(|zone| zone.lent.is_some())
    }

    /// Returns the zones with unknown cards, and these.
    pub fn lent_zones(&self) -> impl Iterator<Item = (ZoneId, Lent)> + '_ {
        let zones = self.contents.zones.iter().enumerate();
        zones.filter_map(|(at, zone)| Some((ZoneId::at(at), zone.lent?)))
    }

    /// Returns the zone whose unknown cards are to be decided before all cards of this zone are known: itself, or one with unknown
    /// cards that come from it.
    #[must_use]
    pub fn unknown_before(&self, zone: ZoneId) -> Option<ZoneId> {
        if self.zone(zone)?.lent.is_some() {
            return Some(zone);
        }
        self.lent_zones().find(|(_, lent)| lent.from == zone).map(|(zone, _)| zone)
    }

    /// Returns how many unknown cards of other zones come from a zone.
    #[must_use]
    pub fn lent_from(&self, zone: ZoneId) -> u64 {
        self.lent_zones().filter(|(_, lent)| lent.from == zone).map(|(_, lent)| u64::from(lent.count)).sum()
    }

    /// Notes the unknown cards of zones, after all cards were laid out.
    pub(super) fn lend(&mut self, laid: &[Laid], from: ZoneId) {
        for Laid { zone, unknown, .. } in laid.iter().filter(|laid| laid.unknown > 0) {
            if let Some(slot) = self.zone_mut(*zone) {
                slot.lent = Some(Lent { from, count: *unknown });
                self.count_away(from, i32::try_from(*unknown).unwrap_or(i32::MAX));
            }
        }
        let has_rest = laid.iter().find(|laid| laid.zone == from).is_none_or(|laid| laid.more);
        if let Some(slot) = self.zone_mut(from).filter(|_| !has_rest) {
            // The cards that no line names are in those zones, or out of the game.
            slot.away = slot.away.max(u32::try_from(slot.unknown()).unwrap_or(u32::MAX));
        }
    }

    /// Decides one of the unknown cards of a zone. Does nothing if it has none, or if it cannot be this card.
    pub fn settle_lent(&mut self, zone: ZoneId, card: PieceId) {
        let Some(Lent { from, count }) = self.zone(zone).and_then(super::Zone::lent) else { return };
        if !self.zone_mut(from).is_some_and(|from| from.take_unknown(card)) {
            return;
        }
        self.count_away(from, -1);
        if let Some(slot) = self.zone_mut(zone) {
            slot.add(card);
            slot.lent = (count > 1).then_some(Lent { from, count: count - 1 });
        }
        self.keep_cards();
        self.note_order(from, Order::Drawn);
        self.arrival = Some(Arrival::Zone(zone));
        self.note_passed(card, Some(from), Some(zone));
    }
}
