//! Judges expressions, snapshots and claims at a pause.

use crate::check::mismatch::Mismatch;
use crate::plan::model::Always;
use crate::run::runner::Runner;
use crate::run::scenes::scene;
use crate::snapshots::ACCEPT;
use crate::write::state::clock_values;
use referee_diagnostic::{Code, Diagnostic};
use referee_play::Passed;
use referee_source::{Span, all_changes};
use referee_table::{ClauseId, State, draw, drawn};
use referee_trace::{Failure, FailureKind};

impl Runner<'_> {
    /// Judges an embedded expression on a state.
    pub(crate) fn expression(&mut self, expression: Span, state: &State, at: Span, message: &str) -> bool {
        match self.program.judge_expression(&self.plan.source, expression, &self.plan.placeholders, state) {
            Ok(true) => true,
            Ok(false) => {
                let diagnostic = Diagnostic::new(Code::ExpectationFailed, &self.plan.source, expression, message);
                let diagnostic = if at.start <= expression.start && expression.end <= at.end {
                    diagnostic
                } else {
                    diagnostic.also(&self.plan.source, at, "while this is played")
                };
                let failure = self.failure(diagnostic);
                let sides = self.program.false_condition(&self.plan.source, expression, &self.plan.placeholders, state);
                let (expected, actual) = sides.map(|condition| (condition.written, condition.sides)).unzip();
                self.keep(Failure {
                    values_unsaid: actual.is_some(),
                    expected,
                    actual,
                    actual_board: drawn(state),
                    ..failure
                });
                false
            }
            Err(wrong) => {
                self.keep(Failure::plain(wrong.also(&self.plan.source, at, "while this is judged")));
                false
            }
        }
    }

    /// Judges `always` expressions on the states that play has passed. Reports the first failure of each expression.
    /// `at` is the line with which play continued.
    pub(crate) fn always(&mut self, passed: &[Passed], at: Span) {
        let lines: Vec<Span> = {
            let answers = self.answers.borrow();
            let line = |count| answers.step_of(count).map_or(at, |step| step.span.max(at));
            passed.iter().map(|passed| line(passed.answered)).collect()
        };
        let all: Vec<(&Passed, Span)> = passed.iter().zip(lines).collect();
        let there = |always: &Always| {
            let passed = all.iter().filter(|(passed, _)| always.judged.looks_at(passed));
            passed.map(|(passed, at)| (&passed.state, *at)).collect()
        };
        self.always_where(there);
    }

    /// Judges `always` expressions at the beginning of a scenario.
    pub(crate) fn always_at_start(&mut self, start: &State) {
        let head = self.plan.head;
        self.always_where(|always| if always.judged.looks_at_start() { vec![(start, head)] } else { Vec::new() });
    }

    /// Judges the `always` expressions of a branch at its beginning.
    pub(crate) fn always_from_here(&mut self, at: Span) {
        let here = self.machine.state().clone();
        let is_judged = |always: &Always| always.of_branch && always.judged.looks_at_start();
        self.always_where(|always| if is_judged(always) { vec![(&here, at)] } else { Vec::new() });
    }

    /// Judges each `always` expression in the positions that `there` returns for it, each with its line.
    fn always_where<'s>(&mut self, there: impl Fn(&Always) -> Vec<(&'s State, Span)>) {
        let plan = self.plan;
        for always in &plan.always {
            // The first violation of a condition is reported, and no other.
            if self.violated.contains(&always.expression) {
                continue;
            }
            let message = "this is not always true";
            if !there(always).iter().all(|(state, at)| self.expression(always.expression, state, *at, message)) {
                self.violated.push(always.expression);
            }
        }
    }

    pub(crate) fn snapshot(&mut self, span: Span) {
        let count = self.snapshots.len() + 1;
        let name = format!("{} #{count}", self.given.name);
        let mut scene = scene(&self.machine, &self.plan.source, span, self.seen, None);
        let clocks = clock_values(self.machine.state());
        scene.values.retain(|value| !clocks.contains(value));
        let text = scene.text();
        self.seen = self.machine.events().count();
        let accepted = self.given.accepted.and_then(|accepted| accepted.get(&name));
        if accepted != Some(text.as_str()) {
            let (message, actual) = match accepted {
                None => ("this snapshot is not accepted yet", text.clone()),
                Some(accepted) => ("the snapshot differs from the accepted one", all_changes(accepted, &text)),
            };
            let diagnostic = Diagnostic::new(Code::Snapshot, &self.plan.source, span, message)
                .help(format!("look at it with `referee review`, or accept all with `{ACCEPT}`"));
            self.keep(Failure { kind: FailureKind::Snapshot, actual: Some(actual), ..Failure::plain(diagnostic) });
        }
        self.snapshots.push((name, text));
    }

    /// Returns the clauses applied so far, including those of the set-up.
    pub(crate) fn applied(&self) -> Vec<ClauseId> {
        self.plan.set_up.iter().chain(self.machine.clauses()).copied().collect()
    }

    /// Reports the clauses that the scenario claims to cover, but does not apply.
    pub(crate) fn covers(&mut self) {
        if self.broken {
            return;
        }
        let applied = self.applied();
        for (clause, span) in &self.plan.covers {
            if !applied.contains(clause) {
                let schema = self.machine.names().schema;
                let name = |id: &referee_table::ClauseId| schema.clause_name(*id).to_owned();
                let applied: Vec<String> = applied.iter().map(name).collect();
                let (who, these) = match self.plan.branch {
                    Some(_) => ("this branch does", "it applies"),
                    None if self.plan.forks => ("the lines before the first branch do", "they apply"),
                    None => ("this scenario does", "it applies"),
                };
                let message = format!("{who} not apply clause {}", name(clause));
                let applied = if applied.is_empty() { "no clause".to_owned() } else { applied.join(", ") };
                let above = self.plan.forks && self.plan.branch.is_none_or(|branch| span.start < branch.head.start);
                let moved = above.then(|| {
                    format!(
                        "; above the branches, a clause is claimed for the lines before them and for each branch: write \
                         `covers {}` below `branch \"…\"`, in each branch that applies it",
                        name(clause)
                    )
                });
                let help = format!("{these} {applied}{}", moved.unwrap_or_default());
                let wrong = Diagnostic::new(Code::NotCovered, &self.plan.source, *span, message).help(help);
                self.failures.push(Failure { kind: FailureKind::Covers, ..Failure::plain(wrong) });
            }
        }
    }

    pub(crate) fn mismatch(&mut self, span: Span, mismatch: Mismatch) {
        let place = mismatch.span.unwrap_or(span);
        let diagnostic = Diagnostic::new(
            mismatch.code.unwrap_or(Code::ExpectationFailed),
            &self.plan.source,
            place,
            mismatch.message,
        );
        let failure = self.failure(mismatch.help.into_iter().fold(diagnostic, Diagnostic::help));
        let (expected_board, actual_board) = match mismatch.boards {
            Some((expected, actual)) => (Some(expected), Some(actual)),
            None => {
                let marked = |cell| mismatch.cells.as_ref().is_some_and(|cells| cells.contains(cell));
                (None, self.machine.state().board().has_cells().then(|| draw(self.machine.state(), marked)))
            }
        };
        self.keep(Failure {
            values_unsaid: mismatch.unsaid,
            expected: Some(mismatch.expected),
            actual: Some(mismatch.actual),
            expected_board,
            actual_board,
            ..failure
        });
    }
}
