//! Every way through one phase.
//!
//! The phase is run once for each way: the answers of the last run are repeated up to the last ask that has another
//! answer left, which is given then, and from there on each ask has its first.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::settlement::{Manner, Met, Settlement, Snag, Unready};
use crate::diagnostic::Diagnostic;
use crate::play::machine::Machine;
use crate::play::policy::greatest;
use crate::rules::{Answers, End, Keep, Program, Reply};
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
    TooMany,
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
    /// By what the options of the ask that comes next are to be rated.
    rating: Option<(Arc<Source>, Span)>,
    met: Met,
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
                track.stuck = Some(Stuck::TooMany);
                return Reply::Refuse;
            }
            let open = |why| Open { ask: ask.clone(), state: state.clone(), why };
            let ways = match self.settlement.ways(ask, state, &mut track.met) {
                Ok(ways) => ways,
                Err(Unready::Rate(source, span)) => {
                    track.rating = Some((source, span));
                    return Reply::Pause;
                }
                Err(Unready::Not(why)) => {
                    track.stuck = Some(Stuck::Open(Box::new(open(why))));
                    return Reply::Refuse;
                }
            };
            if ways.answers.is_empty() {
                track.stuck = Some(Stuck::TooMany);
                return Reply::Refuse;
            }
            let unseen = (!ways.unseen.is_empty()).then(|| Rc::new(open(Snag::Unseen(ways.unseen))));
            track.forks.push(Fork { ask: ask.clone(), kind: ways.kind, answers: ways.answers, at: 0, unseen });
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

/// How phases are run through: by which rules, how decisions are settled, and what came up.
pub(super) struct Course<'p> {
    pub(super) program: &'p Program,
    pub(super) settlement: Rc<Settlement>,
    /// Whether nothing follows the phase.
    pub(super) alone: bool,
    /// How many runs are left.
    pub(super) left: usize,
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
            self.left = self.left.checked_sub(1).filter(|_| found.len() < MOST_WAYS).ok_or(Stuck::TooMany)?;
            track.borrow_mut().depth = 0;
            self.program.begin(state.weight());
            let walker = Walker { track: Rc::clone(track), settlement: Rc::clone(&self.settlement) };
            let run = self.program.run(state.clone(), phase, Box::new(walker), kept);
            let track = &mut *track.borrow_mut();
            if let Some(place) = run.looked_back {
                return Err(Stuck::History(place));
            }
            if let Some(stuck) = track.stuck.take() {
                return Err(stuck);
            }
            if let (Some(rating), End::Paused(ask)) = (track.rating.take(), &run.end) {
                let checkpoint = (state.clone(), phase.clone());
                let machine = Machine::paused(self.program, checkpoint, &run, ask.clone()).alone(self.alone);
                track.forks.push(self.rated(&machine, ask, rating)?);
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

    /// The options of a decision that are rated highest, equally likely.
    fn rated(&mut self, machine: &Machine<'_>, ask: &Ask, (source, span): (Arc<Source>, Span)) -> Result<Fork, Stuck> {
        let Question::Choose(decision) = &ask.question else {
            return Err(unanswered());
        };
        self.left = self.left.checked_sub(decision.options.len()).ok_or(Stuck::TooMany)?;
        let best = greatest(self.program, machine, decision, (&source, span)).map_err(Stuck::Fault)?;
        let answers = best.into_iter().map(|at| (Answer::Chosen(at), 1)).collect();
        Ok(Fork { ask: ask.clone(), kind: Kind::Mix, answers, at: 0, unseen: None })
    }
}

/// An ask that should have had an answer.
fn unanswered() -> Stuck {
    let message = "internal error: an ask was left without an answer";
    Stuck::Fault(Box::new(Diagnostic::general("not_deterministic", message)))
}
