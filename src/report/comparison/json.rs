//! A comparison as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use super::model::{Comparison, OddsPair, ReadingNames};
use super::odds::{Row, rows};
use super::ranking::{Change as EffectChange, Effect};
use super::scenarios::counts;
use super::statistics::{Seen, Statistic};
use crate::play::{Chance, Rounding, decimal};
use crate::report::intervals::{Difference, rounded};
use crate::report::json::line;
use crate::scenario::{Compared, Outcome};
use crate::table::Drawing;
use crate::trace::Status;

#[derive(Serialize)]
struct Shown<'c> {
    version: u32,
    game: &'c str,
    variant: Option<&'c str>,
    players: Vec<Player<'c>>,
    seed: u64,
    games: u64,
    max_plies: u64,
    /// The number of differences whose intervals hold together, for a ranking.
    #[serde(skip_serializing_if = "Option::is_none")]
    comparisons: Option<u64>,
    base: Names<'c>,
    readings: Vec<Reading<'c>>,
}

#[derive(Serialize)]
struct Player<'c> {
    player: &'c str,
    policy: &'c str,
}

#[derive(Serialize)]
struct Names<'c> {
    reading: &'c str,
    houses: &'c [String],
    settings: BTreeMap<&'c str, &'c str>,
}

#[derive(Serialize)]
struct Reading<'c> {
    #[serde(flatten)]
    names: Names<'c>,
    effect: Option<ShownEffect>,
    scenarios: Scenarios<'c>,
    statistics: Option<Vec<ShownStatistic>>,
    /// Why games are not compared, if they cannot be.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_games: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    odds: Option<Odds<'c>>,
}

/// The effect of a reading: its size, and the differences of which it is the larger one.
#[derive(Serialize)]
struct ShownEffect {
    size: f64,
    result: Option<ShownResult>,
    /// The difference of the mean length in percent.
    turns: Option<f64>,
    /// Whether something is known to differ.
    finding: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    turns_low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turns_high: Option<f64>,
    /// About how many games would show a difference of a result or of the length that is not known to be one.
    games_needed: Option<u64>,
}

#[derive(Serialize)]
struct ShownResult {
    result: String,
    points: f64,
    /// Whether it comes from odds, and not from games.
    odds: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
}

#[derive(Serialize)]
struct Scenarios<'c> {
    all: usize,
    changed: usize,
    /// The number of scenarios that set the options and house rules themselves.
    own: usize,
    changes: Vec<Change<'c>>,
}

#[derive(Serialize)]
struct Change<'c> {
    file: &'c str,
    line: usize,
    scenario: &'c str,
    before: Side<'c>,
    after: Side<'c>,
    chances: Vec<ChangedChance<'c>>,
}

/// The result of a scenario under one reading. Board and facts are present if they differ.
#[derive(Serialize)]
struct Side<'c> {
    status: &'static str,
    line: Option<usize>,
    message: Option<&'c str>,
    board: Option<Vec<String>>,
    only: Vec<String>,
}

#[derive(Serialize)]
struct ChangedChance<'c> {
    line: usize,
    condition: &'c str,
    before: ShownChance,
    after: ShownChance,
}

#[derive(Serialize)]
struct ShownStatistic {
    statistic: String,
    seen: &'static str,
    #[serde(flatten)]
    found: Option<Difference>,
}

#[derive(Serialize)]
struct Odds<'c> {
    /// Why the odds are not known, if they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<Vec<OddsOf<'c>>>,
}

#[derive(Serialize)]
struct OddsOf<'c> {
    name: &'c str,
    before: ShownChance,
    after: ShownChance,
    /// Whether the chances are equal; `null` if their bounds do not decide it.
    equal: Option<bool>,
}

/// A chance: a fraction, if it is known exactly, and bounds.
#[derive(Serialize)]
struct ShownChance {
    fraction: Option<String>,
    low: String,
    high: String,
}

