//! All readings of a game, ranked by their effect.

use std::cmp::Reverse;
use std::fmt::Write;

use super::scenarios::counts;
use super::statistics::{Seen, Statistic, signed};
use super::{ComparedReading, Comparison, plural};
use crate::diagnostic::printable;
use crate::play::Measure;
use crate::report::tables::{shown, table};

/// How much a reading changes the games.
#[derive(Clone, Debug, Default)]
pub(super) struct Effect {
    /// The result whose share differs most, with the difference in percentage points; `None` if none differs.
    pub(super) result: Option<(String, f64)>,
    /// The difference of the mean length in percent of the length under the first reading; `None` if it does not differ.
    pub(super) length: Option<f64>,
    /// The number of statistics that differ.
    pub(super) differ: usize,
    /// The number of statistics.
    pub(super) all: usize,
}

impl Effect {
    fn of(statistics: &[Statistic]) -> Self {
        let mut effect = Self { all: statistics.len(), ..Self::default() };
        for one in statistics.iter().filter(|one| one.seen() == Seen::Differs) {
            effect.differ += 1;
            let Some(found) = &one.difference else { continue };
            let points = found.difference * 100.0;
            if one.measure.is_result() && effect.result.as_ref().is_none_or(|(_, most)| points.abs() > most.abs()) {
                effect.result = Some((one.name.clone(), points));
            }
            if one.measure == Measure::Turns && found.before > 0.0 {
                effect.length = Some(found.difference / found.before * 100.0);
            }
        }
        effect
    }

    /// Returns the larger of the two differences.
    pub(super) fn size(&self) -> f64 {
        let result = self.result.as_ref().map_or(0.0, |(_, points)| points.abs());
        result.max(self.length.map_or(0.0, f64::abs))
    }
}

impl Comparison<'_> {
    /// Returns the readings with their effects, the greatest effect first. Of equal effects, the reading that changes more
    /// scenarios comes first, then the one in which more statistics differ, then the one that the game declares first.
    /// Readings whose games are not compared come last.
    pub(super) fn ranked(&self) -> Vec<(&ComparedReading, Option<Effect>)> {
        let effects = self.readings.iter().map(|reading| {
            let effect = self.statistics(reading).map(|statistics| Effect::of(&statistics));
            (reading, effect)
        });
        let mut ranked: Vec<(&ComparedReading, Option<Effect>)> = effects.collect();
        // The sort is stable.
        ranked.sort_by(|(one, effect), (other, other_effect)| {
            let size = |effect: &Option<Effect>| effect.as_ref().map_or(-1.0, Effect::size);
            let rest = |reading: &ComparedReading, effect: &Option<Effect>| {
                Reverse((counts(&reading.scenarios).changed, effect.as_ref().map_or(0, |effect| effect.differ)))
            };
            size(other_effect).total_cmp(&size(effect)).then(rest(one, effect).cmp(&rest(other, other_effect)))
        });
        ranked
    }

    /// Returns the readings as a table, ranked by their effect.
    pub(super) fn ranking(&self) -> String {
        let (count, base) = (self.readings.len(), &self.base.label);
        let title = format!(
            "{}{}: {count} {} compared with {base}\n",
            self.schema.title,
            self.of_variant(),
            plural(count, "reading", "readings")
        );
        let mut text = printable(&title);
        if count == 0 && self.unplayable.is_empty() {
            return text + "the game has no options and no house rules\n";
        }
        let _ = writeln!(text, "{} pairs of games of seed {} for each", self.games, self.seed);
        text.push_str(&self.who_plays());
        let head = ["reading", "effect", "result", "turns", "statistics that differ", "scenarios that change"];
        let mut rows = table(&head, &[1, 3]);
        let ranked = self.ranked();
        for (reading, effect) in &ranked {
            rows.add_row(cells(reading, effect.as_ref(), self.games));
        }
        let _ = write!(text, "\n{}", shown(&rows));
        for issue in self.cut {
            let (tried, all) = (issue.values.len(), issue.cut_from.unwrap_or(0));
            text.push_str(&printable(&format!("of {} {tried} of {all} values are tried\n", issue.name)));
        }
        for (label, problems) in &self.unplayable {
            let why = problems.first().map_or("", |problem| problem.message.as_str());
            text.push_str(&printable(&format!("{label} cannot be played: {why}\n")));
        }
        if let Some((reading, _)) = ranked.first() {
            text.push_str(&printable(&format!("\nfor what one of them changes: {}\n", self.command(reading))));
        }
        text
    }

    /// Returns the command that compares one reading with the first.
    fn command(&self, reading: &ComparedReading) -> String {
        let value = |name: &str| self.base.settings.iter().find(|(other, _)| other == name).map(|(_, value)| value);
        let settings = reading.names.settings.iter().filter(|(name, now)| value(name) != Some(now));
        let settings = settings.map(|(name, value)| format!(" --set {name}={value}"));
        let houses = reading.names.houses.iter().map(|house| format!(" --house {house}"));
        let words: String = settings.chain(houses).collect();
        format!("`referee compare {}{words}`", self.schema.id)
    }
}

/// Returns the row of a reading.
fn cells(reading: &ComparedReading, effect: Option<&Effect>, games: u64) -> [String; 6] {
    let counts = counts(&reading.scenarios);
    let scenarios =
        if counts.all == 0 { "none found".to_owned() } else { format!("{} of {}", counts.changed, counts.all) };
    let label = printable(&reading.names.label);
    let Some(effect) = effect else {
        let why = if games == 0 { "no games" } else { "stopped by an error" };
        return [label, String::new(), why.to_owned(), String::new(), String::new(), scenarios];
    };
    let none = || "none seen".to_owned();
    let result = effect.result.as_ref().map_or_else(none, |(name, points)| format!("{name} {} pp", signed(*points)));
    [
        label,
        format!("{:.2}", effect.size()),
        printable(&result),
        effect.length.map_or_else(none, |length| format!("{} %", signed(length))),
        format!("{} of {}", effect.differ, effect.all),
        scenarios,
    ]
}
