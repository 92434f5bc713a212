//! Continues play from a pause with each of its answers.

use std::rc::Rc;
use std::sync::Arc;

use super::budget::{Budget, Limit};
use super::decisions::{DecisionsSeen, Places, UndecidedReason, Unready};
use crate::diagnostic::Diagnostic;
use crate::play::feed::OneAnswer;
use crate::play::machine::{Begun, Machine, Stop, due};
use crate::play::policy::{Policy, greatest};
use crate::play::strategy::StrategyProfile;
use crate::play::visibility::hidden;
use crate::rules::{End, Keep, Paused, Program, Run};
use crate::source::{Source, Span};
use crate::table::State;
use crate::trace::{Answer, Ask, Decision, Question, RulesPlace};

/// The maximum number of consecutive asks with a single answer.
pub(super) const DEEPEST: usize = 200;

/// How the chance at an ask follows from the chances after its answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It is their weighted mean.
    Mix,
    /// It is their maximum.
    Most,
    /// It is their minimum.
    Least,
}

/// An undecided decision.
#[derive(Clone, Debug)]
pub struct Open {
    /// The decision.
    pub ask: Ask,
    /// The state at the ask.
    pub state: State,
    /// Why it is undecided.
    pub why: UndecidedReason,
}

/// A point in play.
#[derive(Clone)]
pub(super) enum Stand {
    /// Between two phases.
    Between(State),
    /// At an ask.
    Asks(Box<Pause>),
    /// The game is over.
    Over(State),
}

/// A phase that has paused at an ask.
#[derive(Clone)]
pub(super) struct Pause {
    pub(super) state: State,
    pub(super) paused: Rc<Paused>,
    pub(super) ask: Ask,
    /// The beginning of the phase, if a policy needs it to imagine unseen cards.
    pub(super) begun: Option<Begun>,
}

/// The answers to follow at an ask.
pub(super) struct Fork {
    pub(super) kind: Kind,
    /// The answers with their weights.
    pub(super) answers: Vec<(Answer, u64)>,
    /// The error to report unless all answers lead to the same node.
    pub(super) unseen: Option<Box<Open>>,
}

/// The reason why play cannot be followed.
pub(super) enum Stuck {
    /// A decision is undecided.
    Open(Box<Open>),
    /// The rules ask here about history, which is not part of a state.
    History(RulesPlace),
    /// A limit is exceeded.
    TooMany(Limit),
    /// The rules caused an error.
    Fault(Box<Diagnostic>),
}

impl From<Limit> for Stuck {
    fn from(limit: Limit) -> Self {
        Self::TooMany(limit)
    }
}

/// Follows play: the rules, how decisions are made, and the decisions seen so far.
pub(super) struct Course<'p> {
    pub(super) program: &'p Program,
    pub(super) strategy: StrategyProfile,
    /// Whether play ends with the phase.
    pub(super) alone: bool,
    /// The work and memory that are left.
    pub(super) budget: Budget,
    pub(super) met: DecisionsSeen,
}

impl Pause {
    /// Returns the memory use in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.state.bytes() + self.paused.bytes() as u64
    }

    /// Returns the pause of a machine; `None` if it is not at an ask.
    pub(super) fn of(machine: &Machine<'_>) -> Option<Self> {
        let Stop::Paused(ask) = machine.stop() else { return None };
        let (state, begun) = (machine.state().clone(), machine.begun().cloned());
        Some(Self { state, paused: Rc::clone(machine.paused()?), ask: ask.clone(), begun })
    }
}

