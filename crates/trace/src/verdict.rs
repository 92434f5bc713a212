//! Results of tests.

use std::fmt::{Display, Formatter};
use std::sync::Arc;

use serde::Serialize;

use super::{Drawing, Ended};
use referee_diagnostic::{Code, Diagnostic, Label};

/// The result of one test: a scenario, one row of its table, or one of its branches. There may be very many, so they
/// share their names with the planned tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestResult {
    /// The path of the file as the user gave it.
    pub file: Arc<str>,
    /// The title of the scenario; empty for errors outside all scenarios.
    pub scenario: Arc<str>,
    /// The row of the `examples` table, counted from 1.
    pub row: Option<usize>,
    /// The title of the branch.
    pub branch: Option<Arc<str>>,
    /// The line of the scenario, row or branch, counted from 1.
    pub line: usize,
    /// Whether it holds the errors of a file that are outside all of its tests.
    pub loose: bool,
    /// The status.
    pub status: Status,
    /// The snapshots of the test: names and texts.
    pub snapshots: Vec<(String, String)>,
    /// The answers to questions about all play, in the order of the lines.
    pub answers: Vec<Answered>,
    /// Every mismatch in the order of the lines; for an errored test, the errors.
    pub failures: Vec<Failure>,
}

impl TestResult {
    /// Returns title, row and branch on one line.
    #[must_use]
    pub fn title(&self) -> String {
        let title = if self.scenario.is_empty() { "\"\"" } else { &*self.scenario };
        titled(title, self.row, self.branch.as_deref())
    }
}

/// Returns the title of a scenario with row and branch: `title (row 2) > branch`.
#[must_use]
pub fn titled(title: &str, row: Option<usize>, branch: Option<&str>) -> String {
    let row = row.map(|row| format!(" (row {row})")).unwrap_or_default();
    let branch = branch.map(|branch| format!(" > {branch}")).unwrap_or_default();
    format!("{title}{row}{branch}")
}

/// The answer to a question about all play that may follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answered {
    /// The line of the question, counted from 1.
    pub line: usize,
    /// The question: `reachable winner white`.
    pub question: String,
    /// The answer.
    #[serde(rename = "verdict")]
    pub finding: Finding,
    /// Whether the line passes.
    #[serde(skip)]
    pub passes: bool,
    /// The number of different states that were searched.
    pub states: usize,
    /// The estimated memory that they took, in bytes.
    pub bytes: u64,
    /// The shortest line of play that shows the answer, as a scenario, if a line of play can show it.
    pub witness: Option<String>,
}

/// The result of a search for a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "&'static str")]
pub enum Finding {
    /// It is so.
    Holds,
    /// It is not so.
    Fails,
    /// A limit was reached before it was known.
    Undecided,
}

impl Finding {
    /// Returns the word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Undecided => "not decided",
        }
    }
}

impl From<Finding> for &'static str {
    fn from(finding: Finding) -> Self {
        finding.word()
    }
}

/// The status of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(into = "&'static str")]
pub enum Status {
    /// Every expectation holds.
    Passed,
    /// An expectation does not hold, or play differs from the lines.
    Failed,
    /// The scenario, its game or its rules are not valid.
    Errored,
    /// The test was not run: the file has errors elsewhere.
    Skipped,
}

impl Status {
    /// Returns the word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Errored => "errored",
            Self::Skipped => "skipped",
        }
    }
}

impl From<Status> for &'static str {
    fn from(status: Status) -> Self {
        status.word()
    }
}

/// The number of tests with each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StatusCounts {
    /// Those that passed.
    pub passed: usize,
    /// Those that failed.
    pub failed: usize,
    /// Those that are not valid.
    pub errored: usize,
    /// Those that were not run.
    pub skipped: usize,
}

impl StatusCounts {
    /// Counts these tests.
    pub fn of<'r>(results: impl IntoIterator<Item = &'r TestResult>) -> Self {
        let mut counts = Self::default();
        results.into_iter().for_each(|result| counts.count(result.status));
        counts
    }

    /// Counts one more test.
    pub const fn count(&mut self, status: Status) {
        let number = match status {
            Status::Passed => &mut self.passed,
            Status::Failed => &mut self.failed,
            Status::Errored => &mut self.errored,
            Status::Skipped => &mut self.skipped,
        };
        *number += 1;
    }

    /// Returns whether every test passed.
    #[must_use]
    pub const fn are_good(&self) -> bool {
        self.failed == 0 && self.errored == 0 && self.skipped == 0
    }
}

impl Display for StatusCounts {
    /// Writes `2 passed, 0 failed`, and the others if there are any.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        let Self { passed, failed, errored, skipped } = self;
        write!(formatter, "{passed} passed, {failed} failed")?;
        for (count, status) in [(errored, Status::Errored), (skipped, Status::Skipped)] {
            if *count > 0 {
                write!(formatter, ", {count} {}", status.word())?;
            }
        }
        Ok(())
    }
}

