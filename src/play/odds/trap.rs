//! A position from which play cannot come to an end, as an example, and the shortest line of play to it.

use std::collections::{BTreeSet, HashMap, VecDeque};

use super::explore::{Node, Place, Turns, next_state, successors, turns_behind};
use super::phase::Course;
use crate::play::machine::due;
use crate::table::{Phase, State};
use crate::trace::{Answer, Ask};

/// A position from which there is no way to an end.
#[derive(Clone, Debug)]
pub struct Trap {
    /// The position: of all such the one with the smallest key.
    pub state: State,
    /// The answers of a shortest line to it, phase by phase.
    pub line: Vec<Vec<(Ask, Answer)>>,
}

/// The states on a shortest way from the start to the smallest of those that are closed.
pub(super) fn find<'k>(
    nodes: &[Node],
    ids: &'k HashMap<Place, usize>,
    closed: &BTreeSet<usize>,
    start: usize,
) -> Option<Vec<&'k Place>> {
    let target = ids.iter().filter(|(_, id)| closed.contains(id)).min_by_key(|(place, _)| *place)?;
    let mut before: HashMap<usize, usize> = HashMap::from([(start, start)]);
    let mut waiting = VecDeque::from([start]);
    while let Some(id) = waiting.pop_front() {
        for next in successors(nodes.get(id)) {
            before.entry(next).or_insert_with(|| {
                waiting.push_back(next);
                id
            });
        }
    }
    let back = |id: &usize| before.get(id).copied().filter(|_| *id != start);
    let path: HashMap<usize, usize> =
        std::iter::successors(Some(*target.1), back).enumerate().map(|(steps, id)| (id, steps)).collect();
    let mut states: Vec<(usize, &Place)> = ids.iter().filter_map(|(place, id)| Some((*path.get(id)?, place))).collect();
    states.sort_unstable_by_key(|(steps, _)| std::cmp::Reverse(*steps));
    Some(states.into_iter().map(|(_, place)| place).collect())
}

/// Play along these states from the phase at the start on, of which the first answers are `given`.
pub(super) fn walk(
    course: &mut Course<'_>,
    (mut state, mut phase): (State, Phase),
    given: &[(Ask, Answer)],
    mut turns: Turns,
    path: &[&Place],
) -> Option<Trap> {
    let mut line = Vec::new();
    let mut given = given.to_vec();
    for (key, left) in path {
        let found = course.ways((&state, &phase), &given, true).ok()?;
        let way = found
            .into_iter()
            .find(|way| !way.over && turns_behind(way, turns) == *left && next_state(way).key() == *key)?;
        state = next_state(&way);
        turns = *left;
        line.push(way.answers.into_iter().skip(given.len()).collect());
        given.clear();
        if line.len() < path.len() {
            phase = due(&mut state);
        }
    }
    Some(Trap { state, line })
}
