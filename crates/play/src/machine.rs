//! Runs a game phase by phase up to an ask without an answer, and continues from there.

use std::rc::Rc;

use super::feed::{FromFeed, SharedAnswers, tape};
use super::segment::Segment;
use referee_diagnostic::{Code, Diagnostic, Label};
use referee_rules::{End, Keep, Paused, Program, Run, SILENT_PHASES};
use referee_table::{ClauseId, Names, Packed, Packer, Phase, PieceId, PlayerId, State, TurnRules, Value, ZoneId};
use referee_trace::{Answer, Ask, Event, Question, RulesPlace};

/// The reason why a machine has stopped.
#[derive(Clone, Debug)]
pub enum Stop {
    /// It has not run yet.
    Fresh,
    /// At an ask without an answer.
    Paused(Ask),
    /// At an ask with an answer that does not fit.
    Refused(Ask),
    /// A procedure called by itself has returned.
    Returned,
    /// The game is over.
    Over,
    /// The rules caused an error.
    Fault(Box<Diagnostic>),
}

/// The positions that a machine records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Watch {
    /// None.
    #[default]
    Nothing,
    /// Pauses and the ends of phases.
    Phases,
    /// Pauses, the ends of phases, and each event.
    Events,
}

/// A position that play has passed.
#[derive(Clone, Debug)]
pub struct Passed {
    /// The position.
    pub state: State,
    /// The number of answers before it since recorded positions were last taken.
    pub answered: usize,
    /// Whether a turn ends here.
    pub ends_turn: bool,
    /// Whether a round ends here.
    pub ends_round: bool,
}

/// The clauses applied so far in the present turn, or in the set-up. Playouts need them to count the whole turn.
#[derive(Clone, Debug, Default)]
pub(super) struct Earlier {
    /// Whether the first phase of a turn is included.
    turn: bool,
    pub(super) clauses: Vec<(ClauseId, u64)>,
    pub(super) last_clause: Option<ClauseId>,
}

/// A game being played: all that its play keeps. Clones are independent.
#[derive(Clone)]
pub struct Machine<'p> {
    program: &'p Program,
    /// The present state.
    state: State,
    /// The phase that paused.
    paused: Option<Rc<Paused>>,
    /// What policies that deal unseen cards again play again, if the game hides cards.
    segment: Option<Box<Segment>>,
    /// Whether segments are kept.
    keeps_segments: bool,
    /// The events so far.
    events: Vec<Event>,
    /// Whether events are recorded.
    records_events: bool,
    clauses: Vec<ClauseId>,
    earlier: Earlier,
    /// What `earlier` was before the run that has paused.
    before: Earlier,
    /// Whether beginnings of turns are kept, as long as nothing is answered.
    keeps_opening: bool,
    /// The beginning of the turn, if it is kept: the state, the phase, and what was applied before.
    opening: Option<(Rc<(State, Phase)>, Earlier)>,
    /// The number of consecutive phases without an ask so far.
    silent: usize,
    /// The positions to record, for conditions that are checked at every position.
    watch: Watch,
    passed: Vec<Passed>,
    /// The number of answers since the recorded positions were last taken.
    answered: usize,
    /// Whether play ends with the phase, because it was called by itself.
    alone: bool,
    stop: Stop,
    /// The place of the call that ended the game, and the clause applied last in the turn, if the game is over.
    ended: Option<(RulesPlace, Option<ClauseId>)>,
}

impl<'p> Machine<'p> {
    /// Returns a game at `state`.
    #[must_use]
    pub fn new(program: &'p Program, mut state: State) -> Self {
        state.note_turn_rules(program.turn_rules());
        Self {
            program,
            state,
            paused: None,
            segment: None,
            keeps_segments: true,
            events: Vec::new(),
            records_events: true,
            clauses: Vec::new(),
            earlier: Earlier::NONE,
            before: Earlier::NONE,
            keeps_opening: false,
            opening: None,
            silent: 0,
            watch: Watch::Nothing,
            passed: Vec::new(),
            answered: 0,
            alone: false,
            stop: Stop::Fresh,
            ended: None,
        }
    }

