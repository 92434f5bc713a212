//! A scenario file as a list of tests.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::listing::Listed;
use crate::plan::model::Plan;
use crate::snapshots::Snapshots;
use referee_diagnostic::{Code, Diagnostic};
use referee_source::{HostError, Source, Span};
use referee_table::State;
use referee_trace::titled;

/// A scenario file, parsed and resolved. May be shared between threads.
#[derive(Debug)]
pub struct Suite {
    /// The path of the file, as the caller named it.
    pub file: Arc<str>,
    /// The text of the file, if it could be read.
    pub(crate) source: Option<Arc<Source>>,
    /// All errors of the file; if there are any, no test is run.
    pub problems: Vec<Diagnostic>,
    /// The accepted snapshots.
    pub snapshots: Snapshots,
    /// The tests, in the order of the lines.
    pub tests: Vec<PlannedTest>,
    /// The places of what scenarios share, if plans are not kept.
    pub(crate) parts: Option<Parts>,
}

/// The places in a file of what its scenarios share.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    /// The `use` lines, in order.
    pub(crate) uses: Vec<Span>,
    /// The shared positions by their names.
    pub(crate) positions: BTreeMap<String, Span>,
}

/// A scenario, one row of its table, or one of its branches.
#[derive(Debug)]
pub struct PlannedTest {
    /// The scenario's title.
    pub scenario: Arc<str>,
    /// The number of its row in the table, from 1.
    pub row: Option<usize>,
    /// The branch's title.
    pub branch: Option<Arc<str>>,
    /// The game that it plays, as the file names it.
    pub game: Option<Arc<str>>,
    /// The texts of its `cites` lines, if it has any.
    pub cites: Option<Box<str>>,
    /// The number of its first line, from 1.
    pub line: usize,
    /// The lines of the scenario.
    pub(crate) extent: Span,
    /// The rows of the scenario's table, and the row of this test.
    pub(crate) rows: Option<(Span, Span)>,
    /// The lines of its branch.
    pub(crate) own: Option<Span>,
    /// The plan; `None` if the test has errors, or if it is made again when it is needed.
    pub(crate) plan: Option<Arc<Plan>>,
}

impl Suite {
    /// Returns the text of the file, of a Markdown file only the scenario blocks; `None` if it could not be read.
    #[must_use]
    pub const fn source(&self) -> Option<&Arc<Source>> {
        self.source.as_ref()
    }

    /// Returns the suite for a file that cannot be read.
    #[must_use]
    pub fn unreadable(file: String, error: &HostError) -> Self {
        let problem = Diagnostic::general(Code::UnreadableFile, format!("cannot read {file}: {error}"));
        Self::unplanned(file, problem)
    }

    /// Returns the suite for a file without tests that has this problem.
    #[must_use]
    pub fn unplanned(file: String, problem: Diagnostic) -> Self {
        Self {
            file: file.into(),
            source: None,
            problems: vec![problem],
            snapshots: Snapshots::default(),
            tests: Vec::new(),
            parts: None,
        }
    }

    /// Returns whether the file could not be read.
    #[must_use]
    pub const fn is_unread(&self) -> bool {
        self.source.is_none()
    }

    /// Returns whether it is a `.scenario` file that has comments and nothing else, as one to be filled in has.
    #[must_use]
    pub fn has_only_comments(&self) -> bool {
        let text = self.source.as_ref().filter(|_| self.file.ends_with(".scenario")).map_or("", |source| source.text());
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
        self.tests.is_empty() && lines.peek().is_some() && lines.all(|line| line.starts_with('#'))
    }

    /// Returns for each test whether it owns a line, counted from 1. The line of a row or of a branch belongs to the
    /// tests of this row or branch, any other line of a scenario to all its tests. If the file has errors and no test
    /// is on the line, returns true for all tests, because the scenario on the line may be one that could not be read.
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

    /// Returns the problems in the lines of a test.
    pub(crate) fn problems_in<'s>(&'s self, test: &'s PlannedTest) -> impl Iterator<Item = &'s Diagnostic> {
        self.problems.iter().filter(|problem| self.lies_in(problem, test))
    }

    /// Returns the problems outside the lines of all tests: above the scenarios, or in the game's files.
    pub fn loose_problems(&self) -> impl Iterator<Item = &Diagnostic> {
        self.problems.iter().filter(|problem| !self.tests.iter().any(|test| self.lies_in(problem, test)))
    }

    /// Returns the location of a problem in this file; `None` if it is in another file.
    fn place(&self, problem: &Diagnostic) -> Option<u32> {
        let label = problem.labels.first()?;
        self.source.as_ref().is_some_and(|source| Arc::ptr_eq(&label.source, source)).then_some(label.span.start)
    }

    fn lies_in(&self, problem: &Diagnostic, test: &PlannedTest) -> bool {
        let within = |span: Span, at: u32| span.start <= at && at <= span.end;
        self.place(problem).is_some_and(|at| {
            // An error in a row belongs only to the test of this row.
            let other = test.rows.is_some_and(|(rows, own)| within(rows, at) && !within(own, at));
            within(test.extent, at) && !other
        })
    }
}

impl PlannedTest {
    /// Returns whether it may be one of this game: the game of a scenario that cannot be read is unknown.
    #[must_use]
    pub fn may_be_of(&self, game: &str) -> bool {
        self.game.as_deref().is_none_or(|own| own == game)
    }

    /// Returns the position at the start; `None` if the test has errors.
    #[must_use]
    pub fn start(&self) -> Option<&State> {
        self.plan.as_ref().map(|plan| &plan.start)
    }

    /// Returns the path of the rules of its game; `None` if the test has errors, or if the game is built in.
    #[must_use]
    pub fn rules(&self) -> Option<&str> {
        let game = &self.plan.as_ref()?.game;
        (!game.is_built_in()).then(|| game.rules.name())
    }

    /// Returns whether it plays this game, and not another one of the same name. A test with errors may play any.
    #[must_use]
    pub fn plays(&self, game: &Listed) -> bool {
        self.plan
            .as_ref()
            .is_none_or(|plan| plan.game.base().schema == game.schema && plan.game.rules.text() == game.rules.text())
    }

    /// Returns title, row and branch as a name that is unique in the file: separators in the title are escaped.
    #[must_use]
    pub fn name(&self) -> String {
        let marked = self.scenario.replace('\\', "\\\\").replace('>', "\\>").replace("(row", "\\(row");
        self.called(&marked)
    }

    /// Returns the ids of the clauses that its `covers` lines name.
    #[must_use]
    pub fn covers(&self) -> Vec<String> {
        let named = self.plan.iter().flat_map(|plan| plan.covers.iter().map(|(clause, _)| (&plan.game.schema, clause)));
        let clauses = named.filter_map(|(schema, clause)| schema.clauses.get(clause.index()));
        clauses.map(|clause| clause.id.clone()).collect()
    }

    /// Returns title, row and branch on one line.
    #[must_use]
    pub fn title(&self) -> String {
        self.called(&self.scenario)
    }

    fn called(&self, title: &str) -> String {
        titled(title, self.row, self.branch.as_deref())
    }
}
