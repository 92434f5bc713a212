//! The part of play that is dealt again if cards are hidden: from the last point at which nothing that depends on them
//! was carried on.
//!
//! A phase carries more than the state shows: arguments, the phases on the agenda, variables. All of it may depend on
//! cards that a player does not see. At the beginning of a turn nothing is carried, so a segment begins there, or with
//! the set-up. Values carry what was thrown under a cup: then it begins with the first turn after rules have cleared them.

use std::hash::Hash as _;
use std::rc::Rc;

use referee_table::{Packer, Phase, Schema, State};
use referee_trace::{Answer, Ask, Event};

/// The maximum number of phases of a segment whose beginnings are kept.
const MAX_LEGS: usize = 32;

/// A phase of a segment, or several in a row.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    /// The state at its beginning, without the phase on the agenda, and the phase.
    pub(super) start: Rc<(State, Phase)>,
    /// The answers given in it.
    pub(super) given: Vec<(Ask, Answer)>,
    /// The events in it.
    pub(super) events: Vec<Event>,
    /// The number of phases.
    pub(super) phases: usize,
}

/// A segment up to the phase that paused.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    earlier: Vec<Rc<Leg>>,
    now: Leg,
    /// Whether a policy averages over its deals, so that positions with other segments are others.
    matters: bool,
}

impl Segment {
    /// Returns the segment when a phase begins in this state, after the phases of `prior`. Returns `None` if no cards
    /// and no throws can be hidden from players.
    pub(super) fn next(prior: Option<Box<Self>>, state: &State, phase: &Phase) -> Option<Box<Self>> {
        if !Self::is_kept_by(state.schema()) {
            return None;
        }
        let goes_on = !is_plain(state, phase) || Self::goes_on_in(state);
        let Some(mut prior) = prior.filter(|_| goes_on) else {
            return Some(Box::new(Self { earlier: Vec::new(), now: Leg::new(state, phase), matters: false }));
        };
        if prior.earlier.len() < MAX_LEGS {
            let before = std::mem::replace(&mut prior.now, Leg::new(state, phase));
            prior.earlier.push(Rc::new(before));
        } else {
            prior.now.phases += 1;
        }
        Some(prior)
    }

    /// Returns whether a segment goes on when a turn begins in this state: values carry what was thrown in secret.
    pub(super) fn goes_on_in(state: &State) -> bool {
        state.schema().has_secret_dice() && !state.has_nothing_secret()
    }

    /// Returns whether players of a game may not see all cards or throws.
    pub(super) fn is_kept_by(schema: &Schema) -> bool {
        schema.back().is_some() || schema.has_secret_dice()
    }

    /// Adds answers that were given, and events.
    pub(super) fn add(
        &mut self,
        given: impl IntoIterator<Item = (Ask, Answer)>,
        events: impl IntoIterator<Item = Event>,
    ) {
        self.now.given.extend(given);
        self.now.events.extend(events);
    }

    /// Records that a policy averages over its deals.
    pub(super) const fn matter(&mut self) {
        self.matters = true;
    }

    /// Returns its parts in order.
    pub(super) fn legs(&self) -> impl Iterator<Item = &Leg> {
        self.earlier.iter().map(|leg| &**leg).chain([&self.now])
    }

    /// Changes the state at the beginning of each part.
    pub(super) fn change(&mut self, change: impl Fn(&mut State)) {
        let legs = self.earlier.iter_mut().map(Rc::make_mut).chain([&mut self.now]);
        legs.for_each(|leg| change(&mut Rc::make_mut(&mut leg.start).0));
    }

    /// Returns the state at its beginning.
    pub(super) fn first(&self) -> &State {
        let first = self.earlier.first().map_or(&self.now, |leg| leg);
        &first.start.0
    }

    /// Returns the state and the phase at its beginning, if nothing was answered since.
    pub(super) fn without_answers(&self) -> Option<&Rc<(State, Phase)>> {
        let first = self.earlier.first().map_or(&self.now, |leg| leg);
        self.legs().all(|leg| leg.given.is_empty()).then_some(&first.start)
    }

    /// Packs its beginning and the answers in it, which decide everything else, if it matters.
    pub(super) fn pack(&self, packer: &mut Packer) {
        if !self.matters {
            return;
        }
        for (at, leg) in self.legs().enumerate() {
            if at == 0 {
                packer.state(&leg.start.0);
                leg.start.1.hash(packer);
                leg.start.0.mixed().hash(packer);
                leg.start.0.loose().iter().for_each(|loose| (loose.card, loose.seen).hash(packer));
            }
            leg.given.iter().for_each(|(_, answer)| answer.hash(packer));
        }
    }

    /// Returns its memory use in bytes, apart from what it shares with others.
    pub(super) fn bytes(&self) -> u64 {
        let answers = self.now.given.len() * std::mem::size_of::<(Ask, Answer)>();
        let legs = self.earlier.len() * std::mem::size_of::<Rc<Leg>>();
        self.now.start.0.bytes() + (answers + legs) as u64
    }
}

impl Leg {
    fn new(state: &State, phase: &Phase) -> Self {
        let start = Rc::new((state.clone(), phase.clone()));
        Self { start, given: Vec::new(), events: Vec::new(), phases: 1 }
    }
}

/// Returns whether a phase is a turn as it begins by itself: nothing is carried into it.
fn is_plain(state: &State, phase: &Phase) -> bool {
    let carries = !state.agenda.is_empty() || state.next_turn.is_some() || !state.turns.extra().is_empty();
    !carries && state.turn.is_some() && phase.player() == state.turn
}
