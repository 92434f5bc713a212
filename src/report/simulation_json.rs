//! Statistics of simulated games as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use super::intervals::{Mean, Share, mean, share};
use super::json::line;
use super::sampled::Sampled;
use super::simulation::{Counted, ShownFace, Simulation, quartile};

/// A simulation as JSON.
///
/// Many fields: it is written as one JSON object, field by field.
#[derive(Serialize)]
struct Shown<'s> {
    version: u32,
    game: &'s str,
    variant: Option<&'s str>,
    houses: &'s [String],
    settings: BTreeMap<&'s str, &'s str>,
    players: Vec<ShownPlayer<'s>>,
    seed: u64,
    first_game: u64,
    games: u64,
    max_plies: u64,
    draws: Share,
    /// Games that several players win.
    shared_wins: Share,
    nobody: Share,
    unfinished: Share,
    #[serde(skip_serializing_if = "Option::is_none")]
    chance: Option<ShownChance<'s>>,
    ended_by: Vec<ShownEnd<'s>>,
    plies: ShownPlies,
    decisions: u64,
    options: u64,
    mean_options: Option<f64>,
    mean_options_interval: Option<[f64; 2]>,
    captures: u64,
    mean_captures: Option<f64>,
    mean_captures_interval: Option<[f64; 2]>,
    counters: Vec<ShownCounter<'s>>,
    clauses: Vec<ShownClause<'s>>,
    dice: Vec<ShownDie<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sampled: Option<Sampled>,
}

#[derive(Serialize)]
struct ShownPlayer<'s> {
    player: &'s str,
    policy: &'s str,
    wins: Share,
}

#[derive(Serialize)]
struct ShownChance<'s> {
    condition: &'s str,
    held: Share,
}

#[derive(Serialize)]
struct ShownEnd<'s> {
    clause: Option<&'s str>,
    games: u64,
}

#[derive(Serialize)]
struct ShownPlies {
    sum: u64,
    mean: Option<f64>,
    mean_interval: Option<[f64; 2]>,
    quartiles: Option<[u64; 3]>,
    /// Pairs: a number of turns, and the number of games with it.
    histogram: Vec<(u64, u64)>,
}

#[derive(Serialize)]
struct ShownCounter<'s> {
    counter: &'s str,
    of: &'s str,
    mean: Option<f64>,
    mean_interval: Option<[f64; 2]>,
    /// Pairs: a final value, and the number of games with it.
    values: Vec<(i64, u64)>,
}

#[derive(Serialize)]
struct ShownClause<'s> {
    clause: &'s str,
    times: u64,
    games: u64,
}

#[derive(Serialize)]
struct ShownDie<'s> {
    die: &'s str,
    /// The number of dice thrown at once.
    dice: usize,
    /// The values of its faces.
    shows: Vec<ShownFace<'s>>,
    faces: &'s [u64],
}

impl Simulation {
    /// Returns the statistics as one JSON object.
    #[must_use]
    pub fn json(&self) -> String {
        let totals = &self.totals;
        let players = self.players.iter().zip(&self.policies).map(|(player, policy)| ShownPlayer {
            player: self.schema.player_name(*player),
            policy,
            wins: self.wins(*player),
        });
        let clauses = self.schema.clauses.iter().zip(&totals.clauses).map(|(clause, applied)| ShownClause {
            clause: &clause.id,
            times: applied.times,
            games: applied.games,
        });
        let dice = self.schema.dice.iter().zip(&totals.dice).map(|(die, faces)| ShownDie {
            die: &die.name,
            dice: die.count,
            shows: die.faces.iter().map(|face| ShownFace::of(&face.shows)).collect(),
            faces,
        });
        let quartiles = [1, 2, 3].map(|part| quartile(&totals.plies, part));
        line(&Shown {
            version: 1,
            game: &self.schema.id,
            variant: self.variant.as_deref(),
            houses: &self.houses,
            settings: self.options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
            players: players.collect(),
            seed: self.seed,
            first_game: self.first,
            games: totals.games,
            max_plies: self.max_plies,
            draws: share(totals.draws, totals.games),
            shared_wins: share(totals.shared, totals.games),
            nobody: share(totals.nobody, totals.games),
            unfinished: share(totals.unfinished, totals.games),
            chance: self.chance.as_deref().map(|condition| ShownChance { condition, held: self.held() }),
            ended_by: self.ended_by().into_iter().map(|(clause, games)| ShownEnd { clause, games }).collect(),
            plies: ShownPlies {
                sum: self.plies(),
                mean: mean(self.plies(), self.finished()),
                mean_interval: ends(self.length()),
                quartiles: match quartiles {
                    [Some(first), Some(second), Some(third)] => Some([first, second, third]),
                    _ => None,
                },
                histogram: totals.plies.iter().map(|(plies, games)| (*plies, *games)).collect(),
            },
            decisions: totals.decisions,
            options: totals.options,
            mean_options: mean(totals.options, totals.decisions),
            mean_options_interval: ends(self.options_at_a_decision()),
            captures: totals.captures,
            mean_captures: mean(totals.captures, totals.games),
            mean_captures_interval: ends(self.captures()),
            counters: self.counters().iter().map(counter).collect(),
            clauses: clauses.collect(),
            dice: dice.collect(),
            sampled: self.sampled,
        })
    }
}

fn counter<'s>(counted: &Counted<'s>) -> ShownCounter<'s> {
    let values = counted.values.iter().map(|(value, games)| (*value, *games)).collect();
    let mean_interval = ends(counted.interval());
    ShownCounter { counter: counted.counter, of: counted.of, mean: counted.mean(), mean_interval, values }
}

/// Returns the ends of the interval of a mean.
fn ends(mean: Option<Mean>) -> Option<[f64; 2]> {
    mean.map(|mean| [mean.low, mean.high])
}
