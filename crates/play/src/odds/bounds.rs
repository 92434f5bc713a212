//! Proven lower and upper bounds of chances, computed by iteration.
//!
//! A bound is an integer multiple of 2^-60. Initially, the bounds are 0 and 1. A step of a node computes its bounds
//! from those of its successors, with the lower one rounded down and the upper one rounded up, so bounds remain valid.
//! Interval iteration: Haddad and Monmege, "Interval iteration algorithm for MDPs and IMDPs", 2018.
//!
//! Where only chance decides, iteration begins next to an approximation. What is guessed is proven before it counts: if steps of
//! all nodes lie within the bounds that were there before, all chances do. Optimistic value iteration: Hartmanns and Kaminski,
//! "Optimistic value iteration", 2020.

use num_bigint::BigInt;
use num_rational::BigRational;
use referee_diagnostic::MustBe as _;

use super::chance::Chance;
use super::graph::{Graph, Node};
use super::guess::{Equations, Places};
use crate::progress::{Progress, solving, tell};

/// The bound that represents a chance of 1.
const ONE: u64 = 1 << 60;
/// Iteration stops when bounds are at most this far apart: 2^-50.
const NEAR: u64 = 1 << 10;
/// How far guessed bounds are from an approximation, from 2^-49 to 2^-30: farther where play takes long to leave a component.
const MARGINS: [u64; 3] = [1 << 11, 1 << 20, 1 << 30];
/// Guessed bounds close in until they are so much farther apart than those that they follow from: 2^-56.
const CLOSE: u64 = 1 << 4;
/// The number of steps of each node in which guessed bounds are to be proven.
const TRIES: usize = 40;
/// The maximum work: a step costs 1 for the node and 1 for each successor.
const MAX_STEPS: u64 = 400_000_000;

/// Returns a bound as a fraction.
pub(super) fn fraction(bound: u64) -> BigRational {
    BigRational::new(BigInt::from(bound), BigInt::from(ONE))
}

/// Returns lower and upper bounds of each node's chance to reach an end of a wanted class.
pub(super) fn bounds(graph: &Graph, wanted: &impl Fn(usize) -> bool) -> (Vec<u64>, Vec<u64>) {
    let mut solver = Solver::of(graph);
    for component in &graph.components {
        solver.component(component, wanted);
    }
    solver.bounds.into_iter().map(|Bounds { low, high }| (low, high)).unzip()
}

/// The lower and the upper bound of a node.
#[derive(Clone, Copy)]
struct Bounds {
    low: u64,
    high: u64,
}

/// How the bounds of a node follow from those of its successors.
#[derive(Clone, Copy)]
enum Follows {
    /// They are their mean, with weights out of this total.
    Mean(u64),
    Most,
    Least,
    /// There are none.
    End,
}

/// A node: how its bounds follow, and the end of its edges, which begin where those of the node before end.
struct Flat {
    follows: Follows,
    end: usize,
}

/// Returns the edges of a node.
fn edges_of<'e>(nodes: &[Flat], edges: &'e [(usize, u64)], id: usize) -> &'e [(usize, u64)] {
    let begin = id.checked_sub(1).and_then(|before| nodes.get(before)).map_or(0, |before| before.end);
    nodes.get(id).and_then(|node| edges.get(begin..node.end)).or_missing("a node of play", &[])
}

struct Solver<'g> {
    graph: &'g Graph,
    nodes: Vec<Flat>,
    /// The successors of all nodes with their weights, in one piece: iterations pass over them many times.
    edges: Vec<(usize, u64)>,
    bounds: Vec<Bounds>,
    places: Places,
    left: u64,
    /// Whether bounds are guessed, and not proven.
    guessing: bool,
}

impl<'g> Solver<'g> {
    fn of(graph: &'g Graph) -> Self {
        let mut edges = Vec::new();
        let nodes = graph.nodes.iter().map(|node| {
            let follows = match node {
                Node::Mix { to, total } => {
                    edges.extend_from_slice(to);
                    Follows::Mean(*total)
                }
                Node::Most(to) => {
                    edges.extend(to.iter().map(|next| (*next, 1)));
                    Follows::Most
                }
                Node::Least(to) => {
                    edges.extend(to.iter().map(|next| (*next, 1)));
                    Follows::Least
                }
                Node::End(_) => Follows::End,
            };
            Flat { follows, end: edges.len() }
        });
        let nodes = nodes.collect();
        let bounds = vec![Bounds { low: 0, high: ONE }; graph.nodes.len()];
        Self { graph, nodes, edges, bounds, places: Places::new(graph.nodes.len()), left: MAX_STEPS, guessing: false }
    }

