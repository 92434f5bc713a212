//! Runs phases: each is a function of the rules with plain values, the built-in turn, or a deal.

use std::hash::Hash as _;
use std::rc::Rc;

use rhai::{Dynamic, Position};

use super::Program;
use super::hooks::{LEVEL, position};
use super::needs::Needs;
use super::stand_in::unreadable;
use crate::host::{Answers, Halt, Keep, Remembered, Session};
use crate::natives::DealingFunction;
use crate::values::{Native, Val, failure};
use crate::vm::Machine;
use crate::{host, natives, vm};
use referee_diagnostic::Diagnostic;
use referee_table::{ClauseId, DEFERRED, Dealing, Packer, Phase, State, Value};
use referee_trace::{Answer, Ask, Event, RulesPlace};

/// The result of a run of one phase.
pub struct Run {
    /// The final state.
    pub state: State,
    /// The emitted events.
    pub events: Vec<Event>,
    /// The applied clauses in the order of their first use, each with its number of uses.
    pub clauses: Vec<(ClauseId, u64)>,
    /// The clause applied last.
    pub last_clause: Option<ClauseId>,
    /// The asks answered, with their answers.
    pub answered: Vec<(Ask, Answer)>,
    /// Whether an ask was answered.
    pub asked: bool,
    /// The state at each ask and event, as far as they are kept, with the number of asks answered before it.
    pub moments: Vec<(State, usize)>,
    /// The place where the rules asked for history that is not kept.
    pub looked_back: Option<RulesPlace>,
    /// The place of the call that ended the game.
    pub over_at: Option<RulesPlace>,
    /// The reason why it ended.
    pub end: End,
    /// The paused phase, if it paused.
    pub paused: Option<Rc<Paused>>,
}

/// A session after a run, how the run ended, and the paused phase, if it paused.
pub(super) type Ended = (Box<Session>, End, Option<Rc<Paused>>);

impl Run {
    pub(super) fn of(session: Session, end: End, paused: Option<Rc<Paused>>) -> Self {
        let Session { state, events, clauses, last_clause, answered, asked, moments, looked_back, over_at, .. } =
            session;
        Self { state, events, clauses, last_clause, answered, asked, moments, looked_back, over_at, end, paused }
    }
}

/// A paused phase as plain data: besides the state, everything needed to resume it any number of times.
#[derive(Clone, Debug)]
pub struct Paused {
    pub(super) phase: Phase,
    /// The machine; `None` if the phase begins from the start.
    machine: Option<vm::PausedMachine>,
    session: Remembered,
    /// The weight of the values that the phase has kept so far.
    kept: u64,
    /// What the run needs to know to go on, if it asks for unknown cards.
    pub(super) needs: Option<Box<Needs>>,
}

impl Paused {
    /// Returns the phase.
    #[must_use]
    pub const fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Returns whether the phase did nothing before it paused: no earlier asks, events or deferred phases.
    #[must_use]
    pub fn is_fresh(&self, state: &State) -> bool {
        self.needs.is_none() && self.session.is_fresh(state)
    }

    /// Returns whether the phase has changed nothing before it paused at its first ask. It may have reported events and
    /// clauses.
    #[must_use]
    pub fn is_first(&self, state: &State) -> bool {
        self.needs.is_none() && self.session.is_first(state)
    }

    /// Returns the approximate size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let machine = self.machine.as_ref().map_or(0, vm::PausedMachine::bytes);
        machine + self.needs.as_ref().map_or(0, |needs| needs.bytes())
    }

    /// Packs everything besides the state that determines how the phase continues.
    pub fn pack(&self, packer: &mut Packer) {
        self.phase.hash(packer);
        self.session.hash_to(packer);
        if let Some(machine) = &self.machine {
            machine.hash_to(packer);
        }
        if let Some(needs) = &self.needs {
            needs.pack(packer);
        }
    }

    /// Returns the same pause with what a run from it needs to know.
    pub(super) fn needing(&self, needs: Needs) -> Self {
        Self { needs: Some(Box::new(needs)), ..self.clone() }
    }

    /// Returns the beginning of a phase as a pause.
    pub(super) fn before(phase: &Phase) -> Self {
        Self { phase: phase.clone(), machine: None, session: Remembered::of_phase(Vec::new()), kept: 0, needs: None }
    }
}

