//! Runs a game from phase to phase up to an ask that nobody answers.
//!
//! The beginning of a phase is a checkpoint: going on from a pause runs the phase again from there, with the answers
//! given so far and one more. What happened before the pause is told once.

use std::cell::RefCell;
use std::rc::Rc;

use super::feed::{Feed, Replayed};
use crate::diagnostic::Diagnostic;
use crate::rules::{End, Keep, Program, Run};
use crate::table::{ClauseId, Names, Phase, PieceId, PlayerId, State, Value, ZoneId};
use crate::trace::{Answer, Ask, Event};

/// The most phases that may follow one another without an ask.
pub(super) const SILENT_PHASES: usize = 10_000;

/// Why a machine does not run on.
#[derive(Clone, Debug)]
pub enum Stop {
    /// Nothing was run yet.
    Fresh,
    /// At an ask without an answer.
    Paused(Ask),
    /// At an ask with an answer that does not fit.
    Refused(Ask),
    /// A procedure that was called alone has returned.
    Returned,
    /// The game is over.
    Over,
    /// The rules are wrong.
    Fault(Box<Diagnostic>),
}

/// Which positions a machine notes on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Watch {
    /// None.
    #[default]
    Nothing,
    /// Pauses and the ends of phases.
    Phases,
    /// Each event as well.
    Events,
}

/// What the present turn did before the phase that paused: for counts, which take a turn as a whole. Before the first
/// turn it is the set-up.
#[derive(Clone, Debug, Default)]
pub(super) struct Earlier {
    /// Whether its first phase is among it.
    turn: bool,
    pub(super) clauses: Vec<(ClauseId, u64)>,
    pub(super) last_clause: Option<ClauseId>,
}

/// A game being played. A clone is played on its own.
#[derive(Clone)]
pub struct Machine<'p> {
    program: &'p Program,
    /// The state now: at the pause, or at the end.
    state: State,
    /// The state at the beginning of the phase that paused, with that phase.
    checkpoint: Option<(State, Phase)>,
    /// The answers given since the checkpoint.
    given: Vec<(Ask, Answer)>,
    /// What happened before the checkpoint.
    told: Vec<Event>,
    /// What happened since.
    fresh: Vec<Event>,
    clauses: Vec<ClauseId>,
    earlier: Earlier,
    /// How many phases have followed one another without an ask.
    silent: usize,
    /// What is noted for whoever judges every position: nothing, phase ends and pauses, or each event as well.
    watch: Watch,
    passed: Vec<State>,
    /// Whether the phase was called alone, so that nothing follows it.
    alone: bool,
    stop: Stop,
}

impl<'p> Machine<'p> {
    /// A game that stands at `state`.
    #[must_use]
    pub const fn new(program: &'p Program, state: State) -> Self {
        Self {
            program,
            state,
            checkpoint: None,
            given: Vec::new(),
            told: Vec::new(),
            fresh: Vec::new(),
            clauses: Vec::new(),
            earlier: Earlier { turn: false, clauses: Vec::new(), last_clause: None },
            silent: 0,
            watch: Watch::Nothing,
            passed: Vec::new(),
            alone: false,
            stop: Stop::Fresh,
        }
    }

    /// Note positions from now on.
    pub const fn watch(&mut self, watch: Watch) {
        self.watch = watch;
    }

    /// The positions noted since they were last taken.
    pub fn take_passed(&mut self) -> Vec<State> {
        std::mem::take(&mut self.passed)
    }