impl Course<'_> {
    /// Runs the next phase up to its first ask.
    pub(super) fn begin(&mut self, mut state: State) -> Result<Stand, Stuck> {
        let phase = due(&mut state);
        let begun = if self.rates() { Begun::at(&state) } else { None };
        // Values that other runs have left in registers are not part of a state.
        self.program.clear_registers();
        let run =
            self.spend(state, |program, state| program.run(state, &phase, Box::new(OneAnswer(None)), Keep::default()))?;
        stand(run, begun)
    }

    /// Continues with an answer up to the next ask.
    pub(super) fn answer(&mut self, pause: &Pause, answer: &Answer) -> Result<Stand, Stuck> {
        let begun = pause.begun.clone().map(|Begun { state, mut given }| {
            given.push((pause.ask.clone(), answer.clone()));
            Begun { state, given }
        });
        let run = self.spend(pause.state.clone(), |program, state| {
            program.resume(state, &pause.paused, Box::new(OneAnswer(Some(answer.clone()))), Keep::default())
        })?;
        stand(run, begun)
    }

    /// Runs the rules from a state, and charges their operations to the budget.
    fn spend(&mut self, state: State, run: impl FnOnce(&Program, State) -> Run) -> Result<Run, Stuck> {
        self.program.begin(state.weight());
        let before = self.program.spent();
        let run = run(self.program, state);
        self.budget.work(self.program.spent().wrapping_sub(before))?;
        Ok(run)
    }

    /// Returns whether any policy rates options.
    pub(super) fn rates(&self) -> bool {
        self.strategy.policies.iter().any(|(_, policy)| matches!(policy, Policy::Greedy(..)))
    }

    /// Follows asks with a single answer, and adds them to `line`. Stops at any other ask, and returns its answers.
    pub(super) fn follow(
        &mut self,
        mut stand: Stand,
        line: &mut Vec<(Ask, Answer)>,
    ) -> Result<(Stand, Option<Fork>), Stuck> {
        for _ in 0..DEEPEST {
            let Stand::Asks(pause) = &stand else { return Ok((stand, None)) };
            let fork = self.fork(pause)?;
            let [(answer, _)] = fork.answers.as_slice() else { return Ok((stand, Some(fork))) };
            line.push((pause.ask.clone(), answer.clone()));
            stand = self.answer(pause, answer)?;
        }
        Err(Stuck::TooMany(Limit::Phase))
    }

    /// Returns the answers to follow at an ask.
    pub(super) fn fork(&mut self, pause: &Pause) -> Result<Fork, Stuck> {
        let before = self.program.spent();
        let fork = self.answers(pause)?;
        self.budget.work(self.program.spent().wrapping_sub(before))?;
        if fork.answers.is_empty() { Err(Stuck::TooMany(Limit::Phase)) } else { Ok(fork) }
    }

    fn answers(&mut self, pause: &Pause) -> Result<Fork, Stuck> {
        let Pause { state, ask, .. } = pause;
        let mix = |answers| Fork { kind: Kind::Mix, answers, unseen: None };
        let open = |why| Box::new(Open { ask: ask.clone(), state: state.clone(), why });
        let unready = |unready| match unready {
            Unready::Not(why) => Stuck::Open(open(why)),
            Unready::Fault(wrong) => Stuck::Fault(wrong),
        };
        let met = &mut self.met;
        match &ask.question {
            Question::Choose(decision) => {
                met.note(decision);
                let Places { policy, places } =
                    self.strategy.places(self.program, state, decision, met).map_err(unready)?;
                let several = places.len() > 1;
                let kind = match policy {
                    Some(Policy::Greedy(source, span)) if several => {
                        let rating = (Arc::clone(source), *span);
                        return self.rated(pause, decision, &rating).map(mix);
                    }
                    Some(Policy::Search(_)) => {
                        let message = "a tree search has no exact odds; it is a policy for playouts";
                        return Err(Stuck::Fault(Box::new(Diagnostic::general("not_supported", message))));
                    }
                    Some(Policy::Best) => Kind::Most,
                    Some(Policy::Worst) => Kind::Least,
                    None | Some(Policy::Random | Policy::Greedy(..)) => Kind::Mix,
                };
                let answers = places.into_iter().map(|place| (Answer::Chosen(place), 1)).collect();
                let unseen = if several && kind != Kind::Mix { hidden(state, decision.player) } else { Vec::new() };
                let unseen = (!unseen.is_empty()).then(|| open(UndecidedReason::Unseen(unseen)));
                Ok(Fork { kind, answers, unseen })
            }
            Question::ChooseAll(all) => {
                all.iter().for_each(|decision| met.note(decision));
                self.strategy.together(self.program, state, all, met).map_err(unready).map(mix)
            }
            chance @ (Question::Roll(_) | Question::Draw(_)) => Ok(mix(chance.chances(state))),
        }
    }

    /// Returns the options of a decision with the highest rating, equally likely.
    fn rated(
        &self,
        pause: &Pause,
        decision: &Decision,
        (source, span): &(Arc<Source>, Span),
    ) -> Result<Vec<(Answer, u64)>, Stuck> {
        let Pause { state, paused, ask, begun } = pause.clone();
        let machine = Machine::at(self.program, state, paused, begun, ask).alone(self.alone);
        let best = greatest(self.program, &machine, decision, (source, *span)).map_err(Stuck::Fault)?;
        Ok(best.into_iter().map(|at| (Answer::Chosen(at), 1)).collect())
    }
}

/// Returns the point that a run has reached.
fn stand(run: Run, begun: Option<Begun>) -> Result<Stand, Stuck> {
    if let Some(place) = run.looked_back {
        return Err(Stuck::History(place));
    }
    match (run.end, run.paused) {
        (End::Returned, _) => Ok(Stand::Between(run.state)),
        (End::Over, _) => Ok(Stand::Over(run.state)),
        (End::Fault(wrong), _) => Err(Stuck::Fault(wrong)),
        (End::Paused(ask), Some(paused)) => Ok(Stand::Asks(Box::new(Pause { state: run.state, paused, ask, begun }))),
        (End::Paused(_) | End::Refused(_), _) => {
            Err(Stuck::Fault(Box::new(Diagnostic::internal("an ask was left without an answer"))))
        }
    }
}
