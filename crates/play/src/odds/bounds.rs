//! Proven lower and upper bounds of chances, computed by iteration.
//!
//! A bound is an integer multiple of 2^-60. Initially, the bounds are 0 and 1. A step of a node computes its bounds
//! from those of its successors, with the lower one rounded down and the upper one rounded up, so bounds remain valid.
//! Interval iteration: Haddad and Monmege, "Interval iteration algorithm for MDPs and IMDPs", 2018.

use num_bigint::BigInt;
use num_rational::BigRational;
use referee_diagnostic::MustBe as _;

use super::chance::Chance;
use super::graph::{Graph, Node, successors};
use crate::progress::{Progress, solving, tell};

/// The bound that represents a chance of 1.
const ONE: u64 = 1 << 60;
/// Iteration stops when bounds are at most this far apart: 2^-50.
const NEAR: u64 = 1 << 10;
/// The maximum work: a step costs 1 for the node and 1 for each successor.
const MAX_STEPS: u64 = 400_000_000;

/// Returns a bound as a fraction.
pub(super) fn fraction(bound: u64) -> BigRational {
    BigRational::new(BigInt::from(bound), BigInt::from(ONE))
}

/// Returns lower and upper bounds of each node's chance to reach an end of a wanted class.
pub(super) fn bounds(graph: &Graph, wanted: &impl Fn(usize) -> bool) -> (Vec<u64>, Vec<u64>) {
    let count = graph.nodes.len();
    let mut solver = Solver { graph, lows: vec![0; count], highs: vec![ONE; count], left: MAX_STEPS };
    for component in &graph.components {
        solver.component(component, wanted);
    }
    (solver.lows, solver.highs)
}

struct Solver<'g> {
    graph: &'g Graph,
    lows: Vec<u64>,
    highs: Vec<u64>,
    left: u64,
}

impl Solver<'_> {
    fn component(&mut self, nodes: &[usize], wanted: &impl Fn(usize) -> bool) {
        let inside = |id: &usize| successors(self.graph.nodes.get(*id)).any(|next| nodes.contains(&next));
        if let [only] = nodes
            && !inside(only)
        {
            match self.graph.nodes.get(*only) {
                Some(Node::End(class)) => {
                    let value = if wanted(*class) { ONE } else { 0 };
                    self.set(*only, value, value);
                }
                _ => {
                    self.step(*only);
                }
            }
            return;
        }
        let mut sorted = nodes.to_vec();
        sorted.sort_unstable();
        let leaves =
            |id: &usize| successors(self.graph.nodes.get(*id)).any(|next| sorted.binary_search(&next).is_err());
        if !nodes.iter().any(leaves) {
            nodes.iter().for_each(|id| self.set(*id, 0, 0));
            return;
        }
        loop {
            let mut moved = false;
            for id in nodes {
                moved |= self.step(*id);
            }
            let near = nodes.iter().all(|id| self.width(*id) <= NEAR);
            if !moved || near || self.left == 0 {
                return;
            }
        }
    }

    fn width(&self, id: usize) -> u64 {
        let bounds = self.highs.get(id).zip(self.lows.get(id)).noted("a bound of a node");
        bounds.map_or(0, |(high, low)| high.saturating_sub(*low))
    }

    fn set(&mut self, id: usize, low: u64, high: u64) {
        if let Some((old_low, old_high)) = self.lows.get_mut(id).zip(self.highs.get_mut(id)).noted("a bound of a node")
        {
            (*old_low, *old_high) = (low, high);
        }
    }

    /// Tells the bounds of the first node, which hold at any time, if they say anything.
    fn tell(&self) {
        let bound = |values: &[u64]| values.get(self.graph.start).copied();
        if let (Some(low), Some(high)) = (bound(&self.lows), bound(&self.highs))
            && (low, high) != (0, ONE)
        {
            tell(&Progress::Between(&Chance { low: fraction(low), high: fraction(high) }));
        }
    }

    /// Performs a step of a node; returns whether its bounds changed.
    fn step(&mut self, id: usize) -> bool {
        let work = 1 + successors(self.graph.nodes.get(id)).count() as u64;
        self.left = self.left.saturating_sub(work);
        if solving(work) {
            self.tell();
        }
        let at = |values: &[u64], id: &usize| values.get(*id).copied().or_missing("a bound of a node", 0);
        let (low, high) = match self.graph.nodes.get(id) {
            Some(Node::Mix { to, total }) => {
                let sum = |values: &[u64]| -> u128 {
                    to.iter().map(|(next, weight)| u128::from(at(values, next)) * u128::from(*weight)).sum()
                };
                let total = u128::from(*total);
                (sum(&self.lows) / total, sum(&self.highs).div_ceil(total))
            }
            Some(Node::Most(to)) => {
                let most = |values: &[u64]| u128::from(to.iter().map(|next| at(values, next)).max().unwrap_or(0));
                (most(&self.lows), most(&self.highs))
            }
            Some(Node::Least(to)) => {
                let least = |values: &[u64]| u128::from(to.iter().map(|next| at(values, next)).min().unwrap_or(0));
                (least(&self.lows), least(&self.highs))
            }
            Some(Node::End(_)) | None => return false,
        };
        let (old_low, old_high) = (at(&self.lows, &id), at(&self.highs, &id));
        let low = u64::try_from(low).ok().or_missing("a bound of at most 1", 0).max(old_low);
        let high = u64::try_from(high).ok().or_missing("a bound of at most 1", ONE).min(old_high);
        self.set(id, low, high);
        low != old_low || high != old_high
    }
}
