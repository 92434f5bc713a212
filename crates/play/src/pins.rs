//! Cards that a player has seen leave a hand of another player, and which therefore were in it when cards are dealt again.
//!
//! In a trick that others have begun, few random deals give each of them the card that they played. Where too few do,
//! these cards stay in their hands. A deal with one of them is made more often than it is likely, by its copies there.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use super::redeal::{Anchor, Known};
use super::tape::{Draws, Look};
use referee_table::{Counts, PieceId, ZoneId};
use referee_trace::Question;

/// Cards in the zones in which they were.
pub(super) type Pins = Vec<(ZoneId, PieceId)>;

impl Known<'_, '_> {
    /// Keeps the cards that the player has seen leave a zone since the anchor in this zone. Returns whether there are any
    /// that were not kept before.
    pub(super) fn pin(&mut self) -> bool {
        if self.has_pins() {
            return false;
        }
        let pins = self.pins();
        self.anchor.pin(&pins);
        self.free.pin(&pins);
        !pins.is_empty()
    }

    /// Returns whether some cards are kept for this reason.
    pub(super) fn has_pins(&self) -> bool {
        !self.anchor.pins.is_empty()
    }

    /// Returns the cards that the player has seen leave a covered zone into which none came since the anchor, and from
    /// which none were drawn.
    fn pins(&self) -> Pins {
        let anchor = &self.anchor;
        let is_drawn = |zone: &ZoneId| anchor.given.iter().any(|given| given.ask.question == Question::Draw(*zone));
        let has_order = |zone: &ZoneId| anchor.begun.zone(*zone).is_none_or(|zone| !zone.known().is_empty());
        let zones: Vec<ZoneId> =
            anchor.covered.iter().copied().filter(|zone| !is_drawn(zone) && !has_order(zone)).collect();
        let looks = Rc::new(RefCell::new(Vec::new()));
        let draws = Draws::Given { zones: zones.clone(), looks: Rc::clone(&looks) };
        let Some(played) = self.replay(anchor, anchor.begun.clone(), draws).machine else { return Pins::new() };
        let mut looks = looks.take();
        looks.push(Look::of(played.state(), self.player, None, &zones));
        let begun = Look::of(&anchor.begun, self.player, None, &zones);
        let mut pins = Pins::new();
        for (at, zone) in zones.iter().enumerate() {
            let mut left = Pins::new();
            let mut last = &begun;
            let only_leaves = looks.iter().all(|look| {
                let (Some(before), Some(now)) = (last.held.get(at), look.held.get(at)) else { return false };
                for (card, count) in before {
                    let gone = count.saturating_sub(of(now, *card));
                    let seen = of(&last.unseen, *card).saturating_sub(of(&look.unseen, *card));
                    left.extend((0..gone.min(seen)).map(|_| (*zone, *card)));
                }
                last = look;
                now.iter().all(|(card, count)| *count <= of(before, *card))
            });
            if only_leaves {
                pins.append(&mut left);
            }
        }
        pins
    }
}

impl Anchor {
    fn pin(&mut self, pins: &Pins) {
        for (zone, card) in pins {
            let Some(at) = self.pool.iter().position(|other| other == card) else { continue };
            self.pool.remove(at);
            let nth = self.kept.iter().filter(|kept| **kept == (*zone, *card)).count() as u64;
            self.kept.push((*zone, *card));
            self.pins.push((*zone, *card, nth));
            self.pools = OnceCell::new();
        }
    }
}

fn of(counts: &Counts, card: PieceId) -> u32 {
    counts.get(&card).copied().unwrap_or(0)
}
