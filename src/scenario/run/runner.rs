//! Running a plan: play, and every mismatch on the way.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::play::{Feed, Machine, Stop, Watch};
use crate::rules::Program;
use crate::scenario::check::verdicts::{self, Verdict, standing, why_nothing};
use crate::scenario::plan::model::{Check, Plan, Step, StepKind};
use crate::scenario::run::answers::Feeder;
use crate::scenario::run::scenes::Watcher;
use crate::scenario::snapshots::Snapshots;
use crate::source::Span;
use crate::table::drawn;
use crate::trace::{Ask, Asking, Failure, MAX_EVENTS, Question, Scene, Status};

/// How many bytes the failures of one test keep while it runs, about.
const ROOM: usize = 32 << 20;

/// How a plan came out.
pub(crate) struct Outcome {
    pub(crate) status: Status,
    pub(crate) failures: Vec<Failure>,
    pub(crate) snapshots: Vec<(String, String)>,
}

/// What a run may be given besides its plan.
#[derive(Default)]
pub(crate) struct Run<'r> {
    /// Whether to note the positions on the way.
    pub(crate) watched: bool,
    /// The name of the test, under which its snapshots are kept.
    pub(crate) name: String,
    /// The snapshots that were accepted.
    pub(crate) accepted: Option<&'r Snapshots>,
}

/// How play came to its end, for those who want to go on from there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// What did not come out as written; that a snapshot was not accepted says nothing about play.
    pub failures: Vec<Failure>,
    /// Whether play stopped before the last line.
    pub broken: bool,
    /// Whether the rules stopped with an error.
    pub faulty: bool,
}

/// Plays a plan, and returns what `then` makes of the machine at the end.
pub(crate) fn play<R>(plan: &Plan, program: &Program, then: impl FnOnce(&Machine<'_>, End) -> R) -> R {
    let given = Run::default();
    let mut runner = played(plan, program, &given);
    let end = runner.end();
    then(&runner.machine, end)
}

/// Plays a plan, and returns the positions on the way.
pub(crate) fn scenes(plan: &Plan, program: &Program) -> (Vec<Scene>, End) {
    let given = Run { watched: true, ..Run::default() };
    let mut runner = played(plan, program, &given);
    let end = runner.end();
    (runner.watcher.map(|watcher| watcher.scenes).unwrap_or_default(), end)
}

/// Runs a plan and judges it.
pub(crate) fn run(plan: &Plan, program: &Program, given: &Run<'_>) -> Outcome {
    let runner = played(plan, program, given);
    let lost = runner.failures.iter().any(|failure| failure.diagnostic.code == "internal_error");
    let faulty = lost || matches!(runner.machine.stop(), Stop::Fault(_));
    let status = match (faulty, runner.failures.is_empty()) {
        (true, _) => Status::Errored,
        (false, true) => Status::Passed,
        (false, false) => Status::Failed,
    };
    Outcome { status, failures: runner.failures, snapshots: runner.snapshots }
}

/// Returns a runner that has gone through all steps.
fn played<'p>(plan: &'p Plan, program: &'p Program, given: &'p Run<'p>) -> Runner<'p> {
    let steps: Arc<[Step]> = plan.steps.clone().into();
    let feeder = Rc::new(RefCell::new(Feeder::new(
        Arc::clone(&plan.source),
        Arc::clone(&steps),
        plan.branch.map(|fork| fork.step),
    )));
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
        room: ROOM,
        unkept: 0,
    };
    runner.look(plan.head);
    if plan.branch.is_none() {
        runner.always(std::slice::from_ref(&plan.start), plan.head);
    }
    runner.all(&steps);
    runner.covers();
    if runner.unkept > 0 {
        runner.failures.push(Failure::more(runner.unkept));
    }
    runner
}

pub(crate) struct Runner<'p> {
    pub(crate) plan: &'p Plan,
    pub(crate) program: &'p Program,
    pub(crate) given: &'p Run<'p>,
    pub(crate) machine: Machine<'p>,
    pub(crate) feeder: Rc<RefCell<Feeder>>,
    pub(crate) feed: Feed,
    pub(crate) failures: Vec<Failure>,
    pub(crate) snapshots: Vec<(String, String)>,
    /// How many events an `expect events` has looked at.
    pub(crate) seen: usize,
    /// How many events there were when play last went on.
    pub(crate) begun: usize,
    /// Whether play went otherwise than the lines say, so that nothing behind can be judged.
    pub(crate) broken: bool,
    pub(crate) watcher: Option<Watcher>,
    /// How many bytes failures may still keep.
    room: usize,
    /// How many failures were only counted.
    unkept: usize,
}

