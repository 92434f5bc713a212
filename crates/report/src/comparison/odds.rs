//! Exact odds under two readings.

use std::fmt::Write;

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::model::{ComparedReading, OddsPair, plural};
use crate::remarks::shared_with_chance;
use crate::tables;
use referee_diagnostic::{one_line, printable};
use referee_play::{Chance, Rounding, decimal};
use referee_scenario::Odds;

/// The maximum length of a fraction in a table, in characters.
const LONGEST: usize = 20;

/// An outcome under two readings.
pub(super) struct Row<'o> {
    pub(super) name: &'o str,
    pub(super) before: Chance,
    pub(super) after: Chance,
}

impl Row<'_> {
    /// Returns the difference; between bounds unless both chances are exact.
    pub(super) fn difference(&self) -> Chance {
        Chance { low: &self.after.low - &self.before.high, high: &self.after.high - &self.before.low }
    }

    /// Returns the difference in percentage points if the chances differ; between bounds its middle.
    pub(super) fn points(&self) -> Option<f64> {
        let Chance { low, high } = self.difference();
        let twice = (low + high) * BigRational::from_integer(50.into());
        let size: f64 = decimal(&twice.abs(), 9, Rounding::Nearest).parse().ok()?;
        (self.is_equal() == Some(false)).then_some(if twice.is_negative() { -size } else { size })
    }

    /// Returns whether the chances are equal; `None` if their bounds do not decide it.
    pub(super) fn is_equal(&self) -> Option<bool> {
        let difference = self.difference();
        if difference.low.is_positive() || difference.high.is_negative() {
            return Some(false);
        }
        difference.is_exact().then_some(true)
    }
}

/// Returns the odds of both readings, if both are known.
pub(super) fn rows(pair: &OddsPair) -> Option<Vec<Row<'_>>> {
    let (before, after) = pair.as_ref().ok()?;
    let mut names: Vec<&str> = before.rows.iter().map(|row| row.name.as_str()).collect();
    let more: Vec<&str> = after.rows.iter().map(|row| row.name.as_str()).filter(|name| !names.contains(name)).collect();
    names.extend(more);
    // An end that is not listed cannot be reached.
    let never = || Chance { low: BigRational::zero(), high: BigRational::zero() };
    let chance = |odds: &Odds, name: &str| {
        odds.rows.iter().find(|row| row.name == name).map_or_else(never, |row| row.chance.clone())
    };
    Some(names.iter().map(|name| Row { name, before: chance(before, name), after: chance(after, name) }).collect())
}

/// Returns whether the odds differ, or why this is not known.
pub(super) fn summary(reading: &ComparedReading) -> String {
    let Some(pair) = &reading.odds else { return String::new() };
    let rows = match pair {
        Ok(_) => rows(pair).unwrap_or_default(),
        Err(why) => return printable(&format!("exact odds: not computed {why}\n")),
    };
    let differ = rows.iter().filter(|row| row.is_equal() == Some(false)).count();
    let unknown = rows.iter().filter(|row| row.is_equal().is_none()).count();
    let result = match (differ, unknown) {
        (0, 0) => "the same".to_owned(),
        (0, _) => "the same within the bounds".to_owned(),
        (count, _) => format!("{count} of {} outcomes {}", rows.len(), plural(count, "differs", "differ")),
    };
    format!("exact odds: {result}\n")
}

/// Returns the odds as a table.
pub(super) fn table(labels: (&str, &str), reading: &ComparedReading) -> String {
    let pair = reading.odds.as_ref().and_then(|pair| Some((pair.as_ref().ok()?, rows(pair)?)));
    let Some(((before, after), rows)) = pair else { return String::new() };
    let labels = (one_line(labels.0), one_line(labels.1));
    let is_exact = rows.iter().all(|row| row.before.is_exact() && row.after.is_exact());
    let how = if is_exact { "exact odds" } else { "odds within proven bounds" };
    let mut table = tables::table(&[how, &labels.0, &labels.1, "difference"], &[]);
    for row in &rows {
        let cells =
            [one_line(row.name), written(&row.before), written(&row.after), written_difference(&row.difference())];
        table.add_row(cells);
    }
    let mut text = format!("\n{}", tables::shown(&table));
    for (label, odds) in [(&labels.0, before), (&labels.1, after)] {
        if odds.endless > 0 {
            let _ = writeln!(text, "play may never end under {label}");
        }
        text.push_str(&odds.shared.as_ref().map(|chance| shared_with_chance(chance, Some(label))).unwrap_or_default());
    }
    text
}

/// Returns a chance as a decimal, with its fraction if that is short; or its bounds.
fn written(chance: &Chance) -> String {
    if !chance.is_exact() {
        let (low, high) = (decimal(&chance.low, 9, Rounding::Down), decimal(&chance.high, 9, Rounding::Up));
        return format!("{low} to {high}");
    }
    with_fraction(&chance.low, decimal(&chance.low, 6, Rounding::Nearest))
}

fn with_fraction(fraction: &BigRational, decimal: String) -> String {
    let text = fraction.to_string();
    if fraction.is_integer() {
        text
    } else if text.len() <= LONGEST {
        format!("{decimal} ({text})")
    } else {
        decimal
    }
}

/// Returns a difference of chances with its sign.
fn written_difference(difference: &Chance) -> String {
    let sign = |number: &BigRational| if number.is_negative() { "-" } else { "+" };
    if difference.is_exact() {
        let (number, size) = (&difference.low, difference.low.abs());
        let text = with_fraction(&size, decimal(&size, 6, Rounding::Nearest));
        return if number.is_zero() { text } else { format!("{}{text}", sign(number)) };
    }
    let bound = |number: &BigRational, is_upper: bool| {
        // The decimals of a negative number are rounded the other way.
        let rounding = if is_upper == number.is_positive() { Rounding::Up } else { Rounding::Down };
        format!("{}{}", sign(number), decimal(&number.abs(), 9, rounding))
    };
    format!("{} to {}", bound(&difference.low, false), bound(&difference.high, true))
}
