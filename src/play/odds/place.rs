//! Keys of points in play: equal keys are one node.

use std::hash::Hash;

use super::course::Pause;
use crate::play::machine::{Begun, due};
use crate::table::{Packed, Packer, State};

/// The turns left before the horizon; `None` without a limit.
pub(super) type Turns = Option<u32>;

/// The key of a point in play: the state, the turns left, and at a pause everything else that affects further play.
pub(super) type Place = Packed;

/// Returns the key of a point before a phase, which is on the agenda of the state.
pub(super) fn place_between(state: &State, turns: Turns) -> Place {
    let mut packer = Packer::default();
    (turns, false).hash(&mut packer);
    state.pack(&mut packer);
    packer.finish()
}

/// Returns the key of a pause.
pub(super) fn place_of_pause(pause: &Pause, turns: Turns) -> Place {
    let mut packer = Packer::default();
    (turns, true).hash(&mut packer);
    pause.state.pack(&mut packer);
    pause.paused.pack(&mut packer);
    // Policies imagine unseen cards from the beginning of the phase and the answers in it.
    if let Some(Begun { state, given }) = &pause.begun {
        state.pack(&mut packer);
        given.iter().for_each(|(_, answer)| answer.hash(&mut packer));
    }
    packer.finish()
}

/// Returns the turns left after a phase that ended in this state.
pub(super) fn turns_after(state: &State, turns: Turns) -> Turns {
    if state.agenda.is_empty() { turns.map(|turns| turns.saturating_sub(1)) } else { turns }
}

/// Puts the next phase on the agenda of a state.
pub(super) fn put_next(state: &mut State) {
    let phase = due(state);
    state.agenda.push(phase);
}
