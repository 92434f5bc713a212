//! Rules as WebAssembly: compiled from the tree of a script, and run by an engine.
//!
//! Compiled rules play whole games whose asks are answered at once. They carry out by themselves what can be done with the
//! kinds that are known before, and call the host for everything else: there the machine runs the same rules on the same
//! state. Where something fails, comes near a limit or is not possible here, they are given up, and the machine plays the game
//! from its beginning; so errors and limits are those of the machine.

mod apart;
mod asks;
mod assign;
mod board;
mod body;
mod callee;
mod calls;
mod cards;
mod compile;
mod compiler;
mod computing;
mod cost;
mod counting;
mod dealing;
mod elements;
mod engine;
mod events;
mod face_down;
mod fixed;
mod flow;
mod folding;
mod footprints;
mod function_values;
mod given;
mod heap;
mod host;
mod in_place;
mod inline;
mod known;
mod large_sets;
mod layout;
mod long_moves;
mod module;
mod moves;
mod numbers;
mod of_board;
mod of_zones;
mod on_value;
mod operators;
mod order;
mod outline;
mod page;
mod parts;
mod phases;
mod place;
mod pointers;
mod properties;
mod random;
mod ready;
mod receivers;
mod records;
mod reports;
mod results;
mod runtime;
mod set_up;
mod stepper;
mod stepping;
mod unit;
mod value;
mod vast;
mod ways;
mod wide;
mod words;
mod work;
mod zone_places;
mod zones;

pub(crate) use callee::NO_MOVE;
pub(crate) use compile::{RATING, REST, SET_UP, TURN, compile, exported_name, step_name};
pub(crate) use compiler::Sources;
pub(crate) use counting::{Beginning, Counts};
pub use engine::Engine;
pub(crate) use engine::Running;
pub(crate) use fixed::Fixed;
pub use given::{Asked, Draws, Numbers, number_for};
pub(crate) use host::Parts;
pub use page::{Called, Page, run_in};
pub(crate) use pointers::callers;
pub(crate) use receivers::with_receivers;
pub(crate) use stepper::{Phases, Stepper};
pub use stepping::{Listed, Reached};
pub(crate) use words::GaveUp;