    /// Sets which positions to record.
    pub const fn watch(&mut self, watch: Watch) {
        self.watch = watch;
    }

    /// Returns the positions recorded since the last call.
    pub fn take_passed(&mut self) -> Vec<Passed> {
        self.answered = 0;
        std::mem::take(&mut self.passed)
    }

    /// Returns the present state.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Returns the reason why the machine has stopped.
    #[must_use]
    pub const fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Returns the clause that was applied last in the last turn, and the call in the rules that ended the game, if it is
    /// over.
    #[must_use]
    pub fn ended(&self) -> Option<(Option<ClauseId>, Option<Label>)> {
        self.ended.map(|(place, clause)| (clause, self.program.label(place)))
    }

    /// Leaves the decisions of the pending question that are still owed: `owes` tells them by their places. Play that
    /// continues asks the whole question again.
    pub fn owe(&mut self, owes: impl Fn(usize) -> bool) {
        if let Stop::Paused(ask) | Stop::Refused(ask) = &mut self.stop
            && let Question::ChooseAll(all) = &mut ask.question
        {
            let mut at = 0..;
            all.retain(|_| at.next().is_some_and(&owes));
        }
    }

    /// Returns the events since play began.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.events.iter()
    }

    /// Returns the clauses applied since play began, without duplicates.
    #[must_use]
    pub fn clauses(&self) -> &[ClauseId] {
        &self.clauses
    }

    /// Returns the rules.
    #[must_use]
    pub const fn program(&self) -> &'p Program {
        self.program
    }

    /// Returns the names of the game and its board.
    #[must_use]
    pub fn names(&self) -> Names<'_> {
        Names { schema: self.state.schema(), board: self.state.board() }
    }

    /// Begins a player's turn, regardless of the agenda, and continues play.
    pub fn turn(&mut self, player: PlayerId, feed: &SharedAnswers) {
        self.state.begin_turn(player);
        self.begin(Phase::turn(player), false, feed);
    }

    /// Begins a player's turn like [`Self::turn`], and keeps its beginning: games may begin there, too.
    pub fn first_turn(&mut self, player: PlayerId, feed: &SharedAnswers) {
        self.keeps_opening = true;
        self.turn(player, feed);
    }

    /// Begins a phase, and continues play.
    pub fn resume(&mut self, phase: Phase, player: Option<PlayerId>, feed: &SharedAnswers) {
        match player.filter(|_| self.state.turn.is_none()) {
            Some(player) => self.state.begin_turn(player),
            None => self.state.turn = player.or(self.state.turn),
        }
        self.begin(phase, false, feed);
    }

    /// Runs these phases in order, and continues play. The beginning of the first turn is kept.
    pub fn set_up(&mut self, phases: &[Phase], feed: &SharedAnswers) {
        self.keeps_opening = true;
        self.begin_all(phases.iter().rev().cloned().collect(), false, feed);
    }

    /// Sets the first cards of a shuffled zone, of which none has been drawn yet, and continues play.
    pub fn arrange(&mut self, zone: ZoneId, order: &[PieceId], feed: &SharedAnswers) {
        if let Some(segment) = &mut self.segment {
            let shuffled = self.state.shuffled(zone);
            // At the beginning of a phase, this order belongs to a later shuffle if the zone was shuffled since.
            segment.change(|state| state.arrange(zone, shuffled.saturating_sub(state.shuffled(zone)), order));
        }
        self.state.arrange(zone, 0, order);
        self.go_on(feed);
    }

    /// Runs a procedure by itself: play ends with it.
    pub fn call(&mut self, phase: Phase, player: Option<PlayerId>, feed: &SharedAnswers) {
        self.state.turn = player.or(self.state.turn);
        self.begin(phase, true, feed);
    }

    fn begin(&mut self, phase: Phase, alone: bool, feed: &SharedAnswers) {
        self.begin_all(vec![phase], alone, feed);
    }

    /// Begins with this agenda; the next phase is its last element.
    fn begin_all(&mut self, agenda: Vec<Phase>, alone: bool, feed: &SharedAnswers) {
        self.paused = None;
        self.segment = None;
        self.opening = None;
        self.alone = alone;
        self.earlier = Earlier::default();
        self.state.outcome = None;
        self.ended = None;
        self.state.next_turn = None;
        self.state.agenda = agenda;
        if self.program.needs_history() {
            self.state.keep_history();
        }
        self.run(feed);
    }

    /// Lets the players agree on a draw: runs the rules' function `agreed`.
    pub fn agree(&mut self, feed: &SharedAnswers) {
        self.paused = None;
        self.segment = None;
        self.opening = None;
        self.alone = true;
        self.earlier.last_clause = None;
        self.state.agenda = vec![Phase { name: "agreed".into(), args: Vec::new() }];
        self.run(feed);
    }

    /// Lets a player resign: runs the rules' function `resigned`, which ends the game or says who goes on. Returns whether it has
    /// done either, or has stopped otherwise.
    pub fn resign(&mut self, player: PlayerId, feed: &SharedAnswers) -> bool {
        self.paused = None;
        self.segment = None;
        self.opening = None;
        self.alone = true;
        self.earlier.last_clause = None;
        self.state.next_turn = None;
        self.state.turns.drop_fresh();
        let phase = Phase { name: "resigned".into(), args: vec![Value::Player(player)] };
        self.state.agenda = vec![phase];
        let order = self.state.turns.clone();
        self.run(feed);
        if !matches!(self.stop, Stop::Returned) {
            // What was asked is followed by other phases.
            self.alone &= !matches!(self.stop, Stop::Paused(_));
            return true;
        }
        let says_who = self.state.next_turn.is_some() || self.state.turns != order || !self.state.agenda.is_empty();
        if says_who {
            self.alone = false;
            self.silent = 0;
            self.stop = self.run_phases(None, feed);
        }
        says_who
    }

    /// Continues from a pause with an answer, or with a player who resigns instead.
    pub fn give(&mut self, answer: Answer) {
        match answer {
            Answer::Resigned(player) => {
                self.resign(player, &tape(Vec::new()));
            }
            answer => self.go_on(&tape(vec![answer])),
        }
    }

    /// Returns a clone whose states keep apart what these read of turns and rounds.
    #[must_use]
    pub fn reading_turns(&self, rules: TurnRules) -> Self {
        let mut machine = self.clone();
        machine.state.note_turn_rules(rules);
        machine
    }

    /// Continues from a pause.
    pub fn go_on(&mut self, feed: &SharedAnswers) {
        if matches!(self.stop, Stop::Paused(_)) {
            self.run(feed);
        }
    }

    fn run(&mut self, feed: &SharedAnswers) {
        self.program.begin(self.state.weight() + self.events.len() as u64);
        self.silent = 0;
        let stop = match self.paused.take() {
            Some(paused) => self.go_on_with(&paused, feed),
            None => self.next_phase(feed),
        };
        self.stop = stop.unwrap_or_else(|| self.run_phases(None, feed));
    }

    /// Continues after a phase that has returned, by at most this number of phases.
    fn run_phases(&mut self, most: Option<usize>, feed: &SharedAnswers) -> Stop {
        let mut phases = 0;
        while self.silent < SILENT_PHASES {
            if self.alone || most.is_some_and(|most| phases >= most) {
                return Stop::Returned;
            }
            phases += 1;
            if let Some(stop) = self.next_phase(feed) {
                return stop;
            }
        }
        Stop::Fault(Box::new(self.program.too_silent(self.state.clone())))
    }

    /// Returns whether play ends with the phase that paused.
    #[must_use]
    pub const fn is_alone(&self) -> bool {
        self.alone
    }

    /// Returns the phase that paused.
    pub(super) const fn paused(&self) -> Option<&Rc<Paused>> {
        self.paused.as_ref()
    }

    /// Returns what policies that deal unseen cards again play again, if the game hides cards.
    pub(super) fn segment(&self) -> Option<&Segment> {
        self.segment.as_deref()
    }

    /// Returns the clauses applied so far in the current turn.
    pub(super) const fn earlier(&self) -> &Earlier {
        &self.earlier
    }

    /// Returns the beginning of the turn, if it was kept and nothing was answered since, and what was applied before.
    pub(super) const fn opening(&self) -> Option<&(Rc<(State, Phase)>, Earlier)> {
        self.opening.as_ref()
    }

    /// Returns the same before the run that has paused.
    pub(super) const fn before(&self) -> &Earlier {
        &self.before
    }

    /// Returns a machine at the pause of a phase that was run elsewhere.
    pub(super) fn at(
        program: &'p Program,
        state: State,
        paused: Rc<Paused>,
        segment: Option<Box<Segment>>,
        ask: Ask,
    ) -> Self {
        Self {
            paused: Some(paused),
            segment,
            stop: Stop::Paused(ask),
            records_events: false,
            ..Self::new(program, state)
        }
    }

    /// Returns the state, and what policies that deal unseen cards again play again.
    pub(super) fn into_parts(self) -> (State, Option<Box<Segment>>) {
        (self.state, self.segment)
    }

    /// Returns a machine that runs a phase from this state, and at most this number of those after it, and the events
    /// in them. The machine records nothing afterwards.
    pub(super) fn again(
        other: &Self,
        (state, phase): (State, &Phase),
        most: Option<usize>,
        feed: &SharedAnswers,
    ) -> (Self, Vec<Event>) {
        let mut machine = Self { alone: other.alone, keeps_segments: false, ..Self::new(other.program, state) };
        machine.program.begin(machine.state.weight());
        machine.stop = match machine.phase(phase, feed) {
            Some(stop) => stop,
            None => machine.run_phases(most, feed),
        };
        machine.records_events = false;
        let events = std::mem::take(&mut machine.events);
        (machine, events)
    }

    /// Returns the state of a machine that ran a phase, to take the next phase from its agenda.
    pub(super) const fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    /// Returns a clone to try options on, which does not record events or segments.
    pub(super) fn silent_clone(&self) -> Self {
        Self {
            paused: self.paused.clone(),
            keeps_segments: false,
            stop: self.stop.clone(),
            alone: self.alone,
            records_events: false,
            ..Self::new(self.program, self.state.clone())
        }
    }

    /// Sets whether play ends with the phase that paused.
    pub(super) fn alone(self, alone: bool) -> Self {
        Self { alone, ..self }
    }

    /// Runs the next phase on the agenda, or the next player's turn. Returns `None` if play continues after it.
    fn next_phase(&mut self, feed: &SharedAnswers) -> Option<Stop> {
        let phase = self.state.due();
        self.phase(&phase, feed)
    }

    fn phase(&mut self, phase: &Phase, feed: &SharedAnswers) -> Option<Stop> {
        self.earlier.begin(phase);
        let state = self.moved();
        if self.keeps_opening && phase.is_turn() {
            self.opening = Some((Rc::new((state.clone(), phase.clone())), self.earlier.clone()));
        }
        let prior = self.segment.take();
        self.segment = if self.keeps_segments { Segment::next(prior, &state, phase) } else { None };
        let run = self.program.run(state, phase, Box::new(FromFeed(Rc::clone(feed))), self.keep());
        self.after(run, phase)
    }

    /// Continues the phase that paused. Returns `None` if play continues after it.
    fn go_on_with(&mut self, paused: &Paused, feed: &SharedAnswers) -> Option<Stop> {
        (self.keeps_opening, self.opening) = (false, None);
        let state = self.moved();
        let run = self.program.resume(state, paused, Box::new(FromFeed(Rc::clone(feed))), self.keep());
        self.after(run, paused.phase())
    }

    /// Returns the state for a run, which [`Self::after`] puts back.
    fn moved(&mut self) -> State {
        // Where positions are watched, too many of them end play in the state before the run.
        if self.watch > Watch::Nothing { self.state.clone() } else { self.state.take() }
    }

    fn keep(&self) -> Keep {
        // A silent machine needs the answers only to deal unseen cards again, and to number the positions that it records.
        Keep {
            events: self.records_events || self.segment.is_some(),
            answers: self.records_events || self.segment.is_some() || self.watch > Watch::Nothing,
            asks: self.watch > Watch::Nothing,
            moments: self.watch == Watch::Events,
        }
    }

    /// Adds the answers and events of a run to the segment.
    fn answered_since(&mut self, run: &Run) {
        if let (Some(segment), End::Returned | End::Paused(_)) = (&mut self.segment, &run.end) {
            segment.add(run.answered.iter().cloned(), run.events.iter().cloned());
        }
    }

    /// Records the result of a run. Returns `None` if play continues after it.
    fn after(&mut self, run: Run, phase: &Phase) -> Option<Stop> {
        self.answered_since(&run);
        if self.records_events {
            self.events.extend(run.events);
        }
        for (clause, _) in &run.clauses {
            if !self.clauses.contains(clause) {
                self.clauses.push(*clause);
            }
        }
        self.ended = run.over_at.map(|place| (place, run.last_clause.or(self.earlier.last_clause)));
        if matches!(run.end, End::Paused(_)) {
            self.before.clone_from(&self.earlier);
        }
        if matches!(run.end, End::Returned | End::Paused(_)) {
            self.earlier.add(phase, run.clauses, run.last_clause);
        }
        let answered = self.answered;
        let passed = |(state, since): (State, usize)| Passed {
            state,
            answered: answered + since,
            ends_turn: false,
            ends_round: false,
        };
        self.passed.extend(run.moments.into_iter().map(passed));
        self.answered += run.answered.len();
        if self.watch > Watch::Nothing {
            if !matches!(run.end, End::Fault(_)) && !self.program.keep(run.state.weight()) {
                let message = "too many positions to check between two rolls or choices";
                return Some(Stop::Fault(Box::new(Diagnostic::general(Code::TooLong, message))));
            }
            let has_ended = !self.alone && matches!(run.end, End::Returned | End::Over);
            self.passed.push(Passed {
                answered: self.answered,
                ends_turn: has_ended && run.state.ends_turn(),
                ends_round: has_ended && run.state.ends_round(),
                state: run.state.clone(),
            });
        }
        self.state = run.state;
        match run.end {
            End::Returned => {
                self.silent = if run.asked { 0 } else { self.silent + 1 };
                None
            }
            End::Paused(ask) => {
                self.paused = run.paused;
                Some(Stop::Paused(*ask))
            }
            End::Refused(ask) => Some(Stop::Refused(*ask)),
            End::Over => Some(Stop::Over),
            End::Fault(diagnostic) => Some(Stop::Fault(diagnostic)),
        }
    }
}

