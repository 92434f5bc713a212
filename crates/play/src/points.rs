//! Points in play, and the steps from one to the next, for odds and state spaces.

use std::rc::Rc;

use super::feed::OneAnswer;
use super::machine::{Machine, Stop};
use super::segment::Segment;
use referee_diagnostic::Diagnostic;
use referee_rules::{End, Keep, Paused, Program, Run};
use referee_table::{Phase, State};
use referee_trace::{Answer, Ask, RulesPlace};

/// A point in play. States are large, and this is moved often.
#[derive(Clone)]
pub(super) enum Stand {
    /// Between two phases, with the segment of those before if a policy needs it.
    Between(Box<State>, Option<Box<Segment>>),
    /// At an ask.
    Asks(Box<Pause>),
    /// The game is over.
    Over(Box<State>),
}

/// A phase that has paused at an ask.
#[derive(Clone)]
pub(super) struct Pause {
    pub(crate) state: State,
    pub(super) paused: Rc<Paused>,
    pub(super) ask: Ask,
    /// What is played again, if a policy needs it to imagine unseen cards.
    pub(super) segment: Option<Box<Segment>>,
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
        let segment = self.segment.as_deref().map_or(0, Segment::bytes);
        self.state.bytes() + self.paused.bytes() as u64 + self.ask.bytes() + segment
    }

    /// Returns the pause of a machine; `None` if it is not at an ask.
    pub(super) fn of(machine: &Machine<'_>) -> Option<Self> {
        let Stop::Paused(ask) = machine.stop() else { return None };
        let (state, segment) = (machine.state().clone(), machine.segment().cloned().map(Box::new));
        Some(Self { state, paused: Rc::clone(machine.paused()?), ask: ask.clone(), segment })
    }
}

/// Runs the next phase up to its first ask.
pub(super) fn begin(program: &Program, mut state: State) -> Result<Stand, Broken> {
    let phase = state.due();
    run(program, state, &phase, None)
}

/// Runs the next phase up to its first ask, and keeps the segment, which may continue the one before. `matters` says
/// whether positions with other segments are others.
pub(super) fn begin_in(
    program: &Program,
    mut state: State,
    prior: Option<Box<Segment>>,
    matters: bool,
) -> Result<Stand, Broken> {
    let phase = state.due();
    let mut segment = Segment::next(prior, &state, &phase);
    segment.iter_mut().filter(|_| matters).for_each(|segment| segment.matter());
    run(program, state, &phase, segment)
}

fn run(program: &Program, state: State, phase: &Phase, segment: Option<Box<Segment>>) -> Result<Stand, Broken> {
    let keep = Keep { events: segment.is_some(), ..Keep::default() };
    // Values that other runs have left in registers are not part of a state.
    program.clear_registers();
    program.begin(state.weight());
    stand(program.run(state, phase, Box::new(OneAnswer(None)), keep), segment)
}

/// Continues from a pause with an answer up to the next ask.
pub(super) fn answer(program: &Program, pause: &Pause, answer: &Answer) -> Result<Stand, Broken> {
    let mut segment = pause.segment.clone();
    segment.iter_mut().for_each(|segment| segment.add([(pause.ask.clone(), answer.clone())], []));
    let keep = Keep { events: segment.is_some(), ..Keep::default() };
    program.begin(pause.state.weight());
    let feed = Box::new(OneAnswer(Some(answer.clone())));
    stand(program.resume(pause.state.clone(), &pause.paused, feed, keep), segment)
}

/// Returns the point that a run has reached.
pub(super) fn stand(run: Run, mut segment: Option<Box<Segment>>) -> Result<Stand, Broken> {
    if let Some(place) = run.looked_back {
        return Err(Broken::History(place));
    }
    segment.iter_mut().for_each(|segment| segment.add([], run.events.iter().cloned()));
    match (run.end, run.paused) {
        (End::Returned, _) => {
            // A turn that begins by itself carries nothing but throws that some players do not see.
            let is_carried = !run.state.agenda.is_empty() || Segment::goes_on_in(&run.state);
            let segment = segment.filter(|_| is_carried);
            Ok(Stand::Between(Box::new(run.state), segment))
        }
        (End::Over, _) => Ok(Stand::Over(Box::new(run.state))),
        (End::Fault(wrong), _) => Err(Broken::Fault(wrong)),
        (End::Paused(ask), Some(paused)) => {
            Ok(Stand::Asks(Box::new(Pause { state: run.state, paused, ask: *ask, segment })))
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
    turns_left(state.ends_counted_turn(), turns)
}

/// Returns the turns left after a phase with which a turn ends or not.
pub(super) fn turns_left(ends_turn: bool, turns: Turns) -> Turns {
    if ends_turn { turns.map(|turns| turns.saturating_sub(1)) } else { turns }
}

/// Puts the next phase on the agenda of a state.
pub(super) fn put_next(state: &mut State) {
    let phase = state.due();
    state.agenda.push(phase);
}
