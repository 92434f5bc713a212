//! Runs a game from phase to phase up to an ask that nobody answers, and goes on from there.

use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use super::feed::{Feed, FromFeed};
use crate::diagnostic::Diagnostic;
use crate::rules::{End, Keep, Paused, Program, Run};
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

/// What the present turn has done so far: for counts, which take a turn as a whole. Before the first turn it is the set-up.
#[derive(Clone, Debug, Default)]
pub(super) struct Earlier {
    /// Whether its first phase is among it.
    turn: bool,
    pub(super) clauses: Vec<(ClauseId, u64)>,
    pub(super) last_clause: Option<ClauseId>,
}

/// Where the phase that paused began, and the answers given in it: for players from whom cards are hidden, who imagine that
/// the phase began otherwise.
#[derive(Clone, Debug)]
pub(super) struct Begun {
    pub(super) state: State,
    pub(super) given: Vec<(Ask, Answer)>,
}

impl Begun {
    /// Returns a phase that begins here, if cards may be hidden from players in it.
    pub(super) fn at(state: &State) -> Option<Self> {
        let may_hide = !state.faces().is_empty() || !state.schema().zones.is_empty();
        may_hide.then(|| Self { state: state.clone(), given: Vec::new() })
    }
}

/// A game being played. A clone is played on its own.
#[derive(Clone)]
pub struct Machine<'p> {
    program: &'p Program,
    /// The state now: at the pause, or at the end.
    state: State,
    /// The phase that paused.
    paused: Option<Rc<Paused>>,
    /// Where that phase began, if the game hides cards.
    begun: Option<Begun>,
    /// What happened.
    told: Vec<Event>,
    /// Whether what happens is reported.
    tells: bool,
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
    /// Returns a game that stands at `state`.
    #[must_use]
    pub const fn new(program: &'p Program, state: State) -> Self {
        Self {
            program,
            state,
            paused: None,
            begun: None,
            told: Vec::new(),
            tells: true,
            clauses: Vec::new(),
            earlier: Earlier { turn: false, clauses: Vec::new(), last_clause: None },
            silent: 0,
            watch: Watch::Nothing,
            passed: Vec::new(),
            alone: false,
            stop: Stop::Fresh,
        }
    }

    /// Notes positions from now on.
    pub const fn watch(&mut self, watch: Watch) {
        self.watch = watch;
    }

    /// Returns the positions noted since they were last taken.
    pub fn take_passed(&mut self) -> Vec<State> {
        std::mem::take(&mut self.passed)
    }

    /// Returns the state now.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Returns why it does not run on.
    #[must_use]
    pub const fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Returns everything that happened since play began.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.told.iter()
    }

    /// Returns the clauses applied since play began, each once.
    #[must_use]
    pub fn clauses(&self) -> &[ClauseId] {
        &self.clauses
    }

    /// Returns the rules.
    pub(super) const fn program(&self) -> &'p Program {
        self.program
    }

    /// Returns the names of the game on this board.
    #[must_use]
    pub fn names(&self) -> Names<'_> {
        Names { schema: self.state.schema(), board: self.state.board() }
    }

    /// Begins a player's turn here, whatever stood on the agenda, and plays on.
    pub fn turn(&mut self, player: PlayerId, feed: &Feed) {
        self.state.turn = Some(player);
        self.begin(turn_of(player), false, feed);
    }

    /// Begins a phase here and plays on.
    pub fn resume(&mut self, phase: Phase, player: Option<PlayerId>, feed: &Feed) {
        self.state.turn = player.or(self.state.turn);
        self.begin(phase, false, feed);
    }

    /// Runs these phases in this order and plays on.
    pub fn set_up(&mut self, phases: &[Phase], feed: &Feed) {
        self.begin_all(phases.iter().rev().cloned().collect(), false, feed);
    }

    /// The order of a zone that was shuffled begins with these cards, of which none has come yet; play on.
    pub fn arrange(&mut self, zone: ZoneId, order: &[PieceId], feed: &Feed) {
        if let Some(Begun { state, .. }) = &mut self.begun {
            // Where the phase has shuffled since, the order is as it was to be.
            state.arrange(zone, self.state.shuffled(zone).saturating_sub(state.shuffled(zone)), order);
        }
        self.state.arrange(zone, 0, order);
        self.go_on(feed);
    }

    /// Runs one procedure and nothing behind it.
    pub fn call(&mut self, phase: Phase, player: Option<PlayerId>, feed: &Feed) {
        self.state.turn = player.or(self.state.turn);
        self.begin(phase, true, feed);
    }

    fn begin(&mut self, phase: Phase, alone: bool, feed: &Feed) {
        self.begin_all(vec![phase], alone, feed);
    }

    /// Begins again with this agenda, the next phase last.
    fn begin_all(&mut self, agenda: Vec<Phase>, alone: bool, feed: &Feed) {
        self.paused = None;
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
        self.paused = None;
        self.alone = true;
        self.state.agenda = vec![Phase { name: "agreed".into(), args: Vec::new() }];
        self.run(feed);
    }

    /// Goes on from a pause.
    pub fn go_on(&mut self, feed: &Feed) {
        if matches!(self.stop, Stop::Paused(_)) {
            self.run(feed);
        }
    }

    fn run(&mut self, feed: &Feed) {
        self.program.begin(self.state.weight() + self.told.len() as u64);
        self.silent = 0;
        while self.silent < SILENT_PHASES {
            let stop = match self.paused.take() {
                Some(paused) => self.go_on_with(&paused, feed),
                None => self.next_phase(feed),
            };
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

    /// Returns whether nothing follows the phase that paused.
    pub(super) const fn is_alone(&self) -> bool {
        self.alone
    }

    /// Returns the phase that paused.
    pub(super) const fn paused(&self) -> Option<&Rc<Paused>> {
        self.paused.as_ref()
    }

    /// Returns where the phase that paused began, if the game hides cards.
    pub(super) const fn begun(&self) -> Option<&Begun> {
        self.begun.as_ref()
    }

    /// What the present turn has done so far.
    pub(super) const fn earlier(&self) -> &Earlier {
        &self.earlier
    }

    /// Returns a machine at a pause to which a phase came that was run elsewhere.
    pub(super) fn at(program: &'p Program, state: State, paused: Rc<Paused>, begun: Option<Begun>, ask: Ask) -> Self {
        Self { paused: Some(paused), begun, stop: Stop::Paused(ask), tells: false, ..Self::new(program, state) }
    }

    /// Returns the state, and where the phase that paused began.
    pub(super) fn into_parts(self) -> (State, Option<Begun>) {
        (self.state, self.begun)
    }

    /// Returns a machine that runs the phase of another one from this state.
    pub(super) fn again(other: &Self, state: State, phase: Phase, feed: &Feed) -> Self {
        let mut machine = Self { alone: other.alone, tells: false, ..Self::new(other.program, state) };
        machine.program.begin(machine.state.weight());
        machine.stop = machine.phase(&phase, feed).unwrap_or(Stop::Returned);
        machine
    }

    /// Returns the same game, to be tried out: what happened and what will happen is not reported.
    pub(super) fn silent_clone(&self) -> Self {
        Self {
            paused: self.paused.clone(),
            begun: self.begun.clone(),
            stop: self.stop.clone(),
            alone: self.alone,
            tells: false,
            ..Self::new(self.program, self.state.clone())
        }
    }

    /// Returns the same, with nothing following the phase that paused, or with the game going on.
    pub(super) fn alone(self, alone: bool) -> Self {
        Self { alone, ..self }
    }

    /// Runs the phase that the agenda names, or the next player's turn; nothing if play goes on after it.
    fn next_phase(&mut self, feed: &Feed) -> Option<Stop> {
        let phase = due(&mut self.state);
        self.phase(&phase, feed)
    }

    fn phase(&mut self, phase: &Phase, feed: &Feed) -> Option<Stop> {
        self.earlier.begin(phase);
        let state = self.state.clone();
        self.begun = Begun::at(&state);
        let run = self.program.run(state, phase, Box::new(FromFeed(Rc::clone(feed))), self.keep());
        self.after(run, phase)
    }

    /// Goes on with the phase that paused; nothing if play goes on after it.
    fn go_on_with(&mut self, paused: &Paused, feed: &Feed) -> Option<Stop> {
        let state = self.state.clone();
        let run = self.program.resume(state, paused, Box::new(FromFeed(Rc::clone(feed))), self.keep());
        self.after(run, paused.phase())
    }

    fn keep(&self) -> Keep {
        Keep { events: self.tells, answers: true, moments: self.watch == Watch::Events }
    }

    /// Notes what came of a run; nothing if play goes on after it.
    fn after(&mut self, run: Run, phase: &Phase) -> Option<Stop> {
        self.told.extend(run.events);
        for (clause, _) in &run.clauses {
            if !self.clauses.contains(clause) {
                self.clauses.push(*clause);
            }
        }
        if matches!(run.end, End::Returned | End::Paused(_)) {
            self.earlier.add(phase, run.clauses, run.last_clause);
        }
        self.passed.extend(run.moments);
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
                None
            }
            End::Paused(ask) => {
                self.paused = run.paused;
                if let Some(begun) = &mut self.begun {
                    begun.given.extend(run.answered);
                }
                Some(Stop::Paused(ask))
            }
            End::Refused(ask) => Some(Stop::Refused(ask)),
            End::Over => Some(Stop::Over),
            End::Fault(diagnostic) => Some(Stop::Fault(diagnostic)),
        }
    }
}

impl Earlier {
    /// A phase begins: with a turn all is over that was before, save the set-up.
    fn begin(&mut self, phase: &Phase) {
        if self.turn && is_turn(phase) {
            *self = Self::default();
        }
        if is_turn(phase) {
            self.last_clause = None;
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

/// Returns whether a phase is a player's turn.
pub(super) fn is_turn(phase: &Phase) -> bool {
    &*phase.name == TURN
}

/// Takes the next phase: from the agenda, or the next player's turn.
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

/// Returns the phase that is a player's turn.
fn turn_of(player: PlayerId) -> Phase {
    // One for all: games have very many turns.
    static NAME: LazyLock<Arc<str>> = LazyLock::new(|| TURN.into());
    Phase { name: Arc::clone(&NAME), args: vec![Value::Player(player)] }
}
