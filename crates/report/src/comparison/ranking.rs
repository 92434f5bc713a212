//! All readings of a game, ranked by their effect.

use std::cmp::Reverse;
use std::fmt::Write;

use super::model::{ComparedReading, Comparison};
use super::odds::{Row, rows};
use super::scenarios::counts;
use super::statistics::{Seen, Statistic, grouped, signed};
use crate::tables::{shown, table};
use referee_diagnostic::{counted, one_line, printable};
use referee_play::Measure;
use referee_source::shell_word;
use referee_table::Schema;

/// How much a reading changes the games.
#[derive(Clone, Debug, Default)]
pub(super) struct Effect {
    /// The result whose share differs most; `None` if none differs.
    pub(super) result: Option<Change>,
    /// The difference of the mean length in percent of the length under the first reading; `None` if it does not differ.
    pub(super) length: Option<Change>,
    /// The largest differences of a result and of the length that are not known to be any.
    unseen: [Option<Change>; 2],
    /// About how many games would show one of these; `None` if there is no difference at all.
    pub(super) games_needed: Option<u64>,
    /// The number of statistics that differ.
    pub(super) differ: usize,
    /// The number of statistics.
    pub(super) all: usize,
}

/// A result or a length that differs.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// The result, `red wins`; empty for the length.
    pub(super) name: String,
    /// The difference: of a result in percentage points, of a length in percent.
    pub(super) size: f64,
    /// The interval of a difference that games show; `None` for one that comes from odds.
    pub(super) interval: Option<(f64, f64)>,
}

impl Change {
    /// Returns the difference with its unit: percentage points for a result.
    fn shown(&self) -> String {
        let odds = if self.interval.is_none() { " (odds)" } else { "" };
        match self.name.as_str() {
            "" => format!("{} %", signed(self.size)),
            name => format!("{} {} pp{odds}", one_line(name), signed(self.size)),
        }
    }

    fn shown_interval(&self) -> String {
        self.interval.map_or_else(|| "exact".to_owned(), |(low, high)| format!("{} to {}", signed(low), signed(high)))
    }
}

/// Keeps a change if it is larger than the largest so far.
fn keep(most: &mut Option<Change>, change: Change) {
    if most.as_ref().is_none_or(|most| change.size.abs() > most.size.abs()) {
        *most = Some(change);
    }
}

impl Effect {
    /// Returns the effect that the games show.
    fn of(statistics: &[Statistic]) -> Self {
        let mut effect = Self { all: statistics.len(), ..Self::default() };
        let [mut unseen_result, mut unseen_length] = [None, None];
        for one in statistics {
            let (seen, Some(found)) = (one.seen(), &one.difference) else { continue };
            effect.differ += usize::from(seen == Seen::Differs);
            let is_length = one.measure == Measure::Turns && found.before > 0.0;
            if !is_length && !one.measure.is_result() || !matches!(seen, Seen::Differs | Seen::Open) {
                continue;
            }
            let (name, scale) = if is_length { ("", 100.0 / found.before) } else { (one.name.as_str(), 100.0) };
            let interval = Some((found.low * scale, found.high * scale));
            let change = Change { name: name.to_owned(), size: found.difference * scale, interval };
            match (seen, is_length) {
                (Seen::Differs, false) => keep(&mut effect.result, change),
                (Seen::Differs, true) => effect.length = Some(change),
                (_, false) => keep(&mut unseen_result, change),
                (_, true) => unseen_length = Some(change),
            }
            if seen == Seen::Open {
                effect.games_needed = effect.games_needed.into_iter().chain(found.games_needed).min();
            }
        }
        effect.unseen = [unseen_result, unseen_length];
        effect
    }

