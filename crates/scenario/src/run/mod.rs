//! Plays a plan and judges it during play.

pub(crate) mod answers;
pub(crate) mod chance;
pub(crate) mod open;
pub(crate) mod pause;
mod perft;
pub(crate) mod question;
pub(crate) mod refusals;
pub(crate) mod runner;
pub(crate) mod scenes;
pub(crate) mod shuffle;
