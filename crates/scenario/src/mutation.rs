//! Changes the rules in one place at a time, and looks for a test that notices.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use crate::coverage::Exercised;
use crate::judge::judge_within;
use crate::loader::Loader;
use crate::plan::file::plan;
use crate::plan::suite::Suite;
use referee_diagnostic::Diagnostic;
use referee_game::{Game, House};
use referee_rules::{Mark, Mutant, OptionWords, Point, PointKind, is_setting, marks, mutants};
use referee_source::{Position, Source};
use referee_table::Choice;
use referee_trace::Status;

/// How many times the operations of the unchanged rules a test may use.
const LONGER: u64 = 10;
/// The operations that every test may use.
const LEAST: u64 = 200_000;

/// The result of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A test failed.
    Noticed,
    /// A test used too many operations.
    TooLong,
    /// All tests that run the line passed.
    Unnoticed,
    /// No test runs the line.
    NotRun,
    /// The changed rules cannot be loaded.
    Invalid,
    /// The changed rules are compiled to the same operations.
    Same,
}

/// A test that may notice a change.
#[derive(Clone, Copy, Debug)]
pub struct Trial<'t> {
    /// Its file.
    pub suite: &'t Suite,
    /// Its index in the file.
    pub index: usize,
    /// Its coverage of the unchanged rules.
    pub exercised: &'t Exercised,
}

/// A script that is changed.
#[derive(Debug)]
struct Script {
    source: Arc<Source>,
    /// The house rule that it is; `None` for the rules of the game and of its cards.
    house: Option<House>,
    /// The places whose runs are counted.
    points: Vec<Point>,
    /// The tests that run each place, by their indices.
    runs: BTreeMap<Position, Vec<usize>>,
}

/// All changes of the rules of a game, and the tests that may notice them.
#[derive(Debug)]
pub struct Mutation<'t> {
    /// The game.
    pub game: Arc<Game>,
    /// The changes, in the order of the scripts and of their places.
    pub mutants: Vec<Mutant>,
    /// The tests, quick ones first.
    trials: Vec<Trial<'t>>,
    scripts: Vec<Script>,
    /// The words of the scenarios, whose expressions may read constants of the rules.
    words: BTreeSet<String>,
    /// The clauses of the rulebooks: of the game, then those that its house rules add.
    pub clauses: Vec<String>,
}

impl<'t> Mutation<'t> {
    /// Returns the changes of the rules of a game, of the scripts of its cards and of its house rules. All tests must
    /// be of this game. The loader must count runs. Returns `None` without tests.
    ///
    /// # Errors
    /// Returns the errors of house rules that cannot be read or loaded.
    pub fn of(loader: &mut Loader<'_>, mut trials: Vec<Trial<'t>>) -> Result<Option<Self>, Vec<Diagnostic>> {
        let Some(game) = trials.first().map(|trial| Arc::clone(&trial.exercised.game)) else { return Ok(None) };
        trials.sort_by_key(|trial| trial.exercised.operations);
        let game = Arc::clone(game.base());
        let houses = loader.houses(&game).map_err(|wrong| vec![*wrong])?;
        let housed: Result<Vec<Arc<Game>>, _> =
            houses.iter().map(|house| loader.housed(&game, std::slice::from_ref(house))).collect();
        let housed = housed?;
        let mut scripts = scripts(loader, &game, houses.into_iter().zip(&housed))?;
        for script in &mut scripts {
            script.count(&trials);
        }
        let options = std::iter::once(&game).chain(&housed).flat_map(|game| words_of_options(game)).collect::<Vec<_>>();
        let clauses = std::iter::once(&game).chain(&housed).flat_map(|game| &game.schema.clauses);
        let mut seen = BTreeSet::new();
        let clauses = clauses.filter(|clause| seen.insert(&clause.id)).map(|clause| clause.id.clone()).collect();
        let mutants = scripts.iter().flat_map(|script| mutants(&script.source, &script.points, &options)).collect();
        let words = words_of_scenarios(&trials);
        Ok(Some(Self { game, mutants, trials, scripts, words, clauses }))
    }

    /// Returns the scripts that are changed.
    pub fn scripts(&self) -> impl Iterator<Item = &Arc<Source>> {
        self.scripts.iter().map(|script| &script.source)
    }

