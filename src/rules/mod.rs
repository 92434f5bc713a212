//! The rules of a game: Rhai scripts, the functions they may call, and running them up to the next unanswered ask.
//!
//! This is the only room that knows Rhai.

mod api;
mod braces;
mod check;
mod comments;
mod convert;
mod engine;
mod fault;
mod hooks;
mod islands;
mod layers;
mod meter;
mod mismatch;
mod program;
mod renaming;
mod session;
mod settings;
mod unreadable;
mod vm;

pub use api::{Entry, reference};
pub use islands::Holes;
pub use meter::Gauges;
pub use program::{End, Paused, Program, Run};
pub use session::{Answers, Keep, Reply};
