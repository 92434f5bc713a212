//! Play laid out as a graph: states at the beginnings of phases, and how chance and decisions lead from one to another.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;

use num_integer::Integer;

use super::budget::{Budget, Limit};
use super::chance::Chance;
use super::components::components;
use super::phase::{Course, Kind, Open, Stuck, Turning, Way};
use super::settlement::{Met, Settlement};
use super::trap::{self, Trap};
use super::{bounds, exact};
use crate::diagnostic::Diagnostic;
use crate::play::Machine;
use crate::play::machine::{Stop, due};
use crate::play::progress::stepped;
use crate::table::{State, StateKey};
use crate::trace::RulesPlace;

/// How many states are laid out where nothing else is said.
pub const MOST_STATES: usize = 250_000;
/// How many states may be asked for.
pub const MAX_STATES: usize = 10_000_000;
/// What an edge of the graph takes, in bytes: as it is laid out, and while components are found.
const EDGE: u64 = 24;
/// What a node takes, in bytes, at all times together.
const NODE: u64 = 256;

/// Up to where play is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// The end of so many turns, the present one included.
    Turns(u32),
    /// The end of the game.
    Game,
}

/// What is asked, besides the condition.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// Up to where.
    pub horizon: Horizon,
    /// How decisions are settled.
    pub settlement: Settlement,
    /// The most states.
    pub states: usize,
}

/// Why there are no odds.
#[derive(Clone, Debug)]
pub enum Trouble {
    /// A decision on the way is not settled.
    Open(Box<Open>),
    /// There is more of something than is looked at; so many states were met by then.
    TooMany(usize, Limit),
    /// The rules ask here what was before, which is no part of a state.
    History(RulesPlace),
    /// The rules are wrong.
    Fault(Box<Diagnostic>),
}

/// One node.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// Goes on to each of these with its weight out of the total.
    Mix { to: Vec<(usize, u64)>, total: u64 },
    /// Goes on to the likeliest of these.
    Most(Vec<usize>),
    /// Goes on to the least likely of these.
    Least(Vec<usize>),
    /// The horizon, or the end of the game: the class of what is found there.
    End(usize),
}

/// Play up to a horizon. The ends are sorted into classes by whoever asks.
#[derive(Debug)]
pub struct Graph {
    pub(super) nodes: Vec<Node>,
    /// Sets of nodes that lead to one another, those that are led to first.
    pub(super) components: Vec<Vec<usize>>,
    start: usize,
    states: usize,
    met: Met,
    trap: Option<Trap>,
}

impl Graph {
    /// A graph of these nodes.
    pub(super) fn new(nodes: Vec<Node>, start: usize, states: usize) -> Self {
        Self { components: components(&nodes), nodes, start, states, met: Met::default(), trap: None }
    }

    /// The decisions that came up, and what settled them.
    #[must_use]
    pub const fn met(&self) -> &Met {
        &self.met
    }

    /// A position from which there is no way to an end, if there is one.
    #[must_use]
    pub const fn trap(&self) -> Option<&Trap> {
        self.trap.as_ref()
    }

    /// How many different states were met, ends not counted.
    #[must_use]
    pub const fn states(&self) -> usize {
        self.states
    }

    /// The classes of the ends that were met.
    pub fn classes(&self) -> impl Iterator<Item = usize> {
        self.nodes.iter().filter_map(|node| if let Node::End(class) = node { Some(*class) } else { None })
    }

    /// From how many states there is no way to an end, though they can be come to.
    #[must_use]
    pub fn endless(&self) -> usize {
        self.closed().map(Vec::len).sum()
    }

    /// The components that nothing leads out of, and that hold no end.
    fn closed(&self) -> impl Iterator<Item = &Vec<usize>> {
        self.components.iter().filter(|nodes| {
            let members: BTreeSet<usize> = nodes.iter().copied().collect();
            nodes.iter().all(|id| match self.nodes.get(*id) {
                Some(Node::End(_)) => false,
                node => successors(node).all(|next| members.contains(&next)),
            })
        })
    }

    /// The chance to come to an end of one of these classes. Play that never ends comes to none.
    #[must_use]
    pub fn chance(&self, wanted: impl Fn(usize) -> bool) -> Chance {
        let decided = self.nodes.iter().any(|node| matches!(node, Node::Most(_) | Node::Least(_)));
        // Where there are decisions, the bounds say which way of deciding to begin with.
        let hint = decided.then(|| bounds::bounds(self, &wanted));
        let lows = hint.as_ref().map(|(lows, _)| lows.as_slice());
        if let Some(value) = exact::exact(self, &wanted, lows).and_then(|mut values| values.swap_remove(self.start)) {
            return Chance { low: value.clone(), high: value };
        }
        let (lows, highs) = hint.unwrap_or_else(|| bounds::bounds(self, &wanted));
        let at = |values: &[u64]| bounds::fraction(values.get(self.start).copied().unwrap_or(0));
        Chance { low: at(&lows), high: at(&highs) }
    }
}

