//! Compares what must hold with how play stands.

pub(crate) mod marks;
pub(crate) mod verdicts;
