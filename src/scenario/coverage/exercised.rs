//! The coverage of one test.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::game::Game;
use crate::rules::{Point, Program};
use crate::scenario::plan::model::{Plan, StepKind};
use crate::scenario::run::runner::Outcome;
use crate::table::{AskId, ClauseId, EventId, Setting};

/// The coverage of one test.
#[derive(Clone, Debug)]
pub struct Exercised {
    /// The game.
    pub game: Arc<Game>,
    /// The names of the house rules.
    pub houses: Vec<String>,
    /// The index of the variant.
    pub variant: usize,
    /// The value of each option.
    pub settings: Vec<Setting>,
    /// The clauses that were applied, in the order of their first use.
    pub clauses: Vec<ClauseId>,
    /// The events that were emitted.
    pub events: BTreeSet<EventId>,
    /// The decisions that the lines made.
    pub asks: BTreeSet<AskId>,
    /// The places of the rules whose runs are counted.
    pub points: Arc<[Point]>,
    /// The number of runs of each place.
    pub runs: Vec<u64>,
    /// The number of operations of the rules.
    pub operations: u64,
}

impl Exercised {
    /// Returns the coverage of the run of a plan since the last call for this program.
    pub(crate) fn of(plan: &Plan, program: &Program, outcome: &Outcome, operations: u64) -> Self {
        let asks = plan.steps.iter().filter_map(|step| match &step.kind {
            StepKind::Answer(_, action) => Some(action.ask),
            _ => None,
        });
        Self {
            game: Arc::clone(&plan.game),
            houses: plan.houses.iter().map(|house| house.name.clone()).collect(),
            variant: plan.start.table.variant,
            settings: plan.start.table.options.clone(),
            clauses: outcome.clauses.clone(),
            events: outcome.events.clone(),
            asks: asks.collect(),
            points: program.points(),
            runs: program.take_counts(),
            operations,
        }
    }
}
