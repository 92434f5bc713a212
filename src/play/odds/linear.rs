//! Linear equations of chances in exact fractions: x = P x + b, solved by eliminating one state after the other.

use std::collections::{BTreeMap, BTreeSet};

use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::diagnostic::note_missing;
use crate::play::progress::solving;

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
