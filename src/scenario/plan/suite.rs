//! A scenario file as a list of tests.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::scenario::plan::model::Plan;
use crate::scenario::snapshots::Snapshots;
use crate::source::{HostError, Source, Span};
use crate::table::State;

/// A scenario file, parsed and resolved. May be shared between threads.
#[derive(Debug)]
pub struct Suite {
    /// The file, as it was named on the way in.
    pub file: String,
    /// Its text, if it could be read.
    pub(crate) source: Option<Arc<Source>>,
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
    /// The game that it plays, as the file names it.
    pub game: Option<String>,
    /// The line that it begins on, from 1.
    pub line: usize,
    /// The lines that belong to it.
    pub(crate) extent: Span,
    /// The rows of the table of its scenario, and its own among them.
    pub(crate) rows: Option<(Span, Span)>,
    /// The lines of its branch.
    pub(crate) own: Option<Span>,
    /// What to do; nothing if it has mistakes.
    pub(crate) plan: Option<Plan>,
}

impl Suite {
    /// Returns a file that cannot be read at all.
    #[must_use]
    pub fn unreadable(file: String, error: &HostError) -> Self {
        let problem = Diagnostic::general("unreadable_file", format!("cannot read {file}: {error}"));
        Self { file, source: None, problems: vec![problem], snapshots: Snapshots::default(), tests: Vec::new() }
    }

    /// Returns whether the file could not be read at all.
    #[must_use]
    pub const fn is_unread(&self) -> bool {
        self.source.is_none()
    }

    /// For each test whether the line (from 1) is its own: the line of a row or of a branch belongs to the tests of this
    /// row or branch, any other line of a scenario to all its tests. Where the file has mistakes and no test is on the
    /// line, all are meant: the scenario may be one that could not be read.
    #[must_use]
    pub fn tests_at(&self, line: usize) -> Vec<bool> {
        let Some(source) = &self.source else { return Vec::new() };
        let on = |span: Span| source.line(span.start) <= line && line <= source.line(span.end);
        let on_row = |test: &PlannedTest| test.rows.is_some_and(|(_, own)| on(own));
        let on_branch = |test: &PlannedTest| test.own.is_some_and(on);
        let mut meant: Vec<bool> = self.tests.iter().map(|test| on(test.extent)).collect();
        let narrower: [&dyn Fn(&PlannedTest) -> bool; 2] = [&on_row, &on_branch];
        for narrow in narrower {
            let own: Vec<bool> = self.tests.iter().zip(&meant).map(|(test, meant)| *meant && narrow(test)).collect();
            if own.contains(&true) {
                meant = own;
            }
        }
        if !self.problems.is_empty() && !meant.contains(&true) {
            meant.fill(true);
        }
        meant
    }

    /// Returns the problems that lie in a test's lines.
    pub(crate) fn problems_in<'s>(&'s self, test: &'s PlannedTest) -> impl Iterator<Item = &'s Diagnostic> {
        self.problems.iter().filter(|problem| self.lies_in(problem, test))
    }

    /// Returns the problems that lie in no test's lines: above the scenarios, or in the game's files.
    pub fn loose_problems(&self) -> impl Iterator<Item = &Diagnostic> {
        self.problems.iter().filter(|problem| !self.tests.iter().any(|test| self.lies_in(problem, test)))
    }

    /// Returns where a problem stands in this file.
    fn place(&self, problem: &Diagnostic) -> Option<u32> {
        let label = problem.labels.first()?;
        self.source.as_ref().is_some_and(|source| Arc::ptr_eq(&label.source, source)).then_some(label.span.start)
    }

    fn lies_in(&self, problem: &Diagnostic, test: &PlannedTest) -> bool {
        let within = |span: Span, at: u32| span.start <= at && at <= span.end;
        self.place(problem).is_some_and(|at| {
            // A mistake in a row belongs to the test of this row alone.
            let other = test.rows.is_some_and(|(rows, own)| within(rows, at) && !within(own, at));
            within(test.extent, at) && !other
        })
    }
}

impl PlannedTest {
    /// Returns the position at its start; nothing if it has mistakes.
    #[must_use]
    pub fn start(&self) -> Option<&State> {
        self.plan.as_ref().map(|plan| &plan.start)
    }

    /// Title, row and branch, as no other test of the file has them: marks in a title are marked.
    #[must_use]
    pub fn name(&self) -> String {
        let marked = self.scenario.replace('\\', "\\\\").replace('>', "\\>").replace("(row", "\\(row");
        self.called(&marked)
    }

    /// Title, row and branch in one line.
    #[must_use]
    pub fn title(&self) -> String {
        self.called(&self.scenario)
    }

    fn called(&self, title: &str) -> String {
        let row = self.row.map(|row| format!(" (row {row})")).unwrap_or_default();
        let branch = self.branch.as_ref().map(|branch| format!(" > {branch}")).unwrap_or_default();
        format!("{title}{row}{branch}")
    }
}
