//! Every way through one phase.
//!
//! The phase is run once for each way: the answers of the last run are repeated up to the last ask that has another
//! answer left, which is given then, and from there on each ask has its first.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::budget::{Budget, Limit};
use super::settlement::{Manner, Met, Settlement, Snag, Unready, Ways};
use crate::diagnostic::Diagnostic;
use crate::play::machine::Machine;
use crate::play::policy::greatest;
use crate::rules::{Answers, End, Keep, Program, Reply, Run};
use crate::source::{Source, Span};
use crate::table::{Phase, State};
use crate::trace::{Answer, Ask, Question, RulesPlace};

/// The most asks on one way through a phase.
const DEEPEST: usize = 200;

/// The most ways through a phase.
const MOST_WAYS: usize = 100_000;

/// What is made of the ways behind an ask.
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

/// One answer on a way: what is made of the answers there, which one it is, and its weight.
#[derive(Clone, Debug)]
pub(super) struct Turning {
    pub(super) kind: Kind,
    pub(super) choice: usize,
    pub(super) weight: u64,
    /// The trouble that there is unless all answers come to the same.
    pub(super) unseen: Option<Rc<Open>>,
}

/// A way through a phase.
pub(super) struct Way {
    pub(super) turnings: Vec<Turning>,
    /// The state behind it.
    pub(super) state: State,
    /// Whether the game ended.
    pub(super) over: bool,
    /// The asks and answers, where they are wanted.
    pub(super) answers: Vec<(Ask, Answer)>,
}

/// Why there is no list of all ways.
pub(super) enum Stuck {
    /// A decision is not settled.
    Open(Box<Open>),
    /// The rules ask here what was before, which is no part of a state.
    History(RulesPlace),
    /// There are too many ways, or one of them asks without end.
    TooMany(Limit),
    /// The rules are wrong.
    Fault(Box<Diagnostic>),
}

/// An ask on the way, its answers, and which one is tried now.
struct Fork {
    ask: Ask,
    kind: Kind,
    answers: Vec<(Answer, u64)>,
    at: usize,
    unseen: Option<Rc<Open>>,
}

/// The asks on the way that is tried.
#[derive(Default)]
struct Track {
    forks: Vec<Fork>,
    /// How many have been asked in this run.
    depth: usize,
    stuck: Option<Stuck>,
    /// What must be found out of the ask that comes next, outside of the run.
    later: Option<Later>,
    met: Met,
}

/// What must be found out before an ask can be answered.
enum Later {
    /// What the options are worth, by the expression at this place.
    Rate(Arc<Source>, Span),
    /// Which conditions hold.
    Judge,
}

/// Answers along a track, and makes it longer.
struct Walker {
    track: Rc<RefCell<Track>>,
    settlement: Rc<Settlement>,
}

impl Answers for Walker {
    fn answer(&mut self, ask: &Ask, state: &State) -> Reply {
        let track = &mut *self.track.borrow_mut();
        if track.depth == track.forks.len() {
            if track.depth >= DEEPEST {
                track.stuck = Some(Stuck::TooMany(Limit::Phase));
                return Reply::Refuse;
            }
            let fork = match self.settlement.ways(ask, state, None, &mut track.met) {
                Ok(ways) => Fork::of(ask, state, ways),
                Err(Unready::Rate(source, span)) => {
                    track.later = Some(Later::Rate(source, span));
                    return Reply::Pause;
                }
                Err(Unready::Judge) => {
                    track.later = Some(Later::Judge);
                    return Reply::Pause;
                }
                Err(Unready::Not(why)) => Err(open(ask, state, why)),
            };
            match fork {
                Ok(fork) => track.forks.push(fork),
                Err(stuck) => {
                    track.stuck = Some(stuck);
                    return Reply::Refuse;
                }
            }
        }
        let fork = track.forks.get(track.depth).filter(|fork| fork.ask == *ask);
        let Some((answer, _)) = fork.and_then(|fork| fork.answers.get(fork.at)) else {
            let message = "internal error: run again with the same answers, the rules ask something else";
            track.stuck = Some(Stuck::Fault(Box::new(Diagnostic::general("not_deterministic", message))));
            return Reply::Refuse;
        };
        track.depth += 1;
        Reply::Answer(answer.clone())
    }
}

/// A decision that is not settled.
fn open(ask: &Ask, state: &State, why: Snag) -> Stuck {
    Stuck::Open(Box::new(Open { ask: ask.clone(), state: state.clone(), why }))
}

impl Fork {
    /// The answers to follow at an ask.
    fn of(ask: &Ask, state: &State, ways: Ways) -> Result<Self, Stuck> {
        if ways.answers.is_empty() {
            return Err(Stuck::TooMany(Limit::Phase));
        }
        let why = || Snag::Unseen(ways.unseen.clone());
        let unseen = (!ways.unseen.is_empty()).then(|| Open { ask: ask.clone(), state: state.clone(), why: why() });
        Ok(Self { ask: ask.clone(), kind: ways.kind, answers: ways.answers, at: 0, unseen: unseen.map(Rc::new) })
    }
}

/// How phases are run through: by which rules, how decisions are settled, and what came up.
pub(super) struct Course<'p> {
    pub(super) program: &'p Program,
    pub(super) settlement: Rc<Settlement>,
    /// Whether nothing follows the phase.
    pub(super) alone: bool,
    /// What may still be done and kept.
    pub(super) budget: Budget,
    pub(super) met: Met,
}

