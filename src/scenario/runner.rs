//! Running a plan: play, and every mismatch on the way.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::feeder::Feeder;
use super::plan::{Check, Plan, Step, StepKind};
use super::scenes::Watcher;
use super::steps::same;
use super::verdicts::{self, Mismatch, standing};
use crate::diagnostic::Diagnostic;
use crate::play::{Feed, Machine, Stop};
use crate::rules::Program;
use crate::source::Span;
use crate::table::{PlayerId, draw};
use crate::trace::{Action, Ask, Asking, Failure, Question, Scene, Status};

/// How a plan came out.
pub(super) struct Outcome {
    pub(super) status: Status,
    pub(super) failures: Vec<Failure>,
    pub(super) scenes: Vec<Scene>,
}

/// Run a plan and judge it; `watched`, note the positions on the way.
pub(super) fn run(plan: &Plan, program: &Program, watched: bool) -> Outcome {
    let steps: Arc<[Step]> = plan.steps.clone().into();
    let feeder = Rc::new(RefCell::new(Feeder::new(Arc::clone(&plan.source), Arc::clone(&steps))));
    let feed: Feed = Rc::clone(&feeder) as Feed;
    let machine = Machine::new(program, plan.start.clone());
    let mut runner = Runner {
        plan,
        program,
        machine,
        feeder,
        feed,
        failures: Vec::new(),
        seen: 0,
        begun: 0,
        broken: false,
        watcher: watched.then(Watcher::default),
    };
    runner.look(plan.head);
    runner.all(&steps);
    runner.covers();
    let faulty = matches!(runner.machine.stop(), Stop::Fault(_));
    let status = match (faulty, runner.failures.is_empty()) {
        (true, _) => Status::Errored,
        (false, true) => Status::Passed,
        (false, false) => Status::Failed,
    };
    let scenes = runner.watcher.map(|watcher| watcher.scenes).unwrap_or_default();
    Outcome { status, failures: runner.failures, scenes }
}

struct Runner<'p> {
    plan: &'p Plan,
    program: &'p Program,
    machine: Machine<'p>,
    feeder: Rc<RefCell<Feeder>>,
    feed: Feed,
    failures: Vec<Failure>,
    /// How many events an `expect events` has looked at.
    seen: usize,
    /// How many events there were when play last went on.
    begun: usize,
    /// Whether play went otherwise than the lines say, so that nothing behind can be judged.
    broken: bool,
    watcher: Option<Watcher>,
}

