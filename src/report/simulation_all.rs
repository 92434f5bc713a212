//! Simulations with each number of players, in one table.

use super::intervals::{Share, percent, share};
use super::shared_wins;
use super::simulation::Simulation;
use super::tables::{shown, table};

/// Returns the results and the lengths of games with each number of players, as tables.
#[must_use]
pub fn simulations_human(simulations: &[Simulation]) -> String {
    let Some(first) = simulations.first() else { return String::new() };
    let mut text = format!("{}, with each number of players\n\n", first.head());
    let mut results = table(&["players", "", "games", "share", "95 % interval"], &[0, 2, 3]);
    let mut lengths = table(&["players", "turns in a game", "95 % interval", "unfinished"], &[0, 1, 3]);
    for one in simulations {
        let number = one.players.len().to_string();
        for (at, (name, games)) in one.results().into_iter().enumerate() {
            let players = if at == 0 { number.as_str() } else { "" };
            results.add_row([players, &name, &games.games.to_string(), &percent(games.share), &interval(games)]);
        }
        let length = one.length();
        let mean = length.map_or_else(String::new, |mean| format!("{:.2}", mean.mean));
        let ends = length.map_or_else(String::new, |mean| format!("{:.2} to {:.2}", mean.low, mean.high));
        lengths.add_row([number, mean, ends, percent(share(one.totals.unfinished, one.totals.games).share)]);
    }
    text.push_str(&format!("{}\n{}", shown(&results), shown(&lengths)));
    if simulations.iter().any(|one| one.totals.shared > 0) {
        text.push_str(shared_wins::in_some_games());
    }
    text
}

fn interval(share: Share) -> String {
    format!("{} to {}", percent(share.low), percent(share.high))
}

/// Returns the simulations as one JSON object: `{"version":1,"simulations":[…]}`, each as a simulation of its own.
#[must_use]
pub fn simulations_json(simulations: &[Simulation]) -> String {
    let all: Vec<String> = simulations.iter().map(|one| one.json().trim_end().to_owned()).collect();
    format!("{{\"version\":1,\"simulations\":[{}]}}\n", all.join(","))
}
