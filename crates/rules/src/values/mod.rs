//! The values of running rules, their conversion, the errors of native functions, and limits.

mod arena;
mod convert;
mod errors;
mod kept;
mod kind;
mod limits;
mod moves;
mod packages;
mod reading;
mod spare;
mod value;
mod work;

pub(crate) use arena::{Arena, Boxed, DEPTH, Mark, Opaque};
pub(crate) use convert::{add_texts, from_script, kind_of, of_kind, rules_place, to_script};
pub(crate) use errors::{
    Native, Wrong, failure, help_for_text, is_about_no_options, no_moves, no_options, stopped, too_large,
};
pub(crate) use kind::{Kind, Sort};
pub(crate) use limits::{CALL_LEVELS, COLLECTION, SCRIPT, TEXT, VARIABLES};
pub(crate) use moves::GameItself;
pub use moves::Moves;
pub(crate) use packages::packages;
pub(crate) use value::{Callable, Span, Val};
pub(crate) use work::BYTES;
