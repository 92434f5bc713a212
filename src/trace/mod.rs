//! What happened and how it was judged: plain types that every room above shares.

mod drawing;
mod verdict;

pub use drawing::{Drawing, DrawnCell, DrawnRow};
pub use verdict::{Asking, Failure, Status, TestResult};
