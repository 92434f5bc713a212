//! The statistics of pairs of games: which differ, in which no difference is seen, and which are the same in every
//! game.

use std::fmt::Write;

use super::model::{ComparedReading, Comparison, plural};
use crate::intervals::{Difference, difference, percent};
use crate::quantiles::Together;
use crate::remarks::shared_in_some_games;
use crate::tables::{shown, table};
use referee_diagnostic::{one_line, printable};
use referee_play::{Measure, Pairs};
use referee_table::{ClauseId, Schema};

/// A measure of the games with its result.
pub(super) struct Statistic {
    pub(super) measure: Measure,
    pub(super) name: String,
    pub(super) pairs: Pairs,
    /// `None` if too few pairs of games have it, or if its numbers are too large.
    pub(super) difference: Option<Difference>,
}

/// The result of the games for a statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// The interval of the difference excludes 0.
    Differs,
    /// The interval includes 0.
    Open,
    /// It is the same in both games of each pair.
    Same,
    /// Too few pairs of games have it, or its numbers are too large.
    Unknown,
}

impl Statistic {
    pub(super) fn seen(&self) -> Seen {
        match &self.difference {
            None => Seen::Unknown,
            Some(_) if self.pairs.are_equal() => Seen::Same,
            Some(found) if found.excludes_zero() => Seen::Differs,
            Some(_) => Seen::Open,
        }
    }

    /// Returns whether it never occurs under either reading.
    fn is_nothing(&self) -> bool {
        self.pairs.are_equal() && self.pairs.before == 0
    }

    /// Returns a mean in the unit of the statistic.
    fn mean(&self, mean: f64) -> String {
        if self.measure.is_share() { percent(mean) } else { format!("{mean:.2}") }
    }

    /// Returns a difference in the unit of the statistic; of shares in percentage points.
    pub(super) fn change(&self, change: f64) -> String {
        if self.measure.is_share() { format!("{} pp", signed(change * 100.0)) } else { signed(change) }
    }

    pub(super) fn interval(&self, found: &Difference) -> String {
        let scale = if self.measure.is_share() { 100.0 } else { 1.0 };
        let unit = if self.measure.is_share() { " pp" } else { "" };
        format!("{} to {}{unit}", signed(found.low * scale), signed(found.high * scale))
    }

    /// Returns its name, with the number of pairs if not all games have it.
    fn shown_name(&self, games: u64) -> String {
        let pairs = self.pairs.pairs;
        let name = one_line(&self.name);
        if pairs == games { name } else { format!("{name} ({pairs} pairs)") }
    }
}

/// Returns a number with its sign, to two places; 0 has none.
pub(super) fn signed(number: f64) -> String {
    let text = format!("{number:+.2}");
    if text.trim_start_matches(['+', '-']) == "0.00" { "0.00".to_owned() } else { text }
}

/// Returns a number with a comma after each three digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns the name of a measure.
fn name(schema: &Schema, measure: Measure, chance: Option<&str>) -> String {
    let clause = |clause: ClauseId| schema.clause_name(clause);
    match measure {
        Measure::Wins(player) => format!("{} wins", schema.player_name(player)),
        Measure::Draw => "draw".to_owned(),
        Measure::Nobody => "nobody wins".to_owned(),
        Measure::Unfinished => "unfinished".to_owned(),
        Measure::Held => chance.unwrap_or_default().to_owned(),
        Measure::Turns => "turns in a game".to_owned(),
        Measure::Decisions => "decisions in a game".to_owned(),
        Measure::Options => "options in a game".to_owned(),
        Measure::Captures => "captures in a game".to_owned(),
        Measure::Counter(_, property, owner) => {
            let counter = schema.property_name(property);
            format!("{counter} of {} at the end", schema.owner_name(owner).unwrap_or_default())
        }
        Measure::EndedBy(Some(by)) => format!("ended by {}", clause(by)),
        Measure::EndedBy(None) => "ended without a clause".to_owned(),
        Measure::Clause(applied) => format!("{} applied in a game", clause(applied)),
    }
}

