//! A comparison as JSON.

use serde::Serialize;

use super::model::{ComparedReading, Comparison, OddsPair, ReadingNames};
use super::odds::rows;
use super::ranking::{Change, Effect};
use super::scenarios::counts;
use super::statistics::{Seen, Statistic};
use crate::intervals::rounded;
use crate::object::{Fields, Object, by_name, line, object};
use crate::odds::chance;
use referee_scenario::{Compared, Outcome};
use referee_table::Drawing;

impl Comparison<'_> {
    /// Returns the comparison as one JSON object.
    #[must_use]
    pub fn json(&self) -> String {
        let players =
            self.players.iter().zip(self.policies).map(|(player, policy)| {
                object().with("player", self.schema.player_name(*player)).with("policy", policy)
            });
        let all = object()
            .with("version", 1)
            .with("game", &self.schema.id)
            .with("variant", self.variant.as_deref())
            .list("players", players)
            .with("seed", self.seed)
            .with("games", self.games)
            .with("max_plies", self.max_plies)
            // The number of differences whose intervals hold together, for a ranking.
            .some("comparisons", self.all_options.then(|| self.together().intervals()))
            .with("base", names(&self.base))
            .list("readings", self.ranked().into_iter().map(|(reading, effect)| self.reading(reading, effect)));
        line(&all)
    }

    fn reading<'r>(&'r self, reading: &'r ComparedReading, found: Option<Effect>) -> impl Serialize {
        let statistics = self.statistics(reading);
        names(&reading.names)
            .with("effect", found.map(effect))
            .with("scenarios", scenarios(&reading.scenarios))
            .with("statistics", statistics.map(|all| all.into_iter().map(statistic).collect::<Vec<_>>()))
            // The counters that only house rules declare, which are not compared.
            .some("own_counters", Some(&reading.own_counters).filter(|own| !own.is_empty()))
            // Why games are not compared, if they cannot be.
            .some("no_games", reading.why_no_games.as_ref())
            .some("odds", reading.odds.as_ref().map(odds))
    }
}

fn names(names: &ReadingNames) -> Object<impl Fields> {
    object().with("reading", &names.label).with("houses", &names.houses).with("settings", by_name(&names.settings))
}

/// Returns the effect of a reading: its size, and the differences of which it is the larger one: of a result, and of the
/// mean length in percent.
fn effect(effect: Effect) -> impl Serialize {
    let result = effect.result.as_ref().map(|result| {
        let (low, high) = ends(result);
        object()
            .with("result", result.name.clone())
            .with("points", rounded(result.size))
            // Whether it comes from odds, and not from games.
            .with("odds", result.interval.is_none())
            .some("low", low)
            .some("high", high)
    });
    let (low, high) = effect.length.as_ref().map_or((None, None), ends);
    object()
        .with("size", rounded(effect.size()))
        .with("result", result)
        .with("turns", effect.length.as_ref().map(|length| rounded(length.size)))
        // Whether something is known to differ.
        .with("finding", effect.is_finding())
        .some("turns_low", low)
        .some("turns_high", high)
        // About how many games would show a difference of a result or of the length that is not known to be one.
        .with("games_needed", effect.games_needed)
}

/// Returns the ends of the interval of a difference, if games show it.
fn ends(change: &Change) -> (Option<f64>, Option<f64>) {
    change.interval.map(|(low, high)| (rounded(low), rounded(high))).unzip()
}

fn scenarios(all: &[Compared]) -> impl Serialize {
    let counts = counts(all);
    object()
        .with("all", counts.all)
        .with("changed", counts.changed)
        // The number of scenarios that set the options and house rules themselves.
        .with("own", counts.fixed)
        .list("changes", all.iter().filter(|one| one.changes()).map(change))
}

fn change(compared: &Compared) -> impl Serialize {
    let position = compared.position();
    let (boards, before, after) = match position {
        Some(position) => (position.boards, position.only_before, position.only_after),
        None => (None, Vec::new(), Vec::new()),
    };
    let (board_before, board_after) = boards.unzip();
    let chances = compared.chances.iter().map(|changed| {
        object()
            .with("line", changed.line)
            .with("condition", &changed.condition)
            .with("before", chance(&changed.before))
            .with("after", chance(&changed.after))
    });
    object()
        .with("file", &compared.file)
        .with("line", compared.line)
        .with("scenario", &compared.title)
        .with("before", side(&compared.before, board_before.as_ref(), before))
        .with("after", side(&compared.after, board_after.as_ref(), after))
        .list("chances", chances)
}

/// Returns the result of a scenario under one reading. Board and facts are present if they differ.
fn side<'c>(outcome: &'c Outcome, board: Option<&Drawing>, only: Vec<String>) -> impl Serialize + use<'c> {
    let failure = outcome.failure.as_ref();
    object()
        .with("status", outcome.status)
        .with("line", failure.map(|failure| failure.line))
        .with("message", failure.map(|failure| &failure.message))
        .with("board", board.map(Drawing::plain))
        .with("only", only)
}

fn statistic(statistic: Statistic) -> impl Serialize {
    let seen = match statistic.seen() {
        Seen::Differs => "differs",
        Seen::Open => "not seen",
        Seen::Same => "same",
        Seen::Unknown => "not compared",
    };
    let found = statistic.difference.map(|found| {
        object()
            .with("pairs", found.pairs)
            .with("before", found.before)
            .with("after", found.after)
            .with("difference", found.difference)
            .with("low", found.low)
            .with("high", found.high)
            .with("games_needed", found.games_needed)
    });
    object().with("statistic", statistic.name).with("seen", seen).and_some(found)
}

/// Returns the odds, or why they are not known.
fn odds(pair: &OddsPair) -> impl Serialize {
    let rows = rows(pair).map(|rows| {
        let row = |row: &super::odds::Row<'_>| {
            object()
                .with("name", row.name.to_owned())
                .with("before", chance(&row.before))
                .with("after", chance(&row.after))
                // `null` if the bounds of the chances do not decide it.
                .with("equal", row.is_equal())
        };
        rows.iter().map(row).collect::<Vec<_>>()
    });
    object().some("unknown", pair.as_ref().err()).some("rows", rows)
}
