//! Cycles: positions that play can come back to.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::states::Space;
use super::store::{Kind, NONE, StateId, at};
use crate::components::each_component;
use referee_diagnostic::MustBe as _;
use referee_table::{State, Table};

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

    /// Returns a shortest line of play that comes back to a position, where two states may be one position: they differ in clocks, the
    /// numbers of turns and rounds, and who had the last turn. Also returns whether the search was completed within its limit of
    /// work. Needs the edges of the walk, which was made at this table and without symmetries.
    #[must_use]
    pub fn shortest_cycle_of_positions(&self, table: &Arc<Table>) -> (Option<Cycle>, bool) {
        let mut known: HashMap<Vec<u8>, StateId> = HashMap::new();
        let mut sizes = vec![0_u32; self.store.len()];
        let mut positions: Vec<StateId> = Vec::with_capacity(self.store.len());
        for id in self.ids() {
            let mut key = vec![self.store.kind(id).byte()];
            // In the middle of a phase a position is all that decides how it goes on.
            match self.store.kind(id) {
                Kind::Opening => match State::decoded(table, self.store.encoded(id)) {
                    Some(state) => state.encode_position(&mut key),
                    None => key.extend_from_slice(self.store.encoded(id)),
                },
                Kind::Inner | Kind::End => key.extend_from_slice(self.store.encoded(id)),
            }
            let first = *known.entry(key).or_insert(id);
            sizes.get_mut(at(first)).into_iter().for_each(|size| *size += 1);
            positions.push(first);
        }
        let rings = self.rings();
        let mut search = PositionSearch {
            positions: &positions,
            reached: vec![(NONE, 0, 0); positions.len()],
            waiting: VecDeque::new(),
            work: MOST_WORK,
        };
        let mut best: Option<(StateId, Vec<u32>)> = None;
        let is_open = |id: &StateId| {
            let others = positions.get(at(*id)).and_then(|first| sizes.get(at(*first))).is_some_and(|size| *size > 1);
            others || rings.get(at(*id)).is_some_and(|ring| *ring != NONE)
        };
        for id in self.ids().filter(is_open) {
            let most = best.as_ref().map_or(usize::MAX, |(_, round)| round.len() - 1);
            if let Some(round) = search.round(self, id, most) {
                best = Some((id, round));
            }
        }
        let is_whole = search.work > 0;
        (best.map(|(state, round)| Cycle { state, path: self.path(state), round }), is_whole)
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

/// How many edges a search for a cycle of positions may follow.
const MOST_WORK: u64 = 50_000_000;

/// A search for the shortest way from a state to one in the same position, breadth first.
struct PositionSearch<'r> {
    /// For each state the first one in the same position.
    positions: &'r [StateId],
    /// As in [`Search`].
    reached: Vec<(StateId, StateId, u32)>,
    waiting: VecDeque<(StateId, usize)>,
    /// How many edges it may still follow.
    work: u64,
}

impl PositionSearch<'_> {
    fn round(&mut self, space: &Space, start: StateId, most: usize) -> Option<Vec<u32>> {
        let position = self.positions.get(at(start)).copied()?;
        self.waiting.clear();
        self.waiting.push_back((start, 0));
        while let Some((id, length)) = self.waiting.pop_front() {
            if length >= most {
                return None;
            }
            for (choice, to) in (0..).zip(space.edges(id)) {
                self.work = self.work.checked_sub(1)?;
                if *to == NONE {
                    continue;
                }
                if self.positions.get(at(*to)) == Some(&position) {
                    return Some(back(&self.reached, start, id, choice));
                }
                if let Some(slot) = self.reached.get_mut(at(*to)).filter(|(by, _, _)| *by != start) {
                    *slot = (start, id, choice);
                    self.waiting.push_back((*to, length + 1));
                }
            }
        }
        None
    }
}

/// Returns the answers from a start to a state, and the last one, as a search has reached the states.
fn back(reached: &[(StateId, StateId, u32)], start: StateId, mut id: StateId, last: u32) -> Vec<u32> {
    let mut round = vec![last];
    while id != start {
        let Some((_, before, choice)) = reached.get(at(id)).noted("a state of a cycle") else { break };
        round.push(*choice);
        id = *before;
    }
    round.reverse();
    round
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
                    return Some(back(&self.reached, start, id, choice));
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
}
