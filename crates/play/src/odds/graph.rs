//! Play as a graph, with edges for random outcomes and decisions.

use std::collections::BTreeSet;

use super::decisions::DecisionsSeen;
use crate::components::components;
use referee_diagnostic::note_missing;
use referee_table::State;
use referee_trace::{Answer, Ask};

/// A node.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// Chance: each successor has a weight out of the total.
    Mix { to: Vec<(usize, u64)>, total: u64 },
    /// A decision for the successor with the greatest chance.
    Most(Vec<usize>),
    /// A decision for the successor with the smallest chance.
    Least(Vec<usize>),
    /// The horizon or the end of the game, with the class of its state.
    End(usize),
}

/// Play up to a horizon. The caller classifies the ends.
#[derive(Debug)]
pub struct Graph {
    pub(super) nodes: Vec<Node>,
    /// The strongly connected components, in reverse topological order.
    pub(super) components: Vec<Vec<usize>>,
    pub(super) start: usize,
    pub(super) states: usize,
    /// The number of states without a path to an end.
    pub(super) endless: usize,
    pub(super) met: DecisionsSeen,
    pub(super) trap: Option<Trap>,
    /// Whether compiled rules have followed play.
    pub(super) compiled: bool,
}

/// Returns the successors of a node.
pub(super) fn successors(node: Option<&Node>) -> impl Iterator<Item = usize> {
    let (mixed, picked): (&[(usize, u64)], &[usize]) = match node {
        Some(Node::Mix { to, .. }) => (to, &[]),
        Some(Node::Most(to) | Node::Least(to)) => (&[], to),
        Some(Node::End(_)) | None => (&[], &[]),
    };
    mixed.iter().map(|(next, _)| *next).chain(picked.iter().copied())
}

impl Graph {
    /// Returns a graph of these nodes. Each edge must lead to one of them, so that nothing that is missing can count as a
    /// node without a chance.
    pub(super) fn new(nodes: Vec<Node>, start: usize, states: usize) -> Self {
        if nodes.iter().flat_map(|node| successors(Some(node))).chain([start]).any(|next| next >= nodes.len()) {
            note_missing("a node that an edge leads to");
        }
        let graph = Self {
            components: components(nodes.len(), |id| successors(nodes.get(id)).collect()),
            nodes,
            start,
            states,
            endless: 0,
            met: DecisionsSeen::default(),
            trap: None,
            compiled: false,
        };
        Self { endless: graph.closed().map(Vec::len).sum(), ..graph }
    }

    /// Returns the decisions seen, and the instructions and policies that decided them. Compiled rules note only which policies
    /// did.
    #[must_use]
    pub const fn met(&self) -> &DecisionsSeen {
        &self.met
    }

    /// Returns whether compiled rules have found it, from the end of the first phase on. It is the same without them.
    #[must_use]
    pub const fn is_by_compiled_rules(&self) -> bool {
        self.compiled
    }

    /// Returns a position without a path to an end, if there is one.
    #[must_use]
    pub const fn trap(&self) -> Option<&Trap> {
        self.trap.as_ref()
    }

    /// Returns the number of different states, without ends.
    #[must_use]
    pub const fn states(&self) -> usize {
        self.states
    }

    /// Returns the classes of all ends.
    pub fn classes(&self) -> impl Iterator<Item = usize> {
        self.nodes.iter().filter_map(|node| if let Node::End(class) = node { Some(*class) } else { None })
    }

    /// Returns the number of reachable states without a path to an end.
    #[must_use]
    pub const fn endless(&self) -> usize {
        self.endless
    }

    /// Returns the components without an end and without edges to other components.
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

/// A position without a path to an end.
#[derive(Clone, Debug)]
pub struct Trap {
    /// The position: one with the shortest line of play to it.
    pub state: State,
    /// A shortest line of play to it, phase by phase.
    pub line: Line,
    /// Whether it is in the middle of a turn; if so, all such positions are.
    pub within_turn: bool,
}