impl Runner<'_> {
    fn look(&mut self, span: Span) {
        if let Some(watcher) = &mut self.watcher {
            watcher.look(&self.machine, &self.plan.source, span);
        }
    }

    fn all(&mut self, steps: &[Step]) {
        let mut at = 0;
        while let Some(step) = steps.get(at) {
            if self.broken {
                return;
            }
            at = self.step(step, at);
        }
    }

    /// Take a step; gives the place of the next.
    fn step(&mut self, step: &Step, at: usize) -> usize {
        let feed = Rc::clone(&self.feed);
        let judged = at >= self.plan.unjudged;
        match &step.kind {
            StepKind::Turn(player) => {
                self.begin(at + 1);
                self.machine.turn(*player, &feed);
                self.played(step.span)
            }
            StepKind::Resume(phase, player) => {
                self.begin(at + 1);
                self.machine.resume(phase.clone(), *player, &feed);
                self.played(step.span)
            }
            StepKind::Do(phase, player) => {
                self.begin(at + 1);
                self.machine.call(phase.clone(), *player, &feed);
                self.played(step.span)
            }
            StepKind::Roll(_) | StepKind::Answer(..) => {
                if !matches!(self.machine.stop(), Stop::Paused(_)) {
                    let message = format!("nothing is asked here: {}", standing(&self.machine));
                    let help = match self.machine.stop() {
                        Stop::Fresh => "begin the play with a line such as `turn red`",
                        _ => "leave this line out, or begin again with a line such as `turn red`",
                    };
                    self.fail(Diagnostic::new("nothing_asked", &self.plan.source, step.span, message).help(help));
                    self.broken = true;
                    return at + 1;
                }
                self.begin(at);
                self.machine.go_on(&feed);
                self.played(step.span)
            }
            StepKind::Refuse { player, action } => {
                if judged {
                    self.refuse(step.span, *player, action);
                }
                at + 1
            }
            StepKind::Expect(check) => {
                if judged && let Some(mismatch) = verdicts::judge(&self.machine, check, self.seen) {
                    self.mismatch(step.span, mismatch);
                }
                if matches!(check, Check::Events { .. }) {
                    self.seen = self.machine.events().count();
                }
                at + 1
            }
        }
    }

    fn begin(&mut self, at: usize) {
        self.feeder.borrow_mut().set(at);
        self.begun = self.machine.events().count();
    }

    /// Look at how play came to a stop; gives the place of the next step.
    fn played(&mut self, span: Span) -> usize {
        let next = self.feeder.borrow().at();
        let last = next.checked_sub(1).and_then(|last| self.plan.steps.get(last)).map_or(span, |step| step.span);
        self.look(last.max(span));
        match self.machine.stop().clone() {
            Stop::Refused(ask) => {
                let problem = self.feeder.borrow_mut().problem.take();
                let problem = problem.unwrap_or_else(|| {
                    Diagnostic::new("wrong_answer", &self.plan.source, span, "this is not what the rules ask")
                });
                let failure = self.failure(problem);
                let actual = format!("asks {}", ask.question.write(self.machine.names()));
                self.failures.push(Failure { actual: Some(actual), asking: Some(self.asking(&ask)), ..failure });
                self.broken = true;
            }
            Stop::Fault(diagnostic) => {
                let told = diagnostic.labels.is_empty();
                let shown = if told {
                    Diagnostic { labels: vec![self.label(span)], ..*diagnostic }
                } else {
                    diagnostic.also(&self.plan.source, span, "while this is played")
                };
                self.failures.push(Failure { events: self.recent(), ..Failure::plain(shown) });
                self.broken = true;
            }
            _ => self.left_over(),
        }
        next
    }

    /// Dice that stand on a line and were not asked for, though the play stands behind the line's other dice.
    fn left_over(&mut self) {
        let dice = self.feeder.borrow().left_over().map(<[_]>::to_vec).unwrap_or_default();
        if dice.is_empty() {
            return;
        }
        let names = self.machine.names();
        let dice_words: Vec<String> = dice.iter().map(|(die, _, _)| Question::Roll(*die).write(names)).collect();
        let span = dice.first().map_or(Span::default(), |(_, _, span)| *span);
        let message = format!("the rules did not ask for `{}`: {}", dice_words.join("`, `"), standing(&self.machine));
        self.fail(
            Diagnostic::new("wrong_answer", &self.plan.source, span, message).help("leave this die out of the line"),
        );
        self.broken = true;
    }

    fn refuse(&mut self, span: Span, player: PlayerId, action: &Action) {
        let names = self.machine.names();
        let said = action.write(names);
        let pending = match self.machine.stop() {
            Stop::Paused(ask) => match &ask.question {
                Question::Choose(decision) => Some(decision.clone()),
                Question::ChooseAll(all) => all.iter().find(|decision| decision.player == player).cloned(),
                Question::Roll(_) => None,
            },
            _ => None,
        };
        let Some(decision) = pending else {
            let message = format!("nothing is to be decided here: {}", standing(&self.machine));
            self.fail(
                Diagnostic::new("nothing_asked", &self.plan.source, span, message)
                    .help("a refusal stands where the player is asked"),
            );
            return;
        };
        if decision.player == player && decision.options.iter().any(|option| same(action, option)) {
            let message = format!("the rules allow `{said}`");
            let failure = self.failure(Diagnostic::new("not_refused", &self.plan.source, span, message));
            self.failures.push(Failure {
                expected: Some(format!("{said} refused")),
                actual: Some(format!("{said} allowed")),
                ..failure
            });
        }
    }

    fn covers(&mut self) {
        if self.broken {
            return;
        }
        for (clause, span) in &self.plan.covers {
            if !self.machine.clauses().contains(clause) {
                let schema = self.machine.names().schema;
                let name = |id: &crate::table::ClauseId| {
                    schema.clauses.get(id.index()).map_or("", |clause| clause.id.as_str()).to_owned()
                };
                let applied: Vec<String> = self.machine.clauses().iter().map(name).collect();
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

    fn fail(&mut self, diagnostic: Diagnostic) {
        let failure = self.failure(diagnostic);
        self.failures.push(failure);
    }

    fn mismatch(&mut self, span: Span, mismatch: Mismatch) {
        let place = mismatch.span.unwrap_or(span);
        let diagnostic = Diagnostic::new("expectation_failed", &self.plan.source, place, mismatch.message);
        let failure = self.failure(mismatch.help.into_iter().fold(diagnostic, Diagnostic::help));
        let (expected_board, actual_board) = match mismatch.boards {
            Some((expected, actual)) => (Some(expected), Some(actual)),
            None => {
                let marked = |cell| mismatch.cells.as_ref().is_some_and(|cells| cells.contains(cell));
                (None, Some(draw(self.machine.state(), marked)))
            }
        };
        self.failures.push(Failure {
            expected: Some(mismatch.expected),
            actual: Some(mismatch.actual),
            expected_board,
            actual_board,
            ..failure
        });
    }

    /// A failure with what can be seen from here: the board, the last events, what is asked.
    fn failure(&self, diagnostic: Diagnostic) -> Failure {
        let asking = match self.machine.stop() {
            Stop::Paused(ask) | Stop::Refused(ask) => Some(self.asking(ask)),
            _ => None,
        };
        Failure {
            actual_board: Some(draw(self.machine.state(), |_| false)),
            events: self.recent(),
            asking,
            ..Failure::plain(diagnostic)
        }
    }

    fn recent(&self) -> Vec<String> {
        let names = self.machine.names();
        self.machine.events().skip(self.begun).map(|event| event.write(names)).collect()
    }

    fn asking(&self, ask: &Ask) -> Asking {
        Asking { text: ask.question.write(self.machine.names()), place: self.program.label(ask.place) }
    }

    fn label(&self, span: Span) -> crate::diagnostic::Label {
        crate::diagnostic::Label { source: Arc::clone(&self.plan.source), span, text: String::new() }
    }
}
