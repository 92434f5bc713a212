//! The readings of unclear rules that the examples of the rulebook allow.

use std::path::{Path, PathBuf};

use referee_diagnostic::{Code, Diagnostic};
use referee_report::ReadingsReport;
use referee_scenario::{Course, Example, Held, Listed, Loader, MAX_VALUES, Suite, Trials, issues, listed};
use serde::Deserialize;

use super::{Steps, tests};

/// A question about readings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskReadings {
    game: String,
}

/// The examples of a file: each with its index there, and its course as it is written.
struct Cited {
    suite: Suite,
    examples: Vec<(usize, Example, Course)>,
}

pub(super) struct Holding {
    listed: Listed,
    trials: Trials,
    waiting: Vec<PathBuf>,
    cited: Vec<Cited>,
    /// For each reading the results of all examples.
    held: Vec<Vec<Option<Held>>>,
    /// The number of files under a reading that were done.
    done: usize,
}

impl Holding {
    pub(super) fn begin(loader: &mut Loader<'static>, asked: &AskReadings) -> Result<Self, Vec<Diagnostic>> {
        let listed = listed(loader, &asked.game)?;
        let trials = Trials::of(issues(&listed, MAX_VALUES), None);
        let held = vec![Vec::new(); trials.count()];
        let waiting = tests::paths().into_iter().rev().collect();
        Ok(Self { listed, trials, waiting, cited: Vec::new(), held, done: 0 })
    }

    /// Reads the examples of the next file.
    fn read(&mut self, loader: &mut Loader<'static>) -> Result<(), Vec<Diagnostic>> {
        let Some(path) = self.waiting.pop() else { return Ok(()) };
        let (suite, own) = tests::own(loader, &path, &self.listed.schema.id)?;
        let example = |index: usize| {
            let (example, course) = Example::of(loader, &suite, index, self.trials.issues())?;
            Some((index, example, course))
        };
        let examples: Vec<_> = own.into_iter().filter_map(example).collect();
        if !examples.is_empty() {
            self.cited.push(Cited { suite, examples });
        }
        Ok(())
    }

    const fn all(&self) -> usize {
        self.cited.len() * self.held.len()
    }
}

impl Steps for Holding {
    fn step(&mut self, loader: &mut Loader<'static>, work: u64) -> Result<(), Vec<Diagnostic>> {
        if !self.waiting.is_empty() {
            return self.read(loader);
        }
        if self.cited.is_empty() {
            let message =
                "no example: add a line `cites \"PLACE IN THE RULEBOOK\"` to the scenarios that are examples of it";
            return Err(vec![Diagnostic::general(Code::NoScenario, message)]);
        }
        for _ in 0..work.max(1).min((self.all() - self.done) as u64) {
            // All readings of a file come one after the other.
            let (file, reading) = (self.done / self.held.len().max(1), self.done % self.held.len().max(1));
            self.done += 1;
            let Some(cited) = self.cited.get(file) else { continue };
            let examples: Vec<(usize, &Example, &Course)> =
                cited.examples.iter().map(|(index, example, course)| (*index, example, course)).collect();
            let held = self.trials.hold(loader, Path::new(&*cited.suite.file), reading, &examples);
            self.held.get_mut(reading).into_iter().for_each(|all| all.extend(held.iter().cloned()));
        }
        Ok(())
    }

    fn done(&self) -> (u64, Option<u64>) {
        let all = self.waiting.is_empty().then(|| self.all() as u64).filter(|_| !self.cited.is_empty());
        (self.done as u64, all)
    }

    fn unit(&self) -> &'static str {
        "files under a reading"
    }

    fn answer(&mut self, _: &mut Loader<'static>) -> Option<(String, String)> {
        // Before the end, results of some examples are missing.
        if !self.waiting.is_empty() || self.done < self.all() || self.cited.is_empty() {
            return None;
        }
        let examples = self.cited.iter().flat_map(|cited| &cited.examples);
        let findings = self.trials.findings(examples.map(|(_, example, _)| example.clone()).collect(), &self.held);
        let report = ReadingsReport { schema: &self.listed.schema, findings: &findings, paired: false };
        Some((report.human(), report.json()))
    }
}
