//! The machine that runs rules.
//!
//! Rhai reads a script; [`lower`] resolves every name of its syntax tree, [`emit`] makes operations of that, and the machine
//! runs them with frames of its own. What is large lies in an arena that is emptied when the phase ends.

mod arena;
mod calls;
mod chains;
mod code;
mod emit;
mod faults;
mod flow;
mod frames;
mod invoke;
mod keys;
mod library;
mod lower;
mod machine;
mod native;
mod op;
mod operators;
mod places;
mod reach;
mod tree;
mod value;

pub(crate) use arena::{Arena, Mark, Opaque};
pub(crate) use calls::{READ, WRITE};
pub(crate) use code::{Code, Materials};
pub(crate) use frames::{Memory, Paused};
pub(crate) use machine::Machine;
pub(crate) use native::{IntoNative, Kept, Natives};
pub(crate) use value::Val;
