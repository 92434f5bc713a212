//! One run of scenarios: chooses the tests, judges and reports them.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::Exit;
use super::arguments::Format;
use super::chosen::{Chosen, Place, Selection, Work, invalid, run_some};
use super::disk::Disk;
use super::last_failed::LastFailed;
use super::output::{colour, print, print_data, print_error, remark};
use super::playground_links::Links;
use super::snapshots::{self, Keep};
use super::test_arguments::TestArguments;
use super::test_reports::{Pages, Reported};
use super::witnesses;
use referee_diagnostic::{counted, printable};
use referee_report::{Human, ShardShown, part_json, profile_human};
use referee_rules::Profile;
use referee_scenario::{Judged, Loader, LoaderOptions, Suite};
use referee_trace::{FailureKind, Status, StatusCounts, TestResult};

/// The approximate limit on the bytes of all failures together.
const KEPT: usize = 256 << 20;
/// The minimum limit for one test, in bytes.
const LEAST: usize = 2 << 10;
/// The number of first tests that have a higher limit.
const FIRST: usize = 20;

/// How many tests there are, and what the rules did in them.
#[derive(Default)]
struct Counts {
    /// The number before the part was taken.
    all: usize,
    /// The number of tests that were chosen.
    chosen: usize,
    /// The number of tests that were not run after a failure.
    not_run: usize,
    /// The work of the rules, if it is counted.
    profile: Option<Profile>,
}

/// Runs the tests once, those of the files `only` if given. Returns the exit code and the files with their tests.
pub(super) fn once(arguments: &TestArguments, only: Option<&BTreeSet<PathBuf>>) -> (Exit, Vec<Suite>) {
    let usage = |message: String| {
        print_error(&message);
        (Exit::Usage, Vec::new())
    };
    let pages = match Pages::begin(&arguments.report) {
        Ok(pages) => pages,
        Err(message) => return usage(message),
    };
    let last = LastFailed::read(&arguments.paths, arguments.games.as_ref());
    let options = super::arguments::options(arguments.games.as_ref());
    let selection = Selection {
        paths: &arguments.paths,
        scenario: arguments.scenario.as_deref(),
        options: LoaderOptions { profile: arguments.profile.clock(), ..options.clone() },
        jobs: arguments.profile.jobs(arguments.jobs),
        helps: !arguments.profile.profile,
        lean: true,
    };
    let mut counts = Counts::default();
    let narrow = |suites: &[Suite], tests: Vec<Place>| narrowed(arguments, &last, &mut counts, (suites, tests));
    let links = arguments.playground.as_ref().map(|address| Links::new(&Disk, address, options.clone()));
    let profile: Mutex<Option<Profile>> = Mutex::default();
    let first_bad = AtomicUsize::new(usize::MAX);
    let judge = |loader: &mut Loader<'_>, work: Work<'_>| {
        let (at, count) = (work.at, work.count);
        // Tests before the first that does not pass are run, so that the report is the same for any number of threads.
        if arguments.fail_fast && at > first_bad.load(Ordering::Relaxed) {
            return None;
        }
        let mut judged = judged(loader, &work, pages.is_some());
        add_to(&profile, loader);
        let is_bad = matches!(judged.result.status, Status::Failed | Status::Errored);
        if is_bad {
            first_bad.fetch_min(at, Ordering::Relaxed);
        }
        // No page follows that of the failure which ends the run.
        let end = if arguments.fail_fast && is_bad { at + 1 } else { count };
        if let Some(pages) = &pages {
            let link = links.as_ref().and_then(|links| links.of(work.suite, work.test));
            pages.add(&mut judged, link.as_deref(), (at, end));
        }
        Some(lean(judged.result, at, count))
    };
    let (mut chosen, results) = match run_some(&selection, only, narrow, judge) {
        Ok(ran) => ran,
        Err(message) => return usage(message),
    };
    if let Some(links) = &links {
        links.remark_on_left_out();
    }
    let mut results: Vec<TestResult> = results.into_iter().map_while(|ran| ran).collect();
    if arguments.fail_fast {
        results.truncate(first_bad.into_inner().saturating_add(1));
    }
    counts.not_run = chosen.tests.len() - results.len();
    chosen.tests.truncate(results.len());
    counts.profile = profile.into_inner().unwrap_or_else(PoisonError::into_inner);
    let exit = finish(arguments, &chosen, results, &counts, (pages, &last, &options));
    (exit, chosen.suites)
}

