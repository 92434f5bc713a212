//! Chances as exact fractions, component by component, within a budget of work.
//!
//! If a component contains decisions, strategies are improved until none can be (Hoffman and Karp 1966): in each round
//! one side plays its best response to the other's strategy. The result satisfies the equations of optimal play and is
//! the value of a strategy. Therefore it is the least solution of the equations, which is the chance.
//!
//! The equations of a component, x = P x + b, are solved by eliminating one state after the other.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::graph::{Graph, Node, successors};
use crate::progress::solving;
use referee_diagnostic::{MustBe as _, note_missing};

/// The maximum size of a component that is solved exactly, in nodes.
const LARGEST: usize = 600;
/// The maximum work with large numbers, roughly in machine instructions.
const WORK: u64 = 3_000_000_000;
/// The part of the work after which the total is projected.
const PROJECTED: u64 = 50;
/// The part after which it is projected by how it has grown, and what is given up then.
const GROWN: u64 = 600;
const FAR_TOO_MUCH: f64 = 8.0 * WORK as f64;
/// The maximum number of rounds of strategy improvement.
const ROUNDS: usize = 1000;

/// Returns the chance of each node to reach an end of a wanted class; `None` if that is too much work. `hint` holds
/// approximate chances, for the initial strategies.
pub(super) fn exact(
    graph: &Graph,
    wanted: &impl Fn(usize) -> bool,
    hint: Option<&[u64]>,
) -> Option<Vec<Option<BigRational>>> {
    if graph.components.iter().any(|nodes| nodes.len() > LARGEST) {
        return None;
    }
    let mut solver = Solver { graph, values: vec![None; graph.nodes.len()], hint, budget: Work(WORK) };
    let (mut solved, mut growth) = (0, Growth::default());
    for component in &graph.components {
        solver.component(component, wanted)?;
        solved += component.len() as u64;
        let (spent, all) = (WORK - solver.budget.0, graph.nodes.len() as u64);
        growth.note(solved, spent);
        // Numbers grow: each of the remaining nodes takes more work than those before.
        let projected = spent / solved.max(1) * all;
        let is_too_much = projected > WORK && spent > WORK / PROJECTED;
        if is_too_much || spent > WORK / GROWN && growth.projected(all) > FAR_TOO_MUCH {
            return None;
        }
    }
    Some(solver.values)
}

/// How the work has grown with the solved nodes: how many there were, and the work until then, each time there were at least
/// twice as many.
#[derive(Default)]
struct Growth {
    known: Vec<(u64, u64)>,
}

impl Growth {
    fn note(&mut self, solved: u64, spent: u64) {
        if self.known.last().is_none_or(|(before, _)| solved >= 2 * before) {
            self.known.push((solved, spent));
        }
    }

    /// Returns the work for so many nodes, if it grows on as in the last two times; 0 if there were not as many.
    fn projected(&self, all: u64) -> f64 {
        let [.., first, second, third] = self.known.as_slice() else { return 0.0 };
        let ratio = |one: u64, other: u64| other as f64 / one.max(1) as f64;
        let factor = ratio(first.1, second.1).min(ratio(second.1, third.1));
        let more = ratio(first.0, second.0).max(ratio(second.0, third.0));
        let (mut solved, mut spent) = (more * third.0 as f64, third.1 as f64);
        while solved <= all as f64 && spent <= FAR_TOO_MUCH {
            (solved, spent) = (more * solved, factor * spent);
        }
        spent
    }
}

struct Solver<'g> {
    graph: &'g Graph,
    values: Vec<Option<BigRational>>,
    hint: Option<&'g [u64]>,
    budget: Work,
}

/// A component being solved: its nodes, their indices, and the option taken by each decision.
struct Part<'n> {
    nodes: &'n [usize],
    places: BTreeMap<usize, usize>,
    taken: Vec<usize>,
}

