//! Playing on from a pause by each of its answers.

use std::rc::Rc;
use std::sync::Arc;

use super::budget::{Budget, Limit};
use super::settlement::{Manner, Met, Places, Settlement, Snag, Unready};
use crate::diagnostic::Diagnostic;
use crate::play::feed::OneAnswer;
use crate::play::machine::{Begun, Machine, Stop, due};
use crate::play::policy::greatest;
use crate::play::sight::hidden;
use crate::rules::{End, Keep, Paused, Program, Run};
use crate::source::{Source, Span};
use crate::table::State;
use crate::trace::{Answer, Ask, Decision, Question, RulesPlace};

/// The most asks in a row that have one answer only.
pub(super) const DEEPEST: usize = 200;

/// What is made of the answers to an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Each comes with its weight.
    Mix,
    /// The likeliest is taken.
    Most,
    /// The least likely is taken.
    Least,
}

/// A decision that nothing settles.
#[derive(Clone, Debug)]
pub struct Open {
    /// The decision.
    pub ask: Ask,
    /// Where it is asked.
    pub state: State,
    /// Why it is not settled.
    pub why: Snag,
}

/// Where play stands.
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
    /// Where the phase began, if somebody decides who imagines that.
    pub(super) begun: Option<Begun>,
}

/// The answers to follow at an ask.
pub(super) struct Fork {
    pub(super) kind: Kind,
    /// The answers with their weights.
    pub(super) answers: Vec<(Answer, u64)>,
    /// The trouble that there is unless all answers come to the same.
    pub(super) unseen: Option<Box<Open>>,
}

/// Why play cannot be followed.
pub(super) enum Stuck {
    /// A decision is not settled.
    Open(Box<Open>),
    /// The rules ask here what was before, which is no part of a state.
    History(RulesPlace),
    /// There is too much of something.
    TooMany(Limit),
    /// The rules are wrong.
    Fault(Box<Diagnostic>),
}

impl From<Limit> for Stuck {
    fn from(limit: Limit) -> Self {
        Self::TooMany(limit)
    }
}

/// How play is followed: by which rules, how decisions are settled, and what came up.
pub(super) struct Course<'p> {
    pub(super) program: &'p Program,
    pub(super) settlement: Settlement,
    /// Whether nothing follows the phase.
    pub(super) alone: bool,
    /// What may still be done and kept.
    pub(super) budget: Budget,
    pub(super) met: Met,
}

impl Pause {
    /// Returns how much room it takes, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.state.bytes() + self.paused.bytes() as u64
    }

    /// Returns where a machine has paused.
    pub(super) fn of(machine: &Machine<'_>) -> Option<Self> {
        let Stop::Paused(ask) = machine.stop() else { return None };
        let (state, begun) = (machine.state().clone(), machine.begun().cloned());
        Some(Self { state, paused: Rc::clone(machine.paused()?), ask: ask.clone(), begun })
    }
}

impl Course<'_> {
    /// Runs the phase that is next, up to its first ask.
    pub(super) fn begin(&mut self, mut state: State) -> Result<Stand, Stuck> {
        let phase = due(&mut state);
        let begun = if self.rates() { Begun::at(&state) } else { None };
        // What other runs have left in registers is no part of where play stands.
        self.program.clear_registers();
        let run =
            self.spend(state, |program, state| program.run(state, &phase, Box::new(OneAnswer(None)), Keep::default()))?;
        stand(run, begun)
    }

    /// Goes on with an answer, up to the next ask.
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

    /// Runs the rules from a state, and counts what they do.
    fn spend(&mut self, state: State, run: impl FnOnce(&Program, State) -> Run) -> Result<Run, Stuck> {
        self.program.begin(state.weight());
        let before = self.program.spent();
        let run = run(self.program, state);
        self.budget.work(self.program.spent().wrapping_sub(before))?;
        Ok(run)
    }

    /// Returns whether somebody rates options.
    pub(super) fn rates(&self) -> bool {
        self.settlement.policies.iter().any(|(_, manner)| matches!(manner, Manner::Greedy(..)))
    }

    /// Follows asks that have one answer only; stops before another ask, with its answers. The asks are noted in `line`.
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
                let Places { manner, places } =
                    self.settlement.places(self.program, state, decision, met).map_err(unready)?;
                let several = places.len() > 1;
                let kind = match manner {
                    Some(Manner::Greedy(source, span)) if several => {
                        let rating = (Arc::clone(source), *span);
                        return self.rated(pause, decision, &rating).map(mix);
                    }
                    Some(Manner::Likeliest) => Kind::Most,
                    Some(Manner::LeastLikely) => Kind::Least,
                    _ => Kind::Mix,
                };
                let answers = places.into_iter().map(|place| (Answer::Chosen(place), 1)).collect();
                let unseen = if several && kind != Kind::Mix { hidden(state, decision.player) } else { Vec::new() };
                let unseen = (!unseen.is_empty()).then(|| open(Snag::Unseen(unseen)));
                Ok(Fork { kind, answers, unseen })
            }
            Question::ChooseAll(all) => {
                all.iter().for_each(|decision| met.note(decision));
                self.settlement.together(self.program, state, all, met).map_err(unready).map(mix)
            }
            chance @ (Question::Roll(_) | Question::Draw(_)) => Ok(mix(chance.chances(state))),
        }
    }

    /// Returns the options of a decision that are rated highest, equally likely.
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

/// Returns where play stands after a run.
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
            let message = "internal error: an ask was left without an answer";
            Err(Stuck::Fault(Box::new(Diagnostic::general("internal_error", message))))
        }
    }
}