impl Comparison<'_> {
    /// Returns the statistics of the games under a reading; `None` if there are none.
    pub(super) fn statistics(&self, reading: &ComparedReading) -> Option<Vec<Statistic>> {
        let (sums, together) = (reading.games.as_ref()?, self.together());
        let statistics = self.measures.iter().zip(sums).map(|(measure, pairs)| Statistic {
            measure: *measure,
            name: name(self.schema, *measure, self.chance),
            pairs: *pairs,
            difference: difference(pairs, measure.is_share(), together),
        });
        Some(statistics.collect())
    }

    /// Returns how many intervals hold together: for a ranking those of all readings, otherwise each for itself.
    pub(super) fn together(&self) -> Together {
        if !self.all_options {
            return Together::ONE;
        }
        let played = self.readings.iter().filter(|reading| reading.games.is_some()).count();
        Together::of(played.saturating_mul(self.measures.len()))
    }

    /// Returns in how many statistics a difference is seen.
    pub(super) fn games_summary(&self, reading: &ComparedReading, statistics: Option<&[Statistic]>) -> String {
        let Some(statistics) = statistics else {
            return match &reading.why_no_games {
                None => "games: none played\n".to_owned(),
                Some(why) => printable(&format!("games: not compared {why}\n")),
            };
        };
        let count = |seen: Seen| statistics.iter().filter(|one| one.seen() == seen).count();
        let (all, differs) = (statistics.len(), count(Seen::Differs));
        let (games, seed) = (self.games, self.seed);
        let pairs = if games == 1 { "pair" } else { "pairs" };
        format!(
            "games: {differs} of {all} statistics {}, {} the same in every game; {games} {pairs} of games of seed {seed}\n",
            plural(differs, "differs", "differ"),
            count(Seen::Same)
        )
    }

    /// Returns the statistics as tables.
    pub(super) fn games_text(&self, statistics: Option<&[Statistic]>, label: &str) -> String {
        let Some(statistics) = statistics else { return String::new() };
        let of = |seen: Seen| statistics.iter().filter(move |one| one.seen() == seen).collect::<Vec<_>>();
        let mut text = String::new();
        let (differs, not_seen) = (of(Seen::Differs), of(Seen::Open));
        if !differs.is_empty() {
            text.push_str(&self.rows("statistics that differ", &differs, label, false));
        }
        if !not_seen.is_empty() {
            text.push_str(&self.rows("no difference is seen in", &not_seen, label, true));
            text.push_str(
                "games needed: with this number of games, the interval of a difference as large as this one excludes 0 in 95 % \
                 of all runs\n",
            );
        }
        let (nothing, same): (Vec<_>, Vec<_>) = of(Seen::Same).into_iter().partition(|one| one.is_nothing());
        list(&mut text, "the same in every game", &same);
        text.push_str(&never(&nothing));
        let (few, large): (Vec<_>, Vec<_>) = of(Seen::Unknown).into_iter().partition(|one| one.pairs.pairs < 2);
        list(&mut text, "not compared, because fewer than 2 pairs of games have it", &few);
        list(&mut text, "not compared, because the numbers are too large", &large);
        if self.shares_wins(statistics) {
            text.push_str(shared_in_some_games());
        }
        text
    }

    /// Returns whether several players win some of the games: each game has one result otherwise.
    fn shares_wins(&self, statistics: &[Statistic]) -> bool {
        let results = statistics.iter().filter(|one| one.measure.is_result());
        let (before, after) =
            results.fold((0_i128, 0_i128), |sums, one| (sums.0 + one.pairs.before, sums.1 + one.pairs.after));
        before.max(after) > i128::from(self.games)
    }

    fn rows(&self, title: &str, statistics: &[&Statistic], label: &str, with_games_needed: bool) -> String {
        let (base, label) = (one_line(&self.base.label), one_line(label));
        let mut head = vec![title, &base, &label, "difference", "95 % interval"];
        head.extend(with_games_needed.then_some("games needed"));
        let mut rows = table(&head, if with_games_needed { &[1, 2, 3, 4, 5] } else { &[1, 2, 3, 4] });
        for one in statistics {
            let Some(found) = &one.difference else { continue };
            let mut cells = vec![
                one.shown_name(self.games),
                one.mean(found.before),
                one.mean(found.after),
                one.change(found.difference),
                one.interval(found),
            ];
            if with_games_needed {
                cells.push(
                    found
                        .games_needed
                        .map_or_else(|| "none seen".to_owned(), |games| format!("about {}", grouped(games))),
                );
            }
            rows.add_row(cells);
        }
        format!("\n{}", shown(&rows))
    }
}

/// The most statistics that are named of those that occur in no game.
const NAMED: usize = 8;

/// Returns how many statistics occur in no game under either reading, and the first of them.
fn never(statistics: &[&Statistic]) -> String {
    if statistics.is_empty() {
        return String::new();
    }
    let names: Vec<String> = statistics.iter().take(NAMED).map(|one| one_line(&one.name)).collect();
    let more = match statistics.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("\nin no game: {}{more}\n", names.join(", "))
}

/// Appends the names of statistics under a heading, if there are any.
fn list(text: &mut String, heading: &str, statistics: &[&Statistic]) {
    if !statistics.is_empty() {
        let names: Vec<String> = statistics.iter().map(|one| one_line(&one.name)).collect();
        let _ = writeln!(text, "\n{heading}: {}", names.join(", "));
    }
}

#[cfg(test)]
mod tests {
    use super::{grouped, signed};

    #[test]
    fn numbers_are_shown_with_signs_and_commas() {
        assert_eq!([1.234, -0.006, -0.004, 0.0].map(signed), ["+1.23", "-0.01", "0.00", "0.00"]);
        assert_eq!([7, 999, 1000, 1_234_567].map(grouped), ["7", "999", "1,000", "1,234,567"]);
    }
}
