//! Looks at a position without playing it: what changes is noted, and taken back.

use super::contents::Contents;
use super::looks::{Cards, Look};
use super::stamps::Stamps;
use super::{Cell, State, ZoneId};
use referee_diagnostic::MustBe as _;

impl State {
    /// Begins a look: everything that changes from now on is taken back by [`State::look_back`]. Looks may be in one another. It
    /// costs no more than what changes.
    pub fn look(&mut self) {
        // Every field is named here: one that rules can change must be taken back.
        let Self {
            // No rules change these, or none while they look.
            table: _,
            turn: _,
            agenda: _,
            outcome: _,
            past: _,
            thrown: _,
            // These are noted when they change.
            contents: Contents { fixed, zones: _, faces: _, stacks: _ },
            shuffles: _,
            loose: _,
            mixed: _,
            arrival: _,
            held,
            next_turn,
            turns,
            listed,
            changes,
            stamps,
            looks,
        } = self;
        looks.push(Look {
            noted: fixed.note_changes(),
            held: *held,
            next_turn: *next_turn,
            turns: turns.clone(),
            listed: listed.clone(),
            changes: *changes,
            stamps: *stamps,
            zones: Vec::new(),
            stacks: Vec::new(),
            cards: None,
        });
    }

    /// Ends the last look: the state is what it was before, with the same stamps, so that what was remembered of it holds again.
    pub fn look_back(&mut self) {
        let Some(look) = self.looks.pop().noted("a look") else { return };
        self.contents.fixed.take_back(look.noted, self.looks.is_empty());
        for (zone, before) in look.zones {
            self.contents.zones.get_mut(zone.index()).into_iter().for_each(|slot| slot.clone_from(&before));
        }
        for (cell, before) in look.stacks {
            match before {
                Some(column) => drop(self.contents.stacks.insert(cell, column)),
                None => drop(self.contents.stacks.remove(&cell)),
            }
        }
        if let Some(cards) = look.cards {
            (self.contents.faces, self.shuffles, self.loose) = (cards.faces, cards.shuffles, cards.loose);
            (self.mixed, self.arrival) = (cards.mixed, cards.arrival);
        }
        self.held = look.held;
        self.next_turn = look.next_turn;
        self.turns = look.turns;
        self.listed = look.listed;
        self.changes = look.changes;
        self.stamps = look.stamps;
    }

    /// Returns how many looks are in one another.
    #[must_use]
    pub const fn looks(&self) -> usize {
        self.looks.len()
    }

    /// Returns the stamps of the position that is played, from which the looks began.
    #[must_use]
    pub fn stamps_before_looks(&self) -> &Stamps {
        self.looks.first().map_or(self.stamps(), |look| &look.stamps)
    }

    /// Notes a zone before it changes.
    pub(super) fn keep_zone(&mut self, zone: ZoneId) {
        if let Some(look) = self.looks.last_mut()
            && !look.zones.iter().any(|(kept, _)| *kept == zone)
            && let Some(before) = self.contents.zones.get(zone.index())
        {
            look.zones.push((zone, before.clone()));
        }
    }

    /// Notes the pieces of a stack before they change.
    pub(super) fn keep_stack(&mut self, cell: Cell) {
        if let Some(look) = self.looks.last_mut()
            && !look.stacks.iter().any(|(kept, _)| *kept == cell)
        {
            look.stacks.push((cell, self.contents.stacks.get(&cell).cloned()));
        }
    }

    /// Notes what there is about cards besides the zones, before it changes.
    pub(super) fn keep_cards(&mut self) {
        if let Some(look) = self.looks.last_mut().filter(|look| look.cards.is_none()) {
            look.cards = Some(Box::new(Cards {
                faces: self.contents.faces.clone(),
                shuffles: self.shuffles.clone(),
                loose: self.loose.clone(),
                mixed: self.mixed.clone(),
                arrival: self.arrival,
            }));
        }
    }
}
