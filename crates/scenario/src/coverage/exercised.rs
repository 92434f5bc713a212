//! The coverage of one test.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::plan::model::{Plan, StepKind};
use crate::run::runner::Outcome;
use referee_game::Game;
use referee_rules::{Point, Program};
use referee_source::Span;
use referee_table::{AskId, ClauseId, EventId, Setting};
use referee_trace::FailureKind;

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
    /// The clauses that a line `covers` claims and that were not applied, each with its place as `FILE:LINE`.
    pub unapplied: Vec<(ClauseId, String)>,
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
            unapplied: unapplied(plan, outcome),
            events: outcome.events.clone(),
            asks: asks.collect(),
            points: program.points(),
            runs: program.take_counts(),
            operations,
        }
    }
}

/// Returns the claimed clauses that a run reports as not applied.
fn unapplied(plan: &Plan, outcome: &Outcome) -> Vec<(ClauseId, String)> {
    let labels = || {
        let failures = outcome.failures.iter().filter(|failure| failure.kind == FailureKind::Covers);
        failures.flat_map(|failure| &failure.diagnostic.labels)
    };
    let is_reported = |span: Span| labels().any(|label| label.span == span && Arc::ptr_eq(&label.source, &plan.source));
    let claims = plan.covers.iter().filter(|(_, span)| is_reported(*span));
    let place = |span: Span| format!("{}:{}", plan.source.name(), plan.source.line(span.start));
    claims.map(|(clause, span)| (*clause, place(*span))).collect()
}
