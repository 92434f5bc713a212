//! Cycles: positions that play can come back to.

use std::collections::VecDeque;

use super::states::Space;
use super::store::{NONE, StateId, at};
use crate::components::each_component;
use referee_diagnostic::MustBe as _;

/// A line of play that comes back to a position; answers are given by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The position.
    pub state: StateId,
    /// A shortest line of play to the position.
    pub path: Vec<u32>,
    /// The answers from the position back to it.
    pub round: Vec<u32>,
}

impl Space {
    /// Returns a shortest cycle: one with the fewest answers; of these one that the fewest answers lead to. Needs the
    /// edges of the walk. If the walk ended at a limit, it is a shortest one among the states that were followed.
    #[must_use]
    pub fn shortest_cycle(&self) -> Option<Cycle> {
        let rings = self.rings();
        let mut search = Search { rings: &rings, reached: vec![(NONE, 0, 0); rings.len()], waiting: VecDeque::new() };
        let mut best: Option<(StateId, Vec<u32>)> = None;
        for id in self.ids().filter(|id| rings.get(at(*id)).is_some_and(|ring| *ring != NONE)) {
            let most = best.as_ref().map_or(usize::MAX, |(_, round)| round.len() - 1);
            if let Some(round) = search.round(self, id, most) {
                best = Some((id, round));
            }
        }
        best.map(|(state, round)| Cycle { state, path: self.path(state), round })
    }

    /// Returns the number of states on cycles.
    #[must_use]
    pub fn on_cycles(&self) -> usize {
        self.rings().into_iter().filter(|ring| *ring != NONE).count()
    }

    fn ids(&self) -> impl Iterator<Item = StateId> + use<> {
        0..StateId::try_from(self.store.len()).unwrap_or(NONE)
    }

    /// Returns for each state the first state of its component; [`NONE`] for a state on no cycle.
    fn rings(&self) -> Vec<StateId> {
        let number = |id: usize| StateId::try_from(id).unwrap_or(NONE);
        let mut rings = vec![NONE; self.store.len()];
        let next = |id: usize| self.edges(number(id)).iter().filter(|to| **to != NONE).map(|to| at(*to));
        each_component(self.store.len(), next, |component| {
            let single = |only: usize| next(only).any(|to| to == only);
            if component.len() > 1 || component.first().is_some_and(|only| single(*only)) {
                let first = component.iter().copied().min().map_or(NONE, number);
                for id in component {
                    if let Some(slot) = rings.get_mut(*id).noted("a state of a component") {
                        *slot = first;
                    }
                }
            }
        });
        rings
    }
}

/// A search for the shortest way from a state back to it, breadth first within its component.
struct Search<'r> {
    rings: &'r [StateId],
    /// For each state the start of the last search that reached it, and how: from which state, and by which answer.
    reached: Vec<(StateId, StateId, u32)>,
    waiting: VecDeque<(StateId, usize)>,
}

impl Search<'_> {
    /// Returns the answers of a shortest way back to a state, if it has at most `most` answers.
    fn round(&mut self, space: &Space, start: StateId, most: usize) -> Option<Vec<u32>> {
        let ring = self.rings.get(at(start)).copied()?;
        self.waiting.clear();
        self.waiting.push_back((start, 0));
        while let Some((id, length)) = self.waiting.pop_front() {
            if length >= most {
                return None;
            }
            for (choice, to) in (0..).zip(space.edges(id)) {
                if *to == start {
                    return Some(self.back(start, id, choice));
                }
                let is_open = self.rings.get(at(*to)) == Some(&ring);
                if let Some(slot) = self.reached.get_mut(at(*to)).filter(|(by, _, _)| is_open && *by != start) {
                    *slot = (start, id, choice);
                    self.waiting.push_back((*to, length + 1));
                }
            }
        }
        None
    }

    /// Returns the answers from the start to a state, and the last one.
    fn back(&self, start: StateId, mut id: StateId, last: u32) -> Vec<u32> {
        let mut round = vec![last];
        while id != start {
            let Some((_, before, choice)) = self.reached.get(at(id)).noted("a state of a cycle") else { break };
            round.push(*choice);
            id = *before;
        }
        round.reverse();
        round
    }
}