    /// Returns all that the results depend on, besides the program: the declarations, the scripts, the files of the
    /// tests.
    #[must_use]
    pub fn basis(&self) -> Vec<String> {
        let mut basis = vec![format!("{:?}", self.game.schema)];
        basis.extend(self.scripts().map(|script| script.text().to_owned()));
        let houses = self.scripts.iter().filter_map(|script| script.house.as_ref());
        basis.extend(houses.flat_map(House::sources).map(|source| source.text().to_owned()));
        let suites: BTreeMap<&str, &Suite> =
            self.trials.iter().map(|trial| (&*trial.suite.file, trial.suite)).collect();
        for suite in suites.values() {
            basis.extend(suite.source.as_ref().map(|source| source.text().to_owned()));
            basis.push(format!("{:?}", suite.snapshots));
        }
        basis.extend(self.trials.iter().map(|trial| format!("{}:{}", trial.suite.file, trial.index)));
        basis
    }

    /// Returns texts that are the same for rules that do the same: for each script those of the rules with it, in the
    /// order of the scripts. `None` if they cannot be loaded.
    #[must_use]
    pub fn fingerprints(&self, loader: &mut Loader<'_>) -> Vec<Option<String>> {
        self.scripts.iter().map(|script| self.fingerprint(loader, script)).collect()
    }

    fn fingerprint(&self, loader: &mut Loader<'_>, script: &Script) -> Option<String> {
        let program = loader.program(&self.game, script.houses()).ok()?;
        Some(program.fingerprint(&|constant| self.words.contains(constant)))
    }

    /// Returns the remarks in the scripts.
    #[must_use]
    pub fn marks(&self) -> Vec<(Arc<Source>, Mark)> {
        let of =
            |script: &Arc<Source>| marks(script).into_iter().map(|mark| (Arc::clone(script), mark)).collect::<Vec<_>>();
        self.scripts().flat_map(of).collect()
    }

    fn script(&self, mutant: &Mutant) -> Option<&Script> {
        self.scripts.iter().find(|script| script.source.name() == mutant.source.name())
    }

    /// Returns the tests that run the line of a change, or the statement that it is in. For a constant these are all
    /// tests by this script.
    fn running(&self, script: &Script, mutant: &Mutant) -> Vec<&Trial<'t>> {
        if mutant.constant.is_some() {
            let plays = |trial: &&Trial<'_>| {
                let house = script.house.as_ref();
                house.is_none_or(|house| trial.exercised.houses.contains(&house.name))
            };
            return self.trials.iter().filter(plays).collect();
        }
        let near = |point: &&Point| !matches!(point.kind, PointKind::Condition(_) | PointKind::NoCase);
        let before = script.points.iter().filter(near).map(|point| point.at).rfind(|at| *at <= mutant.at);
        let line = script.runs.iter().filter(|(at, _)| at.line == mutant.at.line).map(|(_, runs)| runs);
        let before = before.and_then(|at| script.runs.get(&at));
        let running: BTreeSet<usize> = line.chain(before).flatten().copied().collect();
        running.iter().filter_map(|at| self.trials.get(*at)).collect()
    }

    /// Returns the clause that a line belongs to: that of the nearest `clause("…")` above it in its function, or the
    /// first of the comment above the function, or the next one below it in the function.
    #[must_use]
    pub fn clause_of(&self, mutant: &Mutant) -> Option<String> {
        let lines: Vec<&str> = mutant.source.text().lines().collect();
        let functions = self.script(mutant).into_iter().flat_map(|script| &script.points);
        let functions = functions.filter(|point| matches!(point.kind, PointKind::Function(_)));
        let begins: Vec<usize> = functions.map(|point| point.at.line).collect();
        let first = begins.iter().copied().rfind(|line| *line <= mutant.at.line)?;
        let end = begins.iter().copied().find(|line| *line > mutant.at.line).unwrap_or(lines.len() + 1);
        let known = |id: &str| self.clauses.iter().any(|clause| clause == id).then(|| id.to_owned());
        let called = |line: &&str| line.split("clause(\"").nth(1).and_then(|rest| known(rest.split('"').next()?));
        let within = |from: usize, to: usize| lines.get(from - 1..to).unwrap_or_default().iter();
        let above = || within(first, mutant.at.line).rev().find_map(called);
        let comment = || {
            let comment = lines.get(..first - 1).unwrap_or_default().iter().rev();
            let comment: Vec<&&str> = comment.take_while(|line| line.starts_with("///")).collect();
            let words = comment.into_iter().rev().flat_map(|line| line.split(|letter: char| !letter.is_alphanumeric()));
            words.into_iter().find_map(known)
        };
        let below = || within(mutant.at.line, end - 1).find_map(called);
        above().or_else(comment).or_else(below)
    }
}

