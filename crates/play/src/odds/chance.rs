//! Chances, and how they are printed.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::Pow;

/// A chance: exact, or between two bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chance {
    /// The lower bound.
    pub low: BigRational,
    /// The upper bound; equal to `low` if the chance is exact.
    pub high: BigRational,
}

impl Chance {
    /// Returns whether the chance is exact.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.low == self.high
    }

    /// Returns the distance between the bounds.
    #[must_use]
    pub fn width(&self) -> BigRational {
        &self.high - &self.low
    }
}

impl std::fmt::Display for Chance {
    /// Writes `1/6 (0.166667)`, `0.530049839` for a fraction that nobody would read, or `between 0.166666666 and
    /// 0.166666667`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.is_exact() {
            let (low, high) = (decimal(&self.low, 15, Rounding::Down), decimal(&self.high, 15, Rounding::Up));
            return write!(f, "between {low} and {high}");
        }
        if self.low.is_integer() {
            return write!(f, "{}", self.low);
        }
        match short_fraction(&self.low) {
            Some(fraction) => write!(f, "{fraction} ({})", decimal(&self.low, 6, Rounding::Nearest)),
            None => write!(f, "{}", decimal(&self.low, 9, Rounding::Nearest)),
        }
    }
}

/// The most characters of a fraction that is printed.
const LONGEST: usize = 80;

/// Returns a fraction as text, if it is short enough to be read.
#[must_use]
pub fn short_fraction(fraction: &BigRational) -> Option<String> {
    let text = fraction.to_string();
    (text.len() <= LONGEST).then_some(text)
}

/// A rounding mode for decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest value.
    Nearest,
    /// Down.
    Down,
    /// Up.
    Up,
}

/// Returns a non-negative fraction as a decimal with `places` digits after the point.
#[must_use]
pub fn decimal(fraction: &BigRational, places: usize, rounding: Rounding) -> String {
    let scale: BigInt = Pow::pow(BigInt::from(10), places);
    let scaled = fraction * BigRational::from_integer(scale.clone());
    let scaled = match rounding {
        Rounding::Nearest => scaled.round(),
        Rounding::Down => scaled.floor(),
        Rounding::Up => scaled.ceil(),
    };
    let (whole, rest) = scaled.to_integer().div_rem(&scale);
    if places == 0 { whole.to_string() } else { format!("{whole}.{:0>places$}", rest.to_string()) }
}
