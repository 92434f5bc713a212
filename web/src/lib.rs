//! The door of the page: requests and answers are JSON, passed through the memory of the module.
//!
//! The page calls `reserve`, writes a request there, and calls `answer`. The answer begins with its length in four
//! bytes, the lowest first; the page copies it and calls `release`. Nothing else is exported, and only `tell` is
//! imported, by which a long request says how far it is.

mod files;
mod memory;
mod play;
mod questions;
mod requests;
mod set_up;

pub use memory::{answer, release, reserve};