/// Why a phase ended.
#[derive(Clone, Debug)]
pub enum End {
    /// Its function returned. The phases that it added are on the agenda.
    Returned,
    /// It paused at an ask without an answer.
    Paused(Box<Ask>),
    /// It stopped at an ask whose answer does not fit.
    Refused(Box<Ask>),
    /// The game is over. The state holds the outcome.
    Over,
    /// The rules failed.
    Fault(Box<Diagnostic>),
}

/// The function that the machine runs as a phase.
pub(super) struct Entry {
    function: usize,
    /// The call depth.
    level: usize,
    /// The place of the call.
    position: Position,
}

/// The number of arguments that most phases have at most.
const FEW: usize = 4;

impl Entry {
    const fn of(function: usize) -> Self {
        Self { function, level: 0, position: Position::NONE }
    }

    /// Runs the function with these arguments, and ignores its value.
    pub(super) fn run(&self, machine: &mut Machine<'_>, args: &[Value]) -> Native<()> {
        let size = machine.link.with(|session| Ok(session.state.board().size()))?;
        let arena = machine.memory.arena_mut();
        let (mut few, mut many) = ([Val::Nothing; FEW], Vec::new());
        let values = match few.get_mut(..args.len()) {
            Some(values) => {
                values.iter_mut().zip(args).for_each(|(slot, value)| *slot = arena.of_argument(value, size));
                values
            }
            None => {
                many.extend(args.iter().map(|value| arena.of_argument(value, size)));
                many.as_mut_slice()
            }
        };
        machine.run(self.function, self.level, self.position, values).map(drop)
    }
}

impl Program {
    /// Runs one phase from `state`, whose agenda no longer holds it. Call [`Program::begin`] before the first phase.
    pub fn run(&self, state: State, phase: &Phase, answers: Box<dyn Answers>, keep: Keep) -> Run {
        let session = Session::new(state, answers, keep);
        let (session, end, paused) = match session.state.lends_any() {
            true => self.run_apart(session, &Paused::before(phase)),
            false => self.phase(session, phase),
        };
        Run::of(*session, end, paused)
    }

    /// Resumes a paused phase from `state`, the state of the pause. The ask is repeated. The run reports only later
    /// events.
    #[must_use]
    pub fn resume(&self, state: State, paused: &Paused, answers: Box<dyn Answers>, keep: Keep) -> Run {
        let (session, end, paused) = self.rest(Session::new(state, answers, keep), paused);
        Run::of(*session, end, paused)
    }

    /// Runs a phase in a session.
    pub(super) fn phase(&self, mut session: Box<Session>, phase: &Phase) -> Ended {
        self.begin_phase(&mut session, false);
        let ran = self.link.during(session, || match self.entry(phase) {
            Some(entry) => self.with_machine(|machine| entry.run(machine, &phase.args)),
            None => self.run_rare(phase),
        });
        self.ended(ran, phase)
    }

    /// Begins a phase in a session. With `restarts`, the count of operations and kept values restarts.
    pub(super) fn begin_phase(&self, session: &mut Session, restarts: bool) {
        let weight = session.state.weight();
        if restarts {
            self.begin(weight);
        }
        session.begin();
        self.link.meter.work(weight / 4);
    }

    /// Returns the function that the machine runs as a phase: a function of the rules, or the built-in turn.
    pub(super) fn entry(&self, phase: &Phase) -> Option<Entry> {
        if self.stand_in.borrow().is_some() {
            return None;
        }
        if let Some(turn) = self.turn.as_ref().filter(|_| phase.player().is_some()) {
            return Some(Entry { function: turn.function, level: LEVEL, position: position(turn.choose) });
        }
        self.code.borrow().phase(&phase.name, phase.args.len()).map(Entry::of)
    }

