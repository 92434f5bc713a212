//! Plays the same games under several readings of the rules, and counts their differences.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::ProgressBar;

use super::disk::Disk;
use super::workers::spread;
use referee_diagnostic::Diagnostic;
use referee_play::{Ending, Measure, Pairs, Playouts, StrategyProfile};
use referee_scenario::{EndCondition, Loader, LoaderOptions, NoStage, Origin, SetUp, Stage};

/// A reading under which games are played.
pub(super) struct Side {
    pub(super) set_up: SetUp,
    /// The value of each option.
    pub(super) options: Vec<(String, String)>,
    pub(super) strategy: StrategyProfile,
    pub(super) chance: Option<EndCondition>,
    /// The counters that statistics of its games include, by name.
    pub(super) counters: BTreeSet<String>,
    /// Why no game can be played, if none can.
    pub(super) unplayable: Option<NoStage>,
    /// The lowest number of a game with an error of the rules so far.
    faulty: AtomicU64,
}

/// The games to play.
pub(super) struct Games<'g> {
    /// The readings. All others are compared with the first.
    pub(super) sides: &'g [Side],
    pub(super) measures: &'g [Measure],
    pub(super) seed: u64,
    pub(super) count: u64,
    pub(super) max_plies: u64,
    pub(super) bar: ProgressBar,
}

/// An error of the rules, and the number of the game in which it came up.
pub(super) type Fault = (u64, Box<Diagnostic>);

/// The results of the games.
pub(super) struct PlayedPairs {
    /// For each reading the sums of the measures, in their order, over its games and those of the first reading.
    pub(super) sums: Vec<Vec<Pairs>>,
    /// For each reading the first game in which the rules stopped with an error.
    pub(super) faults: Vec<Option<Fault>>,
}

/// The number of a measure in a game, for each measure.
type Numbers = Vec<Option<i64>>;

impl Side {
    /// Returns a reading of which no game was played yet.
    pub(super) const fn new(
        set_up: SetUp,
        options: Vec<(String, String)>,
        strategy: StrategyProfile,
        chance: Option<EndCondition>,
    ) -> Self {
        let counters = BTreeSet::new();
        Self { set_up, options, strategy, chance, counters, unplayable: None, faulty: AtomicU64::new(u64::MAX) }
    }

    /// Returns the errors of the reading. It is no error if the game is over at once.
    pub(super) fn errors(&self) -> &[Diagnostic] {
        match &self.unplayable {
            Some(why @ (NoStage::NoScenario(_) | NoStage::Wrong(_))) => why.problems(),
            Some(NoStage::Over(_)) | None => &[],
        }
    }

    /// Returns a reading under which no game can be played.
    pub(super) fn unplayable(set_up: SetUp, options: Vec<(String, String)>, why: NoStage) -> Self {
        Self { unplayable: Some(why), ..Self::new(set_up, options, StrategyProfile::default(), None) }
    }
}

impl Games<'_> {
    /// Plays the games on `jobs` threads. The results do not depend on their number.
    pub(super) fn play(&self, options: &LoaderOptions, jobs: usize) -> PlayedPairs {
        let size = (self.count / (jobs as u64).saturating_mul(32)).clamp(1, 1000);
        let parts = usize::try_from(self.count.div_ceil(size)).unwrap_or(usize::MAX);
        // Each thread loads the game itself, so that threads do not contend for the reference count of one board.
        let stages = || {
            let mut loader = Loader::new(&Disk, options.clone());
            let stage = |side: &Side| referee_scenario::stage(&mut loader, &Origin::SetUp(side.set_up.clone()));
            self.sides.iter().map(stage).collect::<Vec<_>>()
        };
        let parts = spread(parts, jobs, stages, |stages, at| self.part(stages, at as u64 * size, size));
        self.bar.finish_and_clear();
        let mut all = self.nothing();
        parts.into_iter().for_each(|part| all.merge(part));
        all
    }

    fn nothing(&self) -> PlayedPairs {
        let sums = vec![vec![Pairs::default(); self.measures.len()]; self.sides.len()];
        PlayedPairs { sums, faults: vec![None; self.sides.len()] }
    }

    /// Plays up to `size` games after the first `skipped`, each under every reading.
    fn part(&self, stages: &[Result<Stage, NoStage>], skipped: u64, size: u64) -> PlayedPairs {
        let mut part = self.nothing();
        let size = size.min(self.count - skipped);
        for number in skipped + 1..=skipped + size {
            let Some(first) = self.numbers(stages, 0, number, &mut part) else { continue };
            for side in 1..self.sides.len() {
                let Some(numbers) = self.numbers(stages, side, number, &mut part) else { continue };
                let sums = part.sums.get_mut(side).into_iter().flatten();
                sums.zip(first.iter().zip(&numbers)).for_each(|(sum, (before, after))| sum.add(*before, *after));
            }
        }
        self.bar.inc(size);
        part
    }

    /// Plays a game under a reading; returns its numbers. Returns `None` after an error of the rules in this game or an
    /// earlier one: then nothing about the reading is reported but its first error.
    fn numbers(
        &self,
        stages: &[Result<Stage, NoStage>],
        side: usize,
        number: u64,
        part: &mut PlayedPairs,
    ) -> Option<Numbers> {
        let (reading, stage) = (self.sides.get(side)?, stages.get(side)?);
        if reading.unplayable.is_some() || number > reading.faulty.load(Ordering::Relaxed) {
            return None;
        }
        let played = match stage {
            Ok(stage) => self.game(reading, stage, number),
            // The files have changed since they were loaded before.
            Err(why) => Err(Box::new(why.problems().first()?.clone())),
        };
        played
            .map_err(|wrong| {
                reading.faulty.fetch_min(number, Ordering::Relaxed);
                let fault = part.faults.get_mut(side);
                fault.into_iter().for_each(|fault| {
                    fault.get_or_insert((number, wrong.clone()));
                });
            })
            .ok()
    }

    fn game(&self, side: &Side, stage: &Stage, number: u64) -> Result<Numbers, Box<Diagnostic>> {
        let playouts = Playouts {
            rollouts: Some(&stage.rollouts),
            program: &stage.program,
            start: &stage.start,
            strategy: &side.strategy,
            max_plies: self.max_plies,
        };
        let left = self.count - number + 1;
        let game = playouts.count_one_of(left, &stage.quicker, side.chance.is_some(), self.seed, number);
        let outcome = match &game.ending {
            Ending::Over(outcome) => Some(outcome),
            Ending::Stopped => None,
            Ending::Fault(wrong) | Ending::Endless(wrong) => return Err(wrong.clone()),
        };
        let held = EndCondition::holds(side.chance.as_ref(), stage, &game)?;
        Ok(self.measures.iter().map(|measure| measure.of(&game.tally, outcome, held)).collect())
    }
}

impl PlayedPairs {
    /// Adds a later part of the same run.
    fn merge(&mut self, other: Self) {
        for (sums, others) in self.sums.iter_mut().zip(&other.sums) {
            sums.iter_mut().zip(others).for_each(|(sum, other)| sum.merge(other));
        }
        for (fault, later) in self.faults.iter_mut().zip(other.faults) {
            *fault = fault.take().or(later);
        }
    }
}
