//! What the examples of a game run of its rules.

use referee_diagnostic::Diagnostic;
use referee_report::{CoverageReport, coverage_json, test_name};
use referee_scenario::{Coverage, Loader};
use serde::Deserialize;

use super::Steps;
use super::counted::CountedTests;

/// A question about coverage.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskCoverage {
    game: String,
}

pub(super) struct Covering {
    tests: CountedTests,
}

impl Covering {
    pub(super) fn begin(loader: &mut Loader<'static>, asked: &AskCoverage) -> Result<Self, Vec<Diagnostic>> {
        Ok(Self { tests: CountedTests::of(loader, &asked.game)? })
    }
}

impl Steps for Covering {
    fn step(&mut self, loader: &mut Loader<'static>, work: u64) -> Result<(), Vec<Diagnostic>> {
        (0..work.max(1)).for_each(|_| self.tests.next(loader));
        Ok(())
    }

    fn done(&self) -> (u64, Option<u64>) {
        (self.tests.ran.len() as u64, Some(self.tests.count() as u64))
    }

    fn unit(&self) -> &'static str {
        "tests"
    }

    fn answer(&mut self, loader: &mut Loader<'static>) -> Option<(String, String)> {
        let ran = self.tests.ran.iter().enumerate();
        let exercised = ran.filter_map(|(at, ran)| Some((at, ran.exercised.as_ref()?)));
        let coverage = Coverage::of(loader, exercised).ok()?;
        let names: Vec<String> = self.tests.ran.iter().map(|ran| test_name(&ran.result)).collect();
        let human = CoverageReport { names: &names, details: false }.text(&coverage);
        Some((human, coverage_json(&coverage, &names)))
    }
}
