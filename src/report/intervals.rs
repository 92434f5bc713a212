//! Shares and means with their 95 % intervals, computed from counts.

use serde::Serialize;

use crate::play::Pairs;

/// The quantile of the standard normal distribution for 95 %, on both sides.
const Z: f64 = 1.959_963_984_540_054;
/// Its quantile for 95 %, on one side.
const Z_ONE_SIDED: f64 = 1.644_853_626_951_472;

/// A share of all games, with its 95 % Wilson interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Share {
    pub(super) games: u64,
    pub(super) share: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Returns a share with its interval: Wilson, "Probable inference, the law of succession, and statistical inference",
/// 1927.
pub(super) fn share(games: u64, all: u64) -> Share {
    if all == 0 {
        return Share { games, share: 0.0, low: 0.0, high: 1.0 };
    }
    let (low, high) = wilson(games, all);
    Share { games, share: rounded(games as f64 / all as f64), low: rounded(low), high: rounded(high) }
}

/// Returns the ends of Wilson's interval; `all` is not 0.
fn wilson(games: u64, all: u64) -> (f64, f64) {
    let (n, p) = (all as f64, games as f64 / all as f64);
    let scale = 1.0 + Z * Z / n;
    let centre = (p + Z * Z / (2.0 * n)) / scale;
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt() / scale;
    // Rounding errors may put the ends slightly outside 0 to 1.
    (if games == 0 { 0.0 } else { centre - half }, if games == all { 1.0 } else { centre + half })
}

/// Returns a mean; `None` if `count` is 0.
pub(super) fn mean(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| rounded(sum as f64 / count as f64))
}

/// Rounds to six decimal places.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// The mean difference of pairs of games, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Difference {
    /// The number of pairs.
    pub(super) pairs: u64,
    /// The mean of the first games.
    pub(super) before: f64,
    /// The mean of the second games.
    pub(super) after: f64,
    pub(super) difference: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    /// About how many pairs of games show a difference of this size; `None` if there is none.
    pub(super) games_needed: Option<u64>,
}

impl Difference {
    /// Returns whether the interval excludes that there is no difference.
    pub(super) fn excludes_zero(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// Returns the mean difference of pairs; `None` for fewer than two pairs, or if the sums are too large. `is_share` says
/// that all numbers are 0 or 1.
pub(super) fn difference(pairs: &Pairs, is_share: bool) -> Option<Difference> {
    let (n, sum) = (pairs.pairs as f64, pairs.difference());
    if pairs.pairs < 2 {
        return None;
    }
    // The sum of the squared deviations, times n: exact, so that equal differences have no deviation at all.
    let deviations = pairs.squares.checked_mul(i128::from(pairs.pairs))?.checked_sub(sum.checked_mul(sum)?)?;
    let (mean, variance) = (sum as f64 / n, deviations as f64 / n / (n - 1.0));
    let (low, high) = if is_share { newcombe(pairs) } else { student(mean, variance, pairs.pairs) };
    Some(Difference {
        pairs: pairs.pairs,
        before: rounded(pairs.before as f64 / n),
        after: rounded(pairs.after as f64 / n),
        difference: rounded(mean),
        low: rounded(low),
        high: rounded(high),
        games_needed: (sum != 0).then(|| games_needed(mean, variance)),
    })
}

/// Returns the interval of a mean of differences by Student's distribution: Student, "The probable error of a mean",
/// Biometrika 6, 1908.
fn student(mean: f64, variance: f64, pairs: u64) -> (f64, f64) {
    let half = quantile(pairs.saturating_sub(1)) * (variance / pairs as f64).sqrt();
    (mean - half, mean + half)
}

/// Returns the quantile of Student's distribution for 95 %, on both sides; `freedom` is at least 1. From 10 degrees of
/// freedom on by the expansion of Abramowitz and Stegun, "Handbook of mathematical functions", 1964, 26.7.5. Only
/// arithmetic is used, whose bits are the same on every machine.
fn quantile(freedom: u64) -> f64 {
    const SMALL: [f64; 9] =
        [12.706_205, 4.302_653, 3.182_446, 2.776_445, 2.570_582, 2.446_912, 2.364_624, 2.306_004, 2.262_157];
    /// Polynomials of [`Z`].
    const TERMS: [f64; 4] = [2.372_271_230, 2.822_498_616, 2.555_849_680, 1.589_534_053];
    let small = usize::try_from(freedom).ok().and_then(|freedom| SMALL.get(freedom.saturating_sub(1)));
    small.copied().unwrap_or_else(|| {
        let freedom = freedom as f64;
        Z + TERMS.iter().rev().fold(0.0, |sum, term| (sum + term) / freedom)
    })
}

/// Returns the interval of a difference of two shares of the same games: Newcombe, "Improved confidence intervals for
/// the difference between binomial proportions based on paired data", Statistics in Medicine 17, 1998, method 10. It
/// combines Wilson's intervals of the two shares.
fn newcombe(pairs: &Pairs) -> (f64, f64) {
    let count = |number: i128| u64::try_from(number).unwrap_or(0);
    let (before, after) = (count(pairs.before), count(pairs.after));
    let n = pairs.pairs as f64;
    // The pairs in which only the second game, or only the first, has it.
    let (only_after, only_before) =
        ((pairs.squares + pairs.difference()) / 2, (pairs.squares - pairs.difference()) / 2);
    let both = pairs.after - only_after;
    let neither = i128::from(pairs.pairs) - both - only_after - only_before;
    let margins = [both + only_after, neither + only_before, both + only_before, neither + only_after];
    let product: f64 = margins.iter().map(|margin| *margin as f64).product();
    let cross = (both * neither - only_after * only_before) as f64;
    let corrected = if cross > 0.0 { (cross - n / 2.0).max(0.0) } else { cross };
    let correlation = if product > 0.0 { corrected / product.sqrt() } else { 0.0 };
    let (p, q) = (after as f64 / n, before as f64 / n);
    let ((p_low, p_high), (q_low, q_high)) = (wilson(after, pairs.pairs), wilson(before, pairs.pairs));
    let width = |one: f64, other: f64| (one * one - 2.0 * correlation * one * other + other * other).max(0.0).sqrt();
    (p - q - width(p - p_low, q_high - q), p - q + width(p_high - p, q - q_low))
}

/// Returns the approximate number of pairs that show a difference of this size: (z₁ + z₂)² s² / d², rounded up, where d
/// is the mean difference and s² its variance from pair to pair. z₁ is for an interval of 95 %, z₂ for 95 % of all
/// runs: in these, the interval of that many pairs excludes 0. Chow, Shao and Wang, "Sample size calculations in
/// clinical research", 2008, section 3.1, for one sample: the differences.
fn games_needed(mean: f64, variance: f64) -> u64 {
    let pairs = (Z + Z_ONE_SIDED) * (Z + Z_ONE_SIDED) * variance / (mean * mean);
    // A cast of a number that is too large gives the greatest one.
    (pairs.ceil() as u64).max(2)
}

#[cfg(test)]
mod tests {
    use super::{Difference, difference, quantile, share};
    use crate::play::Pairs;

    #[test]
    fn intervals_are_those_of_the_literature() {
        // Brown, Cai and DasGupta, "Interval estimation for a binomial proportion", 2001, and Newcombe, 1998, table I.
        for (games, all, low, high) in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)] {
            let share = share(games, all);
            assert!((share.low - low).abs() < 5e-5 && (share.high - high).abs() < 5e-5, "{games} of {all}: {share:?}");
        }
        assert_eq!((share(7, 7).high, share(0, 0).low), (1.0, 0.0));
    }

