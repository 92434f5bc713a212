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
    /// The events since the last pause, one a line.
    pub events: Vec<String>,
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

impl Failure {
    /// A failure that has no more to it than a diagnostic.
    #[must_use]
    pub const fn plain(diagnostic: Diagnostic) -> Self {
        Self {
            diagnostic,
            expected: None,
            actual: None,
            expected_board: None,
            actual_board: None,
            events: Vec::new(),
            asking: None,
        }
    }
}
