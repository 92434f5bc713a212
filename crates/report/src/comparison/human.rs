//! The differences between two readings, as text.

use std::fmt::Write;

use super::model::{ComparedReading, Comparison, is_same};
use super::{odds, scenarios};
use referee_diagnostic::{one_line, printable};

impl Comparison<'_> {
    /// Returns the comparison as text.
    #[must_use]
    pub fn human(&self, colour: bool) -> String {
        match self.readings.first() {
            Some(reading) if !self.all_options => self.one(reading, colour),
            _ => self.ranking(),
        }
    }

    /// Returns the changes by one reading: a summary first, then the scenarios, the statistics and the odds.
    fn one(&self, reading: &ComparedReading, colour: bool) -> String {
        let (base, label) = (&self.base.label, &reading.names.label);
        let mut text =
            printable(&format!("{}{}: {label} compared with {base}\n", self.schema.title, self.of_variant()));
        if is_same(&self.base, &reading.names) {
            text.push_str("these are the same: all options have the same values, and the house rules are the same\n");
        }
        text.push('\n');
        let statistics = self.statistics(reading);
        text.push_str(&scenarios::summary(&reading.scenarios, is_same(&self.base, &reading.names)));
        text.push_str(&odds::summary(reading));
        text.push_str(&self.games_summary(reading, statistics.as_deref()));
        text.push_str(&scenarios::changes(&reading.scenarios, base, label, colour));
        if self.games > 0 || reading.odds.as_ref().is_some_and(Result::is_ok) {
            let _ = write!(text, "\n{}", self.who_plays());
        }
        text.push_str(&odds::table((base, label), reading));
        text.push_str(&self.games_text(statistics.as_deref(), label));
        if statistics.is_some() && !reading.own_counters.is_empty() {
            let names: Vec<String> = reading.own_counters.iter().map(|name| one_line(name)).collect();
            let _ = writeln!(text, "\nnot compared, because only house rules declare them: {}", names.join(", "));
        }
        text
    }
}
