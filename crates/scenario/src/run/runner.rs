//! Runs a plan: plays its steps and collects every mismatch.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use crate::check::mismatch::Verdict;
use crate::check::verdicts::{self, ended_by, standing, why_nothing};
use crate::plan::model::{Check, Judged, Plan, Present, Step, StepKind};
use crate::run::answers::{Refused, ScenarioAnswers};
use crate::run::open::{only_deals, open_before};
use crate::run::scenes::{Course, Watcher};
use crate::snapshots::Snapshots;
use referee_diagnostic::{Code, Diagnostic, Label, one_line};
use referee_play::{Crew, Machine, SharedAnswers, Stop, Watch};
use referee_rules::Program;
use referee_source::{Span, quoted};
use referee_table::{ClauseId, EventId, PlayerId, drawn};
use referee_trace::{Answered, Ask, Asking, Failure, FailureKind, MAX_EVENTS, Question, Scene, Status};

/// The approximate limit in bytes for the failures of one test.
const ROOM: usize = 32 << 20;

/// Where the events of most failures begin.
const PAUSE: &str = "the last pause";

/// The result of running a plan.
pub(crate) struct Outcome {
    pub(crate) status: Status,
    pub(crate) failures: Vec<Failure>,
    pub(crate) snapshots: Vec<(String, String)>,
    pub(crate) answers: Vec<Answered>,
    /// The clauses applied, including those of the set-up, in the order of their first use.
    pub(crate) clauses: Vec<ClauseId>,
    /// The emitted events, without duplicates.
    pub(crate) events: BTreeSet<EventId>,
    /// The course of the run, if it was watched.
    pub(crate) course: Course,
}

/// The options of a run.
#[derive(Default)]
pub(crate) struct Run<'r> {
    /// Whether to record the positions during play.
    pub(crate) watched: bool,
    /// Whether to pause after each line, and to judge nothing.
    pub(crate) by_line: bool,
    /// The name of the test, which names its snapshots.
    pub(crate) name: String,
    /// The accepted snapshots.
    pub(crate) accepted: Option<&'r Snapshots>,
    /// The threads that may help with a question.
    pub(crate) crew: Option<&'r dyn Crew>,
    /// The player as whom positions are recorded; `None` for the whole positions.
    pub(crate) viewer: Option<PlayerId>,
}

/// How play came to the end of a plan, for callers that continue from there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// The failures, without those of snapshots, which do not affect play.
    pub failures: Vec<Failure>,
    /// Whether play stopped before the last line.
    pub broken: bool,
    /// Whether the rules stopped with an error.
    pub faulty: bool,
    /// The error for callers that continue play, if some of the players who are asked at once have answered and others
    /// have not: these answers would be lost.
    pub owed: Option<Box<Diagnostic>>,
}

