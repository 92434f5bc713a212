//! Running a plan: play, and every mismatch on the way.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::feeder::Feeder;
use super::plan::{Check, Plan, Step, StepKind};
use super::scenes::{Watcher, scene};
use super::snapshots::{Snapshots, difference};
use super::steps::same;
use super::verdicts::{self, Mismatch, standing};
use crate::diagnostic::Diagnostic;
use crate::play::{Feed, Machine, Stop, Watch};
use crate::rules::Program;
use crate::source::Span;
use crate::table::{Phase, PlayerId, State, draw};
use crate::trace::{Action, Ask, Asking, Failure, Question, Scene, Status};

/// How a plan came out.
pub(super) struct Outcome {
    pub(super) status: Status,
    pub(super) failures: Vec<Failure>,
    pub(super) scenes: Vec<Scene>,
    pub(super) snapshots: Vec<(String, String)>,
}

/// What a run may be given besides its plan.
#[derive(Default)]
pub(super) struct Run<'r> {
    /// Whether to note the positions on the way.
    pub(super) watched: bool,
    /// The name of the test, under which its snapshots are kept.
    pub(super) name: String,
    /// The snapshots that were accepted.
    pub(super) accepted: Option<&'r Snapshots>,
}

/// Play a plan without judging it, and give what `then` makes of the machine at the end.
pub(super) fn play<R>(plan: &Plan, program: &Program, then: impl FnOnce(&Machine<'_>) -> R) -> R {
    let given = Run::default();
    let runner = played(plan, program, &given);
    then(&runner.machine)
}

/// Run a plan and judge it.
pub(super) fn run(plan: &Plan, program: &Program, given: &Run<'_>) -> Outcome {
    let runner = played(plan, program, given);
    let faulty = matches!(runner.machine.stop(), Stop::Fault(_));
    let status = match (faulty, runner.failures.is_empty()) {
        (true, _) => Status::Errored,
        (false, true) => Status::Passed,
        (false, false) => Status::Failed,
    };
    let scenes = runner.watcher.map(|watcher| watcher.scenes).unwrap_or_default();
    Outcome { status, failures: runner.failures, scenes, snapshots: runner.snapshots }
}

/// A runner that has gone through all steps.
fn played<'p>(plan: &'p Plan, program: &'p Program, given: &'p Run<'p>) -> Runner<'p> {
    let steps: Arc<[Step]> = plan.steps.clone().into();
    let feeder = Rc::new(RefCell::new(Feeder::new(Arc::clone(&plan.source), Arc::clone(&steps))));
    let feed: Feed = Rc::clone(&feeder) as Feed;
    let mut machine = Machine::new(program, plan.start.clone());
    machine.watch(match plan.always.iter().map(|always| always.each_event).max() {
        None => Watch::Nothing,
        Some(false) => Watch::Phases,
        Some(true) => Watch::Events,
    });
    let mut runner = Runner {
        plan,
        program,
        given,
        machine,
        feeder,
        feed,
        failures: Vec::new(),
        snapshots: Vec::new(),
        seen: 0,
        begun: 0,
        broken: false,
        watcher: given.watched.then(Watcher::default),
    };
    runner.look(plan.head);
    runner.always(std::slice::from_ref(&plan.start), plan.head);
    runner.all(&steps);
    runner.covers();
    runner
}

struct Runner<'p> {
    plan: &'p Plan,
    program: &'p Program,
    given: &'p Run<'p>,
    machine: Machine<'p>,
    feeder: Rc<RefCell<Feeder>>,
    feed: Feed,
    failures: Vec<Failure>,
    snapshots: Vec<(String, String)>,
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
            StepKind::Setup => {
                self.begin(at + 1);
                let phase = Phase { name: "setup".into(), args: Vec::new() };
                self.machine.resume(phase, None, &feed);
                self.played(step.span)
            }
            StepKind::Refuse { player, action, because } => {
                if judged {
                    self.refuse(step.span, *player, action, because.as_deref());
                }
                at + 1
            }
            StepKind::Expect(Check::Island(island)) => {
                if judged {
                    let state = self.machine.state().clone();
                    self.island(*island, &state, step.span, "this is not true");
                }
                at + 1
            }
            StepKind::Expect(Check::Snapshot) => {
                if judged {
                    self.snapshot(step.span);
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
        let passed = self.machine.take_passed();
        self.always(&passed, last.max(span));
        match self.machine.stop().clone() {
            Stop::Refused(ask) => {
                let problem = self.feeder.borrow_mut().problem.take();
                let problem = problem.unwrap_or_else(|| {
                    Diagnostic::new("wrong_answer", &self.plan.source, span, "this is not what the rules ask")
                });
                let problem = self.with_reason(problem, &ask, next);
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

    /// A refused answer with the reason that the rules give.
    fn with_reason(&self, problem: Diagnostic, ask: &Ask, at: usize) -> Diagnostic {
        let (Question::Choose(decision), Some(step)) = (&ask.question, self.plan.steps.get(at)) else { return problem };
        let StepKind::Answer(player, action) = &step.kind else { return problem };
        if *player != decision.player {
            return problem;
        }
        match self.program.why_not(self.machine.state(), *player, action) {
            Ok(Some(reason)) => problem.label(reason),
            _ => problem,
        }
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

    fn refuse(&mut self, span: Span, player: PlayerId, action: &Action, because: Option<&str>) {
        let names = self.machine.names();
        let said = format!("{} {}", names.schema.player_name(player), action.write(names));
        let decisions = match self.machine.stop() {
            Stop::Paused(ask) => match &ask.question {
                Question::Choose(decision) => vec![decision.clone()],
                Question::ChooseAll(all) => all.clone(),
                Question::Roll(_) => Vec::new(),
            },
            _ => Vec::new(),
        };
        if decisions.is_empty() {
            let message = format!("nothing is to be decided here: {}", standing(&self.machine));
            self.fail(
                Diagnostic::new("nothing_asked", &self.plan.source, span, message)
                    .help("a refusal stands where the player is asked"),
            );
            return;
        }
        let mine = decisions.iter().find(|decision| decision.player == player);
        if mine.is_some_and(|decision| decision.options.iter().any(|option| same(action, option))) {
            let failure = self.failure(Diagnostic::new("not_refused", &self.plan.source, span, "the rules allow this"));
            let (expected, actual) = (Some(format!("{said} refused")), Some(format!("{said} allowed")));
            self.failures.push(Failure { expected, actual, ..failure });
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
                self.failures.push(Failure {
                    expected: Some(format!("because \"{wanted}\"")),
                    actual: Some(actual),
                    ..failure
                });
            }
            Err(wrong) => self.fail(*wrong),
        }
    }

    /// Judge an expression of the rules on a state.
    fn island(&mut self, island: Span, state: &State, at: Span, message: &str) -> bool {
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
                self.failures.push(Failure { actual_board: Some(draw(state, |_| false)), ..failure });
                false
            }
            Err(wrong) => {
                self.failures.push(Failure::plain(wrong.also(&self.plan.source, at, "while this is judged")));
                false
            }
        }
    }

    /// Judge what must be true all the time on the states that play has passed; the first that is not so is told.
    fn always(&mut self, passed: &[State], at: Span) {
        for always in &self.plan.always {
            for state in passed {
                if !self.island(always.island, state, at, "this is not true all the time") {
                    break;
                }
            }
        }
    }

    fn snapshot(&mut self, span: Span) {
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
            self.failures.push(Failure { actual: Some(actual), ..Failure::plain(diagnostic) });
        }
        self.snapshots.push((name, text));
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
