//! Prints results as text and as JSON, and boards as text.

mod board;
mod comparison;
mod coverage;
mod exploration;
mod games;
mod human;
mod intervals;
mod json;
mod mutation;
mod odds;
mod readings;
mod scenes;
mod simulation;
mod tables;

pub use board::{draw, side_by_side};
pub use comparison::{ComparedReading, Comparison, OddsPair, ReadingNames};
pub use coverage::{CoverageReport, coverage_json, coverage_lcov, coverage_markdown};
pub use exploration::{Exploration, FoundHole, Hint};
pub use games::{games_human, games_json};
pub use human::{Human, test_name};
pub use json::{check_json, perft_json, test_json};
pub use mutation::{MutationReport, mutation_json};
pub use odds::{odds_human, odds_json};
pub use readings::ReadingsReport;
pub use scenes::{moves_json, scenes_human, scenes_json, seat};
pub use simulation::Simulation;
