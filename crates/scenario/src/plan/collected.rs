//! The tests of a file while it is planned, and the errors found so far.

use std::collections::HashSet;
use std::sync::Arc;

use crate::plan::resolver::Row;
use crate::plan::suite::PlannedTest;
use referee_diagnostic::{Code, Diagnostic, MAX_PROBLEMS};
use referee_source::{Source, Span};

/// The largest number of tests in a file.
const MAX_TESTS: usize = 100_000;
/// The largest number of bytes of the titles of all tests of a file, with the values of rows and what they cite.
const MAX_TITLES: usize = 64 << 20;
/// The number of errors, repetitions counted, after which tests are only listed: the rows of a table share most of them.
const MAX_SEEN: usize = 50_000;

/// How many bytes the plan of a test takes, about, and how many more for each byte of its scenario.
const PLAN: u64 = 2 << 10;
const PLAN_OF_BYTE: u64 = 16;

/// The identity of a diagnostic, to drop duplicates.
type Mistake = (Code, String, Vec<(String, Span)>);

fn key(mistake: &Diagnostic) -> Mistake {
    let places = mistake.labels.iter().map(|label| (label.source.name().to_owned(), label.span));
    (mistake.code, mistake.message.clone(), places.collect())
}

/// The largest number of bytes of a title whose placeholders are filled.
pub(crate) const MAX_TITLE: usize = 1 << 16;

/// The taker of the tests of a file.
pub(crate) trait Taker {
    /// Takes the next test, with its errors.
    fn take(&mut self, test: PlannedTest, wrong: Vec<Diagnostic>);

    /// Takes errors of the scenario whose tests were taken last.
    fn report(&mut self, wrong: Vec<Diagnostic>);

    /// Returns whether the plan of the next test is wanted; otherwise it is only listed.
    fn is_wanted(&self) -> bool;

    /// Returns the largest number of tests that the file may still have.
    fn room(&self) -> usize;
}

/// The tests of a file, and its errors.
pub(crate) struct Tests<'s> {
    source: &'s Arc<Source>,
    pub(crate) list: Vec<PlannedTest>,
    pub(crate) problems: Vec<Diagnostic>,
    /// The rows of a table share most of their errors.
    reported: HashSet<Mistake>,
    seen: usize,
    /// How many bytes of plans may still be kept, about.
    pub(crate) plans_left: u64,
    /// The number of bytes that further titles may have.
    titles: usize,
}

impl<'s> Tests<'s> {
    /// Returns no tests, and the errors that are already known. Plans of about so many bytes are kept.
    pub(crate) fn new(source: &'s Arc<Source>, problems: Vec<Diagnostic>, plans_left: u64) -> Self {
        let reported = problems.iter().map(key).collect();
        Self { source, list: Vec::new(), problems, reported, seen: 0, plans_left, titles: MAX_TITLES }
    }

    /// Adds an error that is not there yet.
    pub(crate) fn add(&mut self, wrong: Diagnostic) {
        self.seen += 1;
        if self.problems.len() < MAX_PROBLEMS && self.reported.insert(key(&wrong)) {
            self.problems.push(wrong);
        }
    }

    /// Returns whether the file can have no more tests.
    pub(crate) const fn is_over(&self) -> bool {
        self.list.len() >= MAX_TESTS || self.titles == 0
    }

    /// Reports that a scenario is left out, because there are too many above it.
    pub(crate) fn end_at(&mut self, head: Span) {
        if self.titles > 0 {
            let message = format!("a file has at most {MAX_TESTS} tests: scenarios, rows of tables, branches");
            let wrong = Diagnostic::new(Code::TooManyTests, self.source, head, message);
            self.problems.push(wrong.help("split the scenarios into several files"));
        }
    }

    /// Charges the title of a test; returns whether there is room for it.
    fn charge(&mut self, test: &PlannedTest) -> bool {
        if self.titles == 0 {
            return false;
        }
        let texts = [Some(&*test.scenario), test.branch.as_deref(), test.cites.as_deref(), test.game.as_deref()];
        let bytes: usize = texts.into_iter().flatten().map(str::len).sum();
        let head = Span { end: test.extent.start, ..test.extent };
        let line = self.source.line_span(self.source.line(head.start));
        if test.scenario.len().max(test.branch.as_deref().map_or(0, str::len)) + 4 > MAX_TITLE {
            let message = format!("with the values of a row, this title is longer than {MAX_TITLE} bytes");
            let wrong = Diagnostic::new(Code::LineTooLong, self.source, line, message);
            self.add(wrong.help("name fewer columns in the title, or write shorter values"));
        }
        let Some(left) = self.titles.checked_sub(bytes) else {
            self.titles = 0;
            let megabytes = MAX_TITLES >> 20;
            let message = format!("the titles of the tests of this file have more than {megabytes} MiB together");
            let wrong = Diagnostic::new(Code::TooManyTests, self.source, line, message);
            self.add(wrong.help("write shorter titles, or fewer rows and branches; or use several files"));
            return false;
        };
        self.titles = left;
        true
    }
}

impl Taker for Tests<'_> {
    fn take(&mut self, mut test: PlannedTest, wrong: Vec<Diagnostic>) {
        wrong.into_iter().for_each(|wrong| self.add(wrong));
        if !self.charge(&test) {
            return;
        }
        // A row of a table is counted as its whole scenario: then fewer plans are kept than there is room for.
        let size = PLAN + PLAN_OF_BYTE * test.extent.range().len() as u64;
        self.plans_left = self.plans_left.saturating_sub(size);
        if self.plans_left == 0 {
            test.plan = None;
        }
        // There may be very many tests: those of one game, or of one scenario, share the name of it.
        if let Some(last) = self.list.last() {
            if last.game == test.game {
                test.game.clone_from(&last.game);
            }
            if last.scenario == test.scenario {
                test.scenario = Arc::clone(&last.scenario);
            }
        }
        self.list.push(test);
    }

    fn report(&mut self, wrong: Vec<Diagnostic>) {
        wrong.into_iter().for_each(|wrong| self.add(wrong));
    }

    fn is_wanted(&self) -> bool {
        self.problems.len() < MAX_PROBLEMS && self.seen < MAX_SEEN && self.titles > 0
    }

    fn room(&self) -> usize {
        MAX_TESTS.saturating_sub(self.list.len())
    }
}

/// Returns a title with its placeholders filled from the row; at most `MAX_TITLE` bytes of it.
pub(crate) fn filled(source: &Arc<Source>, title: Span, row: Option<&Row<'_>>) -> String {
    let whole = source.word(title).text;
    let Some(row) = row else { return whole.to_owned() };
    let mut parts = whole.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let value = part.split_once('}').and_then(|(name, rest)| Some((source.slice(row.cell(name)?.0), rest)));
        match value {
            Some((value, rest)) => text.extend([value, rest]),
            None => text.extend(["{", part]),
        }
        if text.len() > MAX_TITLE {
            text.truncate(text.floor_char_boundary(MAX_TITLE));
            break;
        }
    }
    text
}