/// The kinds of failures that are treated differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// Play differs from the lines, or stops with an error.
    Play,
    /// A snapshot is not the accepted one. It may still be accepted, and then is not a mismatch.
    Snapshot,
    /// A `covers` line names a clause that is not applied.
    Covers,
    /// The answer to a question or a chance is not known: a limit was reached, or it cannot be searched.
    Open,
}

/// A mismatch between the scenario and the rules, with all that a reader of it wants to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its kind.
    pub kind: FailureKind,
    /// The message, its location and the help.
    pub diagnostic: Diagnostic,
    /// Whether the message names neither the expected nor the actual value.
    pub values_unsaid: bool,
    /// The value in the scenario.
    pub expected: Option<String>,
    /// The value according to the rules.
    pub actual: Option<String>,
    /// The expected board, if the scenario draws one; differing cells are highlighted.
    pub expected_board: Option<Drawing>,
    /// The actual board; differing cells are highlighted.
    pub actual_board: Option<Drawing>,
    /// The first events since [`events_since`](Self::events_since).
    pub events: Vec<String>,
    /// Where the events begin, in words.
    pub events_since: &'static str,
    /// The number of further events.
    pub more_events: usize,
    /// The question of the rules at this point.
    pub asking: Option<Asking>,
    /// How the game ended, and by what, if it is over at that point.
    pub ended: Option<Ended>,
    /// The shortest line of play that shows the mismatch, as a scenario.
    pub witness: Option<String>,
}

/// A question of the rules and its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asking {
    /// The question in the words of the language: `roll distance`, `red walk`.
    pub text: String,
    /// The line of the script that asks it.
    pub place: Option<Label>,
}

/// The maximum number of events in a failure.
pub const MAX_EVENTS: usize = 30;
/// The maximum length of a text in a failure, in bytes.
const MAX_TEXT: usize = 4096;

/// Cuts failures to about `room` bytes: first drops the boards, events and values of the last ones, then these failures
/// themselves, and reports their number.
pub fn bound(failures: &mut Vec<Failure>, room: usize) {
    let mut used = 0;
    for failure in failures.iter_mut() {
        failure.shorten();
        used += failure.weight();
        if used > room {
            used -= failure.weight();
            failure.strip();
            used += failure.weight();
        }
    }
    let (mut kept, mut more) = (0, 0);
    failures.retain(|failure| {
        kept += failure.weight();
        // A snapshot may still be accepted, and then is not a mismatch.
        let fits = kept <= room.saturating_mul(2) || failure.kind == FailureKind::Snapshot;
        more += usize::from(!fits);
        fits
    });
    failures.extend((more > 0).then(|| Failure::more(more)));
}

impl Failure {
    /// Returns a failure that represents `count` more.
    #[must_use]
    pub fn more(count: usize) -> Self {
        let message = format!("{count} more mismatches of this test are not shown");
        Self::plain(
            Diagnostic::general(Code::TooManyMistakes, message).help("fix the first ones and run the test again"),
        )
    }

    /// Returns its approximate size in bytes.
    #[must_use]
    pub fn weight(&self) -> usize {
        let boards = [&self.expected_board, &self.actual_board].into_iter().flatten();
        let cells = boards.flat_map(|board| &board.rows).flat_map(|row| &row.cells);
        let texts = [&self.expected, &self.actual, &self.diagnostic.help, &self.witness].into_iter().flatten();
        let texts = texts.chain(&self.events).chain([&self.diagnostic.message]);
        size_of::<Self>()
            + cells.map(|cell| 80 + cell.text.len() + if cell.piece.is_some() { 64 } else { 0 }).sum::<usize>()
            + texts.map(|text| 32 + text.len()).sum::<usize>()
    }

    /// Drops the events and text beyond what is shown.
    pub fn shorten(&mut self) {
        self.more_events += self.events.len().saturating_sub(MAX_EVENTS);
        self.events.truncate(MAX_EVENTS);
        let texts = [&mut self.expected, &mut self.actual].into_iter().flatten();
        for text in texts.chain(&mut self.events).chain([&mut self.diagnostic.message]) {
            if text.len() > MAX_TEXT {
                text.truncate(text.floor_char_boundary(MAX_TEXT));
                text.push_str(" …");
            }
        }
    }

    /// Drops everything but the diagnostic and the beginnings of the values.
    pub fn strip(&mut self) {
        self.expected_board = None;
        self.actual_board = None;
        self.witness = None;
        self.more_events += self.events.len();
        self.events = Vec::new();
        for text in [&mut self.expected, &mut self.actual].into_iter().flatten() {
            let first = text.lines().next().unwrap_or_default();
            *text = first.get(..first.floor_char_boundary(200)).unwrap_or_default().to_owned();
        }
    }
    /// Returns a failure with only a diagnostic.
    #[must_use]
    pub const fn plain(diagnostic: Diagnostic) -> Self {
        Self {
            kind: FailureKind::Play,
            diagnostic,
            values_unsaid: false,
            expected: None,
            actual: None,
            expected_board: None,
            actual_board: None,
            events: Vec::new(),
            events_since: "the last pause",
            more_events: 0,
            asking: None,
            ended: None,
            witness: None,
        }
    }
}
