//! A game whose phases share one session.

use std::rc::Rc;

use super::phases::Entry;
use super::{End, Paused, Program};
use crate::host::{Answers, Keep, Session};
use crate::values::Native;
use crate::vm::Machine;
use referee_table::{ClauseId, Phase, State};
use referee_trace::{Answer, Ask, Event, RulesPlace};

/// The maximum number of consecutive phases without an ask.
pub const SILENT_PHASES: usize = 10_000;

/// A game that is played from phase to phase. Its state stays where it is.
pub struct Playing(pub(super) Box<Session>);

impl Playing {
    /// Returns a game at `state`, between two phases or at a pause.
    #[must_use]
    pub fn new(state: State, answers: Box<dyn Answers>, keep: Keep) -> Self {
        Self(Session::new(state, answers, keep))
    }

    /// Returns the state.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.0.state
    }

    /// Returns the state, to take the next phase from its agenda.
    pub const fn state_mut(&mut self) -> &mut State {
        &mut self.0.state
    }

    /// Returns the final state.
    #[must_use]
    pub fn into_state(self) -> State {
        self.0.state
    }

    /// Returns the place of the call that ended the game.
    #[must_use]
    pub const fn over_at(&self) -> Option<RulesPlace> {
        self.0.over_at
    }

    /// Returns whether too many consecutive phases have asked nothing.
    #[must_use]
    pub const fn is_too_silent(&self) -> bool {
        self.0.silent >= SILENT_PHASES
    }

    /// Removes the applied clauses and passes them to `work`: those in the order of their first use, each with its
    /// number of uses, and the one applied last.
    pub fn take_applied(&mut self, work: impl FnOnce(&[(ClauseId, u64)], Option<ClauseId>)) {
        work(&self.0.clauses, self.0.last_clause.take());
        self.0.clauses.clear();
    }

    /// Removes and returns the events that were kept.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.0.events)
    }

    /// Removes and returns the answered asks with their answers.
    pub fn take_answered(&mut self) -> Vec<(Ask, Answer)> {
        std::mem::take(&mut self.0.answered)
    }
}

impl Program {
    /// Runs a phase, which the agenda no longer holds. If nothing is kept, those after it follow, up to one that does not
    /// return, or to a turn that the source of answers does not begin.
    #[must_use]
    pub fn play(&self, playing: Playing, mut phase: Phase) -> (Playing, End, Option<Rc<Paused>>) {
        let Playing(mut session) = playing;
        let restarts = session.silent == 0;
        if session.state.lends_any() {
            if restarts {
                self.begin(session.state.weight());
            }
            let (session, end, paused) = self.run_apart(session, &Paused::before(&phase));
            return (Playing(session), end, paused);
        }
        self.begin_phase(&mut session, restarts);
        let ran = self.link.during(session, || match self.entry(&phase) {
            Some(entry) => self.with_machine(|machine| self.run_phases(machine, entry, &mut phase)),
            None => self.run_rare(&phase),
        });
        let (session, end, paused) = self.ended(ran, &phase);
        (Playing(session), end, paused)
    }

    /// Runs the rest of a paused phase. The state must be that of the pause.
    #[must_use]
    pub fn play_on(&self, playing: Playing, paused: &Paused) -> (Playing, End, Option<Rc<Paused>>) {
        if playing.0.silent == 0 {
            self.begin(playing.0.state.weight());
        }
        let (session, end, paused) = self.rest(playing.0, paused);
        (Playing(session), end, paused)
    }

    /// Runs a phase and those that follow. `phase` is the last one that began.
    fn run_phases(&self, machine: &mut Machine<'_>, mut entry: Entry, phase: &mut Phase) -> Native<()> {
        loop {
            entry.run(machine, &phase.args)?;
            machine.settle()?;
            let next = self.link.with(|session| self.next_phase(session, phase))?;
            let Some(next) = next else { return Ok(()) };
            entry = next;
            machine.memory.empty(machine.code.constants());
        }
    }

    /// Ends a phase that has returned, and begins the next one in its place. Returns `None`, and does nothing, if the
    /// phases that follow each other end here.
    pub(super) fn next_phase(&self, session: &mut Session, phase: &mut Phase) -> Native<Option<Entry>> {
        if session.keep != Keep::default() || self.link.meter.excess().is_some() {
            return Ok(None);
        }
        let due = session.then.first().or_else(|| session.state.agenda.last());
        let is_turn = due.map_or_else(|| session.state.is_turn_next(), Phase::is_turn);
        // Only a turn is always a function.
        let entry = due.map(|phase| self.entry(phase));
        let counts = !session.state.turns.is_uncounted();
        let is_too_silent = session.given == 0 && session.silent + 1 >= SILENT_PHASES;
        if matches!(entry, Some(None)) || is_too_silent || is_turn && !session.answers.begin_turn(counts) {
            return Ok(None);
        }
        session.end();
        if is_turn {
            session.last_clause = None;
        }
        *phase = session.state.due();
        let restarts = session.silent == 0;
        self.begin_phase(session, restarts);
        self.link.meter.resume();
        match entry.flatten().or_else(|| self.entry(phase)) {
            Some(entry) => Ok(Some(entry)),
            None => Err(self.no_function(&phase.name, phase.args.len())),
        }
    }
}
