//! Shares and means with their 95 % intervals, computed from counts.

use serde::Serialize;

use super::quantiles::{Together, Z, Z_ONE_SIDED};
use referee_play::Pairs;

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
    let (low, high) = wilson(games, all, Z);
    Share { games, share: rounded(games as f64 / all as f64), low: rounded(low), high: rounded(high) }
}

/// Returns the ends of Wilson's interval for the quantile `z` of the normal distribution; `all` is not 0.
fn wilson(games: u64, all: u64, z: f64) -> (f64, f64) {
    let (n, p) = (all as f64, games as f64 / all as f64);
    let scale = 1.0 + z * z / n;
    let centre = (p + z * z / (2.0 * n)) / scale;
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt() / scale;
    // Rounding errors may put the ends slightly outside 0 to 1.
    (if games == 0 { 0.0 } else { centre - half }, if games == all { 1.0 } else { centre + half })
}

/// A mean with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Mean {
    pub(super) mean: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Returns the mean of numbers, each with how often it occurs, and its interval by Student's distribution: Student, "The
/// probable error of a mean", Biometrika 6, 1908. `None` for fewer than two numbers, and for numbers that are too large.
pub(super) fn mean_of(numbers: impl IntoIterator<Item = (i64, u64)>) -> Option<Mean> {
    let (mut count, mut sum, mut squares) = (0_i128, 0_i128, 0_i128);
    for (number, times) in numbers {
        let (number, times) = (i128::from(number), i128::from(times));
        count += times;
        sum = sum.checked_add(number.checked_mul(times)?)?;
        squares = squares.checked_add(number.checked_mul(number)?.checked_mul(times)?)?;
    }
    of_sums(count, sum, squares)
}

/// Each game has a first and a second number: the sums over all games of these, of their squares, and of their products.
#[derive(Clone, Copy, Debug)]
pub(super) struct RatioSums {
    pub(super) games: u64,
    pub(super) first: u64,
    pub(super) second: u64,
    pub(super) first_squares: u128,
    pub(super) second_squares: u128,
    pub(super) products: u128,
}

/// Returns the sum of the first numbers divided by that of the second, and its interval: Cochran, "Sampling techniques",
/// 1977, section 6.4. The games are the sample, so that what belongs to one game may depend on each other.
pub(super) fn ratio_of(sums: RatioSums) -> Option<Mean> {
    if sums.games < 2 || sums.second == 0 {
        return None;
    }
    let [games, first, second] = [sums.games, sums.first, sums.second].map(|number| number as f64);
    let [ones, others, products] = [sums.first_squares, sums.second_squares, sums.products].map(|number| number as f64);
    let ratio = first / second;
    // Rounding errors may make the sum of the squared residuals slightly negative.
    let residuals = (ones - 2.0 * ratio * products + ratio * ratio * others).max(0.0);
    let half = Together::ONE.student(sums.games - 1) * (residuals / (games - 1.0) * games).sqrt() / second;
    Some(Mean { mean: rounded(ratio), low: rounded(ratio - half), high: rounded(ratio + half) })
}

/// Returns the mean of `count` numbers with this sum and this sum of squares, and its interval: see [`mean_of`].
pub(super) fn of_sums(count: i128, sum: i128, squares: i128) -> Option<Mean> {
    let count = u64::try_from(count).ok()?;
    let (mean, variance) = moments(count, sum, squares)?;
    let (low, high) = student(mean, variance, count, Together::ONE);
    Some(Mean { mean: rounded(mean), low: rounded(low), high: rounded(high) })
}

/// Returns the mean and the variance of numbers with this sum and this sum of squares; `None` for fewer than two, or if
/// the sums are too large.
fn moments(count: u64, sum: i128, squares: i128) -> Option<(f64, f64)> {
    if count < 2 {
        return None;
    }
    // The sum of the squared deviations, times the count: exact, so that equal numbers have no deviation at all.
    let deviations = squares.checked_mul(i128::from(count))?.checked_sub(sum.checked_mul(sum)?)?;
    let n = count as f64;
    Some((sum as f64 / n, deviations as f64 / n / (n - 1.0)))
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
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// Whether enough pairs differ for a difference to be seen.
    is_broad: bool,
}

impl Difference {
    /// Returns whether the interval excludes that there is no difference, and enough pairs differ.
    pub(super) fn excludes_zero(&self) -> bool {
        self.is_broad && (self.low > 0.0 || self.high < 0.0)
    }
}

/// Returns the mean difference of pairs; `None` for fewer than two pairs, or if the sums are too large. `is_share` says
/// that all numbers are 0 or 1; the interval is one of several that hold `together`.
pub(super) fn difference(pairs: &Pairs, is_share: bool, together: Together) -> Option<Difference> {
    let (n, sum) = (pairs.pairs as f64, pairs.difference());
    let (mean, variance) = moments(pairs.pairs, sum, pairs.squares)?;
    let (low, high) =
        if is_share { newcombe(pairs, together.normal()) } else { student(mean, variance, pairs.pairs, together) };
    Some(Difference {
        pairs: pairs.pairs,
        before: rounded(pairs.before as f64 / n),
        after: rounded(pairs.after as f64 / n),
        difference: rounded(mean),
        low: rounded(low),
        high: rounded(high),
        games_needed: (sum != 0).then(|| games_needed(mean, variance, together.normal())),
        is_broad: together == Together::ONE || pairs.differ >= together.fewest_pairs(),
    })
}

