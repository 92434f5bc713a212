//! Statistics of simulated games as JSON.

use serde::Serialize;

use super::intervals::{Mean, mean, share};
use super::object::{by_name, line, object};
use super::profile::profile_shown;
use super::simulation::{Counted, ShownFace, Simulation, quartile};

impl Simulation {
    /// Returns the statistics as one JSON object.
    #[must_use]
    pub fn json(&self) -> String {
        let totals = &self.totals;
        let players = self.players.iter().zip(&self.policies).map(|(player, policy)| {
            object()
                .with("player", self.schema.player_name(*player))
                .with("policy", policy)
                .with("wins", self.wins(*player))
        });
        let chance = self.chance.as_ref();
        let chance = chance.map(|condition| object().with("condition", condition).with("held", self.held()));
        let ended_by = self.ended_by().into_iter();
        let ended_by = ended_by.map(|(clause, games)| object().with("clause", clause).with("games", games));
        let clauses = self.schema.clauses.iter().zip(&totals.clauses).map(|(clause, applied)| {
            object().with("clause", &clause.id).with("times", applied.times).with("games", applied.games)
        });
        let dice = self.schema.dice.iter().zip(&totals.dice).map(|(die, faces)| {
            object()
                .with("die", &die.name)
                // The number of dice thrown at once.
                .with("dice", die.count)
                .list("shows", die.faces.iter().map(|face| ShownFace::of(&face.shows)))
                .with("faces", faces)
        });
        let all = object()
            .with("version", 1)
            .with("game", &self.schema.id)
            .with("variant", self.variant.as_deref())
            .with("houses", &self.houses)
            .with("settings", by_name(&self.options))
            .list("players", players)
            .with("seed", self.seed)
            .with("first_game", self.first)
            .with("games", totals.games)
            .with("max_plies", self.max_plies)
            .with("draws", share(totals.draws, totals.games))
            // Games that several players win.
            .with("shared_wins", share(totals.shared, totals.games))
            .with("nobody", share(totals.nobody, totals.games))
            .with("unfinished", share(totals.unfinished, totals.games))
            .some("chance", chance)
            .list("ended_by", ended_by)
            .with("plies", self.plies_shown())
            .with("decisions", totals.decisions)
            .with("options", totals.options)
            .with("mean_options", mean(totals.options, totals.decisions))
            .with("mean_options_interval", ends(self.options_at_a_decision()))
            .with("captures", totals.captures)
            .with("mean_captures", mean(totals.captures, totals.games))
            .with("mean_captures_interval", ends(self.captures()))
            .list("counters", self.counters().iter().map(counter))
            .list("clauses", clauses)
            .list("dice", dice)
            .some("sampled", self.sampled)
            .some("profile", self.profile.as_ref().map(profile_shown));
        line(&all)
    }

    /// Returns the lengths of the games. The histogram has pairs: a number of turns, and the number of games with it.
    fn plies_shown(&self) -> impl Serialize {
        let plies = &self.totals.plies;
        let quartiles = match [1, 2, 3].map(|part| quartile(plies, part)) {
            [Some(first), Some(second), Some(third)] => Some([first, second, third]),
            _ => None,
        };
        object()
            .with("sum", self.plies())
            .with("mean", mean(self.plies(), self.finished()))
            .with("mean_interval", ends(self.length()))
            .with("quartiles", quartiles)
            .list("histogram", plies)
    }
}

/// Returns a counter. Its values are pairs: a final value, and the number of games with it.
fn counter<'s>(counted: &Counted<'s>) -> impl Serialize + use<'s> {
    object()
        .with("counter", counted.counter)
        .with("of", counted.of.clone())
        .with("mean", counted.mean())
        .with("mean_interval", ends(counted.interval()))
        .list("values", counted.values)
}

/// Returns the ends of the interval of a mean.
fn ends(mean: Option<Mean>) -> Option<[f64; 2]> {
    mean.map(|mean| [mean.low, mean.high])
}

/// Returns the simulations as one JSON object: `{"version":1,"simulations":[…]}`, each as a simulation of its own.
#[must_use]
pub fn simulations_json(simulations: &[Simulation]) -> String {
    let all: Vec<String> = simulations.iter().map(|one| one.json().trim_end().to_owned()).collect();
    format!("{{\"version\":1,\"simulations\":[{}]}}\n", all.join(","))
}
