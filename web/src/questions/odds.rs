//! Exact odds. They are computed in one step; while it goes on, the module says how many states there are, how much of
//! the solving is done, and which chances are known.

use std::path::PathBuf;

use referee_diagnostic::{Code, Diagnostic};
use referee_play::{DEFAULT_BYTES, DEFAULT_STATES, Deals, Follower, Horizon};
use referee_report::{Sampled, odds_human, odds_json};
use referee_scenario::{Loader, Odds, OddsRequest, Suite, odds, plan, plan_set_up};
use serde::Deserialize;

use super::Steps;
use crate::set_up::{DEALS, Given, ODDS};

/// A question about chances.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskOdds {
    from: From,
    #[serde(default)]
    when: Vec<String>,
    #[serde(default)]
    policies: Vec<String>,
    #[serde(default)]
    chance: Option<String>,
    /// The number of turns to look ahead; without it, play goes on to the end of the game.
    #[serde(default)]
    within: Option<u32>,
    #[serde(default)]
    states: Option<usize>,
}

/// Where play stands.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum From {
    /// At the beginning of a game.
    SetUp(Given),
    /// At the end of the test that a line of a file belongs to.
    Line { path: PathBuf, line: usize },
}

pub(super) struct Computing {
    request: OddsRequest,
    from: From,
    odds: Option<Odds>,
}

impl Computing {
    pub(super) fn begin(asked: AskOdds) -> Self {
        let request = OddsRequest {
            when: asked.when,
            policies: asked.policies,
            chance: asked.chance,
            horizon: asked.within.map_or(Horizon::Game, Horizon::Turns),
            states: asked.states.unwrap_or(DEFAULT_STATES),
            deals: Deals::of(DEALS),
            bytes: DEFAULT_BYTES,
            by: Follower::default(),
            flags: ODDS,
        };
        Self { request, from: asked.from, odds: None }
    }

    /// Returns the test at whose end play stands: its file, and its index there.
    fn test(&self, loader: &mut Loader<'static>) -> Result<(Suite, usize), Vec<Diagnostic>> {
        match &self.from {
            From::SetUp(given) => plan_set_up(loader, &given.set_up()).map(|suite| (suite, 0)),
            From::Line { path, line } => {
                let suite = plan(loader, path);
                if !suite.problems.is_empty() {
                    return Err(suite.problems);
                }
                let at = suite.tests_at(*line).iter().position(|meant| *meant);
                let message = format!("there is no scenario at line {line} of {}", path.display());
                at.map(|at| (suite, at)).ok_or_else(|| vec![Diagnostic::general(Code::NoScenario, message)])
            }
        }
    }
}

impl Steps for Computing {
    fn step(&mut self, loader: &mut Loader<'static>, _: u64) -> Result<(), Vec<Diagnostic>> {
        let (suite, at) = self.test(loader)?;
        match odds(loader, &suite, at, &self.request).map_err(|unknown| unknown.problems)? {
            (Some(odds), _) => self.odds = Some(odds),
            (None, end) => return Err(end.failures.into_iter().map(|failure| failure.diagnostic).collect()),
        }
        Ok(())
    }

    fn done(&self) -> (u64, Option<u64>) {
        self.odds.as_ref().map_or((0, None), |odds| (odds.states as u64, Some(odds.states as u64)))
    }

    fn unit(&self) -> &'static str {
        "states"
    }

    fn answer(&mut self, _: &mut Loader<'static>) -> Option<(String, String)> {
        let sampled = Sampled::of(&self.request.deals);
        self.odds.as_ref().map(|odds| (odds_human(odds, sampled), odds_json(odds, sampled)))
    }
}
