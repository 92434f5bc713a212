//! The coverage of each game by all tests together.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use super::exercised::Exercised;
use super::file::{FileCoverage, Share};
use crate::loader::Loader;
use referee_diagnostic::Diagnostic;
use referee_game::Game;
use referee_table::{Choice, ClauseId, Form, Schema, Setting};

/// The coverage of the tests, game by game in the order of their names.
#[derive(Debug, Default)]
pub struct Coverage {
    /// The games that the tests use.
    pub games: Vec<GameCoverage>,
}

/// The coverage of the tests of one game.
#[derive(Debug)]
pub struct GameCoverage {
    /// The game.
    pub game: Arc<Game>,
    /// The indices of its tests among all tests.
    pub tests: Vec<usize>,
    /// The clauses of the rulebook, each with the indices of the tests that apply it.
    pub clauses: Vec<(String, Vec<usize>)>,
    /// The clauses that tests claim to cover and do not apply.
    pub unapplied: Vec<Unapplied>,
    /// The scripts that were used, by their names.
    pub files: Vec<FileCoverage>,
    /// The declarations of the game that no test uses.
    pub unused: Vec<Unused>,
}

/// A clause that a test claims to cover and does not apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unapplied {
    /// The clause.
    pub clause: String,
    /// The index of the test among all tests.
    pub test: usize,
    /// The place of the claim, as `FILE:LINE`.
    pub place: String,
}

/// Something that a game declares and no test uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unused {
    /// Its kind: `variant`, `house rule`, `option`, `ask` or `event`.
    pub what: &'static str,
    /// Its name; for an option with a value, as in `goal = 2`.
    pub name: String,
}

impl GameCoverage {
    /// Returns the game's declarations.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.game.schema
    }

    /// Returns how many clauses were applied.
    #[must_use]
    pub fn clause_share(&self) -> Share {
        Share::of(self.clauses.iter().map(|(_, tests)| !tests.is_empty()))
    }

    /// Returns a share over all scripts.
    #[must_use]
    pub fn share(&self, of: impl Fn(&FileCoverage) -> Share) -> Share {
        self.files.iter().map(of).fold(Share::default(), Share::plus)
    }
}

impl Coverage {
    /// Returns the coverage of these tests together; each comes with its index.
    ///
    /// # Errors
    /// Returns an error if the house rules of a game cannot be listed.
    pub fn of<'e>(
        loader: &Loader<'_>,
        tests: impl IntoIterator<Item = (usize, &'e Exercised)>,
    ) -> Result<Self, Box<Diagnostic>> {
        let mut by_game: BTreeMap<(String, String), Vec<(usize, &Exercised)>> = BTreeMap::new();
        for (at, test) in tests {
            let key = (test.game.schema.id.clone(), test.game.rules.name().to_owned());
            by_game.entry(key).or_default().push((at, test));
        }
        let games: Result<Vec<GameCoverage>, _> = by_game.values().map(|tests| of_game(loader, tests)).collect();
        Ok(Self { games: games? })
    }
}

fn of_game(loader: &Loader<'_>, tests: &[(usize, &Exercised)]) -> Result<GameCoverage, Box<Diagnostic>> {
    let Some((_, first)) = tests.first() else { unreachable!("a game is listed with its first test") };
    let game = Arc::clone(&first.game);
    let mut files: BTreeMap<String, FileCoverage> = BTreeMap::new();
    for (point, runs) in tests.iter().flat_map(|(_, test)| test.points.iter().zip(&test.runs)) {
        let file = files.entry(point.source.name().to_owned());
        file.or_insert_with(|| FileCoverage::new(&point.source)).add(point, *runs);
    }
    let applying = |clause: ClauseId| {
        let tests = tests.iter().filter(move |(_, test)| test.clauses.contains(&clause));
        tests.map(|(at, _)| *at).collect()
    };
    let clauses = game.schema.clauses.iter().enumerate();
    let clauses = clauses.map(|(at, clause)| (clause.id.clone(), applying(ClauseId::at(at)))).collect();
    let houses = game.house_names(&loader.search_path)?;
    let tests_used: Vec<&Exercised> = tests.iter().map(|(_, test)| *test).collect();
    let unused = unused(&game.schema, &houses, &tests_used);
    let claims = tests.iter().flat_map(|(at, test)| test.unapplied.iter().map(move |claim| (*at, claim)));
    let unapplied = claims.map(|(test, (clause, place))| {
        let clause = game.schema.clause_name(*clause).to_owned();
        Unapplied { clause, test, place: place.clone() }
    });
    let unapplied = unapplied.collect();
    let tests = tests.iter().map(|(at, _)| *at).collect();
    Ok(GameCoverage { tests, clauses, unapplied, files: files.into_values().collect(), unused, game })
}

/// Returns the declarations of a game that no test uses.
fn unused(schema: &Schema, houses: &[String], tests: &[&Exercised]) -> Vec<Unused> {
    let mut unused = Vec::new();
    let mut add = |what, name: String| unused.push(Unused { what, name });
    for (at, variant) in schema.variants.iter().enumerate() {
        if !variant.name.is_empty() && !tests.iter().any(|test| test.variant == at) {
            add("variant", variant.name.clone());
        }
    }
    for house in houses {
        if !tests.iter().any(|test| test.houses.contains(house)) {
            add("house rule", house.clone());
        }
    }
    for (at, option) in schema.options.iter().enumerate() {
        let set: BTreeSet<&Setting> = tests.iter().filter_map(|test| test.settings.get(at)).collect();
        match &option.choice {
            Choice::Words(words) => {
                let never = words.iter().filter(|word| !set.contains(&Setting::Word(Arc::clone(word))));
                never.for_each(|word| add("option", format!("{} = {word}", option.name)));
            }
            // Not each number of a range needs an example.
            Choice::Numbers(low, high, default) if set.iter().all(|set| **set == Setting::Number(*default)) => {
                add("option", format!("{} = {low}..{high} except {default}", option.name));
            }
            Choice::Numbers(..) => {}
        }
    }
    let forms = |all: &[Form], used: &dyn Fn(usize) -> bool| {
        let never = all.iter().enumerate().filter(|(at, _)| !used(*at));
        never.map(|(_, form)| form.verb.clone()).collect::<Vec<_>>()
    };
    let asked = |at: usize| tests.iter().any(|test| test.asks.iter().any(|ask| ask.index() == at));
    let has_fired = |at: usize| tests.iter().any(|test| test.events.iter().any(|event| event.index() == at));
    forms(&schema.asks, &asked).into_iter().for_each(|verb| add("ask", verb));
    forms(&schema.events, &has_fired).into_iter().for_each(|verb| add("event", verb));
    unused
}
