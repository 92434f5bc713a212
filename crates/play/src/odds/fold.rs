//! Removes nodes for pauses from graphs if only chance follows: such nodes are folded into their predecessors. That
//! leaves fewer unknowns to solve for.

use referee_diagnostic::MustBe as _;
use std::collections::BTreeMap;

use num_integer::Integer;
use smallvec::{SmallVec, smallvec};

use super::graph::{Node, successors};
use crate::components::components;

/// A set of nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks(Vec<bool>);

impl Marks {
    pub(super) fn has(&self, id: usize) -> bool {
        self.0.get(id).copied().unwrap_or(false)
    }

    /// Marks a node; returns whether it was not marked before.
    pub(super) fn insert(&mut self, id: usize) -> bool {
        if self.0.len() <= id {
            self.0.resize(id + 1, false);
        }
        self.0.get_mut(id).is_some_and(|mark| !std::mem::replace(mark, true))
    }
}

impl FromIterator<usize> for Marks {
    fn from_iter<I: IntoIterator<Item = usize>>(ids: I) -> Self {
        let mut marks = Self::default();
        ids.into_iter().for_each(|id| {
            marks.insert(id);
        });
        marks
    }
}

/// A folded graph.
pub(super) struct Folded {
    pub(super) nodes: Vec<Node>,
    pub(super) start: usize,
    /// The nodes of the original graph at which a player still has several successors to decide between.
    deciding: Marks,
}

impl Folded {
    /// Returns whether a player still decides at a node of the original graph.
    pub(super) fn is_open(&self, id: usize) -> bool {
        self.deciding.has(id)
    }
}

/// Folds nodes at pauses into their predecessors, and keeps the nodes that are reachable from `start`.
pub(super) fn fold(mut nodes: Vec<Node>, start: usize, passing: &Marks) -> Folded {
    // Order pauses by edges between pauses, so that each comes after its successors.
    let within: Vec<Node> = nodes.iter().enumerate().map(|(id, node)| among(id, node, passing)).collect();
    let order = components(within.len(), |id| successors(within.get(id)).collect());
    // The node that replaces a node: itself, or its only successor.
    let mut stands_for: Vec<usize> = (0..nodes.len()).collect();
    let mut folded: Marks = Marks::default();
    let states = (0..nodes.len()).filter(|id| !passing.has(*id));
    let pauses = order.iter().flatten().copied().filter(|id| passing.has(*id));
    let alone: Marks = order
        .iter()
        .filter_map(|ids| if let [only] = ids.as_slice() { Some(*only) } else { None })
        .filter(|id| !successors(within.get(*id)).any(|next| next == *id))
        .collect();
    for id in pauses.chain(states).collect::<Vec<_>>() {
        let Some(node) = nodes.get(id).noted("a node of play") else { continue };
        if !passing.has(id) && is_folded(node, passing) {
            continue;
        }
        let node = joined(node, &nodes, &stands_for, &folded);
        if passing.has(id) && alone.has(id) {
            match &node {
                Node::Mix { to, .. } => {
                    if let [(only, _)] = to.as_slice()
                        && let Some(slot) = stands_for.get_mut(id).noted("the stand-in of a node")
                    {
                        *slot = *only;
                    }
                    folded.insert(id);
                }
                Node::Most(_) | Node::Least(_) | Node::End(_) => {}
            }
        }
        if let Some(slot) = nodes.get_mut(id).noted("a node of play") {
            *slot = node;
        }
    }
    let is_deciding = |node: &Node| matches!(node, Node::Most(_) | Node::Least(_));
    let deciding = nodes.iter().enumerate().filter(|(_, node)| is_deciding(node)).map(|(id, _)| id).collect();
    let (nodes, start) = reached(&nodes, start);
    Folded { nodes, start, deciding }
}

/// Returns whether a node is chance in lowest terms, and leads to no pause.
fn is_folded(node: &Node, passing: &Marks) -> bool {
    let Node::Mix { to, total } = node else { return false };
    let divisor = to.iter().fold(*total, |divisor, (_, weight)| divisor.gcd(weight));
    divisor == 1 && !to.iter().any(|(next, _)| passing.has(*next))
}

/// Returns the edges of a node at a pause to other pauses.
fn among(id: usize, node: &Node, passing: &Marks) -> Node {
    let to = successors(Some(node)).filter(|next| passing.has(id) && passing.has(*next));
    Node::Most(to.collect())
}

