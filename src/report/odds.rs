//! Odds as a table and as JSON.

use serde::Serialize;

use super::board::draw;
use super::json::line;
use super::sampled::Sampled;
use super::shared_wins;
use super::tables::columns;
use crate::diagnostic::{counted, printable};
use crate::play::{Chance, Rounding, decimal, short_fraction};
use crate::scenario::{Odds, OddsRow};

/// Returns a table of outcomes with their chances as decimals and fractions, and a note about the method.
#[must_use]
pub fn odds_human(odds: &Odds, sampled: Option<Sampled>) -> String {
    let mut text = columns(odds.rows.iter().map(row));
    let exact = odds.rows.iter().all(|row| row.chance.is_exact());
    let how = if exact { "exact" } else { "proven bounds" };
    text.push_str(&format!("{how}, over {}\n", counted(odds.states, "state")));
    text.push_str(&sampled.map(Sampled::human).unwrap_or_default());
    text.push_str(&odds.shared.as_ref().map(|chance| shared_wins::with_chance(chance, None)).unwrap_or_default());
    if odds.endless > 0 {
        let within = odds.trap.as_ref().is_some_and(|trap| trap.within_turn);
        let from = match (within, odds.endless) {
            (false, count) => format!("{count} of these states"),
            (true, 1) => "a position in the middle of a turn".to_owned(),
            (true, count) => format!("{count} positions in the middle of a turn"),
        };
        text.push_str(&format!("play may never end: it cannot end from {from}\n"));
    }
    if let Some(trap) = &odds.trap {
        let turn = trap.turn.as_ref().map(|turn| format!(", in the turn of {turn}")).unwrap_or_default();
        let which = if trap.within_turn && odds.endless == 1 { "this position" } else { "one of these positions" };
        text.push_str(&format!("{which}{turn}:\n"));
        text.extend(draw(&trap.board, false).iter().map(|line| format!("  {line}").trim_end().to_owned() + "\n"));
        if !trap.line.is_empty() {
            text.push_str("play reaches it by:\n");
        }
        text.extend(trap.line.iter().map(|line| format!("  {line}\n")));
    }
    printable(&text)
}

fn row(row: &OddsRow) -> [String; 3] {
    let chance = &row.chance;
    if !chance.is_exact() {
        let (low, high) = (decimal(&chance.low, 15, Rounding::Down), decimal(&chance.high, 15, Rounding::Up));
        return [row.name.clone(), format!("{low} to {high}"), String::new()];
    }
    let fraction = short_fraction(&chance.low)
        .unwrap_or_else(|| format!("a fraction of {} digits", chance.low.to_string().len() - 1));
    [row.name.clone(), decimal(&chance.low, 9, Rounding::Nearest), fraction]
}

#[derive(Serialize)]
struct Table<'o> {
    version: u32,
    exact: bool,
    states: usize,
    endless: usize,
    odds: Vec<Row<'o>>,
    /// The chance that several players win together, if that may happen.
    #[serde(skip_serializing_if = "Option::is_none")]
    shared_wins: Option<Bounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trap: Option<Trap<'o>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sampled: Option<Sampled>,
}

/// A position from which play cannot end.
#[derive(Serialize)]
struct Trap<'o> {
    turn: Option<&'o str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    board: Vec<String>,
    line: &'o [String],
}

#[derive(Serialize)]
struct Row<'o> {
    name: &'o str,
    #[serde(flatten)]
    chance: Bounds,
}

#[derive(Serialize)]
struct Bounds {
    /// The fraction, if it is known exactly.
    fraction: Option<String>,
    low: String,
    high: String,
}

impl Bounds {
    fn of(chance: &Chance) -> Self {
        Self {
            fraction: chance.is_exact().then(|| chance.low.to_string()),
            low: decimal(&chance.low, 15, Rounding::Down),
            high: decimal(&chance.high, 15, Rounding::Up),
        }
    }
}

/// Returns odds as JSON:
/// `{"version":1,"exact":…,"states":…,"endless":…,"odds":[{"name":…,"fraction":…,"low":…,"high":…}]}`; if play may
/// never end, with `"trap":{"turn":…,"board":[…],"line":[…]}`; with samples of deals, with
/// `"sampled":{"deals":…,"decisions":…}`; if several players may win together, with `"shared_wins":{"fraction":…,"low":…,"high":…}`.
#[must_use]
pub fn odds_json(odds: &Odds, sampled: Option<Sampled>) -> String {
    let rows = odds.rows.iter().map(|one| Row { name: &one.name, chance: Bounds::of(&one.chance) });
    let shared_wins = odds.shared.as_ref().map(Bounds::of);
    let exact = odds.rows.iter().all(|row| row.chance.is_exact());
    let trap = odds.trap.as_ref().map(|trap| Trap {
        turn: trap.turn.as_deref(),
        board: draw(&trap.board, false),
        line: &trap.line,
    });
    line(&Table {
        version: 1,
        exact,
        states: odds.states,
        endless: odds.endless,
        odds: rows.collect(),
        shared_wins,
        trap,
        sampled,
    })
}
