//! The machine that runs rules: operations on registers, with its own frames. Large values are in an arena that is
//! emptied when the phase ends.

mod arguments;
mod callback;
mod choices;
mod code;
mod faults;
mod fixed;
mod frames;
mod invoke;
mod keys;
mod machine;
mod marked;
mod memory;
mod memos;
mod op;
mod operators;
mod owned;
mod places;
mod pointers;
mod profile;
mod quick;
mod reach;
mod recall;
mod runs;
mod shortcuts;
mod site;
mod window;

pub(crate) use callback::Callback;
pub(crate) use code::{Bytecode, Chosen, ComponentNames};
pub(crate) use fixed::Known;
pub(crate) use machine::Machine;
pub(crate) use memory::{Memory, PausedMachine};
pub(crate) use memos::{Depends, Memos};
pub(crate) use op::{ConstantTest, Fault, Function, InlinedPart, NumberTest, Op, work};
pub(crate) use operators::{NAMES, Operator};
pub(crate) use owned::{Owned, Owners, Settable};
pub(crate) use places::Places;
pub use profile::Clock;
pub(crate) use profile::{BETWEEN, BETWEEN_PHASES, BUILT_IN_TURN, CallNode, LineMark, Profiled, Recorder};
pub(crate) use quick::Quick;
pub(crate) use runs::Runs;
pub(crate) use site::{Forms, Overloads, Site, Target};
pub(crate) use window::{Register, WINDOW};
