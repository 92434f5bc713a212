//! The machine that runs rules: operations on registers, with frames of its own. What is large lies in an arena that is emptied
//! when the phase ends.

mod code;
mod faults;
mod frames;
mod invoke;
mod keys;
pub(crate) mod library;
mod machine;
mod native;
mod op;
mod operators;
mod places;
mod reach;

pub(crate) use code::{Chosen, Code};
pub(crate) use frames::{Memory, Paused};
pub(crate) use machine::Machine;
pub(crate) use native::{IntoNative, Kept, Natives, READ, Several, WRITE};
pub(crate) use op::{Callback, Fault, Function, InlinedPart, Op, Overloads, Register, Site, Target, WINDOW};
pub(crate) use operators::{NAMES, Operator};
pub(crate) use places::Places;