    /// Takes the results from odds instead of from games.
    fn with_odds(mut self, schema: &Schema, rows: &[Row<'_>]) -> Self {
        self.result = None;
        for row in rows {
            let is_player = schema.players.iter().any(|player| player == row.name);
            let name = if is_player { format!("{} wins", row.name) } else { row.name.to_owned() };
            if let Some(size) = row.points() {
                keep(&mut self.result, Change { name, size, interval: None });
            }
        }
        self
    }

    /// Returns whether something is known to differ.
    pub(super) const fn is_finding(&self) -> bool {
        self.differ > 0 || self.result.is_some()
    }

    /// Returns the larger of the two differences.
    pub(super) fn size(&self) -> f64 {
        let size = |change: &Option<Change>| change.as_ref().map_or(0.0, |change| change.size.abs());
        size(&self.result).max(size(&self.length))
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
        let ranked = self.ranked();
        let is_finding = |effect: &Option<Effect>| effect.as_ref().is_none_or(Effect::is_finding);
        let (findings, others): (Vec<_>, Vec<_>) = ranked.iter().partition(|(_, effect)| is_finding(effect));
        text.push_str(&found(&findings));
        text.push_str(&not_found(&others));
        let intervals = self.together().intervals();
        if intervals > 1 && self.games > 0 {
            let _ = write!(text, "\n{}", together(intervals, !others.is_empty()));
        }
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
        let flags = |flag: &str, words: &[String]| {
            words.iter().map(|word| format!(" {flag} {}", shell_word(word))).collect::<String>()
        };
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

/// A reading with its effect.
type Ranked<'r> = (&'r ComparedReading, Option<Effect>);

/// Returns the table of the readings under which something differs, and of those without games.
fn found(readings: &[&Ranked<'_>]) -> String {
    if readings.is_empty() {
        return "\nno effect of any reading is seen\n".to_owned();
    }
    let head = [
        "reading",
        "effect",
        "result",
        "interval",
        "turns",
        "interval",
        "statistics that differ",
        "scenarios that change",
    ];
    let mut lines = table(&head, &[1, 4, 5]);
    for (reading, effect) in readings {
        let (label, scenarios) = (one_line(&reading.names.label), scenarios(reading));
        let Some(effect) = effect else {
            let none = String::new;
            lines.add_row([label, none(), "no games".to_owned(), none(), none(), none(), none(), scenarios]);
            continue;
        };
        let [result, result_interval] = shown_change(effect.result.as_ref());
        let [turns, turns_interval] = shown_change(effect.length.as_ref());
        let differ =
            if effect.all == 0 { "no games".to_owned() } else { format!("{} of {}", effect.differ, effect.all) };
        let size = format!("{:.2}", effect.size());
        lines.add_row([label, size, result, result_interval, turns, turns_interval, differ, scenarios]);
    }
    format!("\n{}", shown(&lines))
}

/// Returns the table of the readings of which no effect is seen: the largest differences, which may be chance.
fn not_found(readings: &[&Ranked<'_>]) -> String {
    if readings.is_empty() {
        return String::new();
    }
    let head =
        ["no effect is seen of", "result", "interval", "turns", "interval", "games needed", "scenarios that change"];
    let mut lines = table(&head, &[3, 4, 5]);
    for (reading, effect) in readings {
        let none = Effect::default();
        let effect = effect.as_ref().unwrap_or(&none);
        let [result, turns] = &effect.unseen;
        let [result, result_interval] = unseen_change(result.as_ref());
        let [turns, turns_interval] = unseen_change(turns.as_ref());
        let games = effect.games_needed.map_or_else(String::new, |games| format!("about {}", grouped(games)));
        let label = one_line(&reading.names.label);
        lines.add_row([label, result, result_interval, turns, turns_interval, games, scenarios(reading)]);
    }
    format!("\n{}", shown(&lines))
}

/// Returns what the intervals of a ranking say, and what games would tell.
fn together(intervals: u64, with_games_needed: bool) -> String {
    let mut text = format!(
        "intervals: in 95 % of all runs, all {} of the differences that are compared are within theirs (Bonferroni)\n",
        grouped(intervals)
    );
    if with_games_needed {
        text.push_str(
            "games needed: with this number of games, the interval of one of these differences excludes 0 in 95 % of all \
             runs, if it is as large as here\n",
        );
    }
    text
}

fn shown_change(change: Option<&Change>) -> [String; 2] {
    match change {
        None => ["none seen".to_owned(), String::new()],
        Some(change) => [change.shown(), change.shown_interval()],
    }
}

/// Returns a difference that is not known to be one; those without any are the same in every game.
fn unseen_change(change: Option<&Change>) -> [String; 2] {
    match change {
        None => ["the same".to_owned(), String::new()],
        Some(change) => [change.shown(), change.shown_interval()],
    }
}

/// Returns how many scenarios change.
fn scenarios(reading: &ComparedReading) -> String {
    let counts = counts(&reading.scenarios);
    if counts.all == 0 { "none found".to_owned() } else { format!("{} of {}", counts.changed, counts.all) }
}
