//! Play as a graph: what leads to what, by chance or by a decision.

use std::collections::BTreeSet;

use super::components::components;
use super::settlement::Met;
use crate::table::State;
use crate::trace::{Answer, Ask};

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
    pub(super) start: usize,
    pub(super) states: usize,
    /// From how many states there is no way to an end.
    pub(super) endless: usize,
    pub(super) met: Met,
    pub(super) trap: Option<Trap>,
}

/// Returns the nodes that a node leads to.
pub(super) fn successors(node: Option<&Node>) -> impl Iterator<Item = usize> {
    let (mixed, picked): (&[(usize, u64)], &[usize]) = match node {
        Some(Node::Mix { to, .. }) => (to, &[]),
        Some(Node::Most(to) | Node::Least(to)) => (&[], to),
        Some(Node::End(_)) | None => (&[], &[]),
    };
    mixed.iter().map(|(next, _)| *next).chain(picked.iter().copied())
}

impl Graph {
    /// Returns a graph of these nodes.
    pub(super) fn new(nodes: Vec<Node>, start: usize, states: usize) -> Self {
        let graph = Self {
            components: components(nodes.len(), |id| successors(nodes.get(id)).collect()),
            nodes,
            start,
            states,
            endless: 0,
            met: Met::default(),
            trap: None,
        };
        Self { endless: graph.closed().map(Vec::len).sum(), ..graph }
    }

    /// Returns the decisions that came up, and what settled them.
    #[must_use]
    pub const fn met(&self) -> &Met {
        &self.met
    }

    /// Returns a position from which there is no way to an end, if there is one.
    #[must_use]
    pub const fn trap(&self) -> Option<&Trap> {
        self.trap.as_ref()
    }

    /// Returns how many different states were met, ends not counted.
    #[must_use]
    pub const fn states(&self) -> usize {
        self.states
    }

    /// Returns the classes of the ends that were met.
    pub fn classes(&self) -> impl Iterator<Item = usize> {
        self.nodes.iter().filter_map(|node| if let Node::End(class) = node { Some(*class) } else { None })
    }

    /// From how many states there is no way to an end, though they can be come to.
    #[must_use]
    pub const fn endless(&self) -> usize {
        self.endless
    }

    /// Returns the components that nothing leads out of, and that hold no end.
    pub(super) fn closed(&self) -> impl Iterator<Item = &Vec<usize>> {
        self.components.iter().filter(|nodes| {
            let sorted: BTreeSet<usize>;
            let is_member: &dyn Fn(usize) -> bool = match nodes.as_slice() {
                [only] => &|next| next == *only,
                nodes => {
                    sorted = nodes.iter().copied().collect();
                    &|next| sorted.contains(&next)
                }
            };
            nodes.iter().all(|id| match self.nodes.get(*id) {
                Some(Node::End(_)) => false,
                node => successors(node).all(is_member),
            })
        })
    }
}

/// The asks of a line of play with their answers, phase by phase.
pub(super) type Line = Vec<Vec<(Ask, Answer)>>;

/// A position from which there is no way to an end.
#[derive(Clone, Debug)]
pub struct Trap {
    /// The position: of all such one to which the shortest line of play leads.
    pub state: State,
    /// The answers of a shortest line to it, phase by phase.
    pub line: Line,
    /// Whether it is in the middle of a turn, as are all of them then.
    pub within_turn: bool,
}
