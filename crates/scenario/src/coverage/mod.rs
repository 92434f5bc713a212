//! The coverage of scenarios: points of the rules, clauses, events, decisions, options.

mod collect;
mod exercised;
mod file;

pub use collect::{Coverage, GameCoverage, Unapplied, Unused};
pub use exercised::Exercised;
pub use file::{Branch, FileCoverage, Share};
