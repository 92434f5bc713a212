//! Finds an example of a position from which play cannot end, and a shortest line of play to it.

use std::collections::{HashMap, VecDeque};

use super::course::{Course, Fork, Stuck};
use super::graph::{Line, Node, Trap, successors};
use super::place::{Place, place_between, place_of_pause};
use crate::points::{Pause, Stand, Turns, put_next, turns_after};
use referee_trace::{Answer, Ask};

/// Returns the nodes on a shortest path from the start to a wanted node.
pub(super) fn find(nodes: &[Node], wanted: impl Fn(&usize) -> bool, start: usize) -> Option<Vec<usize>> {
    let mut before: HashMap<usize, usize> = HashMap::from([(start, start)]);
    let mut waiting = VecDeque::from([start]);
    let mut target = None;
    while let Some(id) = waiting.pop_front() {
        if wanted(&id) {
            target = Some(id);
            break;
        }
        for next in successors(nodes.get(id)) {
            before.entry(next).or_insert_with(|| {
                waiting.push_back(next);
                id
            });
        }
    }
    let back = |id: &usize| before.get(id).copied().filter(|_| *id != start);
    let mut path: Vec<usize> = std::iter::successors(target, back).take_while(|id| *id != start).collect();
    path.reverse();
    Some(path).filter(|_| target.is_some())
}

/// Plays along these nodes from a pause.
pub(super) fn walk(
    course: &mut Course<'_>,
    ids: &HashMap<Place, usize>,
    start: Pause,
    turns: Turns,
    path: &[usize],
) -> Option<Trap> {
    let mut walk = Walk { stand: Stand::Asks(Box::new(start)), turns, line: vec![Vec::new()] };
    for wanted in path {
        walk = walk.step(course, ids, *wanted).ok()??;
    }
    let within_turn = matches!(walk.stand, Stand::Asks(_));
    let state = match walk.stand {
        Stand::Between(state, _) | Stand::Over(state) => *state,
        Stand::Asks(pause) => pause.state,
    };
    Some(Trap { state, line: walk.line.into_iter().filter(|phase| !phase.is_empty()).collect(), within_turn })
}

/// The state of a walk.
#[derive(Clone)]
struct Walk {
    stand: Stand,
    turns: Turns,
    line: Line,
}

impl Walk {
    /// Follows asks with a single answer, and returns the answers to the next ask.
    fn follow(&mut self, course: &mut Course<'_>) -> Result<Option<Fork>, Stuck> {
        let mut noted = Vec::new();
        let (stand, fork) = course.follow(self.stand.clone(), &mut noted)?;
        self.stand = stand;
        noted.into_iter().for_each(|asked| self.note(asked));
        Ok(fork)
    }

    fn note(&mut self, asked: (Ask, Answer)) {
        if let Some(phase) = self.line.last_mut() {
            phase.push(asked);
        }
    }

    /// Returns the walk, ready to continue, if it is at this node.
    fn arrived(mut self, ids: &HashMap<Place, usize>, wanted: usize) -> Option<Self> {
        let place = match &mut self.stand {
            Stand::Over(_) => return None,
            Stand::Asks(pause) => place_of_pause(pause, self.turns),
            Stand::Between(state, segment) => {
                self.turns = turns_after(state, self.turns);
                put_next(state);
                place_between(state, segment.as_deref(), self.turns)
            }
        };
        (ids.get(&place) == Some(&wanted)).then_some(self)
    }

    /// Continues to a node, if one of the answers leads there.
    fn step(
        mut self,
        course: &mut Course<'_>,
        ids: &HashMap<Place, usize>,
        wanted: usize,
    ) -> Result<Option<Self>, Stuck> {
        if let Stand::Between(state, segment) = self.stand {
            self.stand = course.begin(*state, segment)?;
            self.line.push(Vec::new());
        }
        let fork = self.follow(course)?;
        let (Stand::Asks(pause), Some(fork)) = (&self.stand, fork) else { return Ok(self.arrived(ids, wanted)) };
        for (answer, _) in &fork.answers {
            let mut next = self.clone();
            next.note((pause.ask.clone(), answer.clone()));
            next.stand = course.answer(pause, answer)?;
            next.follow(course)?;
            if let Some(arrived) = next.arrived(ids, wanted) {
                return Ok(Some(arrived));
            }
        }
        Ok(None)
    }
}