/// Adds what the rules of a loader have done to the profile, if there is one.
fn add_to(profile: &Mutex<Option<Profile>>, loader: &Loader<'_>) {
    if let Some(new) = loader.take_profile() {
        let mut profile = profile.lock().unwrap_or_else(PoisonError::into_inner);
        *profile = Some(match profile.take() {
            Some(known) => known.and(new),
            None => new,
        });
    }
}

/// Judges one test; with its positions if they are reported.
fn judged(loader: &mut Loader<'_>, work: &Work<'_>, watched: bool) -> Judged {
    let plain = |result: TestResult| Judged { result, exercised: None, scenes: Vec::new() };
    match work.test {
        None => plain(invalid(work.suite)),
        Some(test) if watched => referee_scenario::judge_watched(loader, work.suite, test),
        Some(test) => plain(referee_scenario::judge(loader, work.suite, test)),
    }
}

/// Returns the tests to run of those that the paths select, and counts them.
fn narrowed(
    arguments: &TestArguments,
    last: &LastFailed,
    counts: &mut Counts,
    (suites, mut tests): (&[Suite], Vec<Place>),
) -> Vec<Place> {
    if arguments.last_failed && last.tests.is_empty() {
        remark(LastFailed::why_none());
    } else if arguments.last_failed {
        let (failed, gone) = last.narrow(suites, tests);
        tests = failed;
        gone.iter().for_each(|id| remark(&format!("failed last time, and is no longer there: {id}")));
        if tests.is_empty() {
            remark("none of the tests that failed last time is there");
        }
    }
    counts.all = tests.len();
    if let Some(shard) = arguments.shard {
        tests = shard.part(suites, tests);
    }
    counts.chosen = tests.len();
    tests
}

/// Keeps, prints and writes the results; returns the exit code.
fn finish(
    arguments: &TestArguments,
    chosen: &Chosen,
    mut results: Vec<TestResult>,
    counts: &Counts,
    (pages, last, options): (Option<Pages>, &LastFailed, &referee_scenario::LoaderOptions),
) -> Exit {
    let Chosen { suites, tests, missed, .. } = chosen;
    let mut counted = vec![0; suites.len()];
    for (suite, _) in tests {
        counted.get_mut(*suite).into_iter().for_each(|count| *count += 1);
    }
    let (mut notes, mut unkept) = keep_snapshots(suites, (&mut results, &counted), arguments.accept);
    let by_suite = by_suite(&results, &counted);
    // A run of some tests does not know which files are still needed.
    if arguments.is_of_all() && chosen.wanted.is_whole() {
        let empty = suites.iter().filter(|suite| suite.has_only_comments()).map(|suite| &*suite.file);
        let lost = snapshots::lost(&chosen.wanted.found.lost_snapshots, empty);
        match snapshots::orphans(&lost, arguments.accept) {
            Ok(lines) => notes.push_str(&lines),
            Err(message) => unkept.push(message),
        }
    }
    let remark = remark_on(arguments, counts);
    let exit = report(arguments, chosen, &by_suite, &notes, counts);
    missed.iter().for_each(|message| print_error(message));
    let exit = if exit == Exit::Passed && !missed.is_empty() { Exit::Nothing } else { exit };
    // A failure to write is printed after the report, which is complete without the written files.
    unkept.iter().for_each(|message| print_error(message));
    let flat = results.iter();
    let mut unwritten: Vec<String> =
        arguments.write.as_ref().and_then(|folder| witnesses::write(folder, flat.clone()).err()).into_iter().collect();
    let coverage = pages.as_ref().and_then(|pages| pages.coverage(&Loader::new(&Disk, options.clone()), results.len()));
    let summary = format!("{}{remark}", StatusCounts::of(flat.clone()));
    let reported = Reported { suites, results: &by_suite, summary: &summary, coverage: coverage.as_ref() };
    print_data(&reported.annotations(&arguments.report));
    unwritten.extend(reported.write(&arguments.report, pages));
    unwritten.extend(arguments.profile.write(counts.profile.as_ref()).err());
    let ran: Vec<(Place, &TestResult)> = tests.iter().copied().zip(flat).collect();
    // In a folder that cannot be written, the tests are run all the same.
    if !is_ci()
        && let Err(message) = last.keep(suites, &ran)
    {
        unwritten.extend(arguments.last_failed.then_some(message));
    }
    unwritten.iter().for_each(|message| print_error(message));
    let exit = if unwritten.is_empty() { exit } else { exit.max(Exit::Usage) };
    if unkept.is_empty() { exit } else { exit.max(Exit::Invalid) }
}

/// Trims the failures of a result to its share of memory. The share depends only on the test's index and the number of
/// tests, so that the result is the same for any number of threads.
fn lean(mut result: TestResult, at: usize, tests: usize) -> TestResult {
    let share = (KEPT / tests.max(1)).max(LEAST);
    let room = if at < FIRST { share.max(1 << 20) } else { share };
    referee_trace::bound(&mut result.failures, room);
    result
}

