//! Compares expectations with the present state of play.

mod board;
pub(crate) mod facts;
pub(crate) mod marks;
pub(crate) mod mismatch;
mod open;
mod unknown;
pub(crate) mod verdicts;
