//! Writes states and answers as lines of a scenario.

pub(crate) mod answers;
pub(crate) mod cards;
pub(crate) mod start;
pub(crate) mod state;
pub(crate) mod witness;
