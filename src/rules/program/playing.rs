//! A game whose phases share one session.

use std::rc::Rc;

use super::{End, Paused, Program};
use crate::rules::host::{Answers, Keep, Session};
use crate::table::{ClauseId, Phase, State};
use crate::trace::{Answer, Ask};

/// A game that is played from phase to phase. Its state stays where it is.
pub struct Playing(Box<Session>);

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

    /// Removes the applied clauses and passes them to `work`: those in the order of their first use, each with its
    /// number of uses, and the one applied last.
    pub fn take_applied(&mut self, work: impl FnOnce(&[(ClauseId, u64)], Option<ClauseId>)) {
        work(&self.0.clauses, self.0.last_clause.take());
        self.0.clauses.clear();
    }

    /// Removes and returns the answered asks with their answers.
    pub fn take_answered(&mut self) -> Vec<(Ask, Answer)> {
        std::mem::take(&mut self.0.answered)
    }
}

impl Program {
    /// Runs one phase, which the agenda no longer holds. Call [`Program::begin`] before the first phase.
    #[must_use]
    pub fn play(&self, playing: Playing, phase: &Phase) -> (Playing, End, Option<Rc<Paused>>) {
        let (session, end, paused) = self.phase(playing.0, phase);
        (Playing(session), end, paused)
    }

    /// Runs the rest of a paused phase. The state must be that of the pause.
    #[must_use]
    pub fn play_on(&self, playing: Playing, paused: &Paused) -> (Playing, End, Option<Rc<Paused>>) {
        let (session, end, paused) = self.rest(playing.0, paused);
        (Playing(session), end, paused)
    }
}
