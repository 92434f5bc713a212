//! Names and places of tests that all reports share.

use std::collections::{BTreeMap, BTreeSet};

use super::Human;
use referee_trace::{Failure, TestResult};

/// Returns the title of a test with its row and branch; for the errors of a file outside all tests, words for these.
pub(super) fn title(result: &TestResult) -> String {
    if result.loose {
        return "errors outside all scenarios".to_owned();
    }
    result.title()
}

/// The names of tests in a report, each given once: systems that read reports keep one result for each name.
#[derive(Debug, Default)]
pub(super) struct UniqueNames {
    /// How many tests have each name.
    tests: BTreeMap<String, usize>,
    given: BTreeSet<String>,
}

impl UniqueNames {
    /// Counts the names of all tests of a report.
    pub(super) fn of(names: impl IntoIterator<Item = String>) -> Self {
        let mut own = Self::default();
        for name in names {
            *own.tests.entry(name).or_default() += 1;
        }
        own
    }

    /// Returns a name for a test, with its line if others have the same name, and with a number if that does not suffice.
    pub(super) fn give(&mut self, name: String, line: usize) -> String {
        if self.tests.get(&name).is_none_or(|tests| *tests < 2) {
            return name;
        }
        let base = format!("{name} (line {line})");
        let numbered = (2_usize..).map(|number| format!("{base} #{number}"));
        let is_free = |name: &String| !self.given.contains(name) && !self.tests.contains_key(name);
        let free = std::iter::once(base.clone()).chain(numbered).find(is_free).unwrap_or(base);
        self.given.insert(free.clone());
        free
    }
}

/// Returns the file and the line of a failure: those of its first location, otherwise those of the test.
pub(super) fn place<'r>(result: &'r TestResult, failure: &'r Failure) -> (&'r str, usize) {
    failure.diagnostic.place().unwrap_or((&result.file, result.line))
}

/// Returns the first message of a test that did not pass.
pub(super) fn first_message(result: &TestResult) -> &str {
    result.failures.first().map_or("the file has errors elsewhere", |failure| &failure.diagnostic.message)
}

/// Returns all failures of a test as the terminal shows them, without colour.
pub(super) fn in_full(result: &TestResult) -> String {
    let human = Human::new(false, false);
    let texts = result.failures.iter().enumerate().map(|(at, failure)| {
        let next = result.failures.get(at + 1);
        let last = next.is_none_or(|next| next.events != failure.events || next.asking != failure.asking);
        human.failure(failure, last).trim_end().to_owned()
    });
    texts.collect::<Vec<_>>().join("\n\n")
}
