//! Keys of points in play: equal keys are one node.

use std::hash::Hash;

use crate::points::{Pause, Turns};
use crate::segment::Segment;
use referee_table::{Packed, Packer, State};

/// The key of a point in play: the state, the turns left, and at a pause everything else that affects further play.
pub(super) type Place = Packed;

/// Returns the key of a point before a phase, which is on the agenda of the state. Policies imagine unseen cards from
/// the beginning of the segment.
pub(super) fn place_between(state: &State, segment: Option<&Segment>, turns: Turns) -> Place {
    let mut packer = Packer::default();
    (turns, false).hash(&mut packer);
    packer.state(state);
    if let Some(segment) = segment {
        segment.pack(&mut packer);
    }
    packer.finish()
}

/// Returns the size that counts for the key of a state: the same however its key is written.
pub(super) fn key_bytes(state: &State, place: &Place) -> u64 {
    if state.schema().zones.is_empty() { fixed_bytes(state) } else { place.len() as u64 }
}

/// Returns this size where there are no zones.
pub(super) fn fixed_bytes(state: &State) -> u64 {
    state.part_in_bytes().len() as u64
}

/// Returns the key of a pause.
pub(super) fn place_of_pause(pause: &Pause, turns: Turns) -> Place {
    let mut packer = Packer::default();
    (turns, true).hash(&mut packer);
    packer.state(&pause.state);
    pause.paused.pack(&mut packer);
    if let Some(segment) = pause.segment.as_deref() {
        segment.pack(&mut packer);
    }
    packer.finish()
}
