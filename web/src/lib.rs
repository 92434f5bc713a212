//! The door of the page: requests and answers are JSON, passed through the memory of the module.
//!
//! The page calls `reserve`, writes a request there, and calls `answer`. The answer begins with its length in four
//! bytes, the lowest first; the page copies it and calls `release`. By `tell`, which is imported, a long request says how far
//! it is. The other functions are for compiled rules: the page runs their modules, and these call what is exported here.

mod engine;
mod files;
mod memory;
mod play;
mod questions;
mod requests;
mod set_up;

pub use engine::{fetch, out0, out1, out2, out3, out4, out5, out6};
pub use memory::{answer, release, reserve};
