//! Tests that are run with everything counted that they run.

use std::collections::VecDeque;

use referee_diagnostic::{Code, Diagnostic};
use referee_scenario::{Exercised, Loader, Suite, judge_counted};
use referee_trace::TestResult;

use super::tests;

/// A test that was run: its file and its own place in it, its result and its coverage.
pub(super) struct Ran {
    pub(super) suite: usize,
    pub(super) index: usize,
    pub(super) result: TestResult,
    pub(super) exercised: Option<Exercised>,
}

/// The tests of a game, run one after the other.
pub(super) struct CountedTests {
    pub(super) suites: Vec<Suite>,
    pub(super) ran: Vec<Ran>,
    waiting: VecDeque<(usize, usize)>,
}

impl CountedTests {
    pub(super) fn of(loader: &mut Loader<'static>, game: &str) -> Result<Self, Vec<Diagnostic>> {
        let (mut suites, mut waiting) = (Vec::new(), VecDeque::new());
        for path in tests::paths() {
            let (suite, own) = tests::own(loader, &path, game)?;
            waiting.extend(own.into_iter().map(|index| (suites.len(), index)));
            suites.push(suite);
        }
        if waiting.is_empty() {
            let message = format!("no scenario of the game `{game}`");
            return Err(vec![Diagnostic::general(Code::NoScenario, message)]);
        }
        Ok(Self { suites, ran: Vec::new(), waiting })
    }

    pub(super) fn count(&self) -> usize {
        self.ran.len() + self.waiting.len()
    }

    pub(super) fn is_done(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Runs the next test, if there is one.
    pub(super) fn next(&mut self, loader: &mut Loader<'static>) {
        let Some((at, index)) = self.waiting.pop_front() else { return };
        let Some(suite) = self.suites.get(at) else { return };
        let (result, exercised) = judge_counted(loader, suite, index);
        self.ran.push(Ran { suite: at, index, result, exercised });
    }
}
