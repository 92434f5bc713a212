//! Quantiles of the normal distribution and of Student's, for one interval or for many together. Only arithmetic is used,
//! whose bits are the same on every machine.

/// The quantile of the standard normal distribution for 95 %, on both sides.
pub(super) const Z: f64 = 1.959_963_984_540_054;
/// Its quantile for 95 %, on one side.
pub(super) const Z_ONE_SIDED: f64 = 1.644_853_626_951_472;
/// The share of runs in which an interval may miss.
const MISSES: f64 = 0.05;

/// How many intervals hold together in 95 % of all runs. Each of `n` intervals is one for 1 - 5 % / n: Bonferroni's
/// inequality, applied to intervals by Dunn, "Multiple comparisons among means", Journal of the American Statistical
/// Association 56, 1961.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Together(u64);

impl Together {
    /// Each interval for itself.
    pub(super) const ONE: Self = Self(1);

    /// Returns the level for this many intervals.
    pub(super) fn of(intervals: usize) -> Self {
        Self((intervals as u64).max(1))
    }

    /// Returns the number of the intervals.
    pub(super) const fn intervals(self) -> u64 {
        self.0
    }

    /// Returns the share of runs in which one of the intervals may miss.
    fn misses(self) -> f64 {
        MISSES / self.0 as f64
    }

    /// Returns the quantile of the standard normal distribution on both sides.
    pub(super) fn normal(self) -> f64 {
        if self.0 == 1 { Z } else { upper(self.misses() / 2.0) }
    }

    /// Returns the quantile of Student's distribution on both sides; `freedom` is at least 1. From 10 degrees of freedom on
    /// by the expansion of Abramowitz and Stegun, "Handbook of mathematical functions", 1964, 26.7.5.
    pub(super) fn student(self, freedom: u64) -> f64 {
        const SMALL: [f64; 9] =
            [12.706_205, 4.302_653, 3.182_446, 2.776_445, 2.570_582, 2.446_912, 2.364_624, 2.306_004, 2.262_157];
        let small = usize::try_from(freedom).ok().and_then(|freedom| SMALL.get(freedom.saturating_sub(1)));
        match small {
            Some(known) if self.0 == 1 => *known,
            Some(_) => few(freedom, self.misses()),
            None => {
                let (z, n) = (self.normal(), freedom as f64);
                let square = z * z;
                let terms = [
                    (square + 1.0) / 4.0,
                    ((5.0 * square + 16.0) * square + 3.0) / 96.0,
                    (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0,
                    ((((79.0 * square + 776.0) * square + 1482.0) * square - 1920.0) * square - 945.0) / 92160.0,
                ];
                z + z * terms.iter().rev().fold(0.0, |sum, term| (sum + term) / n)
            }
        }
    }

    /// Returns the least number of pairs that must differ for a difference to be seen. If two readings play alike, each
    /// pair that differs is as likely to differ in the one direction as in the other; so even if all `k` of them differ in
    /// the same, that has a chance of 2^(1 - k).
    pub(super) fn fewest_pairs(self) -> u64 {
        let mut pairs = 1;
        let mut chance = 1.0;
        while chance > self.misses() {
            pairs += 1;
            chance /= 2.0;
        }
        pairs
    }
}

/// Returns a quantile of Student's distribution for fewer than 10 degrees of freedom, on both sides, that is not too small:
/// that of the next lower even number of degrees, by the finite sum of Abramowitz and Stegun, 26.7.4.
fn few(freedom: u64, misses: f64) -> f64 {
    if freedom < 2 {
        // tan(x) < 1 / (π/2 - x)
        return 2.0 / (std::f64::consts::PI * misses);
    }
    let even = (freedom / 2 * 2) as f64;
    let within = |quantile: f64| {
        let cos2 = even / (even + quantile * quantile);
        let (mut sum, mut term, mut at) = (1.0, 1.0, 2.0);
        while at < even {
            term *= cos2 * (at - 1.0) / at;
            sum += term;
            at += 2.0;
        }
        sum * quantile / (even + quantile * quantile).sqrt()
    };
    let (mut low, mut high) = (0.0, 1e9);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if within(middle) < 1.0 - misses { low = middle } else { high = middle }
    }
    high
}

/// Returns the number that a standard normal variable exceeds with this chance, which is at most 0.05: Wichura,
/// "Algorithm AS 241", Applied Statistics 37, 1988, the variant of seven digits.
fn upper(chance: f64) -> f64 {
    let root = (-logarithm(chance)).sqrt();
    let polynomial = |terms: &[f64], at: f64| terms.iter().rev().fold(0.0, |sum, term| sum * at + term);
    if root <= 5.0 {
        let at = root - 1.6;
        polynomial(&[1.423_437_277_7, 2.756_815_390_0, 1.306_728_481_6, 0.170_238_211_03], at)
            / polynomial(&[1.0, 0.737_001_642_50, 0.120_211_329_75], at)
    } else {
        let at = root - 5.0;
        polynomial(&[6.657_905_115_0, 3.081_226_386_0, 0.428_682_943_37, 0.017_337_203_997], at)
            / polynomial(&[1.0, 0.241_978_942_25, 0.012_258_202_635], at)
    }
}

/// Returns the natural logarithm of a number between 0 and 1.
fn logarithm(number: f64) -> f64 {
    let (mut number, mut halvings) = (number, 0.0);
    while number < 0.75 && halvings < 1100.0 {
        number *= 2.0;
        halvings += 1.0;
    }
    // ln x = 2 artanh((x - 1) / (x + 1))
    let at = (number - 1.0) / (number + 1.0);
    let series = (0..20).rev().fold(0.0, |sum, term| sum * at * at + 1.0 / f64::from(2 * term + 1));
    2.0 * at * series - halvings * std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::Together;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        let near = |one: f64, other: f64, by: f64| assert!((one - other).abs() <= by, "{one} {other}");
        // Integrals of the density by Simpson's rule, inverted by bisection; the same as in printed tables.
        for (freedom, wanted) in [(1, 12.706205), (4, 2.776445), (10, 2.228139), (20, 2.085963), (50, 2.008559)] {
            near(Together::ONE.student(freedom), wanted, 1e-5);
        }
        near(Together::ONE.student(999), 1.962341, 1e-6);
        near(Together::ONE.student(u64::MAX), 1.959964, 1e-6);
        // For 10 intervals 99.5 %, for 200 99.975 %.
        near(Together::of(10).normal(), 2.807034, 1e-6);
        near(Together::of(200).normal(), 3.662260, 1e-6);
        near(Together::of(1_000_000).normal(), 5.451310, 1e-6);
        for (freedom, ten, many) in
            [(2, 14.089, 63.234), (4, 5.598, 12.312), (8, 3.833, 6.234), (12, 3.428, 5.128), (30, 3.030, 4.154)]
        {
            near(Together::of(10).student(freedom), ten, 1e-3);
            // The expansion is good to two digits here.
            near(Together::of(200).student(freedom), many, 0.02);
        }
        // Of an odd number of degrees of freedom it is not too small.
        assert!(Together::of(10).student(9) >= 3.690 && Together::of(10).student(1) >= 127.3);
    }

    #[test]
    fn a_few_pairs_show_nothing() {
        assert_eq!([1, 10, 200].map(|count| Together::of(count).fewest_pairs()), [6, 9, 13]);
    }
}