/// Returns the interval of a mean of differences by Student's distribution: Student, "The probable error of a mean",
/// Biometrika 6, 1908.
fn student(mean: f64, variance: f64, pairs: u64, together: Together) -> (f64, f64) {
    let half = together.student(pairs.saturating_sub(1)) * (variance / pairs as f64).sqrt();
    (mean - half, mean + half)
}

/// Returns the interval of a difference of two shares of the same games: Newcombe, "Improved confidence intervals for
/// the difference between binomial proportions based on paired data", Statistics in Medicine 17, 1998, method 10. It
/// combines Wilson's intervals of the two shares.
fn newcombe(pairs: &Pairs, z: f64) -> (f64, f64) {
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
    let ((p_low, p_high), (q_low, q_high)) = (wilson(after, pairs.pairs, z), wilson(before, pairs.pairs, z));
    let width = |one: f64, other: f64| (one * one - 2.0 * correlation * one * other + other * other).max(0.0).sqrt();
    (p - q - width(p - p_low, q_high - q), p - q + width(p_high - p, q - q_low))
}

/// Returns the approximate number of pairs that show a difference of this size: (z₁ + z₂)² s² / d², rounded up, where d
/// is the mean difference and s² its variance from pair to pair. `z`, z₁, is for the interval, z₂ for 95 % of all
/// runs: in these, the interval of that many pairs excludes 0. Chow, Shao and Wang, "Sample size calculations in
/// clinical research", 2008, section 3.1, for one sample: the differences.
fn games_needed(mean: f64, variance: f64, z: f64) -> u64 {
    let pairs = (z + Z_ONE_SIDED) * (z + Z_ONE_SIDED) * variance / (mean * mean);
    // A cast of a number that is too large gives the greatest one.
    (pairs.ceil() as u64).max(2)
}

#[cfg(test)]
mod tests {
    use super::{Difference, RatioSums, Together, difference, mean_of, ratio_of, share};
    use referee_play::Pairs;

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
        difference(pairs, is_share, Together::ONE).unwrap_or_else(|| unreachable!("no difference of {pairs:?}"))
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
        assert_eq!(difference(&pairs(&[(1, 2)]), false, Together::ONE), None);
        // Numbers whose squares are too large have no interval, and no panic either.
        assert_eq!(difference(&pairs(&[(i64::MIN, i64::MAX), (0, 1)]), false, Together::ONE), None);
    }

    #[test]
    fn a_mean_has_students_interval() {
        // 1, 2, 3, 4, 5: mean 3, variance 2.5, as above.
        let found = mean_of([(1, 1), (2, 1), (3, 1), (4, 1), (5, 1)]);
        assert_eq!(found.map(|one| (one.mean, one.low, one.high)), Some((3.0, 1.036_757, 4.963_243)));
        let same = mean_of([(7, 1000)]).map(|one| (one.low, one.high));
        assert_eq!(
            (same, mean_of([(7, 1)]), mean_of([(i64::MAX, 9), (i64::MIN, u64::MAX)])),
            (Some((7.0, 7.0)), None, None)
        );
    }

    #[test]
    fn a_ratio_has_cochrans_interval() {
        // Games with 2, 4, 6 options at 1, 2, 2 decisions: 12 / 5 = 2.4; the residuals are -0.4, -0.8, 1.2, their squares
        // 2.24; the standard error is sqrt(2.24 / 2 * 3) / 5 = 0.366606, Student's quantile for 2 degrees 4.302653.
        let sums = RatioSums { games: 3, first: 12, second: 5, first_squares: 56, second_squares: 9, products: 22 };
        let found = ratio_of(sums).map(|one| [one.mean, one.low, one.high]);
        assert_eq!(found, Some([2.4, 0.822621, 3.977379]));
        assert_eq!(ratio_of(RatioSums { games: 1, ..sums }), None);
    }

    /// Returns numbers from a seed, for differences of readings that play alike.
    fn random(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (*seed ^ (*seed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    #[test]
    fn of_readings_that_play_alike_few_runs_show_a_difference() {
        // Each run compares 40 statistics: shares of all sizes, rare ones, lengths, and numbers with long tails.
        for pairs_of_games in [10, 30, 300] {
            let (mut seed, mut wrong, runs) = (pairs_of_games, 0, 400);
            for _ in 0..runs {
                let mut any = false;
                for statistic in 0..40_u64 {
                    let is_share = statistic % 2 == 0;
                    let mut number = || match statistic % 8 {
                        0 => i64::from(random(&mut seed).is_multiple_of(2)),
                        2 => i64::from(random(&mut seed).is_multiple_of(50)),
                        4 => i64::from(!random(&mut seed).is_multiple_of(10)),
                        6 => i64::from(random(&mut seed).is_multiple_of(4)),
                        1 => (random(&mut seed) % 50) as i64,
                        3 => i64::from(random(&mut seed).trailing_zeros()).pow(4),
                        5 => i64::from(random(&mut seed).is_multiple_of(20)) * 1000,
                        _ => i64::from(random(&mut seed).count_ones()),
                    };
                    let values: Vec<(i64, i64)> = (0..pairs_of_games).map(|_| (number(), number())).collect();
                    any |=
                        difference(&pairs(&values), is_share, Together::of(40)).is_some_and(|one| one.excludes_zero());
                }
                wrong += u64::from(any);
            }
            // 5 % of 400 are 20; the rest is chance (the 99.9 % quantile of the binomial distribution is 34).
            assert!(wrong <= 34, "{wrong} of {runs} runs of {pairs_of_games} games");
        }
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
