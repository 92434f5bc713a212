//! `referee test`: runs scenarios and reports the results.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::Exit;
use super::arguments::Format;
use super::chosen::{Chosen, Selection, Work, invalid, run_chosen};
use super::output::{colour, print, print_error};
use super::snapshots::{self, Keep};
use super::wanted::Wanted;
use super::witnesses;
use crate::diagnostic::printable;
use crate::report::{Human, test_json};
use crate::scenario::{self, Loader, Suite};
use crate::trace::{Status, TestResult};

#[derive(Debug, Args)]
pub(super) struct TestArguments {
    /// Files, folders, a line of a file as in `a.scenario:12`, or a game (all its scenarios) [default: the folders
    /// `scenarios` and `games`]
    paths: Vec<PathBuf>,
    /// Look for games in this folder first
    #[arg(long, value_name = "DIR", value_parser = super::arguments::folder)]
    games: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Run only tests whose title (with row and branch) contains this text
    #[arg(long, value_name = "TEXT", alias = "filter")]
    scenario: Option<String>,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = super::arguments::threads)]
    jobs: Option<NonZeroUsize>,
    /// Accept all new and changed snapshots, and delete stale ones
    #[arg(long)]
    accept: bool,
    /// Write the line of play that decides a question as a scenario to this folder
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
    /// List passing tests too, and the results of their questions
    #[arg(short, long)]
    verbose: bool,
}

/// Runs the tests of all files.
pub(super) fn run(arguments: &TestArguments) -> Exit {
    if arguments.accept && is_ci() {
        print_error("`--accept` writes snapshots, but nothing is written if `CI` is set");
        return Exit::Usage;
    }
    let selection = Selection {
        paths: &arguments.paths,
        scenario: arguments.scenario.as_deref(),
        options: super::arguments::options(arguments.games.as_ref()),
        jobs: arguments.jobs,
        helps: true,
    };
    let judge = |loader: &mut Loader<'_>, work: Work<'_>| {
        let Work { suite, test, at, count } = work;
        let result = test.map_or_else(|| invalid(suite), |test| scenario::judge(loader, suite, test));
        lean(result, at, count)
    };
    let (Chosen { wanted, suites, tests, missed }, results) = match run_chosen(&selection, judge) {
        Ok(ran) => ran,
        Err(message) => {
            print_error(&message);
            return Exit::Usage;
        }
    };
    let mut by_suite: Vec<Vec<TestResult>> = suites.iter().map(|_| Vec::new()).collect();
    for ((suite, _), result) in tests.iter().zip(results) {
        if let Some(own) = by_suite.get_mut(*suite) {
            own.push(result);
        }
    }
    let (notes, unkept) = keep_snapshots(&suites, &mut by_suite, arguments.accept);
    let exit = report(arguments, &suites, &by_suite, &notes, &wanted);
    missed.iter().for_each(|message| print_error(message));
    let exit = if exit == Exit::Passed && !missed.is_empty() { Exit::Nothing } else { exit };
    // A failure to write is printed after the report, which is complete without what was to be written.
    unkept.iter().for_each(|message| print_error(message));
    let unwritten =
        arguments.write.as_ref().and_then(|folder| witnesses::write(folder, by_suite.iter().flatten()).err());
    unwritten.iter().for_each(|message| print_error(message));
    let exit = if unwritten.is_some() { exit.max(Exit::Usage) } else { exit };
    if unkept.is_empty() { exit } else { exit.max(Exit::Invalid) }
}

/// The approximate limit on the bytes of all failures together.
const KEPT: usize = 256 << 20;
/// The minimum limit for one test, in bytes.
const LEAST: usize = 2 << 10;
/// The number of first tests that have a higher limit.
const FIRST: usize = 20;

/// Trims the failures of a result to its share of memory. The share depends only on the test's index and the number of
/// tests, so that the result is the same for any number of threads.
fn lean(mut result: TestResult, at: usize, tests: usize) -> TestResult {
    let share = (KEPT / tests.max(1)).max(LEAST);
    let room = if at < FIRST { share.max(1 << 20) } else { share };
    crate::trace::bound(&mut result.failures, room);
    result
}

/// Stores the snapshots of all suites. Returns notes for the user, and a message for each failure to read or write.
fn keep_snapshots(suites: &[Suite], results: &mut [Vec<TestResult>], accept: bool) -> (String, Vec<String>) {
    let keep = match (accept, is_ci()) {
        (true, _) => Keep::Accept,
        (false, true) => Keep::Nothing,
        (false, false) => Keep::Pending,
    };
    let (mut notes, mut unkept) = (String::new(), Vec::new());
    for (suite, own) in suites.iter().zip(results).filter(|(_, own)| !own.is_empty()) {
        match snapshots::keep(suite, own, own.len() >= suite.tests.len(), keep) {
            Ok(told) => {
                notes.push_str(&told);
                if accept {
                    own.iter_mut().for_each(accepted);
                }
            }
            Err(message) => unkept.push(message),
        }
    }
    (notes, unkept)
}

/// Returns whether `CI` is set: then nothing may be written.
fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}

/// Removes the snapshot failures of a result, because its snapshots were accepted.
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
