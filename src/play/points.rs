//! Points in play, and the steps from one to the next, for odds and state spaces.

use std::rc::Rc;

use super::feed::OneAnswer;
use super::machine::{Begun, Machine, Stop};
use crate::diagnostic::Diagnostic;
use crate::rules::{End, Keep, Paused, Program, Run};
use crate::table::State;
use crate::trace::{Answer, Ask, RulesPlace};

/// A point in play. States are large, and this is moved often.
#[derive(Clone)]
pub(super) enum Stand {
    /// Between two phases.
    Between(Box<State>),
    /// At an ask.
    Asks(Box<Pause>),
    /// The game is over.
    Over(Box<State>),
}

/// A phase that has paused at an ask.
#[derive(Clone)]
pub(super) struct Pause {
    pub(super) state: State,
    pub(super) paused: Rc<Paused>,
    pub(super) ask: Ask,
    /// The beginning of the phase, if a policy needs it to imagine unseen cards.
    pub(super) begun: Option<Box<Begun>>,
}

/// The reason why a run has reached no point.
pub(super) enum Broken {
    /// The rules ask here about history, which is not part of a state.
    History(RulesPlace),
    /// The rules caused an error.
    Fault(Box<Diagnostic>),
}

impl Pause {
    /// Returns the memory use in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.state.bytes() + self.paused.bytes() as u64
    }

    /// Returns the pause of a machine; `None` if it is not at an ask.
    pub(super) fn of(machine: &Machine<'_>) -> Option<Self> {
        let Stop::Paused(ask) = machine.stop() else { return None };
        let (state, begun) = (machine.state().clone(), machine.begun().cloned().map(Box::new));
        Some(Self { state, paused: Rc::clone(machine.paused()?), ask: ask.clone(), begun })
    }
}

/// Runs the next phase up to its first ask. With `begins`, keeps the beginning of the phase.
pub(super) fn begin(program: &Program, mut state: State, begins: bool) -> Result<Stand, Broken> {
    let phase = state.due();
    let begun = if begins { Begun::at(&state) } else { None };
    // Values that other runs have left in registers are not part of a state.
    program.clear_registers();
    program.begin(state.weight());
    stand(program.run(state, &phase, Box::new(OneAnswer(None)), Keep::default()), begun)
}

/// Continues from a pause with an answer up to the next ask.
pub(super) fn answer(program: &Program, pause: &Pause, answer: &Answer) -> Result<Stand, Broken> {
    let mut begun = pause.begun.clone();
    begun.iter_mut().for_each(|begun| begun.given.push((pause.ask.clone(), answer.clone())));
    program.begin(pause.state.weight());
    let feed = Box::new(OneAnswer(Some(answer.clone())));
    stand(program.resume(pause.state.clone(), &pause.paused, feed, Keep::default()), begun)
}

/// Returns the point that a run has reached.
pub(super) fn stand(run: Run, begun: Option<Box<Begun>>) -> Result<Stand, Broken> {
    if let Some(place) = run.looked_back {
        return Err(Broken::History(place));
    }
    match (run.end, run.paused) {
        (End::Returned, _) => Ok(Stand::Between(Box::new(run.state))),
        (End::Over, _) => Ok(Stand::Over(Box::new(run.state))),
        (End::Fault(wrong), _) => Err(Broken::Fault(wrong)),
        (End::Paused(ask), Some(paused)) => {
            Ok(Stand::Asks(Box::new(Pause { state: run.state, paused, ask: *ask, begun })))
        }
        (End::Paused(_) | End::Refused(_), _) => {
            Err(Broken::Fault(Box::new(Diagnostic::internal("an ask was left without an answer"))))
        }
    }
}

/// The turns left before the horizon; `None` without a limit.
pub(super) type Turns = Option<u32>;

/// Returns the turns left after a phase that ended in this state. A set-up comes before the first turn and is none.
pub(super) fn turns_after(state: &State, turns: Turns) -> Turns {
    let ended = state.agenda.is_empty() && state.turn.is_some();
    if ended { turns.map(|turns| turns.saturating_sub(1)) } else { turns }
}

/// Puts the next phase on the agenda of a state.
pub(super) fn put_next(state: &mut State) {
    let phase = state.due();
    state.agenda.push(phase);
}
