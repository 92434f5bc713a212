//! Chances: how decisions are settled, what the command line asks, and why there is no answer.

pub(crate) mod explain;
pub(crate) mod request;
pub(crate) mod unused;