    fn component(&mut self, nodes: &[usize], wanted: &impl Fn(usize) -> bool) {
        if let [only] = nodes
            && !self.edges_of(*only).iter().any(|(next, _)| next == only)
        {
            match self.graph.nodes.get(*only) {
                Some(Node::End(class)) => {
                    let value = if wanted(*class) { ONE } else { 0 };
                    self.set(*only, Bounds { low: value, high: value });
                }
                _ => {
                    let work = self.work(nodes);
                    self.step(*only);
                    self.count(work);
                }
            }
            return;
        }
        let mut sorted = nodes.to_vec();
        sorted.sort_unstable();
        let leaves = |id: &usize| self.edges_of(*id).iter().any(|(next, _)| sorted.binary_search(next).is_err());
        if !nodes.iter().any(leaves) {
            nodes.iter().for_each(|id| self.set(*id, Bounds { low: 0, high: 0 }));
            return;
        }
        let work = self.work(nodes);
        if self.close_in(nodes, work) {
            return;
        }
        loop {
            let mut moved = false;
            // The search for components has met most nodes before those to which they lead, whose bounds are to be the new ones.
            for id in nodes.iter().rev() {
                moved |= self.step(*id);
            }
            self.count(work);
            let near = nodes.iter().all(|id| self.width(*id) <= NEAR);
            if !moved || near || self.left == 0 {
                return;
            }
        }
    }

    /// Finds the bounds of a component from an approximation, if only chance decides in it; `false` if they are to close in
    /// further.
    fn close_in(&mut self, nodes: &[usize], work: u64) -> bool {
        let is_chance = |id: &usize| matches!(self.nodes.get(*id), Some(Flat { follows: Follows::Mean(_), .. }));
        // Guessing may fail.
        let most = work.saturating_mul((MARGINS.len() * TRIES) as u64);
        if !nodes.iter().all(is_chance) || most > self.left / 4 {
            return false;
        }
        let Self { places, nodes: all, edges, .. } = self;
        let order = places.order(nodes, |id| edges_of(all, edges, id));
        let about = self.about(&order);
        self.places.forget(nodes);
        let Some((about, apart)) = about else { return false };
        for margin in MARGINS {
            for (id, about) in order.iter().zip(&about) {
                let (about, margin) = (*about as u64, margin + apart);
                self.set(*id, Bounds { low: about.saturating_sub(margin), high: ONE.min(about + margin) });
            }
            if let Some(close) = self.prove(&order, work, apart) {
                return close;
            }
        }
        nodes.iter().for_each(|id| self.set(*id, Bounds { low: 0, high: ONE }));
        false
    }

    /// Proves guessed bounds, by steps of all nodes. Returns whether they have closed in; `None` if they are not proven. `apart` is
    /// how far the bounds are apart from which they follow.
    fn prove(&mut self, order: &[usize], work: u64, apart: u64) -> Option<bool> {
        self.guessing = true;
        for _ in 0..TRIES {
            let mut within = true;
            for id in order {
                let (old, next) = (self.at(*id), self.next(*id));
                within &= next.low >= old.low && next.high <= old.high;
                self.take(*id, next);
            }
            // Bounds that are proven stay so.
            self.guessing &= !within;
            self.count(work);
            if !self.guessing && order.iter().all(|id| self.width(*id) <= apart.saturating_add(CLOSE)) {
                return Some(true);
            }
        }
        (!std::mem::take(&mut self.guessing)).then_some(false)
    }

    /// Returns about what the chances of the nodes of a component are, in units of bounds, and how far the bounds of the nodes are
    /// apart to which it leads; `None` if there is no approximation.
    fn about(&self, order: &[usize]) -> Option<(Vec<f64>, u64)> {
        let mut equations = Equations::default();
        let mut apart = 0;
        for id in order {
            let Some(Flat { follows: Follows::Mean(total), .. }) = self.nodes.get(*id) else { return None };
            let mut added = 0.0;
            for (next, weight) in self.edges_of(*id) {
                let share = *weight as f64 / *total as f64;
                match self.places.of(*next) {
                    Some(place) => equations.share(place, share),
                    None => {
                        let Bounds { low, high } = self.at(*next);
                        apart = apart.max(high.saturating_sub(low));
                        added += share * (low as f64 + high as f64) / 2.0;
                    }
                }
            }
            equations.end(added);
        }
        let about = equations.solved()?.into_iter().map(|about| about.clamp(0.0, ONE as f64)).collect();
        Some((about, apart))
    }