/// The nodes that a node leads to.
pub(super) fn successors(node: Option<&Node>) -> impl Iterator<Item = usize> {
    let (mixed, picked): (&[(usize, u64)], &[usize]) = match node {
        Some(Node::Mix { to, .. }) => (to, &[]),
        Some(Node::Most(to) | Node::Least(to)) => (&[], to),
        Some(Node::End(_)) | None => (&[], &[]),
    };
    mixed.iter().map(|(next, _)| *next).chain(picked.iter().copied())
}

/// Lay out play from where a machine stands; `class` sorts the states at the ends.
///
/// # Errors
/// A decision is not settled, there are too many states, or the rules go wrong.
pub fn explore(
    machine: &Machine<'_>,
    inquiry: &Inquiry,
    class: &mut dyn FnMut(&State) -> Result<usize, Box<Diagnostic>>,
) -> Result<Graph, Trouble> {
    let mut explorer = Explorer {
        most: inquiry.states.min(MAX_STATES),
        class,
        alone: machine.is_alone(),
        ids: HashMap::new(),
        ends: BTreeMap::new(),
        nodes: Vec::new(),
        waiting: VecDeque::new(),
        states: 0,
    };
    let turns = match inquiry.horizon {
        Horizon::Turns(turns) => Some(turns.max(1)),
        Horizon::Game => None,
    };
    let mut course = Course {
        program: machine.program(),
        settlement: Rc::new(inquiry.settlement.clone()),
        alone: machine.is_alone(),
        budget: Budget::of(inquiry),
        met: Met::default(),
    };
    let (Stop::Paused(_), Some((first, phase))) = (machine.stop(), machine.checkpoint()) else {
        return match machine.stop() {
            Stop::Fault(wrong) => Err(Trouble::Fault(wrong.clone())),
            _ => {
                let start = explorer.end(machine.state())?;
                Ok(Graph::new(explorer.nodes, start, explorer.states))
            }
        };
    };
    // Equal states are one here, however play came to them: what was before must not matter.
    let mut first = first.clone();
    first.forget_history();
    let start = explorer.reserve(true)?;
    let found = course.ways((&first, phase), machine.given(), false);
    explorer.expand(start, &mut course.budget, found, turns)?;
    while let Some((id, mut state, turns)) = explorer.waiting.pop_front() {
        course.budget.free(state.bytes());
        let phase = due(&mut state);
        let found = course.ways((&state, &phase), &[], false);
        explorer.expand(id, &mut course.budget, found, turns)?;
    }
    let mut graph = Graph::new(std::mem::take(&mut explorer.nodes), start, explorer.states);
    // The way to an example is found on a budget of its own.
    course.budget = Budget::of(inquiry);
    let closed: BTreeSet<usize> = graph.closed().flatten().copied().collect();
    graph.trap = trap::find(&graph.nodes, &explorer.ids, &closed, start)
        .and_then(|path| trap::walk(&mut course, (first, phase.clone()), machine.given(), turns, &path));
    graph.met = course.met;
    Ok(graph)
}

/// The turns that are left, if they are counted.
pub(super) type Turns = Option<u32>;

/// What tells a state from others: its key, and how many turns are left.
pub(super) type Place = (StateKey, Turns);

/// The turns that are left behind a way.
pub(super) fn turns_behind(way: &Way, turns: Turns) -> Turns {
    let ended = way.state.agenda.is_empty();
    if ended { turns.map(|turns| turns.saturating_sub(1)) } else { turns }
}

/// The state behind a way with the phase that is next on its agenda.
pub(super) fn next_state(way: &Way) -> State {
    let mut state = way.state.clone();
    let phase = due(&mut state);
    state.agenda.push(phase);
    state
}

struct Explorer<'e> {
    /// The most states.
    most: usize,
    class: &'e mut dyn FnMut(&State) -> Result<usize, Box<Diagnostic>>,
    /// Whether nothing follows the phase at the start.
    alone: bool,
    ids: HashMap<Place, usize>,
    ends: BTreeMap<usize, usize>,
    nodes: Vec<Node>,
    /// States whose node is still to be filled.
    waiting: VecDeque<(usize, State, Turns)>,
    states: usize,
}

/// Where ways lead, with weights.
struct Spread {
    to: BTreeMap<usize, u64>,
    total: u64,
}