    /// Runs any other phase, or one by what stands in for the machine.
    pub(super) fn run_rare(&self, phase: &Phase) -> Native<()> {
        if let Some(other) = self.other() {
            return self.run_by(&*other, phase);
        }
        if &*phase.name == DEFERRED {
            return self.deferred(phase);
        }
        match Dealing::of(phase) {
            Some(dealing) => self.deal(&dealing),
            None => Err(self.no_function(&phase.name, phase.args.len())),
        }
    }

    /// Runs the rest of a paused phase in a session.
    pub(super) fn rest(&self, session: Box<Session>, paused: &Paused) -> Ended {
        match paused.needs.is_some() || session.state.lends_any() {
            true => self.run_apart(session, paused),
            false => self.rest_at_once(session, paused),
        }
    }

    /// Runs the rest of a paused phase, or a phase from the start, without looking for unknown cards.
    pub(super) fn rest_at_once(&self, mut session: Box<Session>, paused: &Paused) -> Ended {
        let Some(machine) = &paused.machine else { return self.phase(session, &paused.phase) };
        session.recall(paused.session.clone());
        if self.stand_in.borrow().is_some() {
            let wrong = failure("internal error: only the machine can go on after a pause");
            return self.ended((Err(wrong), session), &paused.phase);
        }
        self.link.meter.has_kept(paused.kept);
        let ran = self.link.during(session, || self.resume_phase(machine));
        self.ended(ran, &paused.phase)
    }

    /// Returns how a run ended.
    pub(super) fn ended(&self, (result, mut session): (Native<()>, Box<Session>), phase: &Phase) -> Ended {
        if session.halt.is_none() && result.is_ok() && self.link.meter.excess().is_none() {
            session.end();
            return (session, End::Returned, None);
        }
        let mut paused = None;
        let end = match (session.halt.take(), result) {
            (Some(Halt::Pause(ask)), _) => {
                paused = self.stand_in.borrow().is_none().then(|| {
                    let machine = self.memory.borrow_mut().pause(self.code.borrow().constants());
                    let kept = self.link.meter.kept();
                    let (machine, session) = (Some(machine), session.remember());
                    Rc::new(Paused { phase: phase.clone(), machine, session, kept, needs: None })
                });
                End::Paused(Box::new(ask))
            }
            (Some(Halt::Refused(ask)), _) => End::Refused(Box::new(ask)),
            (Some(Halt::Over(outcome, place)), _) => {
                session.state.outcome = Some(outcome);
                session.over_at = Some(place);
                session.state.agenda.clear();
                End::Over
            }
            (Some(Halt::Deal(zone, place)), _) => {
                session.needs = Some((zone, place));
                End::Fault(Box::new(Diagnostic::internal("unknown cards were not dealt")))
            }
            (None, Err(error)) if self.link.meter.excess().is_none() => {
                End::Fault(Box::new(self.faulty(&error, phase)))
            }
            (None, result) => End::Fault(Box::new(self.excessive(result.err(), phase))),
        };
        (session, end, paused)
    }

    fn deal(&self, dealing: &Dealing) -> Native<()> {
        let place = RulesPlace::default();
        match natives::dealing_function(&self.link, dealing)? {
            None => Ok(()),
            Some(DealingFunction::FaceUp(number, from)) => {
                self.run_prelude(natives::FACE_UP, 0, place, vec![number.into(), Dynamic::from(from)])
            }
            Some(DealingFunction::EachZone(number, from, to)) => {
                let zones: rhai::Array = to.into_iter().map(Dynamic::from).collect();
                self.run_prelude("_vm_deal", 0, place, vec![number.into(), Dynamic::from(from), zones.into()])
            }
        }
    }

    fn deferred(&self, phase: &Phase) -> Native<()> {
        let (decision, bare, next) = host::undeferred(phase).ok_or_else(unreadable)?;
        if self.code.borrow().place(&next, 2).is_none() {
            return Err(self.no_function(&next, 2));
        }
        let verb = self.schema.verb(decision.ask).to_owned();
        let options = host::offered_again(&self.schema, &decision, bare);
        let args = vec![
            Dynamic::from(decision.player),
            verb.into(),
            options.into(),
            rhai::FnPtr::new(&*next).map(Dynamic::from)?,
        ];
        self.run_prelude("_vm_deferred", 0, RulesPlace::default(), args)
    }
}
