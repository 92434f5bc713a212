//! What an option or a house rule changes: in the examples, and in games.

use std::path::{Path, PathBuf};

use referee_diagnostic::{Code, Diagnostic};
use referee_play::{Deals, Ending, Measure, Pairs, Playouts, StrategyProfile};
use referee_report::{ComparedReading, Comparison, ReadingNames, counters, own_counters};
use referee_scenario::{Compared, Listed, Loader, Observed, Reading, SetUp, SetUpFlags, Stage, listed, reading, stage};
use serde::Deserialize;

use super::{Steps, tests};
use crate::set_up::{AGAINST, COMPARED, DEALS, Given, MAX_PLIES, STRATEGY};

/// A comparison of two set-ups of a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Compare {
    /// The reading that is compared.
    set_up: Given,
    /// The one that it is compared with.
    #[serde(default)]
    against: Option<Given>,
    #[serde(default)]
    policies: Vec<String>,
    seed: u64,
    /// The number of games under each.
    count: u64,
}

/// One of the readings.
struct Side {
    set_up: SetUp,
    reading: Reading,
    stage: Stage,
    strategy: StrategyProfile,
}

pub(super) struct Comparing {
    listed: Listed,
    first: Side,
    second: Side,
    seed: u64,
    count: u64,
    named_players: bool,
    measures: Vec<Measure>,
    waiting: Vec<PathBuf>,
    scenarios: Vec<Compared>,
    played: u64,
    sums: Vec<Pairs>,
}

impl Side {
    fn of(
        loader: &mut Loader<'static>,
        listed: &Listed,
        given: &Given,
        flags: SetUpFlags,
        policies: &[String],
    ) -> Result<Self, Vec<Diagnostic>> {
        let set_up = SetUp { flags, ..given.set_up() };
        let stage = stage(loader, &referee_scenario::Origin::SetUp(set_up.clone()))?;
        let mut strategy = stage.strategy(STRATEGY, policies)?;
        strategy.deals = Deals::of(DEALS);
        Ok(Self { reading: reading(&listed.schema, &set_up), set_up, stage, strategy })
    }

    /// Plays a game, with which so many are left, and returns its numbers.
    fn numbers(
        &self,
        left: u64,
        seed: u64,
        number: u64,
        measures: &[Measure],
    ) -> Result<Vec<Option<i64>>, Box<Diagnostic>> {
        let playouts = Playouts {
            rollouts: Some(&self.stage.rollouts),
            program: &self.stage.program,
            start: &self.stage.start,
            strategy: &self.strategy,
            max_plies: MAX_PLIES,
        };
        let game = playouts.count_one_of(left, &self.stage.quicker, false, seed, number);
        let outcome = match &game.ending {
            Ending::Over(outcome) => Some(outcome),
            Ending::Stopped => None,
            Ending::Fault(problem) | Ending::Endless(problem) => return Err(problem.clone()),
        };
        Ok(measures.iter().map(|measure| measure.of(&game.tally, outcome, false)).collect())
    }

    fn names(&self) -> ReadingNames {
        let chosen: Vec<String> = self.set_up.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let words: Vec<String> = chosen.iter().chain(&self.set_up.houses).cloned().collect();
        let label = if words.is_empty() { "default".to_owned() } else { words.join(", ") };
        ReadingNames { label, chosen, houses: self.set_up.houses.clone(), settings: self.stage.options() }
    }
}

impl Comparing {
    pub(super) fn begin(loader: &mut Loader<'static>, asked: Compare) -> Result<Self, Vec<Diagnostic>> {
        let Compare { set_up, against, policies, seed, count } = asked;
        let listed = listed(loader, set_up.game())?;
        let against = against.unwrap_or_else(|| set_up.bare());
        let first = Side::of(loader, &listed, &against, AGAINST, &policies)?;
        let second = Side::of(loader, &listed, &set_up, COMPARED, &policies)?;
        let measures = Measure::all(&listed.schema, &first.stage.players, false);
        let sums = vec![Pairs::default(); measures.len()];
        let waiting = tests::paths().into_iter().rev().collect();
        let named_players = set_up.names_players();
        Ok(Self {
            listed,
            first,
            second,
            seed,
            count,
            named_players,
            measures,
            waiting,
            scenarios: Vec::new(),
            played: 0,
            sums,
        })
    }

    /// Compares the tests of the next file.
    fn file(&mut self, loader: &mut Loader<'static>) -> Result<(), Vec<Diagnostic>> {
        let Some(path) = self.waiting.pop() else { return Ok(()) };
        let (suite, own) = tests::own(loader, &path, &self.listed.schema.id)?;
        if !own.is_empty() {
            let file = Path::new(&*suite.file);
            let observed = Observed::of(loader, file, &own, &self.first.reading);
            self.scenarios.extend(observed.compare(loader, file, &self.second.reading));
        }
        Ok(())
    }

    /// Plays a game under both readings.
    fn game(&mut self) -> Result<(), Vec<Diagnostic>> {
        let number = self.played + 1;
        let numbers = |side: &Side| {
            side.numbers(self.count - self.played, self.seed, number, &self.measures).map_err(|wrong| {
                let note = format!("this is game {number} of seed {} under {}", self.seed, side.names().label);
                vec![*wrong, Diagnostic::general(Code::StoppedGame, note)]
            })
        };
        let (before, after) = (numbers(&self.first)?, numbers(&self.second)?);
        self.sums.iter_mut().zip(before.iter().zip(&after)).for_each(|(sum, (before, after))| sum.add(*before, *after));
        self.played = number;
        Ok(())
    }
}

impl Steps for Comparing {
    fn step(&mut self, loader: &mut Loader<'static>, work: u64) -> Result<(), Vec<Diagnostic>> {
        if !self.waiting.is_empty() {
            return self.file(loader);
        }
        (0..work.max(1).min(self.count - self.played)).try_for_each(|_| self.game())
    }

    fn done(&self) -> (u64, Option<u64>) {
        // At the end of the files no game is played yet.
        let all = self.waiting.is_empty().then_some(self.count);
        (self.played, all)
    }

    fn unit(&self) -> &'static str {
        "pairs of games"
    }

    fn answer(&mut self, _: &mut Loader<'static>) -> Option<(String, String)> {
        if !self.waiting.is_empty() {
            return None;
        }
        let policies: Vec<String> =
            self.first.stage.players.iter().map(|player| self.first.strategy.describe(*player)).collect();
        let variant = self.first.set_up.variant.clone();
        let report = Comparison {
            schema: &self.listed.schema,
            base: self.first.names(),
            readings: vec![ComparedReading {
                own_counters: own_counters(
                    &self.listed.schema,
                    [&counters(self.first.stage.schema()), &counters(self.second.stage.schema())],
                ),
                names: self.second.names(),
                scenarios: self.scenarios.clone(),
                games: (self.played > 0).then(|| self.sums.clone()),
                why_no_games: None,
                odds: None,
            }],
            all_options: false,
            cut: &[],
            players: &self.first.stage.players,
            policies: &policies,
            why_these: self.listed.schema.why_these_players(variant.as_deref(), self.named_players),
            variant,
            flags: (AGAINST, COMPARED),
            chance: None,
            seed: self.seed,
            games: self.played,
            max_plies: MAX_PLIES,
            measures: &self.measures,
        };
        Some((report.human(false), report.json()))
    }
}
