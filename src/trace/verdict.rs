//! How a test ended.

use super::Drawing;
use crate::diagnostic::{Diagnostic, Label};

/// How one test ended: a scenario, one row of its table, or one of its branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestResult {
    /// The file, as it was named on the way in.
    pub file: String,
    /// The scenario's title; empty where a mistake stands outside all scenarios.
    pub scenario: String,
    /// The row of the `examples` table, from 1.
    pub row: Option<usize>,
    /// The branch's title.
    pub branch: Option<String>,
    /// The line of the scenario (or row, or branch), from 1.
    pub line: usize,
    /// Whether it stands for the mistakes of a file that lie in none of its tests.
    pub loose: bool,
    /// How it ended.
    pub status: Status,
    /// The snapshots that the test asked for: name and text.
    pub snapshots: Vec<(String, String)>,
    /// Every mismatch, in the order of the lines; for an errored test, the mistakes.
    pub failures: Vec<Failure>,
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Every expectation holds.
    Passed,
    /// An expectation does not hold, or the play went otherwise than the lines say.
    Failed,
    /// The scenario, its game or its rules are not valid.
    Errored,
    /// Not run: the file has mistakes elsewhere.
    Skipped,
}

/// One thing that did not come out as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The line underlined, the sentence, the help.
    pub diagnostic: Diagnostic,
    /// What the scenario says.
    pub expected: Option<String>,
    /// What the rules say.
    pub actual: Option<String>,
    /// The board expected, where the scenario draws one; differing cells marked.
    pub expected_board: Option<Drawing>,
    /// The board reached; differing cells marked.
    pub actual_board: Option<Drawing>,
    /// The events since the last pause, one a line: the first of them.
    pub events: Vec<String>,
    /// How many more there were.
    pub more_events: usize,
    /// What the rules ask at this point.
    pub asking: Option<Asking>,
}

/// What the rules ask, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asking {
    /// In the words of the language: `roll distance`, `red walk`.
    pub text: String,
    /// The line of the script that asks.
    pub place: Option<Label>,
}

/// The most events that a failure shows.
pub const MAX_EVENTS: usize = 30;
/// The most bytes of a text that a failure shows.
const MAX_TEXT: usize = 4096;

/// Keeps of failures what fits into `room` bytes: first the boards, events and values of later ones go, then these
/// themselves, and their number is reported.
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
        // A snapshot may be accepted, and then is no mismatch.
        let fits = kept <= room.saturating_mul(2) || failure.diagnostic.code == "snapshot";
        more += usize::from(!fits);
        fits
    });
    failures.extend((more > 0).then(|| Failure::more(more)));
}

impl Failure {
    /// One that stands for so many more.
    #[must_use]
    pub fn more(count: usize) -> Self {
        let message = format!("{count} more mismatches of this test are not shown");
        Self::plain(Diagnostic::general("too_many_mistakes", message).help("mend the first ones, and run it again"))
    }

    /// Returns how many bytes it keeps, about.
    #[must_use]
    pub fn weight(&self) -> usize {
        let boards = [&self.expected_board, &self.actual_board].into_iter().flatten();
        let cells = boards.flat_map(|board| &board.rows).flat_map(|row| &row.cells);
        let texts = [&self.expected, &self.actual, &self.diagnostic.help].into_iter().flatten();
        let texts = texts.chain(&self.events).chain([&self.diagnostic.message]);
        size_of::<Self>()
            + cells.map(|cell| 48 + cell.text.len()).sum::<usize>()
            + texts.map(|text| 32 + text.len()).sum::<usize>()
    }

    /// Cuts what would be shown in part only.
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

    /// Leaves the sentence, its place and the beginnings of its values.
    pub fn strip(&mut self) {
        self.expected_board = None;
        self.actual_board = None;
        self.more_events += self.events.len();
        self.events = Vec::new();
        for text in [&mut self.expected, &mut self.actual].into_iter().flatten() {
            let first = text.lines().next().unwrap_or_default();
            *text = first.get(..first.floor_char_boundary(200)).unwrap_or_default().to_owned();
        }
    }
    /// Returns a failure that has no more to it than a diagnostic.
    #[must_use]
    pub const fn plain(diagnostic: Diagnostic) -> Self {
        Self {
            diagnostic,
            expected: None,
            actual: None,
            expected_board: None,
            actual_board: None,
            events: Vec::new(),
            more_events: 0,
            asking: None,
        }
    }
}
