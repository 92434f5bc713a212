//! Finds the scenarios that a command runs, and runs them on several threads.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use super::disk::Disk;
use super::wanted::Wanted;
use super::workers::{Busy, Spare, spread_twice};
use referee_diagnostic::share_of;
use referee_game::{SearchPath, misplaced};
use referee_scenario::{Exercised, Loader, LoaderOptions, PlannedTest, Suite};
use referee_trace::{Failure, Status, TestResult};

/// The selection of tests on the command line.
pub(super) struct Selection<'a> {
    /// Files, folders, lines or games.
    pub(super) paths: &'a [PathBuf],
    /// A part of the title.
    pub(super) scenario: Option<&'a str>,
    pub(super) options: LoaderOptions,
    /// The number of threads; `None` for all cores.
    pub(super) jobs: Option<NonZeroUsize>,
    /// Whether threads without a test help with the questions of others. What each thread's rules do is then not the
    /// same in each run.
    pub(super) helps: bool,
    /// Whether plans of large files are made again for each test, which takes less memory than to keep them.
    pub(super) lean: bool,
}

/// The number of bytes of files that are large together.
const LARGE: u64 = 1 << 20;

impl Selection<'_> {
    /// Returns the number of threads.
    pub(super) fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().ok();
        self.jobs.or_else(cores).map_or(1, NonZeroUsize::get)
    }
}

/// The selected scenarios.
pub(super) struct Chosen {
    pub(super) wanted: Wanted,
    pub(super) suites: Vec<Suite>,
    /// Each as the index of a suite and of a test in it; `None` for errors outside all tests.
    pub(super) tests: Vec<Place>,
    /// Messages for arguments that select nothing.
    pub(super) missed: Vec<String>,
}

/// One test to run.
pub(super) struct Work<'w> {
    pub(super) suite: &'w Suite,
    /// The index of the test; `None` for errors outside all tests.
    pub(super) test: Option<usize>,
    /// The index among all tests to run.
    pub(super) at: usize,
    /// The number of all tests to run.
    pub(super) count: usize,
}

/// Plans the selected files and runs `judge` on each selected test. The results have the order of the tests.
///
/// # Errors
/// Returns an error message if an argument names nothing.
pub(super) fn run_chosen<R: Send>(
    selection: &Selection<'_>,
    judge: impl Fn(&mut Loader<'_>, Work<'_>) -> R + Sync,
) -> Result<(Chosen, Vec<R>), String> {
    run_some(selection, None, |_, tests| tests, judge)
}

/// A selected test: the index of its suite and its own in it; `None` for errors outside all tests.
pub(super) type Place = (usize, Option<usize>);

/// Runs like [`run_chosen`], but only the files `only`, if given, and only the tests that `narrow` returns of the
/// selected ones.
///
/// # Errors
/// Returns an error message if an argument names nothing.
pub(super) fn run_some<R: Send>(
    selection: &Selection<'_>,
    only: Option<&BTreeSet<PathBuf>>,
    narrow: impl FnOnce(&[Suite], Vec<Place>) -> Vec<Place>,
    judge: impl Fn(&mut Loader<'_>, Work<'_>) -> R + Sync,
) -> Result<(Chosen, Vec<R>), String> {
    let options = &selection.options;
    let search_path = SearchPath::new(&Disk, options.games.clone(), options.working_folder.clone());
    let mut wanted = Wanted::of(selection.paths, &search_path)?;
    if let Some(only) = only {
        wanted.found.files.retain(|file| only.contains(file));
    }
    let files = wanted.found.files.clone();
    let spare = Spare::new(selection.threads());
    let loader = || {
        let loader = Loader::new(&Disk, options.clone()).keeping_plans();
        (if selection.helps { loader.with_crew(&spare) } else { loader }, spare.busy())
    };
    let size = |file: &PathBuf| std::fs::metadata(file).map_or(0, |file| file.len());
    let lean = selection.lean && files.iter().map(size).sum::<u64>() > LARGE;
    let plan = |(loader, _): &mut (Loader<'_>, Busy<'_>), at: usize| {
        let Some(file) = files.get(at) else { unreachable!("there are as many pieces of work as files") };
        let mut suite =
            if lean { referee_scenario::plan_lean(loader, file) } else { referee_scenario::plan(loader, file) };
        share_of(&mut suite.problems, &suite.file, files.len());
        suite
    };
    let choose = |mut suites: Vec<Suite>| {
        let unread = wanted.found.unread.iter();
        suites.extend(unread.map(|(path, why)| Suite::unreadable(path.to_string_lossy().into(), why)));
        // No name finds these games, so no scenario reports them.
        let games = wanted.found.games.iter().filter_map(|path| Some((path, misplaced(&search_path, path)?)));
        suites.extend(games.map(|(path, wrong)| Suite::unplanned(path.to_string_lossy().into(), wrong)));
        let (tests, missed) = choose(&suites, &wanted, selection.scenario);
        // With some of the files, an argument may select nothing.
        let missed = if only.is_some() { Vec::new() } else { missed };
        let tests = narrow(&suites, tests);
        let count = tests.len();
        (Chosen { wanted, suites, tests, missed }, count)
    };
    let run = |(loader, _): &mut (Loader<'_>, Busy<'_>), chosen: &Chosen, at: usize| {
        let (suite, test) = chosen.tests.get(at).and_then(|(suite, test)| Some((chosen.suites.get(*suite)?, *test)))?;
        Some(judge(loader, Work { suite, test, at, count: chosen.tests.len() }))
    };
    let (chosen, results) = spread_twice(files.len(), selection.threads(), loader, plan, choose, run);
    Ok((chosen, results.into_iter().map_while(|ran| ran).collect()))
}

