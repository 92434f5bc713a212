//! Scenarios: a `.scenario` file resolved against its game into plans, the plans run, every expectation judged.

mod blocks;
mod chances;
mod chancing;
mod expectations;
mod feeder;
mod judge;
mod judging;
mod markdown;
mod moves;
mod odds;
mod plan;
mod planning;
mod players;
mod position;
mod properties;
mod resolver;
mod runner;
mod scenes;
mod settings;
mod snapshots;
mod steps;
mod suite;
mod verdicts;

pub use judge::{Judge, JudgeOptions};
pub(crate) use markdown::has_scenarios;
pub use moves::{Refused, Standing};
pub use odds::{Odds, OddsRequest, OddsRow};
pub use snapshots::{Snapshots, accepted_path, difference, pending_path};
pub use suite::{PlannedTest, Suite};
