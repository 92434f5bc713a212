//! Results as JSON. The shape is versioned, and users may rely on it.

use std::borrow::Cow;

use serde::Serialize;

use crate::diagnostic::{Diagnostic, is_printable};
use crate::trace::{Answered, Ended, Failure, Finding, Status, TestResult};

#[derive(Serialize)]
struct Tests<'r> {
    version: u32,
    summary: Summary,
    /// Which part of the tests was run; left out for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<&'r ShardShown>,
    /// The number of tests that were not run after a failure; left out without `--fail-fast`.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_run: Option<usize>,
    tests: Vec<Test<'r>>,
}

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

#[derive(Default, Serialize)]
struct Summary {
    passed: usize,
    failed: usize,
    errored: usize,
    skipped: usize,
}

#[derive(Serialize)]
struct Test<'r> {
    file: &'r str,
    scenario: &'r str,
    row: Option<usize>,
    branch: Option<&'r str>,
    status: &'static str,
    failures: Vec<TestFailure<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    questions: Vec<QuestionAnswer<'r>>,
}

/// The answer to a question about all play.
#[derive(Serialize)]
struct QuestionAnswer<'r> {
    line: usize,
    question: &'r str,
    verdict: &'static str,
    states: usize,
    bytes: u64,
    witness: Option<&'r str>,
}

#[derive(Serialize)]
struct TestFailure<'r> {
    line: usize,
    column: Option<usize>,
    code: String,
    message: Cow<'r, str>,
    help: Option<Cow<'r, str>>,
    expected: Option<&'r str>,
    actual: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<ShownEnd<'r>>,
}

/// By what a game ended.
#[derive(Serialize)]
pub(super) struct ShownEnd<'r> {
    clause: Option<&'r str>,
    file: Option<&'r str>,
    line: Option<usize>,
}

/// Returns by what a game ended.
pub(super) fn shown_end(ended: &Ended) -> ShownEnd<'_> {
    let (file, line) = ended.at().unzip();
    ShownEnd { clause: ended.clause.as_deref(), file, line }
}

/// Returns results as JSON: `{"version":1,"summary":{…},"tests":[…]}`
#[must_use]
pub fn test_json<'r>(results: impl IntoIterator<Item = &'r TestResult, IntoIter: Clone>) -> String {
    part_json(results, None, None)
}

/// Returns results of a part of the tests as JSON: also says which part it is, and the number of tests that were not run
/// after a failure.
#[must_use]
pub fn part_json<'r>(
    results: impl IntoIterator<Item = &'r TestResult, IntoIter: Clone>,
    shard: Option<&'r ShardShown>,
    not_run: Option<usize>,
) -> String {
    let results = results.into_iter();
    let mut summary = Summary::default();
    for result in results.clone() {
        match result.status {
            Status::Passed => summary.passed += 1,
            Status::Failed => summary.failed += 1,
            Status::Errored => summary.errored += 1,
            Status::Skipped => summary.skipped += 1,
        }
    }
    line(&Tests { version: 1, summary, shard, not_run, tests: results.map(test).collect() })
}

fn test(result: &TestResult) -> Test<'_> {
    Test {
        file: &result.file,
        scenario: &result.scenario,
        row: result.row,
        branch: result.branch.as_deref(),
        status: match result.status {
            Status::Passed => "passed",
            Status::Failed => "failed",
            Status::Errored => "errored",
            Status::Skipped => "skipped",
        },
        failures: result.failures.iter().map(|one| failure(result, one)).collect(),
        questions: result.answers.iter().map(answer).collect(),
    }
}

fn answer(answer: &Answered) -> QuestionAnswer<'_> {
    QuestionAnswer {
        line: answer.line,
        question: &answer.question,
        verdict: match answer.finding {
            Finding::Holds => "holds",
            Finding::Fails => "fails",
            Finding::Undecided => "not decided",
        },
        states: answer.states,
        bytes: answer.bytes,
        witness: answer.witness.as_deref(),
    }
}

