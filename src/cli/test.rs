//! `referee test`

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::disk::Disk;
use super::output::{colour, complain, print};
use super::snapshots::{self, Keep};
use super::wanted::Wanted;
use super::workers::spread_twice;
use super::{Exit, Format};
use crate::diagnostic::printable;
use crate::game::Shelf;
use crate::report::{Human, test_json};
use crate::scenario::{self, Loader, PlannedTest, Suite};
use crate::trace::{Failure, Status, TestResult};

#[derive(Debug, Args)]
pub(super) struct TestArguments {
    /// Files, folders, a line of a file as in `a.scenario:12`, or a game, which means all its scenarios [default:
    /// the folders `scenarios` and `games`]
    paths: Vec<PathBuf>,
    /// Look for games in this folder before anywhere else
    #[arg(long, value_name = "DIR", value_parser = super::folder)]
    games: Option<PathBuf>,
    /// How results are written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Run only tests whose title, with row and branch, contains this text
    #[arg(long, value_name = "TEXT", alias = "filter")]
    scenario: Option<String>,
    /// How many threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = super::threads)]
    jobs: Option<NonZeroUsize>,
    /// Accept every snapshot that is new or has changed, and forget those that no test has any more
    #[arg(long)]
    accept: bool,
    /// Name the tests that pass, too
    #[arg(short, long)]
    verbose: bool,
}

/// Runs the tests of all files.
pub(super) fn run(arguments: &TestArguments) -> Exit {
    if arguments.accept && is_ci() {
        complain("`--accept` writes snapshots, and nothing is written where `CI` is set");
        return Exit::Usage;
    }
    let options = super::options(arguments.games.as_ref());
    let shelf = Shelf::new(&Disk, options.games.clone(), options.working_folder.clone());
    let wanted = match Wanted::of(&arguments.paths, &shelf) {
        Ok(wanted) => wanted,
        Err(message) => {
            complain(&message);
            return Exit::Usage;
        }
    };
    let found = &wanted.found;
    let jobs = arguments.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let loader = || Loader::new(&Disk, options.clone());
    let files = &found.files;
    let plan = |loader: &mut Loader<'_>, at: usize| match files.get(at) {
        Some(file) => scenario::plan(loader, file),
        None => unreachable!("there are as many pieces of work as files"),
    };
    let chosen = |mut suites: Vec<Suite>| {
        suites.extend(found.unread.iter().map(|(path, why)| Suite::unreadable(path.to_string_lossy().into(), why)));
        let (chosen, missed) = choose(&suites, &wanted, arguments.scenario.as_deref());
        let count = chosen.len();
        ((suites, chosen, missed), count)
    };
    let ((suites, chosen, missed), results) =
        spread_twice(files.len(), jobs, loader, plan, chosen, |loader, (suites, chosen, _), at| {
            let (suite, test) = chosen.get(at).and_then(|(suite, test)| Some((suites.get(*suite)?, test)))?;
            let result = test.map_or_else(|| invalid(suite), |test| scenario::judge(loader, suite, test));
            Some(lean(result, at, chosen.len()))
        });
    let keep = match (arguments.accept, is_ci()) {
        (true, _) => Keep::Accept,
        (false, true) => Keep::Nothing,
        (false, false) => Keep::Pending,
    };
    let mut by_suite: Vec<Vec<TestResult>> = suites.iter().map(|_| Vec::new()).collect();
    for ((suite, _), result) in chosen.iter().zip(results.into_iter().flatten()) {
        if let Some(own) = by_suite.get_mut(*suite) {
            own.push(result);
        }
    }
    let (mut notes, mut unkept) = (String::new(), Vec::new());
    for (suite, own) in suites.iter().zip(&mut by_suite).filter(|(_, own)| !own.is_empty()) {
        match snapshots::keep(suite, own, own.len() >= suite.tests.len(), keep) {
            Ok(told) => {
                notes.push_str(&told);
                if arguments.accept {
                    own.iter_mut().for_each(accepted);
                }
            }
            Err(message) => unkept.push(message),
        }
    }
    let exit = report(arguments, &suites, &by_suite, &notes, &wanted);
    missed.iter().for_each(|message| complain(message));
    let exit = if exit == Exit::Passed && !missed.is_empty() { Exit::Nothing } else { exit };
    // What cannot be written is reported behind the report, which is whole without it.
    unkept.iter().for_each(|message| complain(message));
    if unkept.is_empty() { exit } else { exit.max(Exit::Invalid) }
}