/// Plays a plan, and returns the result of `then` for the machine at the end.
pub(crate) fn play<R>(plan: &Plan, program: &Program, then: impl FnOnce(&Machine<'_>, End) -> R) -> R {
    let given = Run::default();
    let mut runner = played(plan, program, &given);
    let end = runner.end();
    then(&runner.machine, end)
}

/// Plays a plan, and returns the positions during play and how it ended.
pub(crate) fn scenes(plan: &Plan, program: &Program) -> (Vec<Scene>, End) {
    let given = Run { watched: true, ..Run::default() };
    let mut runner = played(plan, program, &given);
    let end = runner.end();
    (runner.watcher.map(|watcher| watcher.course.scenes).unwrap_or_default(), end)
}

/// Plays a plan line by line, and returns the positions: one for each line that is played.
pub(crate) fn line_by_line(plan: &Plan, program: &Program, viewer: Option<PlayerId>) -> Vec<Scene> {
    let given = Run { watched: true, by_line: true, viewer, ..Run::default() };
    let runner = played(plan, program, &given);
    runner.watcher.map(|watcher| watcher.course.scenes).unwrap_or_default()
}

/// Runs a plan and judges it.
pub(crate) fn run(plan: &Plan, program: &Program, given: &Run<'_>) -> Outcome {
    let runner = played(plan, program, given);
    let lost = runner.failures.iter().any(|failure| failure.diagnostic.is_internal());
    let faulty = lost || runner.faulty || matches!(runner.machine.stop(), Stop::Fault(_));
    let status = match (faulty, runner.failures.is_empty()) {
        (true, _) => Status::Errored,
        (false, true) => Status::Passed,
        (false, false) => Status::Failed,
    };
    let events = runner.machine.events().map(|event| event.event).collect();
    let clauses = runner.applied();
    let mut course = runner.watcher.map(|watcher| watcher.course).unwrap_or_default();
    course.answered = runner.answers.borrow_mut().take_answered();
    let (snapshots, answers) = (runner.snapshots, runner.answered);
    Outcome { status, failures: runner.failures, snapshots, answers, clauses, events, course }
}

/// Returns a runner that has gone through all steps.
fn played<'p>(plan: &'p Plan, program: &'p Program, given: &'p Run<'p>) -> Runner<'p> {
    let steps: Arc<[Step]> = plan.steps.clone().into();
    let fork = plan.branch.map(|fork| fork.step);
    let answers = ScenarioAnswers::new(Arc::clone(&plan.source), Arc::clone(&steps), fork);
    let answers = Rc::new(RefCell::new(if given.by_line { answers.line_by_line() } else { answers }));
    let feed: SharedAnswers = Rc::clone(&answers) as SharedAnswers;
    if given.watched {
        answers.borrow_mut().keep();
    }
    let mut machine = Machine::new(program, plan.start.clone());
    machine.watch(match plan.always.iter().map(|always| always.judged == Judged::Events).max() {
        None => Watch::Nothing,
        Some(false) => Watch::Phases,
        Some(true) => Watch::Events,
    });
    let mut runner = Runner {
        plan,
        program,
        given,
        machine,
        answers,
        feed,
        failures: Vec::new(),
        snapshots: Vec::new(),
        answered: Vec::new(),
        seen: 0,
        events_before: 0,
        events_since: PAUSE,
        violated: Vec::new(),
        faulty: false,
        broken: false,
        watcher: given.watched.then(|| Watcher::new(&plan.row, given.viewer)),
        room: ROOM,
        unkept: 0,
    };
    runner.look(plan.head);
    // The lines before that of the first step.
    let line = |first: &Step| plan.source.line_span(plan.source.line(first.span.start));
    let set_up = steps.first().map_or(plan.head, |first| Span { end: line(first).start, ..plan.head });
    runner.wrote(set_up);
    if plan.branch.is_none() && !given.by_line {
        let mut start = plan.start.clone();
        start.note_turn_rules(program.turn_rules());
        if program.needs_history() {
            start.keep_history();
        }
        runner.always_at_start(&start);
    }
    runner.all(&steps);
    runner.covers();
    if runner.unkept > 0 {
        runner.failures.push(Failure::more(runner.unkept));
    }
    runner
}

/// A run of one test: all that it keeps, which does not outlive it.
pub(crate) struct Runner<'p> {
    pub(crate) plan: &'p Plan,
    pub(crate) program: &'p Program,
    pub(crate) given: &'p Run<'p>,
    pub(crate) machine: Machine<'p>,
    pub(crate) answers: Rc<RefCell<ScenarioAnswers>>,
    pub(crate) feed: SharedAnswers,
    pub(crate) failures: Vec<Failure>,
    pub(crate) snapshots: Vec<(String, String)>,
    /// The answers to questions.
    pub(crate) answered: Vec<Answered>,
    /// The number of events that earlier `expect events` lines have checked.
    pub(crate) seen: usize,
    /// The number of events when play last continued.
    pub(crate) events_before: usize,
    /// A description of `events_before`.
    events_since: &'static str,
    /// The `always` expressions that a position has violated.
    pub(crate) violated: Vec<Span>,
    /// Whether the rules stopped with an error in play that a line looks at.
    faulty: bool,
    /// Whether play has left the lines, so that no later line can be judged.
    pub(crate) broken: bool,
    pub(crate) watcher: Option<Watcher>,
    /// The number of bytes that are left for failures.
    room: usize,
    /// The number of failures that were counted but not kept.
    unkept: usize,
}