impl Solver<'_> {
    fn node(&self, id: usize) -> Option<&Node> {
        self.graph.nodes.get(id)
    }

    fn known(&self, id: usize) -> Option<&BigRational> {
        self.values.get(id)?.as_ref()
    }

    fn set(&mut self, id: usize, value: BigRational) {
        if let Some(slot) = self.values.get_mut(id).noted("the value of a node") {
            *slot = Some(value);
        }
    }

    fn component(&mut self, nodes: &[usize], wanted: &impl Fn(usize) -> bool) -> Option<()> {
        let places: BTreeMap<usize, usize> = nodes.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        let to = |id: &usize| successors(self.graph.nodes.get(*id));
        let inside = nodes.iter().any(|id| to(id).any(|next| places.contains_key(&next)));
        if let ([only], false) = (nodes, inside) {
            let value = match self.graph.nodes.get(*only)? {
                Node::End(class) if wanted(*class) => BigRational::one(),
                Node::End(_) => BigRational::zero(),
                Node::Mix { to, total } => self.mean(to, *total)?,
                Node::Most(to) => to.iter().filter_map(|next| self.known(*next)).max()?.clone(),
                Node::Least(to) => to.iter().filter_map(|next| self.known(*next)).min()?.clone(),
            };
            self.set(*only, value);
            return Some(());
        }
        if nodes.iter().all(|id| to(id).all(|next| places.contains_key(&next))) {
            nodes.iter().for_each(|id| self.set(*id, BigRational::zero()));
            return Some(());
        }
        let mut part = Part { nodes, places, taken: Vec::new() };
        part.taken = nodes.iter().map(|id| self.first_option(*id)).collect();
        for (id, value) in nodes.iter().zip(self.played(&mut part)?) {
            self.set(*id, value);
        }
        Some(())
    }

    /// Returns the weighted mean of known values.
    fn mean(&mut self, to: &[(usize, u64)], total: u64) -> Option<BigRational> {
        let mut common = BigInt::one();
        for (next, _) in to {
            let value = self.values.get(*next)?.as_ref()?;
            self.budget.spend(&[value])?;
            if !(&common % value.denom()).is_zero() {
                common = common.lcm(value.denom());
            }
        }
        let mut sum = BigInt::zero();
        for (next, weight) in to {
            let value = self.values.get(*next)?.as_ref()?;
            sum += value.numer() * (&common / value.denom()) * BigInt::from(*weight);
        }
        let mean = BigRational::new(sum, common * BigInt::from(total));
        self.budget.spend(&[&mean, &mean])?;
        Some(mean)
    }

    /// Returns the initial option of a decision: the best one by the hint.
    fn first_option(&self, id: usize) -> usize {
        let guess = |next: &usize| self.hint.and_then(|hint| hint.get(*next)).copied().unwrap_or(0);
        let place = match self.node(id) {
            Some(Node::Most(to)) => to.iter().enumerate().rev().max_by_key(|(_, next)| guess(next)),
            Some(Node::Least(to)) => to.iter().enumerate().min_by_key(|(_, next)| guess(next)),
            _ => None,
        };
        place.map_or(0, |(place, _)| place)
    }

    /// Returns the values of a component if both sides play optimally.
    fn played(&mut self, part: &mut Part<'_>) -> Option<Vec<BigRational>> {
        for _ in 0..ROUNDS {
            let nothing = self.avoided(part);
            let mut values = self.evaluate(part, &nothing)?;
            while self.improve(part, &values, &nothing, false) {
                values = self.evaluate(part, &nothing)?;
            }
            if !self.improve(part, &values, &[], true) {
                return Some(values);
            }
        }
        None
    }

    /// Takes better options for one side, given values; returns whether there were any.
    fn improve(&self, part: &mut Part<'_>, values: &[BigRational], fixed: &[bool], most: bool) -> bool {
        let mut changed = false;
        for (place, id) in part.nodes.iter().enumerate() {
            if fixed.get(place) == Some(&true) {
                continue;
            }
            let (to, is_most) = match self.node(*id) {
                Some(Node::Most(to)) => (to, true),
                Some(Node::Least(to)) => (to, false),
                _ => continue,
            };
            let Some(own) = values.get(place).filter(|_| is_most == most) else { continue };
            let value = |next: &usize| match part.places.get(next) {
                Some(place) => values.get(*place),
                None => self.known(*next),
            };
            let options = to.iter().enumerate().filter_map(|(at, next)| Some((at, value(next)?)));
            let best = if most {
                options.filter(|(_, value)| *value > own).max_by(|one, other| one.1.cmp(other.1))
            } else {
                options.filter(|(_, value)| *value < own).min_by(|one, other| one.1.cmp(other.1))
            };
            if let (Some((at, _)), Some(slot)) = (best, part.taken.get_mut(place)) {
                *slot = at;
                changed = true;
            }
        }
        changed
    }

    /// Returns the nodes from which the minimizing side can avoid every wanted end for any random outcomes, given the
    /// strategy of the other side.
    fn avoided(&self, part: &Part<'_>) -> Vec<bool> {
        let mut avoided = vec![true; part.nodes.len()];
        let nothing = |avoided: &[bool], next: &usize| match part.places.get(next) {
            Some(place) => avoided.get(*place) == Some(&true),
            None => self.known(*next).is_some_and(BigRational::is_zero),
        };
        loop {
            let mut changed = false;
            for (place, id) in part.nodes.iter().enumerate() {
                let stays = match self.node(*id) {
                    Some(Node::Mix { to, .. }) => to.iter().all(|(next, _)| nothing(&avoided, next)),
                    Some(Node::Most(to)) => {
                        let taken = part.taken.get(place).and_then(|taken| to.get(*taken));
                        taken.is_some_and(|next| nothing(&avoided, next))
                    }
                    Some(Node::Least(to)) => to.iter().any(|next| nothing(&avoided, next)),
                    Some(Node::End(_)) | None => false,
                };
                if let Some(slot) = avoided.get_mut(place).filter(|slot| **slot && !stays) {
                    *slot = false;
                    changed = true;
                }
            }
            if !changed {
                return avoided;
            }
        }
    }

    /// Returns the values of a component for the options taken.
    fn evaluate(&mut self, part: &Part<'_>, nothing: &[bool]) -> Option<Vec<BigRational>> {
        let mut rows = Vec::with_capacity(part.nodes.len());
        for (place, id) in part.nodes.iter().enumerate() {
            let mut row = Row::default();
            if nothing.get(place) != Some(&true) {
                let (to, total) = match self.node(*id)? {
                    Node::Mix { to, total } => (to.clone(), *total),
                    Node::Most(to) | Node::Least(to) => (vec![(*to.get(*part.taken.get(place)?)?, 1)], 1),
                    Node::End(_) => (Vec::new(), 1),
                };
                let mut outside = Vec::new();
                for (next, weight) in to {
                    match part.places.get(&next) {
                        Some(place) => {
                            row.shares.insert(*place, BigRational::new(weight.into(), total.into()));
                        }
                        None => outside.push((next, weight)),
                    }
                }
                row.added = self.mean(&outside, total)?;
            }
            rows.push(row);
        }
        solve(rows, &mut self.budget)
    }
}

