//! All readings of a game, ranked by their effect.

use std::cmp::Reverse;
use std::fmt::Write;

use super::model::{ComparedReading, Comparison};
use super::odds::{Row, rows};
use super::scenarios::counts;
use super::statistics::{Seen, Statistic, signed};
use crate::diagnostic::{counted, printable};
use crate::play::Measure;
use crate::report::tables::{shown, table};
use crate::table::Schema;

/// How much a reading changes the games.
#[derive(Clone, Debug, Default)]
pub(super) struct Effect {
    /// The result whose share differs most; `None` if none differs.
    pub(super) result: Option<ResultChange>,
    /// The difference of the mean length in percent of the length under the first reading; `None` if it does not differ.
    pub(super) length: Option<f64>,
    /// The number of statistics that differ.
    pub(super) differ: usize,
    /// The number of statistics.
    pub(super) all: usize,
}

/// A result that differs.
#[derive(Clone, Debug)]
pub(super) struct ResultChange {
    /// The result: `red wins`.
    pub(super) name: String,
    /// The difference in percentage points.
    pub(super) points: f64,
    /// Whether it comes from odds, and not from games.
    pub(super) is_exact: bool,
}

impl Effect {
    /// Returns the effect that the games show.
    fn of(statistics: &[Statistic]) -> Self {
        let mut effect = Self { all: statistics.len(), ..Self::default() };
        for one in statistics.iter().filter(|one| one.seen() == Seen::Differs) {
            effect.differ += 1;
            let Some(found) = &one.difference else { continue };
            if one.measure.is_result() {
                effect.add(&one.name, found.difference * 100.0, false);
            }
            if one.measure == Measure::Turns && found.before > 0.0 {
                effect.length = Some(found.difference / found.before * 100.0);
            }
        }
        effect
    }

    /// Takes the results from odds instead of from games.
    fn with_odds(mut self, schema: &Schema, rows: &[Row<'_>]) -> Self {
        self.result = None;
        for row in rows {
            let is_player = schema.players.iter().any(|player| player == row.name);
            let name = if is_player { format!("{} wins", row.name) } else { row.name.to_owned() };
            row.points().into_iter().for_each(|points| self.add(&name, points, true));
        }
        self
    }

    fn add(&mut self, name: &str, points: f64, is_exact: bool) {
        if self.result.as_ref().is_none_or(|most| points.abs() > most.points.abs()) {
            self.result = Some(ResultChange { name: name.to_owned(), points, is_exact });
        }
    }

    /// Returns the larger of the two differences.
    pub(super) fn size(&self) -> f64 {
        let result = self.result.as_ref().map_or(0.0, |result| result.points.abs());
        result.max(self.length.map_or(0.0, f64::abs))
    }
}

impl Comparison<'_> {
    /// Returns the readings with their effects, the greatest effect first. Of equal effects, the reading that changes more
    /// scenarios comes first, then the one in which more statistics differ, then the one that the game declares first.
    /// Readings without games and odds come last.
    pub(super) fn ranked(&self) -> Vec<(&ComparedReading, Option<Effect>)> {
        let effects = self.readings.iter().map(|reading| {
            let odds = reading.odds.as_ref().and_then(rows);
            let effect = self.statistics(reading).map(|statistics| Effect::of(&statistics));
            (
                reading,
                match odds {
                    Some(odds) => Some(effect.unwrap_or_default().with_odds(self.schema, &odds)),
                    None => effect,
                },
            )
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
        let title =
            format!("{}{}: {} compared with {base}\n", self.schema.title, self.of_variant(), counted(count, "reading"));
        let mut text = printable(&title);
        if count == 0 {
            return text + "the game has no options and no house rules\n";
        }
        let _ = writeln!(text, "{} pairs of games of seed {} for each", self.games, self.seed);
        text.push_str(&self.who_plays());
        let why = self.readings.first().and_then(|reading| reading.odds.as_ref()?.as_ref().err());
        text.extend(why.map(|why| printable(&format!("exact odds: not computed {why}\n"))));
        let head = ["reading", "effect", "result", "turns", "statistics that differ", "scenarios that change"];
        let mut lines = table(&head, &[1, 3]);
        let ranked = self.ranked();
        for (reading, effect) in &ranked {
            lines.add_row(cells(reading, effect.as_ref()));
        }
        let _ = write!(text, "\n{}", shown(&lines));
        for issue in self.cut {
            let (tried, all) = (issue.values.len(), issue.cut_from.unwrap_or(0));
            text.push_str(&printable(&format!("of {} {tried} of {all} values are tried\n", issue.name)));
        }
        // If it is the first reading under which no games can be played, all have the same reason.
        let mut reasons: Vec<&String> = Vec::new();
        for why in ranked.iter().filter_map(|(reading, _)| reading.why_no_games.as_ref()) {
            if !reasons.contains(&why) {
                text.push_str(&printable(&format!("games not compared {why}\n")));
                reasons.push(why);
            }
        }
        if let Some((reading, _)) = ranked.first() {
            text.push_str(&printable(&format!("\nfor all that one of them changes: {}\n", self.command(reading))));
        }
        text
    }

    /// Returns the command that compares one reading with the first.
    fn command(&self, reading: &ComparedReading) -> String {
        let flags =
            |flag: &str, words: &[String]| words.iter().map(|word| format!(" {flag} {word}")).collect::<String>();
        let (names, base) = (&reading.names, &self.base);
        let (first, other) = &self.flags;
        let words = [
            flags(other.option, &names.chosen),
            flags(other.house, &names.houses),
            flags(first.option, &base.chosen),
            flags(first.house, &base.houses),
        ];
        let words = words.concat();
        format!("`referee compare {}{words}`", self.schema.id)
    }
}

/// Returns the row of a reading.
fn cells(reading: &ComparedReading, effect: Option<&Effect>) -> [String; 6] {
    let counts = counts(&reading.scenarios);
    let scenarios =
        if counts.all == 0 { "none found".to_owned() } else { format!("{} of {}", counts.changed, counts.all) };
    let label = printable(&reading.names.label);
    let Some(effect) = effect else {
        return [label, String::new(), "no games".to_owned(), String::new(), String::new(), scenarios];
    };
    let none = || "none seen".to_owned();
    let result = effect.result.as_ref().map_or_else(none, |result| {
        let odds = if result.is_exact { " (odds)" } else { "" };
        format!("{} {} pp{odds}", result.name, signed(result.points))
    });
    [
        label,
        format!("{:.2}", effect.size()),
        printable(&result),
        effect.length.map_or_else(none, |length| format!("{} %", signed(length))),
        if effect.all == 0 { "no games".to_owned() } else { format!("{} of {}", effect.differ, effect.all) },
        scenarios,
    ]
}
