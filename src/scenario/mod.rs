//! Scenarios: a `.scenario` file resolved against its game into plans, the plans run, every expectation judged.

mod check;
mod judge;
mod listing;
mod moves;
mod odds;
mod plan;
mod record;
mod run;
mod snapshots;
mod stage;
mod write;

pub use judge::{Counted, Judge, JudgeOptions};
pub use listing::{Listed, ListedHouse};
pub use moves::{Refused, Standing};
pub use odds::request::{COMMAND_LINE, Odds, OddsRequest, OddsRow, TrapShown};
pub(crate) use plan::markdown::has_scenarios;
pub use plan::suite::{PlannedTest, Suite};
pub use run::runner::End;
pub use snapshots::{Snapshots, accepted_path, difference, pending_path};
pub use stage::{EndCondition, Origin, Players, SetUp, Stage};
pub use write::state::position_lines;