impl Course<'_> {
    /// Every way through a phase that begins at `state`, behind the answers `given`; with `keep`, the answers are told.
    pub(super) fn ways(
        &mut self,
        (state, phase): (&State, &Phase),
        given: &[(Ask, Answer)],
        keep: bool,
    ) -> Result<Vec<Way>, Stuck> {
        let given = given.iter().map(|(ask, answer)| Fork {
            ask: ask.clone(),
            kind: Kind::Mix,
            answers: vec![(answer.clone(), 1)],
            at: 0,
            unseen: None,
        });
        let met = std::mem::take(&mut self.met);
        let track = Rc::new(RefCell::new(Track { forks: given.collect(), met, ..Track::default() }));
        let found = self.along(&track, (state, phase), keep);
        self.met = std::mem::take(&mut track.borrow_mut().met);
        found
    }

    fn along(
        &mut self,
        track: &Rc<RefCell<Track>>,
        (state, phase): (&State, &Phase),
        keep: bool,
    ) -> Result<Vec<Way>, Stuck> {
        let rated = self.settlement.policies.iter().any(|(_, manner)| matches!(manner, Manner::Greedy(..)));
        let kept = Keep { answers: keep || rated, ..Keep::default() };
        let mut found = Vec::new();
        loop {
            if found.len() >= MOST_WAYS {
                return Err(Stuck::TooMany(Limit::Phase));
            }
            track.borrow_mut().depth = 0;
            self.program.begin(state.weight());
            let before = self.program.spent();
            let walker = Walker { track: Rc::clone(track), settlement: Rc::clone(&self.settlement) };
            let run = self.program.run(state.clone(), phase, Box::new(walker), kept);
            self.budget.work(self.program.spent().wrapping_sub(before))?;
            let track = &mut *track.borrow_mut();
            if let Some(place) = run.looked_back {
                return Err(Stuck::History(place));
            }
            if let Some(stuck) = track.stuck.take() {
                return Err(stuck);
            }
            if let (Some(later), End::Paused(ask)) = (track.later.take(), &run.end) {
                let fork = self.found_out((state, phase), &run, ask, (later, &mut track.met))?;
                track.forks.push(fork);
                continue;
            }
            let over = match run.end {
                End::Returned => false,
                End::Over => true,
                End::Fault(wrong) => return Err(Stuck::Fault(wrong)),
                End::Paused(_) | End::Refused(_) => return Err(unanswered()),
            };
            let turning = |fork: &Fork| {
                let weight = fork.answers.get(fork.at).map_or(0, |(_, weight)| *weight);
                Turning { kind: fork.kind, choice: fork.at, weight, unseen: fork.unseen.clone() }
            };
            let turnings = track.forks.iter().map(turning).collect();
            self.budget.keep(run.state.bytes())?;
            found.push(Way { turnings, state: run.state, over, answers: run.answered });
            while let Some(last) = track.forks.last_mut() {
                last.at += 1;
                if last.at < last.answers.len() {
                    break;
                }
                track.forks.pop();
            }
            if track.forks.is_empty() {
                return Ok(found);
            }
        }
    }

    /// The answers to follow at an ask that needs a closer look.
    fn found_out(
        &mut self,
        (state, phase): (&State, &Phase),
        run: &Run,
        ask: &Ask,
        (later, met): (Later, &mut Met),
    ) -> Result<Fork, Stuck> {
        let mut rating = None;
        match later {
            Later::Rate(source, span) => rating = Some((source, span)),
            Later::Judge => {
                let judged = self.settlement.judged(self.program, &ask.question, &run.state).map_err(Stuck::Fault)?;
                match self.settlement.ways(ask, &run.state, Some(&judged), met) {
                    Ok(ways) => return Fork::of(ask, &run.state, ways),
                    Err(Unready::Rate(source, span)) => rating = Some((source, span)),
                    Err(Unready::Not(why)) => return Err(open(ask, &run.state, why)),
                    Err(Unready::Judge) => {}
                }
            }
        }
        let Some(rating) = rating else { return Err(unanswered()) };
        let checkpoint = (state.clone(), phase.clone());
        let machine = Machine::paused(self.program, checkpoint, run, ask.clone()).alone(self.alone);
        self.rated(&machine, ask, rating)
    }

    /// The options of a decision that are rated highest, equally likely.
    fn rated(&mut self, machine: &Machine<'_>, ask: &Ask, (source, span): (Arc<Source>, Span)) -> Result<Fork, Stuck> {
        let Question::Choose(decision) = &ask.question else {
            return Err(unanswered());
        };
        let before = self.program.spent();
        let best = greatest(self.program, machine, decision, (&source, span)).map_err(Stuck::Fault)?;
        self.budget.work(self.program.spent().wrapping_sub(before))?;
        let answers = best.into_iter().map(|at| (Answer::Chosen(at), 1)).collect();
        Ok(Fork { ask: ask.clone(), kind: Kind::Mix, answers, at: 0, unseen: None })
    }
}

/// An ask that should have had an answer.
fn unanswered() -> Stuck {
    let message = "internal error: an ask was left without an answer";
    Stuck::Fault(Box::new(Diagnostic::general("not_deterministic", message)))
}
