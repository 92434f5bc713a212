//! One type for everything that is wrong with a file, and the one place that renders it.

mod model;
mod render;
mod suggest;

pub use model::{Diagnostic, Label, MAX_PROBLEMS, first_of};
pub use render::{Renderer, is_printable, printable};
pub use suggest::{did_you_mean, nearest, one_of};