/// The work that is left.
pub(super) struct Work(pub(super) u64);

impl Work {
    /// Charges an operation on these numbers; returns `None` if the budget is exhausted.
    pub(super) fn spend(&mut self, numbers: &[&BigRational]) -> Option<()> {
        let words: u64 = numbers.iter().map(|number| number.denom().bits() / 64 + 1).sum();
        // The greatest common divisor takes quadratic time.
        let work = 100 + 128 * words * words;
        solving(work / 100);
        self.0 = self.0.checked_sub(work)?;
        Some(())
    }
}

/// An equation: the coefficients of the unknowns, and the constant.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) shares: BTreeMap<usize, BigRational>,
    pub(super) added: BigRational,
}

/// Returns the least solution of `x[i] = sum of shares[j] x[j] + added`; `None` if it is too much work. The shares of a
/// row must sum to at most 1. States that lead only to one another and add nothing have the value 0.
#[expect(clippy::indexing_slicing, reason = "each share is of one of the rows, which is checked first")]
pub(super) fn solve(mut rows: Vec<Row>, budget: &mut Work) -> Option<Vec<BigRational>> {
    let count = rows.len();
    if rows.iter().flat_map(|row| row.shares.keys()).any(|next| *next >= count) {
        note_missing("the equation of a state");
        return None;
    }
    let mut into: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count];
    for (at, row) in rows.iter().enumerate() {
        for next in row.shares.keys() {
            into[*next].insert(at);
        }
    }
    let mut left: BTreeSet<usize> = (0..count).collect();
    let mut taken = Vec::with_capacity(count);
    // Eliminate states with few edges first (Markowitz 1957), so that few new edges arise.
    let cost = |at: &usize, rows: &[Row], into: &[BTreeSet<usize>]| (rows[*at].shares.len() * into[*at].len(), *at);
    while let Some(at) = left.iter().copied().min_by_key(|at| cost(at, &rows, &into)) {
        left.remove(&at);
        let mut row = std::mem::take(&mut rows[at]);
        let stay = row.shares.remove(&at).unwrap_or_else(BigRational::zero);
        let leave = BigRational::one() - stay;
        if leave.is_zero() {
            // No edge leaves this state any more.
            row = Row::default();
        } else if !leave.is_one() {
            row.shares.values_mut().for_each(|share| *share /= &leave);
            row.added /= &leave;
        }
        for next in row.shares.keys() {
            into[*next].remove(&at);
        }
        for before in std::mem::take(&mut into[at]) {
            if before == at {
                continue;
            }
            let other = &mut rows[before];
            let Some(share) = other.shares.remove(&at) else { continue };
            for (next, more) in &row.shares {
                budget.spend(&[&share, more])?;
                let slot = other.shares.entry(*next).or_insert_with(BigRational::zero);
                *slot += &share * more;
                into[*next].insert(before);
            }
            budget.spend(&[&share, &row.added, &other.added])?;
            other.added += &share * &row.added;
        }
        taken.push((at, row));
    }
    let mut values = vec![BigRational::zero(); count];
    for (at, row) in taken.into_iter().rev() {
        let mut value = row.added;
        for (next, share) in &row.shares {
            let known = &values[*next];
            budget.spend(&[share, known, &value])?;
            value += share * known;
        }
        values[at] = value;
    }
    Some(values)
}
