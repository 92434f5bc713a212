//! Odds as a table and as JSON.

use super::board::draw;
use super::object::{Fields, Object, line, object};
use super::remarks::{Sampled, shared_with_chance};
use super::tables::columns;
use referee_diagnostic::{counted, printable};
use referee_play::{Chance, Rounding, decimal, short_fraction};
use referee_scenario::{Odds, OddsRow};

/// Returns a table of outcomes with their chances as decimals and fractions, and a note about the method.
#[must_use]
pub fn odds_human(odds: &Odds, sampled: Option<Sampled>) -> String {
    let mut text = columns(odds.rows.iter().map(row));
    let exact = odds.rows.iter().all(|row| row.chance.is_exact());
    let how = if exact { "exact" } else { "proven bounds" };
    text.push_str(&format!("{how}, over {}\n", counted(odds.states, "state")));
    text.push_str(&sampled.map(Sampled::human).unwrap_or_default());
    text.push_str(&odds.shared.as_ref().map(|chance| shared_with_chance(chance, None)).unwrap_or_default());
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

/// Returns a chance: its fraction, if it is known exactly, and bounds.
pub(super) fn chance(chance: &Chance) -> Object<impl Fields + use<>> {
    object()
        .with("fraction", chance.is_exact().then(|| chance.low.to_string()))
        .with("low", decimal(&chance.low, 15, Rounding::Down))
        .with("high", decimal(&chance.high, 15, Rounding::Up))
}

/// Returns odds as JSON:
/// `{"version":1,"exact":…,"states":…,"endless":…,"odds":[{"name":…,"fraction":…,"low":…,"high":…}]}`; if play may
/// never end, with `"trap":{"turn":…,"board":[…],"line":[…]}`; with samples of deals, with
/// `"sampled":{"deals":…,"decisions":…}`; if several players may win together, with `"shared_wins":{"fraction":…,"low":…,"high":…}`.
#[must_use]
pub fn odds_json(odds: &Odds, sampled: Option<Sampled>) -> String {
    let trap = odds.trap.as_ref().map(|trap| {
        object().with("turn", &trap.turn).filled("board", draw(&trap.board, false)).with("line", &trap.line)
    });
    let all = object()
        .with("version", 1)
        .with("exact", odds.rows.iter().all(|row| row.chance.is_exact()))
        .with("states", odds.states)
        .with("endless", odds.endless)
        .list("odds", odds.rows.iter().map(|row| object().with("name", &row.name).and(chance(&row.chance))))
        .some("shared_wins", odds.shared.as_ref().map(chance))
        .some("trap", trap)
        .some("sampled", sampled);
    line(&all)
}
