//! Scenarios: a `.scenario` file resolved against its game into plans, the plans run, every expectation judged.

mod blocks;
mod expectations;
mod feeder;
mod judge;
mod plan;
mod position;
mod resolver;
mod runner;
mod scenes;
mod steps;
mod suite;
mod verdicts;

pub use judge::{Judge, JudgeOptions};
pub use suite::{PlannedTest, Suite};
