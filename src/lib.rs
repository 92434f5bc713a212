//! Replay the worked examples of a rulebook against its rules, and judge them.
//!
//! The rooms, from the ground up; a room uses only rooms above it in this list (`docs/architecture.md`).

pub mod cli;
pub mod diagnostic;
pub mod game;
pub mod play;
pub mod report;
pub mod rules;
pub mod scenario;
pub mod source;
pub mod syntax;
pub mod table;
pub mod trace;
