//! Graphs without the nodes that stand for pauses, as far as that is possible: what follows a pause by chance alone becomes
//! part of what leads to it. The numbers that are solved for are fewer then.

use std::collections::BTreeMap;

use num_integer::Integer;

use super::components::components;
use super::graph::{Node, successors};

/// Some of the nodes.
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

/// A graph that was folded.
pub(super) struct Folded {
    pub(super) nodes: Vec<Node>,
    pub(super) start: usize,
    /// The nodes of the whole graph where a player still decides between several ways on.
    deciding: Marks,
}

impl Folded {
    /// Returns whether a player still decides at a node of the whole graph.
    pub(super) fn is_open(&self, id: usize) -> bool {
        self.deciding.has(id)
    }
}

/// Folds the nodes at pauses into those that lead to them; the graph that remains is the part that `start` leads to.
pub(super) fn fold(mut nodes: Vec<Node>, start: usize, passing: &Marks) -> Folded {
    // Among pauses alone, so that each comes after those that it leads to.
    let within: Vec<Node> = nodes.iter().enumerate().map(|(id, node)| among(id, node, passing)).collect();
    let order = components(within.len(), |id| successors(within.get(id)).collect());
    // What a node stands for: itself, or the only one that it leads to.
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
        let Some(node) = nodes.get(id) else { continue };
        let node = joined(node, &nodes, &stands_for, &folded);
        if passing.has(id) && alone.has(id) {
            match &node {
                Node::Mix { to, .. } => {
                    if let [(only, _)] = to.as_slice()
                        && let Some(slot) = stands_for.get_mut(id)
                    {
                        *slot = *only;
                    }
                    folded.insert(id);
                }
                Node::Most(_) | Node::Least(_) | Node::End(_) => {}
            }
        }
        if let Some(slot) = nodes.get_mut(id) {
            *slot = node;
        }
    }
    let is_deciding = |node: &Node| matches!(node, Node::Most(_) | Node::Least(_));
    let deciding = nodes.iter().enumerate().filter(|(_, node)| is_deciding(node)).map(|(id, _)| id).collect();
    let (nodes, start) = reached(&nodes, start);
    Folded { nodes, start, deciding }
}

/// What a node at a pause leads to among pauses.
fn among(id: usize, node: &Node, passing: &Marks) -> Node {
    let to = successors(Some(node)).filter(|next| passing.has(id) && passing.has(*next));
    Node::Most(to.collect())
}

/// Returns a node with what was folded put in its place.
fn joined(node: &Node, nodes: &[Node], stands_for: &[usize], folded: &Marks) -> Node {
    let stood = |id: &usize| stands_for.get(*id).copied().unwrap_or(*id);
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
                    Part { weight: *weight, to: to.clone(), total: *total }
                }
                _ => Part { weight: *weight, to: vec![(stood(id), 1)], total: 1 },
            };
            let parts: Vec<Part> = to.iter().map(part).collect();
            // Numbers that would be too large stay apart.
            let apart = || {
                let mut sums: BTreeMap<usize, u64> = BTreeMap::new();
                to.iter().for_each(|(id, weight)| *sums.entry(stood(id)).or_default() += weight);
                Node::Mix { to: sums.into_iter().collect(), total: *total }
            };
            mixed(&parts).unwrap_or_else(apart)
        }
    }
}

/// What comes with a weight: where it leads, with weights out of a total.
struct Part {
    weight: u64,
    to: Vec<(usize, u64)>,
    total: u64,
}

/// Parts put together with their weights, in smallest numbers; nothing where these are too large.
fn mixed(parts: &[Part]) -> Option<Node> {
    let mut common: u64 = 1;
    let mut all: u64 = 0;
    for Part { weight, total, .. } in parts {
        common = common.checked_mul(total / common.gcd(total))?;
        all = all.checked_add(*weight)?;
    }
    let mut to: BTreeMap<usize, u64> = BTreeMap::new();
    for Part { weight, to: part, total } in parts {
        let factor = weight.checked_mul(common / total)?;
        for (target, share) in part {
            let slot = to.entry(*target).or_default();
            *slot = slot.checked_add(share.checked_mul(factor)?)?;
        }
    }
    let total = all.checked_mul(common)?;
    let divisor = to.values().fold(total, |divisor, weight| divisor.gcd(weight));
    to.values_mut().for_each(|weight| *weight /= divisor);
    Some(Node::Mix { to: to.into_iter().collect(), total: total / divisor })
}

/// Returns the nodes that the start leads to, with new numbers, and the number of the start.
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
    let number = |id: &usize| numbers.get(*id).copied().unwrap_or(0);
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
