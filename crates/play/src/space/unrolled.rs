//! Real lines of play for cycles up to the symmetries of a game.
//!
//! A cycle of a space with symmetries returns to an image of its first state. Played again and again, it returns to such
//! images only. There are at most as many as symmetries, so one of them returns itself.

use super::cycles::Cycle;
use super::expand::{Beyond, Expander, Post, Setting};
use super::states::Space;
use super::store::{Kind, NONE, StateId};
use crate::Machine;
use crate::points::{Pause, Stand, put_next};
use referee_rules::SILENT_PHASES;
use referee_table::{Images, Symmetry};

/// The most answers that are tried for one round of a cycle.
const TRIES: usize = 1_000_000;

/// A line of play that comes back to a position; answers are given by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unrolled {
    /// The answers that lead to the position.
    pub path: Vec<u32>,
    /// The answers from the position back to it.
    pub round: Vec<u32>,
}

/// Returns a cycle of real play for a shortest cycle of a space that was found with these symmetries from the pause of a machine.
/// Returns `None` if there is no cycle, or if its turns have too many answers to try them.
#[must_use]
pub fn unrolled(machine: &Machine<'_>, space: &Space, symmetries: &[Symmetry]) -> Option<Unrolled> {
    let cycle = space.shortest_cycle()?;
    let parts = match parts(space, &cycle) {
        Parts::Inner => return Some(Unrolled { path: cycle.path, round: cycle.round }),
        Parts::Openings(parts) => parts,
    };
    let first = Pause::of(machine).map(|mut first| {
        first.state.forget_history();
        first.segment = None;
        first
    });
    let table = machine.state().table.clone();
    let symmetries = Images::new(&table.board, symmetries);
    let setting = Setting { table, alone: machine.is_alone(), symmetries };
    let expander = Expander { program: machine.program(), setting: &setting, look: None, first: first.as_ref() };
    let start = parts.last()?.to;
    let state = setting.state(space.store.encoded(start), space.store.turned(start))?;
    let mut place = Place { post: expander.restored(&space.store, start).ok()?, state: state.encoded() };
    let mut path = space.path(start);
    let mut passed = vec![(place.state.clone(), path.len())];
    let mut tries = TRIES;
    // Those that are one by a symmetry are at most one more than there are symmetries.
    for _ in 0..=setting.symmetries.len() {
        for part in &parts {
            let to = space.store.encoded(part.to);
            let mut search = Search { expander: &expander, to, tries: &mut tries };
            place = search.find(&place.post, part.answers, &mut path)?;
        }
        if let Some((_, before)) = passed.iter().find(|(other, _)| *other == place.state) {
            let round = path.split_off(*before);
            return Some(Unrolled { path, round });
        }
        passed.push((place.state.clone(), path.len()));
    }
    None
}

/// The first ask of a phase, and the encoded state at the beginning of the phase.
struct Place {
    post: Post,
    state: Vec<u8>,
}

/// The continuation after an answer.
enum On {
    /// A later ask of the same phase.
    Inner(Post),
    /// The next phase that asks, and the key of its beginning.
    Opening(Place, Vec<u8>),
}

/// A search for the answers that lead to the beginning of a phase with this key.
struct Search<'s> {
    expander: &'s Expander<'s>,
    to: &'s [u8],
    /// The number of answers that may still be tried.
    tries: &'s mut usize,
}

impl Search<'_> {
    /// Adds `count` answers to `path` that lead there.
    fn find(&mut self, post: &Post, count: usize, path: &mut Vec<u32>) -> Option<Place> {
        for choice in 0..u32::try_from(post.answers().ok()?).ok()? {
            *self.tries = self.tries.checked_sub(1)?;
            path.push(choice);
            let next = self.expander.answered(post, choice as usize).ok().and_then(|stand| self.next(stand));
            let found = match next {
                Some(On::Opening(place, key)) if count == 1 && key == self.to => Some(place),
                Some(On::Inner(next)) if count > 1 => self.find(&next, count - 1, path),
                _ => None,
            };
            if found.is_some() {
                return found;
            }
            path.pop();
        }
        None
    }

    /// Runs on to the next ask. Returns `None` if play ends before.
    fn next(&self, mut stand: Stand) -> Option<On> {
        let setting = self.expander.setting;
        for _ in 0..SILENT_PHASES {
            let mut state = match stand {
                Stand::Asks(pause) => return Some(On::Inner(Post::Asks(pause))),
                Stand::Between(state, _) if !setting.alone => state,
                Stand::Between(_, _) | Stand::Over(_) => return None,
            };
            put_next(&mut state);
            let mut key = Vec::new();
            setting.key(Kind::Opening, &state, &mut key);
            let key = key.split_off(1);
            let own = state.encoded();
            match self.expander.open(state).ok()? {
                Beyond::Asks(post) => return Some(On::Opening(Place { post, state: own }, key)),
                Beyond::Goes(next) => stand = *next,
            }
        }
        None
    }
}

/// A part of a cycle, from the beginning of a phase to the next one.
struct Part {
    /// The number of its answers.
    answers: usize,
    /// The state to which it leads.
    to: StateId,
}

/// The parts of a cycle.
enum Parts {
    /// None: the whole cycle is within one phase.
    Inner,
    /// The parts, one after the other; the last one leads to where the first begins.
    Openings(Vec<Part>),
}

/// Divides a cycle at the beginnings of phases.
fn parts(space: &Space, cycle: &Cycle) -> Parts {
    let next = |id: StateId, choice: &u32| space.edges(id).get(*choice as usize).copied().unwrap_or(NONE);
    let states = cycle.round.iter().scan(cycle.state, |at, choice| {
        *at = next(*at, choice);
        Some(*at)
    });
    let states: Vec<StateId> = states.collect();
    let is_opening = |id: &StateId| space.store.kind(*id) == Kind::Opening;
    let Some(first) = states.iter().position(is_opening) else { return Parts::Inner };
    let (before, after) = states.split_at(first + 1);
    let mut parts = Vec::new();
    let mut answers = 0;
    for id in after.iter().chain(before) {
        answers += 1;
        if is_opening(id) {
            parts.push(Part { answers, to: *id });
            answers = 0;
        }
    }
    Parts::Openings(parts)
}
