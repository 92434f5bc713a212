//! Plays the text of a scenario and looks whether it shows a finding.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use super::finding::{FindingKey, Kind};
use super::survey::is_trap;
use crate::loader::Loader;
use crate::plan::file::plan_text;
use crate::plan::model::Plan;
use crate::plan::reading::Reading;
use crate::run::runner;
use referee_diagnostic::{Diagnostic, Label};
use referee_play::{Bounds, Playouts, Start, Stop, StrategyProfile, pause_key};
use referee_rules::Program;
use referee_source::Source;
use referee_table::{Outcome, Packed};

/// The plan of a scenario and the rules that it uses.
pub(super) struct Replay {
    plan: Arc<Plan>,
    program: Rc<Program>,
}

impl Replay {
    /// Reads the text of a scenario as if `file` contained it. Returns `None` if it has errors.
    pub(super) fn of(loader: &mut Loader<'_>, file: &Path, text: String) -> Option<Self> {
        // Words of the command line have no snapshots.
        let source = Arc::new(Source::command_line(text));
        let mut suite = plan_text(loader, file, source, Vec::new(), &Reading::default());
        if !suite.problems.is_empty() {
            return None;
        }
        let plan = suite.tests.first_mut()?.plan.take()?;
        let program = loader.program(&plan.game, &plan.houses).ok()?;
        Some(Self { plan, program })
    }

    /// Returns whether the invariants hold in the position of the scenario, before play; but for the one with this index.
    pub(super) fn holds_at_first(&self, except: Option<usize>) -> bool {
        let Plan { source, placeholders, start, .. } = &*self.plan;
        let judged = self.plan.always.iter().enumerate().filter(|(at, _)| except != Some(*at));
        judged
            .map(|(_, always)| always)
            .all(|always| self.program.judge_expression(source, always.expression, placeholders, start) == Ok(true))
    }

    /// Returns the message of the finding, if it is all that is wrong with the scenario: an error of the rules, or an
    /// invariant that is not true.
    pub(super) fn failure(&self, (key, message): (&FindingKey, &str)) -> Option<Diagnostic> {
        runner::play(&self.plan, &self.program, |_, end| {
            let [failure] = end.failures.as_slice() else { return None };
            let mut diagnostic = failure.diagnostic.clone();
            let own = |diagnostic: &Diagnostic| {
                diagnostic.labels.first().is_some_and(|label| Arc::ptr_eq(&label.source, &self.plan.source))
            };
            let same_place = match key.kind {
                // An invariant may fail in a function of the rules; then its line is a further place.
                Kind::Broken(at) => !end.faulty && self.is_of(&diagnostic, at),
                _ if key.file.is_empty() => own(&diagnostic),
                _ => diagnostic.labels.first().is_some_and(|label| {
                    label.source.name() == key.file && (label.span.start, label.span.end) == key.span
                }),
            };
            diagnostic.labels.retain(|label| !Arc::ptr_eq(&label.source, &self.plan.source));
            let same = diagnostic.code == key.code && same_place && alike(&diagnostic.message, message);
            same.then_some(diagnostic)
        })
    }

    /// Returns whether an error is about the invariant with this index, and not about another one.
    fn is_of(&self, diagnostic: &Diagnostic, at: usize) -> bool {
        let Some(always) = self.plan.always.get(at) else { return false };
        let own = diagnostic.labels.iter().filter(|label| Arc::ptr_eq(&label.source, &self.plan.source));
        let within = |start: u32| {
            let (first, last) = (always.expression.start, always.expression.end);
            self.plan.source.line(start) == self.plan.source.line(first) || (first..last).contains(&start)
        };
        let mut own = own.map(|label| label.span.start).peekable();
        self.plan.always.len() == 1 || own.peek().is_none() || own.any(within)
    }

    /// Returns whether the game ends without a winner and without a clause, at the place of the finding.
    pub(super) fn ends_unexplained(&self, key: &FindingKey) -> bool {
        let is_there = |label: Label| label.source.name() == key.file && (label.span.start, label.span.end) == key.span;
        runner::play(&self.plan, &self.program, |machine, end| {
            let nobody = matches!(machine.state().outcome, Some(Outcome::Nobody | Outcome::Draw));
            end.failures.is_empty()
                && matches!(machine.stop(), Stop::Over)
                && nobody
                && machine.clauses().is_empty()
                && machine.ended().and_then(|(_, place)| place).is_none_or(is_there)
        })
    }

    /// Returns whether no end of play can be reached from the end of the scenario, as far as these bounds show.
    pub(super) fn is_trap(&self, bounds: Bounds) -> bool {
        runner::play(&self.plan, &self.program, |machine, end| end.failures.is_empty() && is_trap(machine, bounds))
    }

    /// Returns whether play comes back to the pause where it was after `before` steps.
    pub(super) fn comes_back(&self, before: usize) -> bool {
        let Some(steps) = self.plan.steps.get(..before) else { return false };
        let plan = Plan { steps: steps.to_vec(), ..Plan::clone(&self.plan) };
        let first = pause(&plan, &self.program);
        first.is_some() && before < self.plan.steps.len() && first == pause(&self.plan, &self.program)
    }

    /// Returns whether game `number` of a seed, played from the end of the scenario, is not over after `max_turns`
    /// turns.
    pub(super) fn goes_on(&self, (seed, number): (u64, u64), max_turns: u64) -> bool {
        runner::play(&self.plan, &self.program, |machine, end| {
            let Some(start) = Start::of(machine).filter(|_| end.failures.is_empty()) else { return false };
            let strategy = StrategyProfile::default();
            let playouts = Playouts {
                rollouts: None,
                program: &self.program,
                start: &start,
                strategy: &strategy,
                max_plies: max_turns,
            };
            matches!(playouts.play(seed, number, false).ending, referee_play::Ending::Stopped)
        })
    }
}

/// Returns the key of the pause at the end of a plan, if play comes there without failures.
fn pause(plan: &Plan, program: &Program) -> Option<Packed> {
    runner::play(plan, program, |machine, end| pause_key(machine).filter(|_| end.failures.is_empty()))
}

/// Returns whether two messages are equal but for their numbers. An error at the same place with another message has
/// another cause.
fn alike(one: &str, other: &str) -> bool {
    let bare = |text: &str| text.chars().filter(|letter| !letter.is_ascii_digit()).collect::<String>();
    bare(one) == bare(other)
}
