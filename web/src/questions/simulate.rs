//! Games played at random or by policies.

use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_play::{Deals, Ending, Playouts, StrategyProfile, Totals};
use referee_report::{Sampled, Simulation};
use referee_scenario::{EndCondition, Loader, Stage, stage};
use serde::Deserialize;

use super::Steps;
use crate::set_up::{DEALS, Given, MAX_PLIES, SET_UP, STRATEGY};

/// The games to play.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Simulate {
    set_up: Given,
    #[serde(default)]
    policies: Vec<String>,
    #[serde(default)]
    chance: Option<String>,
    seed: u64,
    /// The number of games.
    count: u64,
}

pub(super) struct Simulating {
    asked: Simulate,
    stage: Stage,
    strategy: StrategyProfile,
    chance: Option<EndCondition>,
    played: u64,
    totals: Totals,
}

impl Simulating {
    pub(super) fn begin(loader: &mut Loader<'static>, asked: Simulate) -> Result<Self, Vec<Diagnostic>> {
        let stage = stage(loader, &asked.set_up.origin())?;
        let mut strategy = stage.strategy(STRATEGY, &asked.policies)?;
        strategy.deals = Deals::of(DEALS);
        let chance = asked.chance.as_deref().map(|words| stage.condition(words)).transpose()?;
        Ok(Self { asked, stage, strategy, chance, played: 0, totals: Totals::default() })
    }

    fn game(&mut self) -> Result<(), Box<Diagnostic>> {
        let stage = &self.stage;
        let playouts = Playouts {
            rollouts: Some(&stage.rollouts),
            program: &stage.program,
            start: &stage.start,
            strategy: &self.strategy,
            max_plies: MAX_PLIES,
        };
        let left = self.asked.count - self.played;
        let with_state = self.chance.is_some();
        let game = playouts.count_one_of(left, &stage.quicker, with_state, self.asked.seed, self.played + 1);
        let outcome = match &game.ending {
            Ending::Over(outcome) => Some(outcome),
            Ending::Stopped => None,
            Ending::Fault(problem) | Ending::Endless(problem) => return Err(problem.clone()),
        };
        let held = EndCondition::holds(self.chance.as_ref(), stage, &game)?;
        self.totals.held += u64::from(held);
        self.totals.add(&game.tally, outcome);
        self.played += 1;
        Ok(())
    }

    fn simulation(&self) -> Simulation {
        let (stage, strategy) = (&self.stage, &self.strategy);
        let variant = stage.variant();
        Simulation {
            schema: Arc::clone(stage.schema()),
            board: Arc::clone(stage.start.board()),
            houses: stage.houses(),
            options: stage.options(),
            policies: stage.players.iter().map(|player| strategy.describe(*player)).collect(),
            players: stage.players.clone(),
            why_these: stage.schema().why_these_players(variant.as_deref(), self.asked.set_up.names_players()),
            variant,
            players_flag: SET_UP.players,
            chance: self.chance.as_ref().map(|chance| chance.words().to_owned()),
            seed: self.asked.seed,
            first: 1,
            max_plies: MAX_PLIES,
            totals: self.totals.clone(),
            profile: None,
            sampled: Sampled::of(&strategy.deals),
        }
    }
}

impl Steps for Simulating {
    fn step(&mut self, _: &mut Loader<'static>, work: u64) -> Result<(), Vec<Diagnostic>> {
        let last = self.asked.count.min(self.played + work.max(1));
        while self.played < last {
            self.game().map_err(|wrong| {
                let number = self.played + 1;
                let note = format!("this is game {number} of seed {}", self.asked.seed);
                vec![*wrong, Diagnostic::general(Code::StoppedGame, note)]
            })?;
        }
        Ok(())
    }

    fn done(&self) -> (u64, Option<u64>) {
        (self.played, Some(self.asked.count))
    }

    fn unit(&self) -> &'static str {
        "games"
    }

    fn answer(&mut self, _: &mut Loader<'static>) -> Option<(String, String)> {
        let simulation = self.simulation();
        (self.played > 0).then(|| (simulation.human(), simulation.json()))
    }
}