/// Returns the tests to run: the suite, and the test in it; none for a file without tests that has mistakes. And what
/// was looked for and not found.
fn choose(suites: &[Suite], wanted: &Wanted, title: Option<&str>) -> (Vec<(usize, Option<usize>)>, Vec<String>) {
    let (mut chosen, mut used) = (Vec::new(), Vec::new());
    for (at, suite) in suites.iter().enumerate() {
        let (meant, own) = wanted.tests(at, suite);
        used.extend(own);
        let fits = |test: &PlannedTest| title.is_none_or(|title| test.title().contains(title));
        let tests =
            suite.tests.iter().enumerate().filter(|(place, test)| meant.get(*place) == Some(&true) && fits(test));
        // Mistakes that lie in no test stand for the file as a whole.
        let before = chosen.len();
        let loose = suite.loose_problems().next().is_some();
        chosen.extend(tests.map(|(test, _)| (at, Some(test))));
        // What cannot be read may hold tests that fit.
        let whole = title.is_none() && (suite.tests.is_empty() || meant.contains(&true));
        if loose && (chosen.len() > before || whole || suite.is_unread()) {
            chosen.insert(before, (at, None));
        }
    }
    let missed = wanted.missed(&used, suites);
    (chosen, missed)
}

/// How many bytes the failures of all tests may keep, about.
const KEPT: usize = 256 << 20;
/// How many bytes the failures of one of very many tests may keep.
const LEAST: usize = 2 << 10;
/// The first tests, which may keep more than their share.
const FIRST: usize = 20;

/// Returns a result that leaves room for the others. What a test may keep is given by its index and the number of tests,
/// so that it does not depend on threads.
fn lean(mut result: TestResult, at: usize, tests: usize) -> TestResult {
    let share = (KEPT / tests.max(1)).max(LEAST);
    let room = if at < FIRST { share.max(1 << 20) } else { share };
    crate::trace::bound(&mut result.failures, room);
    result
}

/// Returns the result for the mistakes of a file that lie in none of its tests.
fn invalid(suite: &Suite) -> TestResult {
    TestResult {
        file: suite.file.clone(),
        scenario: String::new(),
        row: None,
        branch: None,
        line: 1,
        status: Status::Errored,
        snapshots: Vec::new(),
        loose: true,
        failures: suite.loose_problems().cloned().map(Failure::plain).collect(),
    }
}

/// Returns whether nothing may be written: `CI` is set to something.
fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}

/// Makes of a result one whose snapshots have been accepted.
fn accepted(result: &mut TestResult) {
    result.failures.retain(|failure| failure.diagnostic.code != "snapshot");
    if result.failures.is_empty() && result.status == Status::Failed {
        result.status = Status::Passed;
    }
}

fn report(
    arguments: &TestArguments,
    suites: &[Suite],
    results: &[Vec<TestResult>],
    notes: &str,
    wanted: &Wanted,
) -> Exit {
    let all = || results.iter().flatten();
    if arguments.format == Format::Json {
        print(&test_json(all()));
    } else if all().next().is_none() {
        print(&printable(&wanted.nothing(arguments.scenario.as_deref())));
    } else {
        let mut human = Human::new(colour(), arguments.verbose);
        for (suite, own) in suites.iter().zip(results).filter(|(_, own)| !own.is_empty()) {
            print(&human.file(&suite.file, &suite.problems, own));
        }
        print(notes);
        print(&human.summary());
    }
    let any = |status: Status| all().any(|result| result.status == status);
    let problems = suites.iter().zip(results).any(|(suite, own)| !own.is_empty() && !suite.problems.is_empty());
    if all().next().is_none() {
        Exit::Nothing
    } else if problems || any(Status::Errored) {
        Exit::Invalid
    } else if any(Status::Failed) {
        Exit::Failed
    } else {
        Exit::Passed
    }
}
