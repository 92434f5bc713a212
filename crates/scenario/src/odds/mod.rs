//! Odds: the policies for decisions, requests of the command line, and the reasons why a chance is unknown.

pub(crate) mod explain;
pub(crate) mod request;
pub(crate) mod unused;