impl Runner<'_> {
    /// Returns how play has come out; takes the failures.
    fn end(&mut self) -> End {
        let mut failures = std::mem::take(&mut self.failures);
        failures.retain(|failure| failure.diagnostic.code != "snapshot");
        End { failures, broken: self.broken, faulty: matches!(self.machine.stop(), Stop::Fault(_)) }
    }

    fn look(&mut self, span: Span) {
        if let Some(watcher) = &mut self.watcher {
            watcher.look(&self.machine, &self.plan.source, span);
        }
    }

    fn all(&mut self, steps: &[Step]) {
        let mut at = 0;
        loop {
            if self.broken {
                return;
            }
            if let Some(fork) = self.plan.branch.filter(|fork| fork.step == at) {
                self.always_from_here(fork.head);
            }
            let Some(step) = steps.get(at) else { return };
            at = self.step(step, at);
        }
    }

    /// Lets the players agree on a draw where one of them is asked something; returns the index of the next step.
    fn agree(&mut self, span: Span, at: usize) -> usize {
        if self.feeder.borrow().is_partly_answered() {
            self.not_all_answered(span);
            return at + 1;
        }
        if !matches!(self.machine.stop(), Stop::Paused(_)) {
            let message = format!("nothing is asked here: {}", standing(&self.machine));
            let wrong = Diagnostic::new("nothing_asked", &self.plan.source, span, message);
            self.fail(wrong.help("players can agree where one of them is asked something"));
            self.broken = true;
            return at + 1;
        }
        self.begin(at + 1, at);
        let feed = Rc::clone(&self.feed);
        self.machine.agree(&feed);
        let next = self.played(span, at);
        if !self.broken && !matches!(self.machine.stop(), Stop::Over) {
            let message = format!("the game goes on: {}", standing(&self.machine));
            let wrong = Diagnostic::new("wrong_answer", &self.plan.source, span, message);
            self.fail(wrong.help("the rules' function `agreed` ends the game, for example by `draw_game()`"));
            self.broken = true;
        }
        next
    }

    /// Takes a step; gives the place of the next.
    fn step(&mut self, step: &Step, at: usize) -> usize {
        let feed = Rc::clone(&self.feed);
        let judged = self.is_judged(at);
        match &step.kind {
            StepKind::Turn(_) | StepKind::Resume(..) | StepKind::Do(..) | StepKind::Setup(_) => {
                if self.feeder.borrow().is_partly_answered() {
                    self.not_all_answered(step.span);
                    return at + 1;
                }
                self.begin(at + 1, at);
                match &step.kind {
                    StepKind::Turn(player) => self.machine.turn(*player, &feed),
                    StepKind::Resume(phase, player) => self.machine.resume(phase.clone(), *player, &feed),
                    StepKind::Do(phase, player) => self.machine.call(phase.clone(), *player, &feed),
                    StepKind::Setup(phases) => self.machine.set_up(phases, &feed),
                    _ => {}
                }
                self.played(step.span, at)
            }
            StepKind::Shuffle(zone, order) => self.arrange(step.span, at, *zone, order),
            StepKind::Roll(_) | StepKind::Draw(..) | StepKind::Answer(..) => {
                if !matches!(self.machine.stop(), Stop::Paused(_)) {
                    let message = why_nothing(&self.machine);
                    let table = &self.machine.state().table;
                    let first = table.players.first().map_or("", |player| table.schema.player_name(*player));
                    let help = match self.machine.stop() {
                        Stop::Fresh => format!("begin the play with a line such as `turn {first}`"),
                        _ => format!("leave this line out, or begin again with a line such as `turn {first}`"),
                    };
                    self.fail(Diagnostic::new("nothing_asked", &self.plan.source, step.span, message).help(help));
                    self.broken = true;
                    return at + 1;
                }
                self.begin(at, at);
                self.machine.go_on(&feed);
                self.played(step.span, at)
            }
            StepKind::Agree => self.agree(step.span, at),
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
            StepKind::Expect(Check::Chance(asked)) => {
                if judged && self.feeder.borrow().is_partly_answered() {
                    self.not_all_answered(step.span);
                } else if judged {
                    self.chance(step.span, asked);
                }
                at + 1
            }
            StepKind::Expect(Check::Snapshot) => {
                if judged {
                    self.snapshot(step.span);
                }
                self.seen = self.machine.events().count();
                at + 1
            }
            StepKind::Expect(check) => {
                if judged {
                    match verdicts::judge(&self.machine, check, self.seen) {
                        Verdict::Holds => {}
                        Verdict::Fails(mismatch) => self.mismatch(step.span, *mismatch),
                        Verdict::Lost(what) => self.fail(self.placed(verdicts::lost(what), step.span)),
                    }
                }
                if matches!(check, Check::Events { .. }) {
                    self.seen = self.machine.events().count();
                }
                at + 1
            }
        }
    }

    fn is_judged(&self, at: usize) -> bool {
        self.plan.branch.is_none_or(|fork| at >= fork.step)
    }

    /// Play is to begin again, though answers that were given wait for others.
    fn not_all_answered(&mut self, span: Span) {
        let message = format!("not everybody who is asked at once has answered: {}", standing(&self.machine));
        let help = "write a line for each of them before this one";
        self.fail(Diagnostic::new("wrong_answer", &self.plan.source, span, message).help(help));
        self.broken = true;
    }

    /// Play goes on with the answers from a step on, for step `taken`.
    pub(crate) fn begin(&mut self, at: usize, taken: usize) {
        self.feeder.borrow_mut().set(at, taken);
        self.begun = self.machine.events().count();
    }

    /// Looks at how play came to a stop; gives the place of the next step.
    pub(crate) fn played(&mut self, span: Span, taken: usize) -> usize {
        let next = self.feeder.borrow().at();
        let last = next.checked_sub(1).and_then(|last| self.plan.steps.get(last)).map_or(span, |step| step.span);
        self.look(last.max(span));
        let passed = self.machine.take_passed();
        if self.is_judged(taken) {
            self.always(&passed, last.max(span));
        }
        match self.machine.stop().clone() {
            Stop::Refused(ask) => {
                let problem = self.feeder.borrow_mut().problem.take();
                let problem = problem.unwrap_or_else(|| {
                    Diagnostic::new("wrong_answer", &self.plan.source, span, "this is not what the rules ask")
                });
                let problem = self.with_reason(problem, &ask, next);
                let failure = self.failure(problem);
                let actual = format!("asks {}", ask.question.write(self.machine.names()));
                self.keep(Failure { actual: Some(actual), asking: Some(self.asking(&ask)), ..failure });
                self.broken = true;
            }
            Stop::Fault(diagnostic) => {
                let told = diagnostic.labels.is_empty();
                let shown = if told {
                    Diagnostic { labels: vec![self.label(span)], ..*diagnostic }
                } else {
                    diagnostic.also(&self.plan.source, span, "while this is played")
                };
                self.keep(self.recent(shown));
                self.broken = true;
            }
            _ => self.left_over(),
        }
        next
    }

    /// Returns the error for a refused answer with the reason that the rules give.
    fn with_reason(&self, problem: Diagnostic, ask: &Ask, at: usize) -> Diagnostic {
        let (Question::Choose(decision), Some(step)) = (&ask.question, self.plan.steps.get(at)) else { return problem };
        let StepKind::Answer(player, action) = &step.kind else { return problem };
        // Of a move that is only written wrongly there is nothing more to say.
        if *player != decision.player || problem.code == "wrong_capture" {
            return problem;
        }
        match self.program.why_not(self.machine.state(), *player, action) {
            Ok(Some(reason)) => problem.label(reason),
            _ => problem,
        }
    }

    /// Dice or cards that stand on a line and were not asked for, though the play stands behind the line's other dice.
    fn left_over(&mut self) {
        let names = self.machine.names();
        let Some((words, span)) = self.feeder.borrow().left_over(names) else { return };
        let instead = match self.machine.stop() {
            Stop::Over => why_nothing(&self.machine),
            _ => standing(&self.machine),
        };
        let message = format!("the rules did not ask for `{}`: {instead}", words.join("`, `"));
        self.fail(Diagnostic::new("wrong_answer", &self.plan.source, span, message).help("leave this out of the line"));
        self.broken = true;
    }

    /// Keeps a failure; of very many the later ones without what is to be seen besides, and then only their number.
    pub(crate) fn keep(&mut self, mut failure: Failure) {
        failure.shorten();
        if self.room < failure.weight() {
            failure.strip();
        }
        match self.room.checked_sub(failure.weight()) {
            Some(room) => self.room = room,
            // A snapshot may be accepted, and then is no mismatch.
            None if failure.diagnostic.code != "snapshot" => {
                self.unkept += 1;
                return;
            }
            None => {}
        }
        self.failures.push(failure);
    }

    pub(crate) fn fail(&mut self, diagnostic: Diagnostic) {
        let failure = self.failure(diagnostic);
        self.keep(failure);
    }

    /// Returns a failure with what can be seen from here: the board, the last events, what is asked.
    pub(crate) fn failure(&self, diagnostic: Diagnostic) -> Failure {
        let asking = match self.machine.stop() {
            Stop::Paused(ask) | Stop::Refused(ask) => Some(self.asking(ask)),
            _ => None,
        };
        Failure { actual_board: drawn(self.machine.state()), asking, ..self.recent(diagnostic) }
    }

    /// Returns a failure with the first events since play last went on.
    fn recent(&self, diagnostic: Diagnostic) -> Failure {
        let names = self.machine.names();
        let recent = self.machine.events().skip(self.begun);
        let events: Vec<String> = recent.take(MAX_EVENTS).map(|event| event.write(names)).collect();
        let more_events = self.machine.events().count().saturating_sub(self.begun + events.len());
        Failure { events, more_events, ..Failure::plain(diagnostic) }
    }

    fn asking(&self, ask: &Ask) -> Asking {
        Asking { text: ask.question.write(self.machine.names()), place: self.program.label(ask.place) }
    }

    /// Returns a diagnostic without a place, at a line.
    fn placed(&self, diagnostic: Diagnostic, span: Span) -> Diagnostic {
        Diagnostic { labels: vec![self.label(span)], ..diagnostic }
    }

    fn label(&self, span: Span) -> crate::diagnostic::Label {
        crate::diagnostic::Label { source: Arc::clone(&self.plan.source), span, text: String::new() }
    }
}
