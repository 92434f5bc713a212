//! State spaces: all states that play can come to, whatever chance brings and players decide.
//!
//! A state is the beginning of a phase that asks, a later ask of a phase, or an end of play. States are kept as bytes;
//! two are one state if all their bytes are equal. [`walk`] finds them breadth first, in an order that does not depend
//! on the number of threads. Histories and records are no part of a state.

mod compiled;
mod crew;
mod cycles;
mod expand;
mod passed;
mod states;
mod store;
#[cfg(test)]
mod tests;
mod unrolled;
mod walk;

pub use crew::{Alone, Crew};
pub use cycles::Cycle;
pub use expand::{Look, LookFor, Marker, Moment, Sight};
pub use passed::turns_to_mark;
pub use states::{Space, replay};
pub use store::{Bounds, NONE, StateId, WalkStep};
pub use unrolled::{Unrolled, unrolled};
pub use walk::{SpaceError, Visitor, WalkPlan, walk};
