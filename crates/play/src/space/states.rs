//! The result of a walk: the states, the edges between them, and the shortest lines of play to them.

use super::expand;
use super::store::{StateId, Store, WalkStep};
use crate::feed::once;
use crate::odds::Limit;
use crate::{Machine, Stop};
use referee_trace::{Answer, Ask};

/// The states that a walk has found.
#[derive(Debug)]
pub struct Space {
    pub(super) store: Store,
    pub(super) limit: Option<Limit>,
    pub(super) stopped: bool,
    pub(super) levels: Vec<usize>,
    /// The number of states whose successors compiled rules have found.
    pub(super) compiled: usize,
}

impl Space {
    /// Returns the number of different states.
    #[must_use]
    pub const fn states(&self) -> usize {
        self.store.states()
    }

    /// Returns the memory of the states in bytes, estimated from what is stored: the same on every machine.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.store.bytes()
    }

    /// Returns the number of states by the least number of answers that lead to them.
    #[must_use]
    pub fn levels(&self) -> &[usize] {
        &self.levels
    }

    /// Returns the limit at which the walk ended, if there are more states.
    #[must_use]
    pub const fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// Returns whether these are all states: the walk neither reached a limit nor was stopped.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.limit.is_none() && !self.stopped
    }

    /// Returns whether compiled rules have found what follows some of them.
    #[must_use]
    pub const fn is_by_compiled_rules(&self) -> bool {
        self.compiled > 0
    }

    /// Returns the states to which the answers at a state lead, in the order of the answers; [`NONE`](super::NONE) stands for an
    /// error of the rules. Empty for an end of play, for a state that was not followed, and if the walk kept no edges.
    #[must_use]
    pub fn edges(&self, id: StateId) -> &[StateId] {
        self.store.edges(id)
    }

    /// Returns the answers, by their numbers, of a shortest line of play to a state.
    #[must_use]
    pub fn path(&self, id: StateId) -> Vec<u32> {
        let back = |(before, _): &(StateId, u32)| self.store.before(*before);
        let mut path: Vec<u32> = std::iter::successors(self.store.before(id), back).map(|(_, choice)| choice).collect();
        path.reverse();
        path
    }

    /// Returns the answers, by their numbers, of a shortest line of play through a step.
    #[must_use]
    pub fn path_through(&self, step: WalkStep) -> Vec<u32> {
        match step {
            WalkStep::Start => Vec::new(),
            WalkStep::After { state, choice } => {
                let mut path = self.path(state);
                path.push(choice);
                path
            }
        }
    }
}

/// Plays these answers, given by their numbers, from the pause of a machine. Returns the machine and the asks with
/// their answers; fewer if the rules stop with an error or the game ends before the last answer.
#[must_use]
pub fn replay<'p>(machine: &Machine<'p>, path: &[u32]) -> (Machine<'p>, Vec<(Ask, Answer)>) {
    let mut machine = machine.clone();
    let mut line = Vec::new();
    for choice in path {
        let Stop::Paused(ask) = machine.stop().clone() else { break };
        let Some(answer) = expand::answer(&ask, machine.state(), *choice as usize) else { break };
        machine.go_on(&once(answer.clone()));
        line.push((ask, answer));
    }
    (machine, line)
}
