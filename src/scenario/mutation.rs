//! Changes the rules in one place at a time, and looks for a test that notices.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::game::Game;
use crate::rules::{Mark, MarkKind, Mutant, OptionWords, Point, PointKind, marks, mutants};
use crate::scenario::coverage::Exercised;
use crate::scenario::judge::judge_within;
use crate::scenario::loader::Loader;
use crate::scenario::plan::suite::Suite;
use crate::source::{Position, Source};
use crate::table::Choice;
use crate::trace::Status;

/// How many times the operations of the unchanged rules a test may use.
const LONGER: u64 = 10;
/// The operations that every test may use.
const LEAST: u64 = 200_000;

/// What became of a change.
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
    /// What it exercises of the unchanged rules.
    pub exercised: &'t Exercised,
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
    /// The places of the scripts.
    points: BTreeMap<String, Vec<Point>>,
}

impl<'t> Mutation<'t> {
    /// Returns the changes of the rules of a game and of the scripts of its cards. All tests must be of this game.
    /// House rules stay as they are. Returns `None` without tests.
    #[must_use]
    pub fn of(mut trials: Vec<Trial<'t>>) -> Option<Self> {
        let game = Arc::clone(&trials.first()?.exercised.game);
        let scripts: Vec<Arc<Source>> =
            std::iter::once(&game.rules).chain(&game.schema.scripts).map(Arc::clone).collect();
        let mut points: BTreeMap<String, Vec<Point>> = BTreeMap::new();
        for point in trials.iter().flat_map(|trial| trial.exercised.points.iter()) {
            let own = points.entry(point.source.name().to_owned()).or_default();
            own.push(point.clone());
        }
        for own in points.values_mut() {
            own.sort_by(|one, other| (one.at, &one.kind).cmp(&(other.at, &other.kind)));
            own.dedup_by(|one, other| one.at == other.at && one.kind == other.kind);
        }
        let options: Vec<OptionWords> = game
            .schema
            .options
            .iter()
            .filter_map(|option| match &option.choice {
                Choice::Words(words) => Some((option.name.clone(), words.iter().map(ToString::to_string).collect())),
                Choice::Numbers(..) => None,
            })
            .collect();
        let mutants = scripts
            .iter()
            .flat_map(|script| {
                let own = points.get(script.name()).map(Vec::as_slice).unwrap_or_default();
                mutants(script, own, &options)
            })
            .collect();
        trials.sort_by_key(|trial| trial.exercised.operations);
        Some(Self { game, mutants, trials, points })
    }

    /// Returns the remarks `equivalent` in the scripts.
    #[must_use]
    pub fn marks(&self) -> Vec<(Arc<Source>, Mark)> {
        let scripts = std::iter::once(&self.game.rules).chain(&self.game.schema.scripts);
        let of =
            |script: &Arc<Source>| marks(script).into_iter().map(|mark| (Arc::clone(script), mark)).collect::<Vec<_>>();
        scripts.flat_map(of).filter(|(_, mark)| mark.kind == MarkKind::Equivalent).collect()
    }

    /// Returns the tests that run the line of a change, or the statement that it is in; all for a constant of the
    /// script.
    fn running(&self, mutant: &Mutant) -> Vec<&Trial<'t>> {
        let near = |point: &&Point| !matches!(point.kind, PointKind::Condition(_) | PointKind::NoCase);
        let of_file = self.points.get(mutant.source.name()).map(Vec::as_slice).unwrap_or_default();
        let before =
            of_file.iter().filter(near).filter(|point| point.at <= mutant.at).map(|point| point.at).next_back();
        let line = mutant.source.slice(mutant.source.line_span(mutant.at.line));
        let constant = line.starts_with("const ");
        let is_there = |at: Position| at.line == mutant.at.line || Some(at) == before;
        let runs = |trial: &&Trial<'_>| {
            let mut runs = trial.exercised.points.iter().zip(&trial.exercised.runs);
            constant
                || runs
                    .any(|(point, runs)| *runs > 0 && is_there(point.at) && point.source.name() == mutant.source.name())
        };
        self.trials.iter().filter(runs).collect()
    }

    /// Returns the clause that a line belongs to: that of the nearest `clause("…")` above it in its function, or the
    /// first of the comment above the function, or the next one below it in the function.
    #[must_use]
    pub fn clause_of(&self, mutant: &Mutant) -> Option<String> {
        let lines: Vec<&str> = mutant.source.text().lines().collect();
        let functions = self.points.get(mutant.source.name()).into_iter().flatten();
        let functions = functions.filter(|point| matches!(point.kind, PointKind::Function(_)));
        let begins: Vec<usize> = functions.map(|point| point.at.line).collect();
        let first = begins.iter().copied().rfind(|line| *line <= mutant.at.line)?;
        let end = begins.iter().copied().find(|line| *line > mutant.at.line).unwrap_or(lines.len() + 1);
        let known = |id: &str| self.game.schema.clauses.iter().any(|clause| clause.id == id).then(|| id.to_owned());
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

/// Returns a text that is the same for rules of a game that do the same.
#[must_use]
pub fn fingerprint(loader: &mut Loader<'_>, game: &Arc<Game>) -> Option<String> {
    loader.program(game, &[]).ok().map(|program| program.fingerprint())
}

/// Returns what becomes of a change. `loader` loads the changed script in place of the other; `unchanged` is the
/// fingerprint of the rules as they are.
#[must_use]
pub fn fate(loader: &mut Loader<'_>, mutation: &Mutation<'_>, mutant: &Mutant, unchanged: Option<&str>) -> Fate {
    let Some(changed) = fingerprint(loader, &mutation.game) else { return Fate::Invalid };
    if unchanged == Some(changed.as_str()) {
        return Fate::Same;
    }
    let trials = mutation.running(mutant);
    for trial in &trials {
        let most = trial.exercised.operations.saturating_mul(LONGER).max(LEAST);
        let (result, too_long) = judge_within(loader, trial.suite, trial.index, most);
        match result.status {
            Status::Passed => {}
            _ if too_long => return Fate::TooLong,
            _ => return Fate::Noticed,
        }
    }
    if trials.is_empty() { Fate::NotRun } else { Fate::Unnoticed }
}
