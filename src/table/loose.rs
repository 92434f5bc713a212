//! Cards that are in no place: they were taken out of a zone and not put anywhere yet. A player sees such a card if
//! they saw it in the zone from which it came. Cards that were never in a zone are out of the game, which all players
//! know.

use super::{Loose, PieceId, PlayerId, State, Visibility, ZoneId};
use crate::diagnostic::MustBe as _;

impl State {
    /// Notes that a card was taken out of a zone and is in no place now.
    pub fn note_loose(&mut self, card: PieceId, from: ZoneId) {
        let Some(zone) = self.schema().zones.get(from.index()).noted("the zone of a card") else { return };
        let seen = match zone.visibility {
            Visibility::Open | Visibility::Pile => return,
            Visibility::Secret => zone.owner,
            Visibility::Hidden => None,
        };
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
        self.loose = loose;
    }
}
