//! A scenario file as a list of tests.

use std::sync::Arc;

use super::plan::Plan;
use super::snapshots::Snapshots;
use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};

/// A scenario file, parsed and resolved. May be shared between threads.
#[derive(Debug)]
pub struct Suite {
    /// The file, as it was named on the way in.
    pub file: String,
    /// Everything that is wrong with it; then nothing of it is run.
    pub problems: Vec<Diagnostic>,
    /// The snapshots that were accepted.
    pub snapshots: Snapshots,
    /// Its tests, in the order of the lines.
    pub tests: Vec<PlannedTest>,
}

/// A scenario, one row of its table, or one of its branches.
#[derive(Debug)]
pub struct PlannedTest {
    /// The scenario's title.
    pub scenario: String,
    /// The row of its table, from 1.
    pub row: Option<usize>,
    /// The branch's title.
    pub branch: Option<String>,
    /// The line that it begins on, from 1.
    pub line: usize,
    /// The lines that belong to it.
    pub(crate) extent: Span,
    /// What to do; nothing if it has mistakes.
    pub(crate) plan: Option<Plan>,
}

impl Suite {
    /// A file that cannot be read at all.
    pub(crate) fn unreadable(file: String, problem: Diagnostic) -> Self {
        Self { file, problems: vec![problem], snapshots: Snapshots::default(), tests: Vec::new() }
    }

    /// The problems that lie in a test's lines.
    pub(crate) fn problems_in<'s>(
        &'s self,
        test: &'s PlannedTest,
        source: &'s Arc<Source>,
    ) -> impl Iterator<Item = &'s Diagnostic> {
        let inside = move |problem: &&Diagnostic| {
            problem.labels.first().is_some_and(|label| {
                Arc::ptr_eq(&label.source, source)
                    && test.extent.start <= label.span.start
                    && label.span.start <= test.extent.end
            })
        };
        self.problems.iter().filter(inside)
    }
}

impl PlannedTest {
    /// Title, row and branch in one line.
    #[must_use]
    pub fn title(&self) -> String {
        let row = self.row.map(|row| format!(" (row {row})")).unwrap_or_default();
        let branch = self.branch.as_ref().map(|branch| format!(" > {branch}")).unwrap_or_default();
        format!("{}{row}{branch}", self.scenario)
    }
}
