//! Results of tests, of checks and of counts of moves as JSON. The shape is versioned, and users may rely on it.

use std::borrow::Cow;

use serde::Serialize;

use super::object::{full_code, line, object};
use super::profile::profile_shown;
use referee_diagnostic::Diagnostic;
use referee_rules::Profile;
use referee_trace::{Ended, Failure, StatusCounts, TestResult};

/// A part of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ShardShown {
    /// Its number, from 1.
    pub number: u64,
    /// The number of parts.
    pub of: u64,
    /// The number of tests of all parts together.
    pub tests: usize,
}

/// Returns results as JSON: `{"version":1,"summary":{…},"tests":[…]}`
#[must_use]
pub fn test_json<'r>(results: impl IntoIterator<Item = &'r TestResult, IntoIter: Clone>) -> String {
    part_json(results, None, None, None)
}

/// Returns results of a part of the tests as JSON: also says which part it is, the number of tests that were not run
/// after a failure, and the work of the rules.
#[must_use]
pub fn part_json<'r>(
    results: impl IntoIterator<Item = &'r TestResult, IntoIter: Clone>,
    shard: Option<&'r ShardShown>,
    not_run: Option<usize>,
    profile: Option<&Profile>,
) -> String {
    let results = results.into_iter();
    let all = object()
        .with("version", 1)
        .with("summary", StatusCounts::of(results.clone()))
        .some("shard", shard)
        .some("not_run", not_run)
        .list("tests", results.map(test))
        .some("profile", profile.map(profile_shown));
    line(&all)
}

fn test(result: &TestResult) -> impl Serialize {
    object()
        .with("file", &*result.file)
        .with("scenario", &*result.scenario)
        .with("row", result.row)
        .with("branch", result.branch.as_deref())
        .with("status", result.status)
        .list("failures", result.failures.iter().map(|one| failure(result, one)))
        .filled("questions", &result.answers)
}

/// Returns a failure at a line of the scenario file; the message of an error elsewhere begins with its location.
fn failure<'r>(result: &TestResult, failure: &'r Failure) -> impl Serialize + use<'r> {
    let diagnostic = &failure.diagnostic;
    let here = diagnostic.labels.iter().find(|label| label.source.name() == &*result.file);
    let elsewhere = diagnostic.labels.first().filter(|label| label.source.name() != &*result.file);
    let message = &diagnostic.message;
    let message = elsewhere.map_or(Cow::Borrowed(message.as_str()), |label| {
        Cow::Owned(format!("{}:{}: {message}", label.source.name(), label.source.line(label.span.start)))
    });
    object()
        .with("line", here.map_or(result.line, |label| label.source.line(label.span.start)))
        .with("column", here.map(|label| label.source.position(label.span.start).column))
        .with("code", full_code(diagnostic))
        .with("message", message)
        .with("help", diagnostic.shown_help())
        .with("expected", failure.expected.as_deref())
        .with("actual", failure.actual.as_deref())
        .some("ended", failure.ended.as_ref().map(ended))
}

/// Returns by what a game ended.
pub(super) fn ended(ended: &Ended) -> impl Serialize {
    let (file, line) = ended.at().unzip();
    object().with("clause", ended.clause.as_deref()).with("file", file).with("line", line)
}

/// Returns diagnostics as JSON: `{"version":1,"summary":{"files":…,"mistakes":…},"diagnostics":[…]}`, with `notes` if
/// there are any.
#[must_use]
pub fn check_json(files: usize, diagnostics: &[Diagnostic], notes: &[Diagnostic]) -> String {
    let mistake = |diagnostic| {
        let diagnostic: &Diagnostic = diagnostic;
        object()
            .place(diagnostic)
            .with("code", full_code(diagnostic))
            .with("message", &diagnostic.message)
            .with("help", diagnostic.shown_help())
    };
    let all = object()
        .with("version", 1)
        .with("summary", object().with("files", files).with("mistakes", diagnostics.len()))
        .list("diagnostics", diagnostics.iter().map(mistake))
        .filled("notes", notes.iter().map(mistake));
    line(&all)
}

/// Returns counts as JSON: `{"version":1,"depth":…,"total":…,"divide":[{"answer":…,"count":…}]}`
#[must_use]
pub fn perft_json(depth: usize, total: u64, counts: &[(String, u64)]) -> String {
    let divide = counts.iter().map(|(answer, count)| object().with("answer", answer).with("count", count));
    line(&object().with("version", 1).with("depth", depth).with("total", total).list("divide", divide))
}
