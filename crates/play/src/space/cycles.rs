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
        let ring = |id: StateId| rings.get(at(id));
        let starts = self.ids().filter(|id| ring(*id).is_some_and(|ring| *ring != NONE));
        let is_open = |start, to| ring(start) == ring(to);
        self.shortest_round(starts, |start, to| start == to, is_open, u64::MAX).0
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
        let position = |id: StateId| positions.get(at(id));
        let may_start = |id: &StateId| {
            let others = position(*id).and_then(|first| sizes.get(at(*first))).is_some_and(|size| *size > 1);
            others || rings.get(at(*id)).is_some_and(|ring| *ring != NONE)
        };
        let is_back = |start, to| position(start) == position(to);
        self.shortest_round(self.ids().filter(may_start), is_back, |_, _| true, MOST_WORK)
    }

    /// Returns a shortest line of play from one of these states to one that `is_back` takes for it, and whether the search was
    /// completed within `work` edges. It leads through states for which `is_open` holds; both are given the start first.
    fn shortest_round(
        &self,
        starts: impl Iterator<Item = StateId>,
        is_back: impl Fn(StateId, StateId) -> bool,
        is_open: impl Fn(StateId, StateId) -> bool,
        work: u64,
    ) -> (Option<Cycle>, bool) {
        let reached = vec![(NONE, 0, 0); self.store.len()];
        let mut search = Search { is_back, is_open, reached, waiting: VecDeque::new(), work };
        let mut best: Option<(StateId, Vec<u32>)> = None;
        for id in starts {
            let most = best.as_ref().map_or(usize::MAX, |(_, round)| round.len() - 1);
            if let Some(round) = search.round(self, id, most) {
                best = Some((id, round));
            }
        }
        (best.map(|(state, round)| Cycle { state, path: self.path(state), round }), search.work > 0)
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

/// A search for the shortest way from a state back to it, breadth first.
struct Search<B, O> {
    is_back: B,
    is_open: O,
    /// For each state the start of the last search that reached it, and how: from which state, and by which answer.
    reached: Vec<(StateId, StateId, u32)>,
    waiting: VecDeque<(StateId, usize)>,
    /// How many edges it may still follow.
    work: u64,
}

impl<B: Fn(StateId, StateId) -> bool, O: Fn(StateId, StateId) -> bool> Search<B, O> {
    /// Returns the answers of a shortest way back to a state, if it has at most `most` answers.
    fn round(&mut self, space: &Space, start: StateId, most: usize) -> Option<Vec<u32>> {
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
                if (self.is_back)(start, *to) {
                    return Some(self.back(start, id, choice));
                }
                let is_open = (self.is_open)(start, *to);
                if let Some(slot) = self.reached.get_mut(at(*to)).filter(|(by, _, _)| is_open && *by != start) {
                    *slot = (start, id, choice);
                    self.waiting.push_back((*to, length + 1));
                }
            }
        }
        None
    }

    /// Returns the answers from a start to a state, and the last one.
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