/// Returns a failure at a line of the scenario file; the message of an error elsewhere begins with its location.
fn failure<'r>(result: &TestResult, failure: &'r Failure) -> TestFailure<'r> {
    let labels = &failure.diagnostic.labels;
    let here = labels.iter().find(|label| label.source.name() == &*result.file);
    let elsewhere = labels.first().filter(|label| label.source.name() != &*result.file);
    let message = &failure.diagnostic.message;
    TestFailure {
        line: here.map_or(result.line, |label| label.source.line(label.span.start)),
        column: here.map(|label| label.source.position(label.span.start).column),
        code: format!("referee::{}", failure.diagnostic.code),
        help: failure.diagnostic.shown_help(),
        message: elsewhere.map_or(Cow::Borrowed(message), |label| {
            Cow::Owned(format!("{}:{}: {message}", label.source.name(), label.source.line(label.span.start)))
        }),
        expected: failure.expected.as_deref(),
        actual: failure.actual.as_deref(),
        ended: failure.ended.as_ref().map(shown_end),
    }
}

#[derive(Serialize)]
struct Checks<'r> {
    version: u32,
    summary: CheckSummary,
    diagnostics: Vec<Mistake<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Mistake<'r>>,
}

#[derive(Serialize)]
struct CheckSummary {
    files: usize,
    mistakes: usize,
}

#[derive(Serialize)]
struct Mistake<'r> {
    file: Option<&'r str>,
    line: Option<usize>,
    column: Option<usize>,
    code: String,
    message: &'r str,
    help: Option<Cow<'r, str>>,
}

/// Returns diagnostics as JSON: `{"version":1,"summary":{"files":…,"mistakes":…},"diagnostics":[…]}`, with `notes` if
/// there are any.
#[must_use]
pub fn check_json(files: usize, diagnostics: &[Diagnostic], notes: &[Diagnostic]) -> String {
    let mistake = |diagnostic| {
        let diagnostic: &Diagnostic = diagnostic;
        let first = diagnostic.labels.first();
        let at = first.map(|label| label.source.position(label.span.start));
        Mistake {
            file: first.map(|label| label.source.name()),
            line: at.map(|at| at.line),
            column: at.map(|at| at.column),
            code: format!("referee::{}", diagnostic.code),
            message: &diagnostic.message,
            help: diagnostic.shown_help(),
        }
    };
    let diagnostics: Vec<Mistake<'_>> = diagnostics.iter().map(mistake).collect();
    let notes = notes.iter().map(mistake).collect();
    line(&Checks { version: 1, summary: CheckSummary { files, mistakes: diagnostics.len() }, diagnostics, notes })
}

#[derive(Serialize)]
struct Counts<'r> {
    version: u32,
    depth: usize,
    total: u64,
    divide: Vec<Count<'r>>,
}

#[derive(Serialize)]
struct Count<'r> {
    answer: &'r str,
    count: u64,
}

/// Returns counts as JSON: `{"version":1,"depth":…,"total":…,"divide":[{"answer":…,"count":…}]}`
#[must_use]
pub fn perft_json(depth: usize, total: u64, counts: &[(String, u64)]) -> String {
    let divide = counts.iter().map(|(answer, count)| Count { answer, count: *count }).collect();
    line(&Counts { version: 1, depth, total, divide })
}

/// Returns a value as one line of JSON.
pub(super) fn line(value: &impl Serialize) -> String {
    // Serialization cannot fail for these types.
    let text = serde_json::to_string(value).unwrap_or_default();
    let mut safe = String::with_capacity(text.len() + 1);
    let mut units = [0; 2];
    let mut before = ' ';
    for letter in text.chars() {
        // JSON does not escape all characters that are invisible or control a terminal, nor the second `#` of `##[error]`,
        // by which systems that run programs know their commands.
        if is_printable(letter) && !(letter == '#' && before == '#') {
            safe.push(letter);
        } else {
            for unit in letter.encode_utf16(&mut units) {
                safe.push_str(&format!("\\u{unit:04x}"));
            }
        }
        before = letter;
    }
    safe.push('\n');
    safe
}