/// The selected tests with their results and their coverage.
pub(super) type Counted = (Chosen, Vec<(TestResult, Option<Exercised>)>);

/// Judges each selected test, or only those that may belong to `game`, and returns their coverage.
///
/// # Errors
/// Returns an error message if an argument names nothing.
pub(super) fn run_counted(selection: &Selection<'_>, game: Option<&str>) -> Result<Counted, String> {
    let is_own = |test: &PlannedTest| game.is_none_or(|game| test.may_be_of(game));
    let own = |suites: &[Suite], mut tests: Vec<Place>| {
        tests.retain(|(suite, test)| {
            let planned = suites.get(*suite).map(|suite| suite.tests.as_slice()).unwrap_or_default();
            match test {
                Some(test) => planned.get(*test).is_some_and(is_own),
                None => planned.is_empty() || planned.iter().any(is_own),
            }
        });
        tests
    };
    run_some(selection, None, own, |loader, work| match work.test {
        Some(test) => referee_scenario::judge_counted(loader, work.suite, test),
        None => (invalid(work.suite), None),
    })
}

/// Returns the tests to run, each as the index of a suite and of a test in it (`None` for errors outside all tests).
/// Also returns messages for arguments that match nothing.
fn choose(suites: &[Suite], wanted: &Wanted, title: Option<&str>) -> (Vec<(usize, Option<usize>)>, Vec<String>) {
    let (mut chosen, mut used) = (Vec::new(), Vec::new());
    for (at, suite) in suites.iter().enumerate() {
        let (meant, own) = wanted.tests(at, suite);
        used.extend(own);
        let fits = |test: &PlannedTest| title.is_none_or(|title| test.title().contains(title));
        let tests =
            suite.tests.iter().enumerate().filter(|(place, test)| meant.get(*place) == Some(&true) && fits(test));
        // Errors outside all tests are one result for the whole file.
        let before = chosen.len();
        let loose = suite.loose_problems().next().is_some();
        chosen.extend(tests.map(|(test, _)| (at, Some(test))));
        // An unreadable file may contain matching tests.
        let whole = title.is_none() && (suite.tests.is_empty() || meant.contains(&true));
        if loose && (chosen.len() > before || whole || suite.is_unread()) {
            chosen.insert(before, (at, None));
        }
    }
    let missed = wanted.missed(&used, &suites.iter().collect::<Vec<_>>());
    (chosen, missed)
}

/// Returns the result for the errors of a file outside all tests.
pub(super) fn invalid(suite: &Suite) -> TestResult {
    TestResult {
        file: Arc::clone(&suite.file),
        scenario: Arc::default(),
        row: None,
        branch: None,
        line: 1,
        status: Status::Errored,
        snapshots: Vec::new(),
        answers: Vec::new(),
        loose: true,
        failures: suite.loose_problems().cloned().map(Failure::plain).collect(),
    }
}