impl Script {
    fn new(source: &Arc<Source>, house: Option<House>) -> Self {
        Self { source: Arc::clone(source), house, points: Vec::new(), runs: BTreeMap::new() }
    }

    fn houses(&self) -> &[House] {
        self.house.as_slice()
    }

    /// Notes which tests run which places.
    fn count(&mut self, trials: &[Trial<'_>]) {
        for (at, trial) in trials.iter().enumerate() {
            let runs = trial.exercised.points.iter().zip(&trial.exercised.runs);
            for (point, _) in runs.filter(|(point, runs)| **runs > 0 && point.source.name() == self.source.name()) {
                let runs = self.runs.entry(point.at).or_default();
                if runs.last() != Some(&at) {
                    runs.push(at);
                }
            }
        }
    }
}

/// Returns the scripts of a game: its rules, those of its cards, and its house rules, each with the game under it.
fn scripts<'g>(
    loader: &mut Loader<'_>,
    game: &Arc<Game>,
    houses: impl Iterator<Item = (House, &'g Arc<Game>)>,
) -> Result<Vec<Script>, Vec<Diagnostic>> {
    let own = std::iter::once(&game.rules).chain(&game.schema.scripts);
    let mut scripts: Vec<Script> = own.map(|source| Script::new(source, None)).collect();
    for (house, housed) in houses {
        let of_cards = housed.schema.scripts.iter().skip(game.schema.scripts.len());
        scripts.extend(house.source.iter().chain(of_cards).map(|source| Script::new(source, Some(house.clone()))));
    }
    for script in &mut scripts {
        let program = loader.program(game, script.houses())?;
        let own = |point: &&Point| point.source.name() == script.source.name();
        script.points = program.points().iter().filter(own).cloned().collect();
        script.points.sort_by(|one, other| (one.at, &one.kind).cmp(&(other.at, &other.kind)));
        script.points.dedup_by(|one, other| one.at == other.at && one.kind == other.kind);
    }
    Ok(scripts)
}

fn words_of_options(game: &Game) -> Vec<OptionWords> {
    let options = game.schema.options.iter().filter_map(|option| match &option.choice {
        Choice::Words(words) => Some((option.name.clone(), words.iter().map(ToString::to_string).collect())),
        Choice::Numbers(..) => None,
    });
    options.collect()
}

/// Returns all words of the files of some tests.
fn words_of_scenarios(trials: &[Trial<'_>]) -> BTreeSet<String> {
    let sources: BTreeMap<&str, &Arc<Source>> =
        trials.iter().filter_map(|trial| Some((&*trial.suite.file, trial.suite.source.as_ref()?))).collect();
    let words = |source: &&Arc<Source>| {
        let words = source.text().split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    sources.values().flat_map(words).collect()
}

/// Returns the result of a change. `loader` loads the changed script instead of the original; `unchanged` are the
/// [fingerprints](Mutation::fingerprints) of the unchanged rules.
#[must_use]
pub fn fate(loader: &mut Loader<'_>, mutation: &Mutation<'_>, mutant: &Mutant, unchanged: &[Option<String>]) -> Fate {
    let Some(at) = mutation.scripts.iter().position(|script| script.source.name() == mutant.source.name()) else {
        return Fate::Invalid;
    };
    let Some(script) = mutation.scripts.get(at) else { return Fate::Invalid };
    let Some(changed) = mutation.fingerprint(loader, script) else { return Fate::Invalid };
    // Planning a scenario reads the settings of a house rule.
    let sets = script.house.is_some() && mutant.constant.as_deref().is_some_and(is_setting);
    if !sets && unchanged.get(at).and_then(Option::as_ref) == Some(&changed) {
        return Fate::Same;
    }
    let trials = mutation.running(script, mutant);
    for trial in &trials {
        let most = trial.exercised.operations.saturating_mul(LONGER).max(LEAST);
        let planned = sets.then(|| plan(loader, Path::new(&*trial.suite.file)));
        let (result, too_long) = judge_within(loader, planned.as_ref().unwrap_or(trial.suite), trial.index, most);
        match result.status {
            Status::Passed => {}
            _ if too_long => return Fate::TooLong,
            _ => return Fate::Noticed,
        }
    }
    if trials.is_empty() { Fate::NotRun } else { Fate::Unnoticed }
}
