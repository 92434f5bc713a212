//! The coverage of each game by all tests together.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use super::exercised::Exercised;
use super::file::{FileCoverage, Share};
use crate::loader::Loader;
use referee_diagnostic::Diagnostic;
use referee_game::Game;
use referee_table::{Choice, Form, Schema, Setting};

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
    let game = Arc::clone(first.game.base());
    // What cannot be declared is reported where the house rule is used or checked.
    let houses = loader.houses(&game)?;
    let housed = houses
        .iter()
        .filter_map(|house| Some((house.name.as_str(), loader.housed(&game, std::slice::from_ref(house)).ok()?)));
    let housed: Vec<(&str, Arc<Game>)> = housed.filter(|(_, housed)| !Arc::ptr_eq(housed, &game)).collect();
    let schemas: Vec<&Schema> =
        std::iter::once(&game).chain(housed.iter().map(|(_, game)| game)).map(|game| &*game.schema).collect();
    let mut files: BTreeMap<String, FileCoverage> = BTreeMap::new();
    for (point, runs) in tests.iter().flat_map(|(_, test)| test.points.iter().zip(&test.runs)) {
        let file = files.entry(point.source.name().to_owned());
        file.or_insert_with(|| FileCoverage::new(&point.source)).add(point, *runs);
    }
    // Clauses of two house rules may have the same id.
    let applying = |clause: &str, house: Option<&str>| {
        let tests = tests.iter().filter(move |(_, test)| {
            let has_house = house.is_none_or(|house| test.houses.iter().any(|other| other == house));
            has_house && test.game.schema.clause(clause).is_some_and(|clause| test.clauses.contains(&clause))
        });
        tests.map(|(at, _)| *at).collect()
    };
    let house = |at: usize| at.checked_sub(1).and_then(|at| housed.get(at)).map(|(name, _)| *name);
    let clauses = own_with_place(&schemas, |schema| &schema.clauses);
    let clauses = clauses.map(|(at, clause)| (clause.id.clone(), applying(&clause.id, house(at)))).collect();
    let houses: Vec<String> = houses.iter().map(|house| house.name.clone()).collect();
    let tests_used: Vec<&Exercised> = tests.iter().map(|(_, test)| *test).collect();
    let unused = unused(&schemas, &houses, &tests_used);
    let claims = tests.iter().flat_map(|(at, test)| test.unapplied.iter().map(move |claim| (*at, *test, claim)));
    let unapplied = claims.map(|(at, test, (clause, place))| {
        let clause = test.game.schema.clause_name(*clause).to_owned();
        Unapplied { clause, test: at, place: place.clone() }
    });
    let unapplied = unapplied.collect();
    let tests = tests.iter().map(|(at, _)| *at).collect();
    Ok(GameCoverage { tests, clauses, unapplied, files: files.into_values().collect(), unused, game })
}

/// Returns what a game declares, then what each of its house rules adds. `schemas` are that of the game alone, then those
/// with a house rule, each of which begins like the first.
fn own<'s, T: 's>(schemas: &[&'s Schema], list: fn(&Schema) -> &Vec<T>) -> impl Iterator<Item = &'s T> {
    own_with_place(schemas, list).map(|(_, declared)| declared)
}

/// Like [`own`], each with the index of the schema that adds it.
fn own_with_place<'s, T: 's>(
    schemas: &[&'s Schema],
    list: fn(&Schema) -> &Vec<T>,
) -> impl Iterator<Item = (usize, &'s T)> {
    let before = schemas.first().map_or(0, |game| list(game).len());
    let added = schemas.iter().enumerate();
    added.flat_map(move |(at, schema)| {
        list(schema).iter().skip(if at == 0 { 0 } else { before }).map(move |declared| (at, declared))
    })
}

/// Returns the declarations of a game and its house rules that no test uses.
fn unused(schemas: &[&Schema], houses: &[String], tests: &[&Exercised]) -> Vec<Unused> {
    let mut unused = Vec::new();
    // What two house rules declare in the same words is one thing.
    let mut add = |what, name: String| {
        let found = Unused { what, name };
        if !unused.contains(&found) {
            unused.push(found);
        }
    };
    let variants = schemas.iter().take(1).flat_map(|schema| &schema.variants);
    for (at, variant) in variants.enumerate() {
        if !variant.name.is_empty() && !tests.iter().any(|test| test.variant == at) {
            add("variant", variant.name.clone());
        }
    }
    for house in houses {
        if !tests.iter().any(|test| test.houses.contains(house)) {
            add("house rule", house.clone());
        }
    }
    for option in own(schemas, |schema| &schema.options) {
        let set = tests.iter().filter_map(|test| test.settings.get(test.game.schema.option(&option.name)?.index()));
        let set: BTreeSet<&Setting> = set.collect();
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
    let is_in = |all: &[Form], at: usize, form: &Form| {
        all.get(at).is_some_and(|other| other.verb == form.verb && other.parts == form.parts)
    };
    let asked = |form: &&Form| {
        tests.iter().any(|test| test.asks.iter().any(|ask| is_in(&test.game.schema.asks, ask.index(), form)))
    };
    let has_fired = |form: &&Form| {
        tests.iter().any(|test| test.events.iter().any(|event| is_in(&test.game.schema.events, event.index(), form)))
    };
    own(schemas, |schema| &schema.asks).filter(|form| !asked(form)).for_each(|form| add("ask", form.verb.clone()));
    own(schemas, |schema| &schema.events)
        .filter(|form| !has_fired(form))
        .for_each(|form| add("event", form.verb.clone()));
    unused
}