/// Returns a node with its folded successors replaced.
fn joined(node: &Node, nodes: &[Node], stands_for: &[usize], folded: &Marks) -> Node {
    let stood = |id: &usize| stands_for.get(*id).copied().or_missing("the stand-in of a node", *id);
    let options = |options: &[usize]| {
        let mut different: Vec<usize> = Vec::new();
        for option in options.iter().map(stood) {
            if !different.contains(&option) {
                different.push(option);
            }
        }
        different
    };
    match node {
        Node::End(class) => Node::End(*class),
        Node::Most(to) | Node::Least(to) => match options(to) {
            only if only.len() == 1 => Node::Mix { to: only.into_iter().map(|id| (id, 1)).collect(), total: 1 },
            several if matches!(node, Node::Most(_)) => Node::Most(several),
            several => Node::Least(several),
        },
        Node::Mix { to, total } => {
            let part = |(id, weight): &(usize, u64)| match nodes.get(*id) {
                Some(Node::Mix { to, total }) if folded.has(*id) => {
                    Part { weight: *weight, to: SmallVec::from_slice(to), total: *total }
                }
                _ => Part { weight: *weight, to: smallvec![(stood(id), 1)], total: 1 },
            };
            let parts: Vec<Part> = to.iter().map(part).collect();
            // If the weights are too large to combine, keep the node unfolded.
            let apart = || {
                let mut sums: BTreeMap<usize, u64> = BTreeMap::new();
                to.iter().for_each(|(id, weight)| *sums.entry(stood(id)).or_default() += weight);
                Node::Mix { to: sums.into_iter().collect(), total: *total }
            };
            mixed(&parts).unwrap_or_else(apart)
        }
    }
}

/// A weighted part of a mix: its successors, with weights out of a total.
pub(super) struct Part {
    pub(super) weight: u64,
    pub(super) to: SmallVec<[(usize, u64); 1]>,
    pub(super) total: u64,
}

/// Combines parts by their weights, in lowest terms; returns `None` if the weights are too large.
pub(super) fn mixed(parts: &[Part]) -> Option<Node> {
    let mut common: u64 = 1;
    let mut all: u64 = 0;
    for Part { weight, total, .. } in parts {
        common = common.checked_mul(total / common.gcd(total))?;
        all = all.checked_add(*weight)?;
    }
    let mut shares: Vec<(usize, u64)> = Vec::with_capacity(parts.iter().map(|part| part.to.len()).sum());
    for Part { weight, to: part, total } in parts {
        let factor = weight.checked_mul(common / total)?;
        for (target, share) in part {
            shares.push((*target, share.checked_mul(factor)?));
        }
    }
    shares.sort_unstable_by_key(|(target, _)| *target);
    let mut to: Vec<(usize, u64)> = Vec::with_capacity(shares.len());
    for (target, share) in shares {
        match to.last_mut().filter(|(last, _)| *last == target) {
            Some((_, sum)) => *sum = sum.checked_add(share)?,
            None => to.push((target, share)),
        }
    }
    let total = all.checked_mul(common)?;
    let divisor = to.iter().fold(total, |divisor, (_, weight)| divisor.gcd(weight));
    to.iter_mut().for_each(|(_, weight)| *weight /= divisor);
    Some(Node::Mix { to, total: total / divisor })
}

/// Returns the nodes reachable from the start, renumbered, and the new number of the start.
fn reached(nodes: &[Node], start: usize) -> (Vec<Node>, usize) {
    let mut kept = Marks::default();
    kept.insert(start);
    let mut open = vec![start];
    while let Some(id) = open.pop() {
        open.extend(successors(nodes.get(id)).filter(|next| kept.insert(*next)));
    }
    let mut next = 0;
    let numbers: Vec<usize> = (0..nodes.len())
        .map(|id| {
            let number = next;
            next += usize::from(kept.has(id));
            number
        })
        .collect();
    let number = |id: &usize| numbers.get(*id).copied().or_missing("the number of a node", 0);
    let kept = nodes.iter().enumerate().filter(|(id, _)| kept.has(*id));
    let renumbered = kept.map(|(_, node)| match node {
        Node::Mix { to, total } => {
            Node::Mix { to: to.iter().map(|(id, weight)| (number(id), *weight)).collect(), total: *total }
        }
        Node::Most(to) => Node::Most(to.iter().map(number).collect()),
        Node::Least(to) => Node::Least(to.iter().map(number).collect()),
        Node::End(class) => Node::End(*class),
    });
    (renumbered.collect(), number(&start))
}
