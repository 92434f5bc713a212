//! Every way through one phase.
//!
//! The phase is run once for each way: the answers of the last run are repeated up to the last ask that has another
//! answer left, which is given then, and from there on each ask has its first.

use std::cell::RefCell;
use std::rc::Rc;

use super::settlement::Settlement;
use crate::diagnostic::Diagnostic;
use crate::rules::{Answers, End, Keep, Program, Reply};
use crate::table::{Phase, State};
use crate::trace::{Answer, Ask};

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

/// One answer on a way: what is made of the answers there, which one it is, and its weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turning {
    pub(super) kind: Kind,
    pub(super) choice: usize,
    pub(super) weight: u64,
}

/// A way through a phase.
pub(super) struct Way {
    pub(super) turnings: Vec<Turning>,
    /// The state behind it.
    pub(super) state: State,
    /// Whether the game ended.
    pub(super) over: bool,
}

/// Why there is no list of all ways.
pub(super) enum Stuck {
    /// A decision is not settled.
    Open(Ask),
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
}

/// The asks on the way that is tried.
#[derive(Default)]
struct Track {
    forks: Vec<Fork>,
    /// How many have been asked in this run.
    depth: usize,
    stuck: Option<Stuck>,
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
            let Some((kind, answers)) = self.settlement.ways(ask, state) else {
                track.stuck = Some(Stuck::Open(ask.clone()));
                return Reply::Refuse;
            };
            if answers.is_empty() {
                track.stuck = Some(Stuck::TooMany);
                return Reply::Refuse;
            }
            track.forks.push(Fork { ask: ask.clone(), kind, answers, at: 0 });
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

/// Every way through a phase that begins at `state`, behind the answers `given`; `left` counts the runs down.
pub(super) fn ways(
    program: &Program,
    settlement: &Rc<Settlement>,
    (state, phase): (&State, &Phase),
    given: &[(Ask, Answer)],
    left: &mut usize,
) -> Result<Vec<Way>, Stuck> {
    let given = given.iter().map(|(ask, answer)| Fork {
        ask: ask.clone(),
        kind: Kind::Mix,
        answers: vec![(answer.clone(), 1)],
        at: 0,
    });
    let track = Rc::new(RefCell::new(Track { forks: given.collect(), ..Track::default() }));
    let mut found = Vec::new();
    loop {
        *left = left.checked_sub(1).filter(|_| found.len() < MOST_WAYS).ok_or(Stuck::TooMany)?;
        track.borrow_mut().depth = 0;
        program.begin(state.weight());
        let walker = Walker { track: Rc::clone(&track), settlement: Rc::clone(settlement) };
        let run = program.run(state.clone(), phase, Box::new(walker), Keep::default());
        let track = &mut *track.borrow_mut();
        if let Some(stuck) = track.stuck.take() {
            return Err(stuck);
        }
        let over = match run.end {
            End::Returned => false,
            End::Over => true,
            End::Fault(wrong) => return Err(Stuck::Fault(wrong)),
            End::Paused(ask) | End::Refused(ask) => return Err(Stuck::Open(ask)),
        };
        let turning = |fork: &Fork| {
            let weight = fork.answers.get(fork.at).map_or(0, |(_, weight)| *weight);
            Turning { kind: fork.kind, choice: fork.at, weight }
        };
        found.push(Way { turnings: track.forks.iter().map(turning).collect(), state: run.state, over });
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
