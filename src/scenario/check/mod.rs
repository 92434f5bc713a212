//! Compares expectations with the present state of play.

pub(crate) mod marks;
pub(crate) mod mismatch;
pub(crate) mod position;
pub(crate) mod verdicts;
