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
mod recording;
mod resolver;
mod runner;
mod scenes;
mod settings;
mod snapshots;
mod stage;
mod steps;
mod suite;
mod tables;
mod verdicts;
mod written;

pub use judge::{Counted, Judge, JudgeOptions};
pub(crate) use markdown::has_scenarios;
pub use moves::{Refused, Standing};
pub use odds::{COMMAND_LINE, Odds, OddsRequest, OddsRow};
pub use runner::End;
pub use snapshots::{Snapshots, accepted_path, difference, pending_path};
pub use stage::{Origin, Players, SetUp, Stage};
pub use suite::{PlannedTest, Suite};
pub use written::position_lines;
