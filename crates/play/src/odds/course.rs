//! Continues play from a pause with each of its answers.

use std::sync::Arc;

use super::budget::{Budget, Limit};
use super::decisions::{DecisionsSeen, Places, UndecidedReason, Unready};
use crate::Machine;
use crate::blind::Blind;
use crate::open::judged;
use crate::points::{self, Broken, Pause, Stand};
use crate::policy::{Policy, greatest};
use crate::random::Random;
use crate::segment::Segment;
use crate::strategy::StrategyProfile;
use crate::visibility::{Unseen, hidden, secrets};
use referee_diagnostic::{Code, Diagnostic};
use referee_rules::Program;
use referee_source::{Source, Span};
use referee_table::State;
use referee_trace::{Answer, Ask, Decision, Question, RulesPlace};

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

/// The answers to follow at an ask.
pub(super) struct Fork {
    pub(crate) kind: Kind,
    /// The answers with their weights.
    pub(super) answers: Vec<(Answer, u64)>,
    /// The error to report unless all answers lead to the same node.
    pub(super) unseen: Option<Box<Open>>,
}

impl Fork {
    /// Returns the memory use in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let own = |answer: &Answer| match answer {
            Answer::AllChosen(places) => size_of_val(places.as_slice()),
            _ => 0,
        };
        let answers: usize = self.answers.iter().map(|(answer, _)| size_of::<(Answer, u64)>() + own(answer)).sum();
        let unseen = self.unseen.as_ref().map_or(0, |open| open.state.bytes() + open.ask.bytes());
        answers as u64 + unseen
    }
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
    /// Another way is to be tried.
    GaveUp,
}

impl From<Broken> for Stuck {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::History(place) => Self::History(place),
            Broken::Fault(wrong) => Self::Fault(wrong),
        }
    }
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

impl Course<'_> {
    /// Runs the next phase up to its first ask.
    pub(super) fn begin(&mut self, state: State, prior: Option<Box<Segment>>) -> Result<Stand, Stuck> {
        let (keeps, rates) = (self.keeps_segments(), self.strategy.rates());
        self.spend(|program| match keeps {
            true => points::begin_in(program, state, prior, rates),
            false => points::begin(program, state),
        })
    }

    /// Continues with an answer up to the next ask.
    pub(super) fn answer(&mut self, pause: &Pause, answer: &Answer) -> Result<Stand, Stuck> {
        self.spend(|program| points::answer(program, pause, answer))
    }

    /// Runs the rules, and charges their operations to the budget.
    fn spend(&mut self, run: impl FnOnce(&Program) -> Result<Stand, Broken>) -> Result<Stand, Stuck> {
        let before = self.program.spent();
        let ran = run(self.program);
        self.budget.work(self.program.spent().wrapping_sub(before))?;
        Ok(ran?)
    }

    /// Returns whether any policy depends on what its player knows.
    pub(super) fn keeps_segments(&self) -> bool {
        let random = |policy: &Policy| matches!(policy, Policy::Random | Policy::Search(_));
        self.strategy.policies.iter().any(|(_, policy)| !random(policy))
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
                let Places { policy, places, said } =
                    self.strategy.places(self.program, state, decision, met).map_err(unready)?;
                if let Some(said) = said {
                    return Ok(mix(vec![(said, 1)]));
                }
                let is_ranked = matches!(policy, Some(Policy::Best | Policy::Worst)) && !decision.open.is_empty();
                if is_ranked || policy.is_some() && decision.unlisted().is_some() {
                    return Err(unready(self.strategy.not_listed(self.program, state, decision)));
                }
                if policy.is_some() {
                    judged(self.program, state, (decision, ask.place), None).map_err(Stuck::Fault)?;
                }
                let several = places.len() > 1;
                let kind = match policy {
                    Some(Policy::Greedy(source, span)) if several => {
                        let rating = (Arc::clone(source), *span);
                        return self.rated(pause, decision, &rating).map(mix);
                    }
                    Some(Policy::Search(_)) => {
                        let message = "a tree search has no exact odds; it is a policy for playouts";
                        return Err(Stuck::Fault(Box::new(Diagnostic::question(Code::NotSupported, message))));
                    }
                    Some(Policy::Best) => Kind::Most,
                    Some(Policy::Worst) => Kind::Least,
                    None | Some(Policy::Random | Policy::Greedy(..)) => Kind::Mix,
                };
                let answers = places.into_iter().map(|place| (Answer::Chosen(place), 1)).collect();
                let unseen = match several && kind != Kind::Mix {
                    true => self.unseen(pause, decision),
                    false => Vec::new(),
                };
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

    /// Returns the locations of cards that a player does not see and that a decision may depend on: those that are
    /// hidden now, or from which cards came that only phases know.
    fn unseen(&self, pause: &Pause, decision: &Decision) -> Vec<Unseen> {
        let mut hidden = hidden(&pause.state, decision.player);
        hidden.extend(secrets(&pause.state, decision.player));
        if !hidden.is_empty() {
            return hidden;
        }
        let Pause { state, paused, ask, segment } = pause.clone();
        let machine = Machine::at(self.program, state, paused, segment, ask).alone(self.alone);
        let known = Blind::of(&machine, decision);
        known.filter(|known| !known.is_certain()).map(|known| known.origins()).unwrap_or_default()
    }

    /// Returns the options of a decision with the highest rating, equally likely.
    fn rated(
        &self,
        pause: &Pause,
        decision: &Decision,
        (source, span): &(Arc<Source>, Span),
    ) -> Result<Vec<(Answer, u64)>, Stuck> {
        let Pause { state, paused, ask, segment } = pause.clone();
        let machine = Machine::at(self.program, state, paused, segment, ask).alone(self.alone);
        // The same deals for all positions that look the same to the player.
        let deals = (&self.strategy.deals, &mut Random::of_game(1, 0));
        let best = greatest(self.program, &machine, decision, (source, *span), deals, None).map_err(Stuck::Fault)?;
        Ok(best.into_iter().map(|at| (Answer::Chosen(at), 1)).collect())
    }
}