    fn edges_of(&self, id: usize) -> &[(usize, u64)] {
        edges_of(&self.nodes, &self.edges, id)
    }

    /// Returns the work of a step of each of these nodes.
    fn work(&self, nodes: &[usize]) -> u64 {
        nodes.iter().map(|id| 1 + self.edges_of(*id).len() as u64).sum()
    }

    /// Counts work that was done.
    fn count(&mut self, work: u64) {
        self.left = self.left.saturating_sub(work);
        if solving(work) && !self.guessing {
            self.tell();
        }
    }

    fn at(&self, id: usize) -> Bounds {
        self.bounds.get(id).copied().or_missing("a bound of a node", Bounds { low: 0, high: 0 })
    }

    fn width(&self, id: usize) -> u64 {
        let Bounds { low, high } = self.at(id);
        high.saturating_sub(low)
    }

    fn set(&mut self, id: usize, bounds: Bounds) {
        if let Some(slot) = self.bounds.get_mut(id).noted("a bound of a node") {
            *slot = bounds;
        }
    }

    /// Tells the bounds of the first node, which hold unless bounds are guessed, if they say anything.
    fn tell(&self) {
        let Bounds { low, high } = self.at(self.graph.start);
        if (low, high) != (0, ONE) {
            tell(&Progress::Between(&Chance { low: fraction(low), high: fraction(high) }));
        }
    }

    /// Performs a step of a node; returns whether its bounds changed.
    fn step(&mut self, id: usize) -> bool {
        let next = self.next(id);
        self.take(id, next)
    }

    /// Lets the bounds of a node close in to these; returns whether that changed them.
    fn take(&mut self, id: usize, next: Bounds) -> bool {
        let old = self.at(id);
        let new = Bounds { low: next.low.max(old.low), high: next.high.min(old.high) };
        self.set(id, new);
        new.low != old.low || new.high != old.high
    }

    /// Returns the bounds of a node that follow from those of its successors.
    fn next(&self, id: usize) -> Bounds {
        let follows = self.nodes.get(id).map_or(Follows::End, |node| node.follows);
        let edges = self.edges_of(id).iter();
        match follows {
            // The sums fit into 64 bits.
            Follows::Mean(total) if total <= u64::MAX / ONE => {
                let (mut low, mut high) = (0_u64, 0_u64);
                for (next, weight) in edges {
                    let bounds = self.at(*next);
                    low = low.wrapping_add(bounds.low.wrapping_mul(*weight));
                    high = high.wrapping_add(bounds.high.wrapping_mul(*weight));
                }
                let total = total.max(1);
                Bounds { low: low / total, high: high.div_ceil(total) }
            }
            Follows::Mean(total) => {
                let (mut low, mut high) = (0_u128, 0_u128);
                for (next, weight) in edges {
                    let bounds = self.at(*next);
                    low += u128::from(bounds.low) * u128::from(*weight);
                    high += u128::from(bounds.high) * u128::from(*weight);
                }
                let (low, _) = divided(low, total);
                let (high, rest) = divided(high, total);
                Bounds { low, high: high.saturating_add(u64::from(rest > 0)) }
            }
            Follows::Most => {
                let most = |bound: fn(Bounds) -> u64| edges.clone().map(|(next, _)| bound(self.at(*next))).max();
                Bounds { low: most(|it| it.low).unwrap_or(0), high: most(|it| it.high).unwrap_or(0) }
            }
            Follows::Least => {
                let least = |bound: fn(Bounds) -> u64| edges.clone().map(|(next, _)| bound(self.at(*next))).min();
                Bounds { low: least(|it| it.low).unwrap_or(0), high: least(|it| it.high).unwrap_or(0) }
            }
            Follows::End => self.at(id),
        }
    }
}

/// Returns the quotient, which must have 64 bits, and the rest of a division.
fn divided(sum: u128, by: u64) -> (u64, u64) {
    let by = by.max(1);
    let (upper, lower) = ((sum >> u64::BITS) as u64, sum as u64);
    if by > u64::from(u32::MAX) || upper >= by {
        let quotient = u64::try_from(sum / u128::from(by)).ok().or_missing("a bound of at most 1", ONE);
        return (quotient, (sum % u128::from(by)) as u64);
    }
    // Two digits of 32 bits, as on paper: each division has 64 bits, which is much quicker than one of 128.
    let first = (upper << 32) | (lower >> 32);
    let second = ((first % by) << 32) | (lower & u64::from(u32::MAX));
    (((first / by) << 32) | (second / by), second % by)
}