    /// The state now.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Why it does not run on.
    #[must_use]
    pub const fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Everything that happened since play began.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.told.iter().chain(&self.fresh)
    }

    /// The clauses applied since play began, each once.
    #[must_use]
    pub fn clauses(&self) -> &[ClauseId] {
        &self.clauses
    }

    /// The rules.
    pub(super) const fn program(&self) -> &'p Program {
        self.program
    }

    /// The names of the game on this board.
    #[must_use]
    pub fn names(&self) -> Names<'_> {
        Names { schema: self.state.schema(), board: self.state.board() }
    }

    /// Begin a player's turn here, whatever stood on the agenda, and play on.
    pub fn turn(&mut self, player: PlayerId, feed: &Feed) {
        self.state.turn = Some(player);
        self.begin(turn_of(player), false, feed);
    }

    /// Begin a phase here and play on.
    pub fn resume(&mut self, phase: Phase, player: Option<PlayerId>, feed: &Feed) {
        self.state.turn = player.or(self.state.turn);
        self.begin(phase, false, feed);
    }

    /// Run these phases in this order and play on.
    pub fn set_up(&mut self, phases: &[Phase], feed: &Feed) {
        self.begin_all(phases.iter().rev().cloned().collect(), false, feed);
    }

    /// The order of a zone that was shuffled begins with these cards, of which none has come yet; play on.
    pub fn arrange(&mut self, zone: ZoneId, order: &[PieceId], feed: &Feed) {
        let shuffled = self.state.shuffled(zone);
        match &mut self.checkpoint {
            // The phase is run again: where it shuffles, the order is as it will be.
            Some((start, _)) => start.arrange(zone, shuffled.saturating_sub(start.shuffled(zone)), order),
            None => self.state.arrange(zone, 0, order),
        }
        self.go_on(feed);
    }

    /// Run one procedure and nothing behind it.
    pub fn call(&mut self, phase: Phase, player: Option<PlayerId>, feed: &Feed) {
        self.state.turn = player.or(self.state.turn);
        self.begin(phase, true, feed);
    }

    fn begin(&mut self, phase: Phase, alone: bool, feed: &Feed) {
        self.begin_all(vec![phase], alone, feed);
    }

    /// Begin anew with this agenda, the next phase last.
    fn begin_all(&mut self, agenda: Vec<Phase>, alone: bool, feed: &Feed) {
        self.told.append(&mut self.fresh);
        self.given.clear();
        self.checkpoint = None;
        self.alone = alone;
        self.earlier = Earlier::default();
        self.state.outcome = None;
        self.state.next_turn = None;
        self.state.agenda = agenda;
        if self.program.needs_history() {
            self.state.keep_history();
        }
        self.run(feed);
    }

    /// The players agree on a draw, wherever they are asked something: the rules' function `agreed` says what follows.
    pub fn agree(&mut self, feed: &Feed) {
        self.told.append(&mut self.fresh);
        self.given.clear();
        self.checkpoint = None;
        self.alone = true;
        self.state.agenda = vec![Phase { name: "agreed".into(), args: Vec::new() }];
        self.run(feed);
    }

    /// Go on from a pause.
    pub fn go_on(&mut self, feed: &Feed) {
        if matches!(self.stop, Stop::Paused(_)) {
            self.run(feed);
        }
    }

    fn run(&mut self, feed: &Feed) {
        self.program.begin(self.state.weight() + self.told.len() as u64);
        self.silent = 0;
        while self.silent < SILENT_PHASES {
            let (state, phase) = self.next_phase();
            let stop = self.phase(state, phase, feed);
            if let Some(stop) = stop {
                self.stop = stop;
                return;
            }
            if self.alone {
                self.stop = Stop::Returned;
                return;
            }
        }
        self.stop = Stop::Fault(Box::new(too_silent()));
    }

    /// The state and phase to run: the checkpoint again, or what the agenda says, or the next player's turn.
    fn next_phase(&mut self) -> (State, Phase) {
        if let Some(checkpoint) = self.checkpoint.take() {
            return checkpoint;
        }
        let mut state = self.state.clone();
        let phase = due(&mut state);
        (state, phase)
    }

    /// Whether nothing follows the phase that paused.
    pub(super) const fn is_alone(&self) -> bool {
        self.alone
    }

    /// The beginning of the phase that paused, and that phase.
    pub(super) const fn checkpoint(&self) -> Option<&(State, Phase)> {
        self.checkpoint.as_ref()
    }

    /// What the present turn did before the checkpoint.
    pub(super) const fn earlier(&self) -> &Earlier {
        &self.earlier
    }

    /// The answers given since the checkpoint.
    pub(super) fn given(&self) -> &[(Ask, Answer)] {
        &self.given
    }

    /// A machine at the pause to which a phase came that was run elsewhere.
    pub(super) fn paused(program: &'p Program, checkpoint: (State, Phase), run: &Run, ask: Ask) -> Self {
        let (given, fresh) = (run.answered.clone(), run.events.clone());
        let machine = Self::new(program, run.state.clone());
        Self { checkpoint: Some(checkpoint), given, fresh, stop: Stop::Paused(ask), ..machine }
    }

    /// A machine at a pause like that of another, its phase to be run from this checkpoint.
    pub(super) fn again(other: &Self, checkpoint: (State, Phase)) -> Self {
        let machine = Self::new(other.program, checkpoint.0.clone());
        Self { checkpoint: Some(checkpoint), alone: other.alone, stop: other.stop.clone(), ..machine }
    }

    /// The same, with nothing following the phase that paused, or with the game going on.
    pub(super) fn alone(self, alone: bool) -> Self {
        Self { alone, ..self }
    }

    /// Run one phase; nothing if play goes on behind it.
    fn phase(&mut self, state: State, phase: Phase, feed: &Feed) -> Option<Stop> {
        let differs = Rc::new(RefCell::new(None));
        self.earlier.begin(&phase);
        let given = std::mem::take(&mut self.given);
        let answers =
            Replayed { given: given.clone().into_iter(), feed: Rc::clone(feed), differs: Rc::clone(&differs) };
        let keep = Keep { events: true, answers: true, moments: self.watch == Watch::Events };
        let run = self.program.run(state.clone(), &phase, Box::new(answers), keep);
        if let Some(difference) = differs.borrow_mut().take() {
            return Some(Stop::Fault(Box::new(self.asks_otherwise(&difference))));
        }
        let repeats =
            run.events.len() >= self.fresh.len() && self.fresh.iter().zip(&run.events).all(|(old, new)| old == new);
        if !repeats && matches!(run.end, End::Returned | End::Paused(_) | End::Over) {
            let message = "run again with the same answers, the rules told of other events";
            return Some(Stop::Fault(Box::new(internal(message))));
        }
        // What a re-run passes again was noted before.
        let noted = self.fresh.len();
        self.fresh = run.events;
        for (clause, _) in &run.clauses {
            if !self.clauses.contains(clause) {
                self.clauses.push(*clause);
            }
        }
        if matches!(run.end, End::Returned) {
            self.earlier.add(&phase, run.clauses, run.last_clause);
        }
        self.passed.extend(run.moments.into_iter().skip(noted));
        if self.watch > Watch::Nothing {
            if !matches!(run.end, End::Fault(_)) && !self.program.keep(run.state.weight()) {
                let message = "too many positions are passed without a roll or a choice to judge them all";
                return Some(Stop::Fault(Box::new(Diagnostic::general("too_long", message))));
            }
            self.passed.push(run.state.clone());
        }
        self.state = run.state;
        match run.end {
            End::Returned => {
                self.silent = if run.answered.is_empty() { self.silent + 1 } else { 0 };
                self.told.append(&mut self.fresh);
                None
            }
            End::Paused(ask) => {
                self.given = run.answered;
                self.checkpoint = Some((state, phase));
                Some(Stop::Paused(ask))
            }
            End::Refused(ask) => Some(Stop::Refused(ask)),
            End::Over => {
                self.told.append(&mut self.fresh);
                Some(Stop::Over)
            }
            End::Fault(diagnostic) => Some(Stop::Fault(diagnostic)),
        }
    }

    fn asks_otherwise(&self, (before, now): &(Ask, Ask)) -> Diagnostic {
        let names = self.names();
        let (before_words, now_words) = (before.question.write(names), now.question.write(names));
        let message =
            format!("run again with the same answers, the rules ask `{now_words}` where they asked `{before_words}`");
        let diagnostic = internal(&message);
        match self.program.label(now.place) {
            Some(label) => Diagnostic { labels: vec![label], ..diagnostic },
            None => diagnostic,
        }
    }
}

