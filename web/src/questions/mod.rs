//! Questions that take long. They are answered in steps, so that the page can show how far they are, and stop them with
//! what there is so far.

mod compare;
mod counted;
mod coverage;
mod mutate;
mod odds;
mod readings;
mod simulate;
mod tests;

use referee_diagnostic::{Diagnostic, noted_missing};
use referee_scenario::{Loader, LoaderOptions};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::files::files;
use crate::requests::{options, wrong};

/// A question, in the words of the command line.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub(crate) enum Question {
    /// `referee simulate`
    Simulate(simulate::Simulate),
    /// `referee odds`
    Odds(odds::AskOdds),
    /// `referee compare`
    Compare(compare::Compare),
    /// `referee readings`
    Readings(readings::AskReadings),
    /// `referee coverage`
    Coverage(coverage::AskCoverage),
    /// `referee mutate`
    Mutate(mutate::Mutate),
}

/// A question that is being answered.
pub(crate) struct Asked {
    steps: Box<dyn Steps>,
    loader: Loader<'static>,
}

/// The steps of an answer.
trait Steps {
    /// Does about `work` units of work more, at least one if any is left. A unit is what the answer counts: a game, a
    /// test, a change.
    ///
    /// # Errors
    /// Returns the errors because of which there is no answer.
    fn step(&mut self, loader: &mut Loader<'static>, work: u64) -> Result<(), Vec<Diagnostic>>;

    /// Returns how much is done, and how much there is to do: `None` if nobody knows.
    fn done(&self) -> (u64, Option<u64>);

    /// Returns the name of a unit of work, for several of them.
    fn unit(&self) -> &'static str;

    /// Returns the answer so far: as the command prints it, and as data. `None` if there is none before the end.
    fn answer(&mut self, loader: &mut Loader<'static>) -> Option<(String, String)>;
}

impl Question {
    /// Begins to answer.
    ///
    /// # Errors
    /// Returns the errors of the question.
    pub(crate) fn begin(self) -> Result<Asked, Vec<Diagnostic>> {
        // Runs of places in the rules are counted for these two.
        let counts = matches!(self, Self::Coverage(_) | Self::Mutate(_));
        let mut loader = Loader::new(files(), LoaderOptions { counts, ..options() });
        let steps: Box<dyn Steps> = match self {
            Self::Simulate(asked) => Box::new(simulate::Simulating::begin(&mut loader, asked)?),
            Self::Odds(asked) => Box::new(odds::Computing::begin(asked)),
            Self::Compare(asked) => Box::new(compare::Comparing::begin(&mut loader, asked)?),
            Self::Readings(asked) => Box::new(readings::Holding::begin(&mut loader, &asked)?),
            Self::Coverage(asked) => Box::new(coverage::Covering::begin(&mut loader, &asked)?),
            Self::Mutate(asked) => Box::new(mutate::Mutating::begin(&mut loader, asked)?),
        };
        Ok(Asked { steps, loader })
    }
}

impl Asked {
    /// Goes on, and returns how far the answer is.
    pub(crate) fn step(&mut self, work: u64) -> Value {
        if let Err(problems) = self.steps.step(&mut self.loader, work) {
            return wrong(&problems);
        }
        let (done, all) = self.steps.done();
        let (human, data) = self.steps.answer(&mut self.loader).unzip();
        // What is wrong with the program itself must not pass for a result, as on the command line.
        let missing = noted_missing();
        if !missing.is_empty() {
            return wrong(&missing);
        }
        json!({
            "done": done,
            "all": all,
            "unit": self.steps.unit(),
            "finished": all == Some(done),
            "human": human,
            "json": data.and_then(|data| serde_json::from_str::<Value>(&data).ok()),
        })
    }
}
