//! What distinguishes where play stands: equal places are one node.

use std::hash::Hash;

use super::course::Pause;
use crate::play::machine::{Begun, due};
use crate::table::{Packed, Packer, State};

/// The turns that are left, if they are counted.
pub(super) type Turns = Option<u32>;

/// What distinguishes where play stands: the state, how many turns are left, and at a pause what else decides how it goes
/// on.
pub(super) type Place = Packed;

/// Returns where play stands before a phase, which is on the agenda of the state.
pub(super) fn place_between(state: &State, turns: Turns) -> Place {
    let mut packer = Packer::default();
    (turns, false).hash(&mut packer);
    state.pack(&mut packer);
    packer.finish()
}

/// Returns where play stands at a pause.
pub(super) fn place_of_pause(pause: &Pause, turns: Turns) -> Place {
    let mut packer = Packer::default();
    (turns, true).hash(&mut packer);
    pause.state.pack(&mut packer);
    pause.paused.pack(&mut packer);
    // What players imagine who do not see all cards depends on where the phase began, and on what was answered in it.
    if let Some(Begun { state, given }) = &pause.begun {
        state.pack(&mut packer);
        given.iter().for_each(|(_, answer)| answer.hash(&mut packer));
    }
    packer.finish()
}

/// Returns the turns that are left after a phase that ended in this state.
pub(super) fn turns_after(state: &State, turns: Turns) -> Turns {
    if state.agenda.is_empty() { turns.map(|turns| turns.saturating_sub(1)) } else { turns }
}

/// Puts the phase that is next on the agenda of a state.
pub(super) fn put_next(state: &mut State) {
    let phase = due(state);
    state.agenda.push(phase);
}