/// Returns the results of each suite, by the number of them: the tests are in the order of the suites. There may be very
/// many, so no second list of them is made.
fn by_suite<'r>(mut results: &'r [TestResult], counted: &[usize]) -> Vec<&'r [TestResult]> {
    let next = |count: &usize| {
        let (own, rest) = results.split_at(results.len().min(*count));
        results = rest;
        own
    };
    counted.iter().map(next).collect()
}

/// Stores the snapshots of all suites. Returns notes for the user, and a message for each failure to read or write.
fn keep_snapshots(
    suites: &[Suite],
    (mut results, counted): (&mut [TestResult], &[usize]),
    accept: bool,
) -> (String, Vec<String>) {
    let keep = match (accept, is_ci()) {
        (true, _) => Keep::Accept,
        (false, true) => Keep::Nothing,
        (false, false) => Keep::Pending,
    };
    let (mut notes, mut unkept) = (String::new(), Vec::new());
    for (suite, count) in suites.iter().zip(counted).filter(|(_, count)| **count > 0) {
        let left = std::mem::take(&mut results);
        let (own, rest) = left.split_at_mut(left.len().min(*count));
        results = rest;
        match snapshots::keep(suite, own, own.len() >= suite.tests.len(), keep) {
            Ok(report) => {
                notes.push_str(&report);
                if accept {
                    own.iter_mut().for_each(accepted);
                }
            }
            Err(message) => unkept.push(message),
        }
    }
    (notes, unkept)
}

/// Returns whether `CI` is set: then only files that flags request may be written.
pub(super) fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}

/// Removes the snapshot failures of a result, because its snapshots were accepted.
fn accepted(result: &mut TestResult) {
    result.failures.retain(|failure| failure.kind != FailureKind::Snapshot);
    if result.failures.is_empty() && result.status == Status::Failed {
        result.status = Status::Passed;
    }
}

/// Returns the note after the counts in the summary.
fn remark_on(arguments: &TestArguments, counts: &Counts) -> String {
    let mut remark = String::new();
    if let Some(shard) = arguments.shard {
        let Counts { all, chosen, .. } = counts;
        let (number, of) = (shard.number, shard.of);
        let part = if *chosen == 0 { "none".to_owned() } else { chosen.to_string() };
        remark.push_str(&format!("; part {number} of {of}: {part} of {}", counted(*all, "test")));
    }
    if counts.not_run > 0 {
        remark.push_str(&format!("; {} not run after this failure", counted(counts.not_run, "test")));
    }
    remark
}

/// Prints the results; returns the exit code.
fn report(arguments: &TestArguments, chosen: &Chosen, results: &[&[TestResult]], notes: &str, counts: &Counts) -> Exit {
    let (suites, all) = (&chosen.suites, || results.iter().copied().flatten());
    let shard = arguments.shard.map(|shard| ShardShown { number: shard.number, of: shard.of, tests: counts.all });
    // A part may have no tests although there are some.
    let nothing = all().next().is_none() && counts.all == 0;
    if arguments.format == Format::Json {
        notes.lines().for_each(remark);
        print(&part_json(
            all(),
            shard.as_ref(),
            arguments.fail_fast.then_some(counts.not_run),
            counts.profile.as_ref(),
        ));
    } else if nothing && !arguments.last_failed {
        print(notes);
        print(&printable(&chosen.wanted.nothing(arguments.scenario.as_deref())));
    } else {
        let mut human = Human::new(colour(), arguments.verbose);
        let of_all = arguments.scenario.is_none() && !arguments.last_failed;
        for (suite, own) in suites.iter().zip(results) {
            if !own.is_empty() {
                print(&human.file(&suite.file, &suite.problems, own));
            } else if of_all && suite.has_only_comments() {
                print(&printable(&format!("none {} (only comments)\n", suite.file)));
            }
        }
        print(notes);
        print(&human.summary_with(&remark_on(arguments, counts)));
        if let Some(profile) = &counts.profile {
            print(&format!("\n{}", profile_human(profile)));
        }
    }
    let any = |status: Status| all().any(|result| result.status == status);
    let problems = suites.iter().zip(results).any(|(suite, own)| !own.is_empty() && !suite.problems.is_empty());
    if nothing {
        Exit::Nothing
    } else if problems || any(Status::Errored) {
        Exit::Invalid
    } else if any(Status::Failed) {
        Exit::Failed
    } else {
        Exit::Passed
    }
}
