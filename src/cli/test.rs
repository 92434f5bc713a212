//! `referee test`

use std::num::NonZeroUsize;

use clap::Args;

use super::disk::Disk;
use super::output::{colour, complain, print};
use super::workers::spread;
use super::{Common, Exit, Format, discover};
use crate::report::{Human, test_json};
use crate::scenario::{Judge, Suite};
use crate::trace::{Failure, Status, TestResult};

#[derive(Debug, Args)]
pub(super) struct TestArguments {
    #[command(flatten)]
    common: Common,
    /// Run only tests whose file and title contain this text
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// How many threads [default: all cores]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Name the tests that pass, too
    #[arg(short, long)]
    verbose: bool,
}

/// Run the tests of all files.
pub(super) fn run(arguments: &TestArguments) -> Exit {
    let files = match discover::files(&Disk, &arguments.common.paths, &["scenario"]) {
        Ok(files) => files,
        Err(message) => {
            complain(&message);
            return Exit::Usage;
        }
    };
    let options = super::options(&arguments.common);
    let jobs = arguments.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let judge = || Judge::new(&Disk, options.clone());
    let suites: Vec<Suite> = spread(files.len(), jobs, judge, |judge, at| match files.get(at) {
        Some(file) => judge.plan(file),
        None => unreachable!("there are as many pieces of work as files"),
    });
    let chosen = choose(&suites, arguments.filter.as_deref());
    let results = spread(chosen.len(), jobs, judge, |judge, at| {
        let place = chosen.get(at).and_then(|(suite, test)| Some((suites.get(*suite)?, test)));
        place.map(|(suite, test)| test.map_or_else(|| invalid(suite), |test| judge.judge(suite, test)))
    });
    let results: Vec<(usize, TestResult)> =
        chosen.iter().map(|(suite, _)| *suite).zip(results.into_iter().flatten()).collect();
    report(arguments, &suites, results)
}

/// The tests to run: the suite, and the test in it; none for a file without tests that has mistakes.
fn choose(suites: &[Suite], filter: Option<&str>) -> Vec<(usize, Option<usize>)> {
    let mut chosen = Vec::new();
    for (at, suite) in suites.iter().enumerate() {
        let fits = |title: &str| filter.is_none_or(|filter| format!("{} {title}", suite.file).contains(filter));
        let tests = suite.tests.iter().enumerate().filter(|(_, test)| fits(&test.title()));
        let before = chosen.len();
        chosen.extend(tests.map(|(test, _)| (at, Some(test))));
        if chosen.len() == before && suite.tests.is_empty() && !suite.problems.is_empty() && fits("") {
            chosen.push((at, None));
        }
    }
    chosen
}

/// The result for a file that has mistakes and no tests.
fn invalid(suite: &Suite) -> TestResult {
    TestResult {
        file: suite.file.clone(),
        scenario: String::new(),
        row: None,
        branch: None,
        line: 1,
        status: Status::Errored,
        failures: suite.problems.iter().cloned().map(Failure::plain).collect(),
    }
}

fn report(arguments: &TestArguments, suites: &[Suite], results: Vec<(usize, TestResult)>) -> Exit {
    if arguments.common.format == Format::Json {
        let all: Vec<TestResult> = results.iter().map(|(_, result)| result.clone()).collect();
        print(&test_json(&all));
    } else if results.is_empty() {
        print("no scenarios found\n");
    } else {
        let mut human = Human::new(colour(), arguments.verbose);
        for (at, suite) in suites.iter().enumerate() {
            let own: Vec<TestResult> =
                results.iter().filter(|(suite, _)| *suite == at).map(|(_, result)| result.clone()).collect();
            if !own.is_empty() {
                print(&human.file(&suite.file, &suite.problems, &own));
            }
        }
        print(&human.summary());
    }
    let any = |status: Status| results.iter().any(|(_, result)| result.status == status);
    let problems = results.iter().any(|(suite, _)| suites.get(*suite).is_some_and(|suite| !suite.problems.is_empty()));
    if results.is_empty() {
        Exit::Nothing
    } else if problems || any(Status::Errored) {
        Exit::Invalid
    } else if any(Status::Failed) {
        Exit::Failed
    } else {
        Exit::Passed
    }
}