    fn pairs(values: &[(i64, i64)]) -> Pairs {
        values.iter().fold(Pairs::default(), |mut pairs, (before, after)| {
            pairs.add(Some(*before), Some(*after));
            pairs
        })
    }

    fn of(pairs: &Pairs, is_share: bool) -> Difference {
        difference(pairs, is_share).unwrap_or_else(|| unreachable!("no difference of {pairs:?}"))
    }

    #[test]
    fn a_paired_interval_is_that_computed_by_hand() {
        // The differences 1, 2, 3, 4, 5: mean 3, variance 2.5, standard error 0.707107. Student's quantile for 4
        // degrees of freedom is 2.776445, so the interval is 3 ± 1.963243.
        let found = of(&pairs(&[(0, 1), (5, 7), (1, 4), (2, 6), (9, 14)]), false);
        assert_eq!((found.before, found.after, found.difference), (3.4, 6.4, 3.0));
        assert_eq!((found.low, found.high), (1.036_757, 4.963_243));
        // (1.959964 + 1.644854)^2 * 2.5 / 9 = 3.61
        assert_eq!((found.excludes_zero(), found.games_needed), (true, Some(4)));
        // Equal games, and games that all differ by the same number.
        let same = of(&pairs(&[(1, 1), (2, 2), (7, 7)]), false);
        assert_eq!((same.difference, same.low, same.high, same.games_needed), (0.0, 0.0, 0.0, None));
        let all = of(&pairs(&[(1, 2), (2, 3)]), false);
        assert_eq!((all.low, all.high, all.games_needed), (1.0, 1.0, Some(2)));
        assert_eq!(difference(&pairs(&[(1, 2)]), false), None);
        // Numbers whose squares are too large have no interval, and no panic either.
        assert_eq!(difference(&pairs(&[(i64::MIN, i64::MAX), (0, 1)]), false), None);
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        // Integrals of the density by Simpson's rule, inverted by bisection; the same as in printed tables.
        for (freedom, wanted) in [(1, 12.706205), (4, 2.776445), (10, 2.228139), (20, 2.085963), (50, 2.008559)] {
            assert!((quantile(freedom) - wanted).abs() < 1e-5, "{freedom}: {}", quantile(freedom));
        }
        assert!((quantile(999) - 1.962341).abs() < 1e-6 && (quantile(u64::MAX) - 1.959964).abs() < 1e-6);
    }

    #[test]
    fn paired_shares_have_newcombes_interval() {
        // Computed by another program from the formulas of the paper. The pairs: in both, only after, only before, in
        // neither.
        for (counts, low, high) in [
            ([36, 12, 2, 0], 0.056_930, 0.340_428),
            ([20, 12, 2, 16], 0.056_156, 0.329_207),
            ([30, 0, 0, 24], -0.035_838, 0.035_838),
        ] {
            let kinds = [(1, 1), (0, 1), (1, 0), (0, 0)];
            let values: Vec<(i64, i64)> =
                kinds.into_iter().zip(counts).flat_map(|(kind, count)| std::iter::repeat_n(kind, count)).collect();
            let found = of(&pairs(&values), true);
            assert_eq!((found.low, found.high), (low, high), "{counts:?}");
        }
    }
}