impl Earlier {
    const NONE: Self = Self { turn: false, clauses: Vec::new(), last_clause: None };

    /// Counts clauses once each.
    pub(super) fn apply_once(&mut self, clauses: &[ClauseId]) {
        for clause in clauses {
            if !self.clauses.iter().any(|(known, _)| known == clause) {
                self.clauses.push((*clause, 1));
            }
        }
    }

    /// Begins a phase. The first phase of a turn discards the previous turn, but not the set-up.
    fn begin(&mut self, phase: &Phase) {
        if self.turn && phase.is_turn() {
            *self = Self::default();
        }
        if phase.is_turn() {
            self.last_clause = None;
        }
    }

    /// Adds a phase that has returned.
    fn add(&mut self, phase: &Phase, clauses: Vec<(ClauseId, u64)>, last: Option<ClauseId>) {
        self.turn |= phase.is_turn();
        for (clause, times) in clauses {
            match self.clauses.iter_mut().find(|(other, _)| *other == clause) {
                Some((_, sum)) => *sum += times,
                None => self.clauses.push((clause, times)),
            }
        }
        self.last_clause = last.or(self.last_clause);
    }
}

/// Returns a key of the pause of a machine: play continues alike from pauses with equal keys, apart from the history.
/// Returns `None` if the machine is not at a pause.
#[must_use]
pub fn pause_key(machine: &Machine<'_>) -> Option<Packed> {
    let paused = machine.paused()?;
    let mut packer = Packer::default();
    packer.state(machine.state());
    paused.pack(&mut packer);
    Some(packer.finish())
}