impl Explorer<'_> {
    /// A node to be filled.
    fn reserve(&mut self, is_state: bool) -> Result<usize, Trouble> {
        if is_state {
            self.states += 1;
            stepped(1);
            if self.states > self.most {
                return Err(Trouble::TooMany(self.most, Limit::States));
            }
        }
        self.nodes.push(Node::End(usize::MAX));
        Ok(self.nodes.len() - 1)
    }

    fn end(&mut self, state: &State) -> Result<usize, Trouble> {
        let class = (self.class)(state).map_err(Trouble::Fault)?;
        let nodes = &mut self.nodes;
        Ok(*self.ends.entry(class).or_insert_with(|| {
            nodes.push(Node::End(class));
            nodes.len() - 1
        }))
    }

    /// The node behind a way.
    fn behind(&mut self, way: &Way, turns: Turns, budget: &mut Budget) -> Result<usize, Trouble> {
        let turns = turns_behind(way, turns);
        if way.over || self.alone || turns == Some(0) {
            return self.end(&way.state);
        }
        let state = next_state(way);
        let key = (state.key(), turns);
        if let Some(id) = self.ids.get(&key) {
            return Ok(*id);
        }
        let id = self.reserve(true)?;
        // Its key, and the state until its turn comes.
        self.within(budget.keep(2 * state.bytes() + NODE))?;
        self.ids.insert(key, id);
        self.waiting.push_back((id, state, turns));
        Ok(id)
    }

    /// Fill a node with the ways through its phase.
    fn expand(
        &mut self,
        id: usize,
        budget: &mut Budget,
        found: Result<Vec<Way>, Stuck>,
        turns: Turns,
    ) -> Result<(), Trouble> {
        let found = self.within(found)?;
        let nodes = self.nodes.len();
        let mut leaves = Vec::with_capacity(found.len());
        for way in found {
            let target = self.behind(&way, turns, budget)?;
            budget.free(way.state.bytes());
            leaves.push((way.turnings, target));
        }
        let Spread { to, total } = self.spread(&leaves, 0)?;
        let edges =
            to.len() + self.nodes.get(nodes..).into_iter().flatten().flat_map(|node| successors(Some(node))).count();
        self.within(budget.keep(edges as u64 * EDGE))?;
        let node = Node::Mix { to: to.into_iter().collect(), total };
        if let Some(slot) = self.nodes.get_mut(id) {
            *slot = node;
        }
        Ok(())
    }

    fn within<T>(&self, found: Result<T, Stuck>) -> Result<T, Trouble> {
        found.map_err(|stuck| match stuck {
            Stuck::Open(open) => Trouble::Open(open),
            Stuck::History(place) => Trouble::History(place),
            Stuck::TooMany(limit) => Trouble::TooMany(self.states, limit),
            Stuck::Fault(wrong) => Trouble::Fault(wrong),
        })
    }

    /// What comes of ways that are alike up to `depth`.
    fn spread(&mut self, leaves: &[(Vec<Turning>, usize)], depth: usize) -> Result<Spread, Trouble> {
        let Some((first, target)) = leaves.first().map(|leaf| (leaf.0.get(depth), leaf.1)) else {
            return Ok(Spread { to: BTreeMap::new(), total: 1 });
        };
        let Some(first) = first else { return Ok(Spread { to: BTreeMap::from([(target, 1)]), total: 1 }) };
        let choice = |leaf: &(Vec<Turning>, usize)| leaf.0.get(depth).map(|turning| turning.choice);
        let alike = |one: &(Vec<Turning>, usize), other: &(Vec<Turning>, usize)| choice(one) == choice(other);
        let mut parts = Vec::new();
        for group in leaves.chunk_by(alike) {
            let weight = group.first().and_then(|leaf| leaf.0.get(depth)).map_or(1, |turning| turning.weight);
            parts.push((weight, self.spread(group, depth + 1)?));
        }
        if first.kind == Kind::Mix {
            return mixed(&parts).ok_or(Trouble::TooMany(self.states, Limit::Phase));
        }
        let mut options = Vec::new();
        for (_, part) in parts {
            let option = match part.to.first_key_value() {
                Some((only, _)) if part.to.len() == 1 => *only,
                _ => {
                    let id = self.reserve(false)?;
                    let node = Node::Mix { to: part.to.into_iter().collect(), total: part.total };
                    if let Some(slot) = self.nodes.get_mut(id) {
                        *slot = node;
                    }
                    id
                }
            };
            if !options.contains(&option) {
                options.push(option);
            }
        }
        let id = match options.as_slice() {
            // Where every option comes to the same, it does not matter what whoever decides cannot see.
            [only] => *only,
            _ => {
                if let Some(open) = &first.unseen {
                    return Err(Trouble::Open(Box::new((**open).clone())));
                }
                self.nodes.push(if first.kind == Kind::Most { Node::Most(options) } else { Node::Least(options) });
                self.nodes.len() - 1
            }
        };
        Ok(Spread { to: BTreeMap::from([(id, 1)]), total: 1 })
    }
}

/// Spreads put together with their weights, in smallest numbers; nothing where these are too large.
fn mixed(parts: &[(u64, Spread)]) -> Option<Spread> {
    let mut common: u64 = 1;
    let mut all: u64 = 0;
    for (weight, part) in parts {
        let more = part.total / common.gcd(&part.total);
        common = common.checked_mul(more)?;
        all = all.checked_add(*weight)?;
    }
    let mut to: BTreeMap<usize, u64> = BTreeMap::new();
    for (weight, part) in parts {
        let factor = weight.checked_mul(common / part.total)?;
        for (target, share) in &part.to {
            let slot = to.entry(*target).or_default();
            *slot = slot.checked_add(share.checked_mul(factor)?)?;
        }
    }
    let total = all.checked_mul(common)?;
    let divisor = to.values().fold(total, |divisor, weight| divisor.gcd(weight));
    to.values_mut().for_each(|weight| *weight /= divisor);
    Some(Spread { to, total: total / divisor })
}
