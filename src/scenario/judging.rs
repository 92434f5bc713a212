//! What a runner judges at a pause besides plain expectations: refusals, expressions, snapshots, claims.

use super::captures::{idle_capture, wrong_marks};
use super::plan::Always;
use super::runner::Runner;
use super::scenes::scene;
use super::snapshots::difference;
use super::steps::same;
use super::verdicts::{Mismatch, standing, why_nothing};
use crate::diagnostic::Diagnostic;
use crate::play::Stop;
use crate::source::Span;
use crate::table::{ClauseId, PlayerId, State, draw, drawn};
use crate::trace::{Action, Decision, Failure, Question};

impl Runner<'_> {
    pub(super) fn refuse(&mut self, span: Span, player: PlayerId, action: &Action, because: Option<&str>) {
        let names = self.machine.names();
        let said = format!("{} {}", names.schema.player_name(player), action.write(names));
        let decisions = match self.machine.stop() {
            Stop::Paused(ask) => match &ask.question {
                Question::Choose(decision) => vec![decision.clone()],
                Question::ChooseAll(all) => all.clone(),
                Question::Roll(_) | Question::Draw(_) => Vec::new(),
            },
            _ => Vec::new(),
        };
        let not_asked = |message: String, help: String| {
            Diagnostic::new("nothing_asked", &self.plan.source, span, message).help(help)
        };
        if decisions.is_empty() {
            let message = match self.machine.stop() {
                Stop::Over => why_nothing(&self.machine),
                _ => format!("nothing is to be decided here: {}", standing(&self.machine)),
            };
            self.fail(not_asked(message, "a refusal stands where the player is asked".to_owned()));
            return;
        }
        let mine = decisions.iter().find(|decision| decision.player == player);
        if mine.is_some_and(|decision| decision.options.iter().any(|option| same(action, option))) {
            let failure = self.failure(Diagnostic::new("not_refused", &self.plan.source, span, "the rules allow this"));
            let (expected, actual) = (Some(format!("{said} refused")), Some(format!("{said} allowed")));
            self.keep(Failure { expected, actual, ..failure });
            return;
        }
        if let Some(wrong) = self.wrong_capture(span, action, mine) {
            self.fail(wrong);
            return;
        }
        // Without a reason, only a try at the decision that is pending says something about the rules.
        let pending = mine
            .is_some_and(|mine| mine.ask == action.ask || mine.options.iter().any(|option| option.ask == action.ask));
        if because.is_none() && !pending {
            let asked = standing(&self.machine);
            let wrong = match mine {
                None => not_asked(
                    format!("{} is not asked here: {asked}", names.schema.player_name(player)),
                    "if that is what you mean, add `because \"not your turn\"`".to_owned(),
                ),
                Some(_) => not_asked(
                    format!("this is not what is asked here: {asked}"),
                    "a refusal stands where that decision is pending; or say why the rules refuse it: `because \"…\"`"
                        .to_owned(),
                ),
            };
            self.fail(wrong);
            return;
        }
        let Some(wanted) = because else { return };
        let reason = match mine {
            None => Ok(Some("not your turn".to_owned())),
            Some(_) => self.program.why_not(self.machine.state(), player, action),
        };
        match reason {
            Ok(reason) if reason.as_deref() == Some(wanted) => {}
            Ok(reason) => {
                let message = "the rules refuse this for another reason";
                let failure = self.failure(Diagnostic::new("other_reason", &self.plan.source, span, message));
                let actual = reason.map_or_else(
                    || "no reason: the rules' function `why_not` gives none".to_owned(),
                    |reason| format!("because \"{reason}\""),
                );
                self.keep(Failure { expected: Some(format!("because \"{wanted}\"")), actual: Some(actual), ..failure });
            }
            Err(wrong) => self.fail(*wrong),
        }
    }

    /// A `x` or `-` in a refused move that does not agree with what the move does, or could do.
    fn wrong_capture(&self, span: Span, action: &Action, mine: Option<&Decision>) -> Option<Diagnostic> {
        let marks = mine.and_then(|decision| wrong_marks(self.machine.names(), action, &decision.options));
        let wrong = marks.or_else(|| idle_capture(self.machine.state(), action))?;
        Some(Diagnostic::new("wrong_capture", &self.plan.source, span, wrong.message).help(wrong.help))
    }

    /// Judge an expression of the rules on a state.
    pub(super) fn island(&mut self, island: Span, state: &State, at: Span, message: &str) -> bool {
        match self.program.judge_island(&self.plan.source, island, &self.plan.holes, state) {
            Ok(true) => true,
            Ok(false) => {
                let diagnostic = Diagnostic::new("expectation_failed", &self.plan.source, island, message);
                let diagnostic = if at.start <= island.start && island.end <= at.end {
                    diagnostic
                } else {
                    diagnostic.also(&self.plan.source, at, "while this is played")
                };
                let failure = self.failure(diagnostic);
                self.keep(Failure { actual_board: drawn(state), ..failure });
                false
            }
            Err(wrong) => {
                self.keep(Failure::plain(wrong.also(&self.plan.source, at, "while this is judged")));
                false
            }
        }
    }

    /// Judge what must be true all the time on the states that play has passed; the first that is not so is told.
    pub(super) fn always(&mut self, passed: &[State], at: Span) {
        self.always_where(|_| true, passed, at);
    }

    /// The same of what a branch says, where the branch begins.
    pub(super) fn always_from_here(&mut self, at: Span) {
        let here = self.machine.state().clone();
        self.always_where(|always| always.of_branch, std::slice::from_ref(&here), at);
    }

    fn always_where(&mut self, holds: impl Fn(&Always) -> bool, passed: &[State], at: Span) {
        for always in self.plan.always.iter().filter(|always| holds(always)) {
            for state in passed {
                if !self.island(always.island, state, at, "this is not true all the time") {
                    break;
                }
            }
        }
    }

    pub(super) fn snapshot(&mut self, span: Span) {
        let count = self.snapshots.len() + 1;
        let name = format!("{} #{count}", self.given.name);
        let text = scene(&self.machine, &self.plan.source, span, self.seen, None).text();
        self.seen = self.machine.events().count();
        let accepted = self.given.accepted.and_then(|accepted| accepted.get(&name));
        if accepted != Some(text.as_str()) {
            let (message, actual) = match accepted {
                None => ("this snapshot was not accepted yet", text.clone()),
                Some(accepted) => ("the snapshot differs from the accepted one", difference(accepted, &text)),
            };
            let diagnostic = Diagnostic::new("snapshot", &self.plan.source, span, message)
                .help("look at it with `referee review`, or accept all with `referee test --accept`");
            self.keep(Failure { actual: Some(actual), ..Failure::plain(diagnostic) });
        }
        self.snapshots.push((name, text));
    }

    pub(super) fn covers(&mut self) {
        if self.broken {
            return;
        }
        let applied: Vec<ClauseId> = self.plan.set_up.iter().chain(self.machine.clauses()).copied().collect();
        for (clause, span) in &self.plan.covers {
            if !applied.contains(clause) {
                let schema = self.machine.names().schema;
                let name = |id: &crate::table::ClauseId| {
                    schema.clauses.get(id.index()).map_or("", |clause| clause.id.as_str()).to_owned()
                };
                let applied: Vec<String> = applied.iter().map(name).collect();
                let message = format!("this scenario does not apply clause {}", name(clause));
                let help = if applied.is_empty() {
                    "it applies no clause".to_owned()
                } else {
                    format!("it applies {}", applied.join(", "))
                };
                self.failures
                    .push(Failure::plain(Diagnostic::new("not_covered", &self.plan.source, *span, message).help(help)));
            }
        }
    }

    pub(super) fn mismatch(&mut self, span: Span, mismatch: Mismatch) {
        let place = mismatch.span.unwrap_or(span);
        let diagnostic = Diagnostic::new("expectation_failed", &self.plan.source, place, mismatch.message);
        let failure = self.failure(mismatch.help.into_iter().fold(diagnostic, Diagnostic::help));
        let (expected_board, actual_board) = match mismatch.boards {
            Some((expected, actual)) => (Some(expected), Some(actual)),
            None => {
                let marked = |cell| mismatch.cells.as_ref().is_some_and(|cells| cells.contains(cell));
                (None, self.machine.state().board().has_cells().then(|| draw(self.machine.state(), marked)))
            }
        };
        self.keep(Failure {
            expected: Some(mismatch.expected),
            actual: Some(mismatch.actual),
            expected_board,
            actual_board,
            ..failure
        });
    }
}