impl Earlier {
    /// A phase begins: with a turn all is over that was before, save the set-up.
    fn begin(&mut self, phase: &Phase) {
        if self.turn && is_turn(phase) {
            *self = Self::default();
        }
    }

    /// A phase has returned.
    fn add(&mut self, phase: &Phase, clauses: Vec<(ClauseId, u64)>, last: Option<ClauseId>) {
        self.turn |= is_turn(phase);
        for (clause, times) in clauses {
            match self.clauses.iter_mut().find(|(other, _)| *other == clause) {
                Some((_, sum)) => *sum += times,
                None => self.clauses.push((clause, times)),
            }
        }
        self.last_clause = last.or(self.last_clause);
    }
}

/// Whether a phase is a player's turn.
pub(super) fn is_turn(phase: &Phase) -> bool {
    &*phase.name == TURN
}

/// Take the next phase: from the agenda, or the next player's turn.
pub(super) fn due(state: &mut State) -> Phase {
    let phase = state.agenda.pop().unwrap_or_else(|| {
        let first = state.table.players.first().copied().unwrap_or(PlayerId(0));
        let following = state.turn.map_or(first, |player| state.table.after(player));
        let next = state.next_turn.take().unwrap_or(following);
        state.turn = Some(next);
        turn_of(next)
    });
    if let (TURN, [Value::Player(player)]) = (&*phase.name, phase.args.as_slice()) {
        state.remember(*player);
    }
    phase
}

/// Phases that follow one another without an ask.
pub(super) fn too_silent() -> Diagnostic {
    let message = format!("{SILENT_PHASES} phases ran without asking anything");
    Diagnostic::general("too_long", message).help("do the turns of this game end without a roll or a choice?")
}

/// The function of the rules that is a player's turn.
pub(super) const TURN: &str = "turn";

/// The phase that is a player's turn.
fn turn_of(player: PlayerId) -> Phase {
    Phase { name: TURN.into(), args: vec![Value::Player(player)] }
}

fn internal(message: &str) -> Diagnostic {
    Diagnostic::general("not_deterministic", format!("internal error: {message}"))
        .help("please report this with the game's files: rules cannot do that by themselves")
}