impl Comparison<'_> {
    /// Returns the comparison as one JSON object.
    #[must_use]
    pub fn json(&self) -> String {
        let players = self.players.iter().zip(self.policies);
        let readings = self.ranked().into_iter().map(|(reading, effect)| Reading {
            names: names(&reading.names),
            effect: effect.map(shown_effect),
            scenarios: scenarios(&reading.scenarios),
            statistics: self.statistics(reading).map(|all| all.into_iter().map(statistic).collect()),
            no_games: reading.why_no_games.as_deref(),
            odds: reading.odds.as_ref().map(odds),
        });
        line(&Shown {
            version: 1,
            game: &self.schema.id,
            variant: self.variant.as_deref(),
            players: players
                .map(|(player, policy)| Player { player: self.schema.player_name(*player), policy })
                .collect(),
            seed: self.seed,
            games: self.games,
            max_plies: self.max_plies,
            comparisons: self.all_options.then(|| self.together().intervals()),
            base: names(&self.base),
            readings: readings.collect(),
        })
    }
}

fn names(names: &ReadingNames) -> Names<'_> {
    let settings = names.settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    Names { reading: &names.label, houses: &names.houses, settings }
}

fn shown_effect(effect: Effect) -> ShownEffect {
    let (size, finding, games_needed) = (rounded(effect.size()), effect.is_finding(), effect.games_needed);
    let ends = |change: &EffectChange| change.interval.map(|(low, high)| (rounded(low), rounded(high))).unzip();
    let (turns_low, turns_high) = effect.length.as_ref().map(ends).unwrap_or_default();
    ShownEffect {
        size,
        turns: effect.length.as_ref().map(|length| rounded(length.size)),
        result: effect.result.map(|result| {
            let (low, high) = ends(&result);
            ShownResult {
                points: rounded(result.size),
                odds: result.interval.is_none(),
                result: result.name,
                low,
                high,
            }
        }),
        finding,
        turns_low,
        turns_high,
        games_needed,
    }
}

fn scenarios(all: &[Compared]) -> Scenarios<'_> {
    let counts = counts(all);
    let changes = all.iter().filter(|one| one.changes()).map(change).collect();
    Scenarios { all: counts.all, changed: counts.changed, own: counts.fixed, changes }
}

fn change(compared: &Compared) -> Change<'_> {
    let position = compared.position();
    let (boards, before, after) = match position {
        Some(position) => (position.boards, position.only_before, position.only_after),
        None => (None, Vec::new(), Vec::new()),
    };
    let (board_before, board_after) = boards.unzip();
    let chances = compared.chances.iter().map(|chance| ChangedChance {
        line: chance.line,
        condition: &chance.condition,
        before: shown_chance(&chance.before),
        after: shown_chance(&chance.after),
    });
    Change {
        file: &compared.file,
        line: compared.line,
        scenario: &compared.title,
        before: side(&compared.before, board_before.as_ref(), before),
        after: side(&compared.after, board_after.as_ref(), after),
        chances: chances.collect(),
    }
}

fn side<'c>(outcome: &'c Outcome, board: Option<&Drawing>, only: Vec<String>) -> Side<'c> {
    let failure = outcome.failure.as_ref();
    Side {
        status: match outcome.status {
            Status::Passed => "passed",
            Status::Failed => "failed",
            Status::Errored => "errored",
            Status::Skipped => "skipped",
        },
        line: failure.map(|failure| failure.line),
        message: failure.map(|failure| failure.message.as_str()),
        board: board.map(Drawing::plain),
        only,
    }
}

fn statistic(statistic: Statistic) -> ShownStatistic {
    let seen = match statistic.seen() {
        Seen::Differs => "differs",
        Seen::Open => "not seen",
        Seen::Same => "same",
        Seen::Unknown => "not compared",
    };
    ShownStatistic { statistic: statistic.name, seen, found: statistic.difference }
}

fn odds(pair: &OddsPair) -> Odds<'_> {
    let rows = rows(pair);
    let unknown = pair.as_ref().err().map(String::as_str);
    let rows = rows.map(|rows| rows.iter().map(odds_of).collect());
    Odds { unknown, rows }
}

fn odds_of<'o>(row: &Row<'o>) -> OddsOf<'o> {
    OddsOf { name: row.name, before: shown_chance(&row.before), after: shown_chance(&row.after), equal: row.is_equal() }
}

fn shown_chance(chance: &Chance) -> ShownChance {
    ShownChance {
        fraction: chance.is_exact().then(|| chance.low.to_string()),
        low: decimal(&chance.low, 15, Rounding::Down),
        high: decimal(&chance.high, 15, Rounding::Up),
    }
}
