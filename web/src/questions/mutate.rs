//! The changes of the rules that no example notices.

use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_report::{MutationReport, mutation_json};
use referee_scenario::{Fate, Loader, LoaderOptions, Mutation, Trial, fate};
use referee_trace::Status;
use serde::Deserialize;

use super::Steps;
use super::counted::CountedTests;
use crate::files::files;
use crate::requests::options;

/// A question about what the examples do not notice.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mutate {
    game: String,
}

pub(super) struct Mutating {
    game: String,
    tests: CountedTests,
    /// What the unchanged rules are compiled to; `None` before all tests have passed.
    unchanged: Option<Vec<Option<String>>>,
    changes: usize,
    fates: Vec<(usize, Fate)>,
}

impl Mutating {
    pub(super) fn begin(loader: &mut Loader<'static>, asked: Mutate) -> Result<Self, Vec<Diagnostic>> {
        let tests = CountedTests::of(loader, &asked.game)?;
        Ok(Self { game: asked.game, tests, unchanged: None, changes: 0, fates: Vec::new() })
    }

    fn mutation(&self, loader: &mut Loader<'static>) -> Result<Mutation<'_>, Vec<Diagnostic>> {
        let trials = self.tests.ran.iter().filter_map(|ran| {
            let exercised = ran.exercised.as_ref().filter(|one| one.game.schema.id == self.game)?;
            Some(Trial { suite: self.tests.suites.get(ran.suite)?, index: ran.index, exercised })
        });
        let none = || vec![Diagnostic::general(Code::NoScenario, format!("no scenario of the game `{}`", self.game))];
        Mutation::of(loader, trials.collect())?.ok_or_else(none)
    }

    /// Makes the changes ready, once all tests have passed.
    fn prepare(&mut self, loader: &mut Loader<'static>) -> Result<(), Vec<Diagnostic>> {
        let bad: Vec<_> = self.tests.ran.iter().filter(|ran| ran.result.status != Status::Passed).collect();
        if let Some(first) = bad.first() {
            let (bad, all) = (bad.len(), self.tests.count());
            let message = format!(
                "{bad} of {all} tests {} not pass by the rules as they are",
                if bad == 1 { "does" } else { "do" }
            );
            let help = format!(
                "mend {}:{} first: a change of the rules is noticed by a test that passes without it",
                first.result.file, first.result.line
            );
            return Err(vec![Diagnostic::general(Code::NotPassing, message).help(help)]);
        }
        let (changes, unchanged) = {
            let mutation = self.mutation(loader)?;
            (mutation.mutants.len(), mutation.fingerprints(&mut Loader::new(files(), options())))
        };
        self.changes = changes;
        self.unchanged = Some(unchanged);
        Ok(())
    }
}

impl Steps for Mutating {
    fn step(&mut self, loader: &mut Loader<'static>, work: u64) -> Result<(), Vec<Diagnostic>> {
        if !self.tests.is_done() {
            (0..work.max(1)).for_each(|_| self.tests.next(loader));
            return Ok(());
        }
        if self.unchanged.is_none() {
            return self.prepare(loader);
        }
        let first = self.fates.len();
        let mut found = Vec::new();
        {
            let mutation = self.mutation(loader)?;
            let unchanged = self.unchanged.as_deref().unwrap_or_default();
            let last = self.changes.min(first + usize::try_from(work.max(1)).unwrap_or(1));
            for at in first..last {
                let Some(mutant) = mutation.mutants.get(at) else { continue };
                let instead = Some(Arc::new(mutant.changed()));
                let mut changed = Loader::new(files(), LoaderOptions { instead, ..options() });
                found.push((at, fate(&mut changed, &mutation, mutant, unchanged)));
            }
        }
        self.fates.extend(found);
        Ok(())
    }

    fn done(&self) -> (u64, Option<u64>) {
        match &self.unchanged {
            None => (self.tests.ran.len() as u64, None),
            Some(_) => (self.fates.len() as u64, Some(self.changes as u64)),
        }
    }

    fn unit(&self) -> &'static str {
        if self.unchanged.is_none() { "tests" } else { "changes" }
    }

    fn answer(&mut self, loader: &mut Loader<'static>) -> Option<(String, String)> {
        self.unchanged.as_ref()?;
        let mutation = self.mutation(loader).ok()?;
        let report = MutationReport::new(&mutation, &self.fates);
        Some((report.text(), mutation_json(&report)))
    }
}
