//! One type for everything that is wrong with a file, and the one place that renders it.

mod model;

pub use model::{Diagnostic, Label};