impl Runner<'_> {
    /// Returns how play ended; takes the failures.
    fn end(&mut self) -> End {
        let mut failures = std::mem::take(&mut self.failures);
        failures.retain(|failure| failure.kind != FailureKind::Snapshot);
        let owed = self.answers.borrow().is_partly_answered().then(|| Box::new(self.owed(self.plan.head)));
        End { failures, broken: self.broken, faulty: matches!(self.machine.stop(), Stop::Fault(_)), owed }
    }

    fn look(&mut self, span: Span) {
        if let Some(watcher) = &mut self.watcher {
            watcher.look(&self.machine, &self.plan.source, span);
        }
    }

    fn wrote(&mut self, span: Span) {
        if let Some(watcher) = &mut self.watcher {
            watcher.wrote(&self.plan.source, span);
        }
    }

    fn all(&mut self, steps: &[Step]) {
        let mut at = 0;
        loop {
            if self.broken {
                return;
            }
            if let Some(fork) = self.plan.branch.filter(|fork| fork.step == at) {
                self.wrote(fork.head);
                if !self.given.by_line {
                    self.always_from_here(fork.head);
                }
            }
            let Some(step) = steps.get(at) else {
                self.left_open(steps);
                return;
            };
            let next = self.step(step, at);
            // Play may have taken several lines as its answers.
            let taken = steps.get(at..next.max(at + 1)).unwrap_or(std::slice::from_ref(step));
            taken.iter().for_each(|step| self.wrote(step.span));
            at = next;
        }
    }

    /// Reports a dealing that is not finished at the end, unless a chance is asked of its cards.
    fn left_open(&mut self, steps: &[Step]) {
        let after = steps.iter().rev().take_while(|step| !matches!(step.kind, StepKind::Do(..)));
        let is_asked = after.into_iter().any(|step| matches!(step.kind, StepKind::Expect(Check::Chance(_))));
        if let Some(wrong) = only_deals(&self.machine, self.plan).filter(|_| self.failures.is_empty() && !is_asked) {
            self.fail(wrong);
        }
    }

    /// Lets the players agree on a draw while one of them is asked something; returns the index of the next step.
    fn agree(&mut self, span: Span, at: usize) -> usize {
        if self.answers.borrow().is_partly_answered() {
            self.not_all_answered(span);
            return at + 1;
        }
        if !matches!(self.machine.stop(), Stop::Paused(_)) {
            let message = format!("nothing is asked here: {}", standing(&self.machine));
            let wrong = Diagnostic::new(Code::NothingAsked, &self.plan.source, span, message);
            self.fail(wrong.help("move this line to where a player is asked something"));
            self.broken = true;
            return at + 1;
        }
        self.begin(at + 1, at);
        let feed = Rc::clone(&self.feed);
        self.machine.agree(&feed);
        let next = self.played(span, at);
        if !self.broken && !matches!(self.machine.stop(), Stop::Over) {
            let message = format!("the game goes on: {}", standing(&self.machine));
            let mut wrong = Diagnostic::new(Code::WrongAnswer, &self.plan.source, span, message);
            let label = self.program.function_label("agreed", 0);
            wrong.labels.extend(label.map(|label| Label { text: "this function ends nothing".to_owned(), ..label }));
            self.fail(wrong.help("end the game in the rules' function `agreed`, for example by `draw_game()`"));
            self.broken = true;
        }
        next
    }

    /// Lets a player resign instead of an answer; returns the index of the next step.
    fn resign(&mut self, span: Span, at: usize, player: PlayerId) -> usize {
        if self.answers.borrow().is_partly_answered() {
            self.not_all_answered(span);
            return at + 1;
        }
        let name = self.machine.names().schema.player_name(player).to_owned();
        let is_asked = match self.machine.stop() {
            Stop::Paused(ask) => match &ask.question {
                Question::Choose(decision) => decision.player == player,
                Question::ChooseAll(all) => all.iter().any(|decision| decision.player == player),
                // Chance decides in a player's turn.
                Question::Roll(_) | Question::Draw(_) => self.machine.state().turn == Some(player),
            },
            _ => false,
        };
        if !is_asked {
            let message =
                format!("{name} is asked nothing here, and resigns instead of an answer: {}", standing(&self.machine));
            let wrong = Diagnostic::new(Code::NothingAsked, &self.plan.source, span, message);
            self.fail(wrong.help(format!("move this line to where {name} is asked something")));
            self.broken = true;
            return at + 1;
        }
        self.begin(at + 1, at);
        let feed = Rc::clone(&self.feed);
        let is_decided = self.machine.resign(player, &feed);
        let next = self.played(span, at);
        if !self.broken && !is_decided {
            let message = format!(
                "nothing says what follows after {name} has resigned: the game goes on, and nobody has the next turn"
            );
            let mut wrong = Diagnostic::new(Code::WrongAnswer, &self.plan.source, span, message);
            let label = self.program.function_label("resigned", 1);
            wrong.labels.extend(label.map(|label| Label { text: "this function says neither".to_owned(), ..label }));
            self.fail(wrong.help(
                "end the game in the rules' function `resigned`, for example by `lose(player)`, or say who goes on, for example \
                 by `next_turn(after(player))`",
            ));
            self.broken = true;
        }
        next
    }

    /// Runs a step; returns the index of the next.
    fn step(&mut self, step: &Step, at: usize) -> usize {
        let judged = self.is_judged(at);
        match &step.kind {
            StepKind::Turn(player) => self.begun(step.span, at, |machine, feed| machine.turn(*player, feed)),
            StepKind::Resume(phase, player) => {
                self.begun(step.span, at, |machine, feed| machine.resume(phase.clone(), *player, feed))
            }
            StepKind::Do(phase, player) => {
                self.begun(step.span, at, |machine, feed| machine.call(phase.clone(), *player, feed))
            }
            StepKind::Setup(phases) => self.begun(step.span, at, |machine, feed| machine.set_up(phases, feed)),
            StepKind::Shuffle(zone, order) => self.arrange(step.span, at, *zone, order),
            StepKind::Roll(_) | StepKind::Draw(..) | StepKind::Answer(..) => self.answered(step.span, at),
            StepKind::Agree => self.agree(step.span, at),
            StepKind::Resign(player) => self.resign(step.span, at, *player),
            StepKind::Refuse { player, action, because } => {
                if judged {
                    self.refuse(step.span, *player, action, because.as_deref());
                }
                at + 1
            }
            StepKind::Expect(check) => {
                if judged {
                    self.expect(step.span, check, at);
                }
                if matches!(check, Check::Present(Present::Events { .. }) | Check::Snapshot) {
                    self.seen = self.machine.events().count();
                }
                at + 1
            }
        }
    }

    /// Begins a turn, a phase or a procedure; returns the index of the next step.
    fn begun(&mut self, span: Span, at: usize, begin: impl FnOnce(&mut Machine<'_>, &SharedAnswers)) -> usize {
        if self.answers.borrow().is_partly_answered() {
            self.not_all_answered(span);
            return at + 1;
        }
        if let Some(unfinished) = open_before(&self.machine, self.plan.steps.get(..at).unwrap_or_default()) {
            let wrong = unfinished.reported(&self.machine, &self.plan.source, span);
            self.fail(wrong);
            self.broken = true;
            return at + 1;
        }
        self.begin(at + 1, at);
        let feed = Rc::clone(&self.feed);
        begin(&mut self.machine, &feed);
        self.played(span, at)
    }

    /// Goes on from a pause with the answer of this step; returns the index of the next step.
    fn answered(&mut self, span: Span, at: usize) -> usize {
        if !matches!(self.machine.stop(), Stop::Paused(_)) {
            let message = why_nothing(&self.machine);
            let table = &self.machine.state().table;
            let first = table.players.first().map_or("", |player| table.schema.player_name(*player));
            let help = match self.machine.stop() {
                Stop::Fresh => format!("begin the play with a line such as `turn {first}`"),
                _ => format!("remove this line, or begin again with a line such as `turn {first}`"),
            };
            self.fail(Diagnostic::new(Code::NothingAsked, &self.plan.source, span, message).help(help));
            self.broken = true;
            return at + 1;
        }
        self.begin(at, at);
        let feed = Rc::clone(&self.feed);
        self.machine.go_on(&feed);
        self.played(span, at)
    }

    /// Judges the conditions for this pause; `steps` of the plan have been run.
    fn expect(&mut self, span: Span, check: &Check, steps: usize) {
        match check {
            Check::Expression(expression) => {
                let state = self.machine.state().clone();
                self.expression(*expression, &state, span, "this is not true");
            }
            Check::Chance(_) | Check::Question(_) | Check::Perft(_) if self.answers.borrow().is_partly_answered() => {
                self.not_all_answered(span)
            }
            Check::Chance(asked) => self.chance(span, asked),
            Check::Question(asked) => self.question(span, asked, steps),
            Check::Perft(asked) => self.perft(span, *asked),
            Check::Snapshot => self.snapshot(span),
            Check::Present(present) => match verdicts::judge(&self.machine, present, self.seen) {
                Verdict::Holds => {}
                Verdict::Fails(mismatch)
                    if matches!(present, Present::Events { .. }) && self.seen < self.events_before =>
                {
                    // The events that the line is about, and not only those since play last continued.
                    let before = std::mem::replace(&mut self.events_before, self.seen);
                    self.events_since =
                        if self.seen == 0 { "the beginning" } else { "the last `expect events` or `expect snapshot`" };
                    self.mismatch(span, *mismatch);
                    (self.events_before, self.events_since) = (before, PAUSE);
                }
                Verdict::Fails(mismatch) => self.mismatch(span, *mismatch),
            },
        }
    }

    fn is_judged(&self, at: usize) -> bool {
        !self.given.by_line && self.plan.branch.is_none_or(|fork| at >= fork.step)
    }

    /// Reports that a line begins play again while some players who are asked at once have not answered.
    fn not_all_answered(&mut self, span: Span) {
        let wrong = self.owed(span).help("write a line for each of them before this one");
        self.fail(wrong);
        self.broken = true;
    }

    /// Returns the error for the answers that are still owed.
    fn owed(&self, span: Span) -> Diagnostic {
        let message = format!("not all players who are asked at once have answered: {}", standing(&self.machine));
        Diagnostic::new(Code::WrongAnswer, &self.plan.source, span, message).help("write a line for each of them")
    }

    /// Makes step `at` the next answer that is read, before play runs step `taken`.
    pub(crate) fn begin(&mut self, at: usize, taken: usize) {
        self.answers.borrow_mut().set(at, taken);
        self.events_before = self.machine.events().count();
    }

    /// Judges how play stopped; returns the index of the next step.
    pub(crate) fn played(&mut self, span: Span, taken: usize) -> usize {
        let refused = self.judge_open();
        let next = self.answers.borrow().at();
        self.machine.owe(|place| self.answers.borrow().owes(place));
        let last = next.checked_sub(1).and_then(|last| self.plan.steps.get(last)).map_or(span, |step| step.span);
        self.look(last.max(span));
        let passed = self.machine.take_passed();
        if self.is_judged(taken) {
            self.always(&passed, span);
        }
        if let Some(refused) = refused {
            self.refused_open(refused);
            return next;
        }
        match self.machine.stop().clone() {
            Stop::Refused(ask) => {
                let refused = self.answers.borrow_mut().refused.take();
                let problem = match refused {
                    // A move with wrong marks is legal, so the rules have no reason to refuse it.
                    Some(Refused::WrongMarks(problem)) => problem,
                    Some(Refused::Unfit(problem)) => self.with_reason(problem, &ask, next),
                    None => {
                        let message = "this is not what the rules ask";
                        let problem = Diagnostic::new(Code::WrongAnswer, &self.plan.source, span, message);
                        self.with_reason(problem, &ask, next)
                    }
                };
                let failure = self.failure(problem);
                let actual = format!("asks {}", ask.question.write(self.machine.names()));
                self.keep(Failure { actual: Some(actual), asking: Some(self.asking(&ask)), ..failure });
                self.broken = true;
            }
            Stop::Fault(diagnostic) => {
                let unlabelled = diagnostic.labels.is_empty();
                let shown = if unlabelled {
                    diagnostic.labelled([self.label(span)])
                } else {
                    diagnostic.also(&self.plan.source, last.max(span), "while this is played")
                };
                self.keep(self.recent(shown));
                self.broken = true;
            }
            _ => self.left_over(),
        }
        next
    }

    /// Lets play go on with each answer to an open ask before which it has paused, if the rules do not refuse it. Returns why they
    /// refuse one.
    fn judge_open(&mut self) -> Option<Diagnostic> {
        loop {
            let at = self.answers.borrow_mut().take_waiting()?;
            let step = self.plan.steps.get(at)?;
            let StepKind::Answer(player, action) = &step.kind else { return None };
            let source = &self.plan.source;
            match self.program.why_not(self.machine.state(), *player, action) {
                Ok(None) => {}
                Ok(Some(reason)) => {
                    let names = self.machine.names();
                    let message = format!("the rules refuse `{}`", action.write(names));
                    let help = format!(
                        "to expect this, write `refuse {} {} because {}`",
                        names.schema.player_name(*player),
                        action.write(names),
                        one_line(&quoted(&reason))
                    );
                    return Some(
                        Diagnostic::new(Code::NotAnOption, source, step.span, message).label(reason).help(help),
                    );
                }
                Err(wrong) => return Some(wrong.also(source, step.span, "while this is judged")),
            }
            self.answers.borrow_mut().accept(at);
            let feed = Rc::clone(&self.feed);
            self.machine.go_on(&feed);
        }
    }

    /// Reports an answer to an open ask that the rules refuse.
    fn refused_open(&mut self, problem: Diagnostic) {
        let failure = self.failure(problem);
        let actual = failure.asking.as_ref().map(|asking| format!("asks {}", asking.text));
        self.keep(Failure { actual, ..failure });
        self.broken = true;
    }

    /// Returns the error for a refused answer with the reason that the rules give.
    fn with_reason(&self, problem: Diagnostic, ask: &Ask, at: usize) -> Diagnostic {
        let asked = match &ask.question {
            Question::Choose(decision) => std::slice::from_ref(decision),
            Question::ChooseAll(all) => all,
            Question::Roll(_) | Question::Draw(_) => return problem,
        };
        let Some(StepKind::Answer(player, action)) = self.plan.steps.get(at).map(|step| &step.kind) else {
            return problem;
        };
        if !asked.iter().any(|decision| decision.player == *player) {
            return problem;
        }
        match self.program.why_not(self.machine.state(), *player, action) {
            Ok(Some(reason)) => problem.label(reason),
            _ => problem,
        }
    }

    /// Reports dice or cards of a line for which the rules did not ask, although they asked for others of the line.
    fn left_over(&mut self) {
        let names = self.machine.names();
        let Some((words, span)) = self.answers.borrow().left_over(names) else { return };
        let instead = match self.machine.stop() {
            Stop::Over => why_nothing(&self.machine),
            _ => standing(&self.machine),
        };
        let message = format!("the rules did not ask for `{}`: {instead}", words.join("`, `"));
        self.fail(
            Diagnostic::new(Code::WrongAnswer, &self.plan.source, span, message).help("remove this from the line"),
        );
        self.broken = true;
    }

    /// Keeps a failure. When the space is used up, keeps later failures without details, and then only counts them.
    pub(crate) fn keep(&mut self, mut failure: Failure) {
        failure.shorten();
        if self.room < failure.weight() {
            failure.strip();
        }
        match self.room.checked_sub(failure.weight()) {
            Some(room) => self.room = room,
            // A snapshot must be kept: it can be accepted, and then it is not a mismatch.
            None if failure.kind != FailureKind::Snapshot => {
                self.unkept += 1;
                return;
            }
            None => {}
        }
        self.failures.push(failure);
    }

    /// Keeps the failure of a line that looks at play in which something stops with an error: the rules, which the test
    /// then says nothing about, or an expression of the line itself.
    pub(crate) fn keep_fault(&mut self, failure: Failure) {
        let first = failure.diagnostic.labels.first();
        self.faulty |= !first.is_some_and(|label| Arc::ptr_eq(&label.source, &self.plan.source));
        self.keep(failure);
    }

    pub(crate) fn fail(&mut self, diagnostic: Diagnostic) {
        let failure = self.failure(diagnostic);
        self.keep(failure);
    }

    /// Returns a failure with the board, the last events and the pending question.
    pub(crate) fn failure(&self, diagnostic: Diagnostic) -> Failure {
        let asking = match self.machine.stop() {
            Stop::Paused(ask) | Stop::Refused(ask) => Some(self.asking(ask)),
            _ => None,
        };
        let ended = ended_by(&self.machine);
        Failure { actual_board: drawn(self.machine.state()), asking, ended, ..self.recent(diagnostic) }
    }

    /// Returns a failure with the first events since play last continued.
    fn recent(&self, diagnostic: Diagnostic) -> Failure {
        let names = self.machine.names();
        let recent = self.machine.events().skip(self.events_before);
        let events: Vec<String> = recent.take(MAX_EVENTS).map(|event| event.write(names)).collect();
        let more_events = self.machine.events().count().saturating_sub(self.events_before + events.len());
        Failure { events, more_events, events_since: self.events_since, ..Failure::plain(diagnostic) }
    }

    fn asking(&self, ask: &Ask) -> Asking {
        Asking { text: ask.question.write(self.machine.names()), place: self.program.label(ask.place) }
    }

    fn label(&self, span: Span) -> referee_diagnostic::Label {
        referee_diagnostic::Label { source: Arc::clone(&self.plan.source), span, text: String::new() }
    }
}
