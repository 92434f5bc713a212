//! Scenarios: resolves a `.scenario` file against its game into plans, runs the plans and judges every expectation.

mod check;
mod check_game;
mod check_symmetries;
mod compare;
mod coverage;
mod explore;
mod judge;
mod listing;
mod loader;
mod moves;
mod mutation;
mod notes;
mod odds;
mod plan;
mod readings;
mod record;
mod run;
mod set_up;
mod sitting;
mod snapshots;
mod stage;
mod write;

pub use check::verdicts::NOTHING_MORE;
pub use check_game::{check_game, check_program, check_unplayed};
pub use compare::{ChanceChange, Compared, Observed, Outcome, PositionChange, reading};
pub use coverage::{Branch, Coverage, Exercised, FileCoverage, GameCoverage, Share, Unapplied, Unused};
pub use explore::{
    Evidence, Extent, Finding, FindingKey, Hunt, Hunted, Invariant, Kind, KnownGames, Originals, OtherSetting,
    SettingEffect, SettingFault, Shrunk, Survey, Surveyed, Unreached, clause_hints, invariants, other_players,
    other_settings, setting_effect, setting_faults, setting_hints, shrink, shrink_setting, survey, unreached, was_run,
};
pub use judge::{
    Counted, Judged, answers, expected_board, judge, judge_counted, judge_watched, judge_within, moves, observe, odds,
    palette, perft, positions, scenes, steps,
};
pub use listing::{Listed, ListedHouse, listed};
pub use loader::{Loader, LoaderOptions};
pub use moves::{AnswerLine, EndOfScenario, Refused};
pub use mutation::{Fate, Mutation, Trial, fate};
pub use notes::notes;
pub use odds::explain::OddsFlags;
pub use odds::request::{Odds, OddsRequest, OddsRow, TrapShown, UnknownOdds};
pub use plan::file::{plan, plan_as, plan_lean, plan_text};
pub use plan::horizon::{MAX_MEGABYTES, MEGABYTE};
pub use plan::markdown::{has_scenarios, is_scenario_block, source as markdown_source};
pub use plan::reading::Reading;
pub use plan::steps::{RESIGNS, resigning_is_an_answer};
pub use plan::strategy::StrategyFlags;
pub use plan::suite::{PlannedTest, Suite};
pub use readings::{
    Difference, Example, Findings, Held, Holding, Issue, IssueFinding, MAX_PAIRED, MAX_VALUES, PairFinding, Trials,
    ValueFinding, Verdict, issues,
};
pub use run::runner::End;
pub use run::scenes::{ChanceFound, Course};
pub use set_up::{Players, SetUp, SetUpFlags, plan_set_up};
pub use sitting::{NoAnswer, Sitting, sit};
pub use snapshots::{ACCEPT, Snapshots, accepted_path, is_of_snapshots, owner, pending_path};
pub use stage::{EndCondition, NoStage, Origin, Stage, stage};
pub use write::state::position_lines;
