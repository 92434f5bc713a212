//! Deals the cards again that a player does not see, and chooses how the draws since the anchor are made again.
//!
//! At a free anchor all draws are random, so a player never knows more than what they see. If all games from there are
//! few, they are listed. Otherwise the draws that the player has seen are given. If it turns out then that hidden cards
//! decide which draws are seen, draws are random again, as far as enough of them lead to what the player sees. If too few
//! do, the draws since the anchor are made in any order.

use std::collections::BTreeSet;

use num_bigint::{BigInt, ToBigInt as _};
use num_rational::BigRational;
use num_traits::ToPrimitive as _;

use super::all_deals::{MAX_DEALS, Most, Visit, Visited};
use super::machine::{Machine, pause_key};
use super::random::Random;
use super::redeal::{Again, Known, MAX_TRIES};
use super::tape::Draws;
use super::visibility::Unseen;
use referee_diagnostic::Diagnostic;
use referee_trace::Decision;

/// The maximum number of runs for one decision, for each deal allowed.
const RUNS_PER_DEAL: usize = 10;
/// The maximum numbers for a list of all games.
const LISTED: Most = Most { deals: MAX_DEALS, runs: 1000 };
/// The number of games that look the same among `MAX_TRIES`, so that draws can be random.
const ENOUGH: usize = 5;
/// The number of deals that show whether hidden cards decide which draws are seen.
const PROBES: usize = 30;
/// How many times as many deals are tried with pins: then there is no other way.
const PINNED: usize = 20;
/// The weight of all listed games together.
const WHOLE: u64 = 1 << 60;

/// A player who does not see everything, at a pause.
pub(super) struct Blind<'m, 'p> {
    known: Known<'m, 'p>,
    draws: Redraws<'p>,
}

/// How the draws since the anchor are made again.
enum Redraws<'p> {
    /// At random.
    Free,
    /// As in these games, which are all. With each, the sum of the weights up to it.
    Listed(Vec<(Machine<'p>, BigRational, u64)>),
    /// As before, if the player has seen them. `probed` says that hidden cards do not seem to decide which they have seen.
    Given { probed: bool },
    /// As before, in any order.
    Shuffled,
}

impl<'m, 'p> Blind<'m, 'p> {
    /// Returns the player who decides at the pause of a machine; `None` if nothing is hidden from them.
    pub(super) fn of(machine: &'m Machine<'p>, decision: &'m Decision) -> Option<Self> {
        let known = Known::of(machine, decision)?;
        let draws = redraws(&known);
        Some(Self { known, draws })
    }

    /// Visits a game at the same pause for every deal that the player considers possible, with a weight proportional to
    /// its probability. Returns `false` if there are more than `most` deals, or than always are visited.
    ///
    /// # Errors
    /// Returns what `visit` returns.
    pub(super) fn each(&self, most: usize, visit: &mut Visit<'_, 'p>) -> Result<bool, Box<Diagnostic>> {
        let deals = most.max(MAX_DEALS);
        let most = Most { deals, runs: deals.saturating_mul(RUNS_PER_DEAL) };
        match &self.draws {
            Redraws::Listed(games) => {
                games.iter().try_for_each(|(machine, weight, _)| visit(machine, weight))?;
                Ok(true)
            }
            Redraws::Free => Ok(self.known.each(&self.known.free, most, visit)? == Visited::All),
            Redraws::Given { .. } => Ok(self.known.each(&self.known.anchor, most, visit)? == Visited::All),
            // In the order of the real game, they would tell it.
            Redraws::Shuffled => Ok(false),
        }
    }

    /// Returns whether play continues alike from this pause for all deals that the player considers possible. Returns
    /// `false` if there are too many.
    pub(super) fn is_certain(&self) -> bool {
        let mut keys = BTreeSet::new();
        let all = self.each(0, &mut |machine, _| {
            keys.extend(pause_key(machine));
            Ok(())
        });
        all == Ok(true) && keys.len() == 1
    }

    /// Returns a game at a pause that looks the same to the player, with the unseen cards dealt at random.
    ///
    /// # Errors
    /// Returns an error if none of the deals tried leads to what the player sees.
    pub(super) fn deal(&mut self, policy: &str, random: &mut Random) -> Result<Machine<'p>, Box<Diagnostic>> {
        loop {
            if let Redraws::Listed(games) = &self.draws {
                let at = random.below(WHOLE);
                let after = games.partition_point(|(_, _, up_to)| *up_to <= at);
                let game = games.get(after).or_else(|| games.last());
                return Ok(game.ok_or_else(|| self.known.no_deal(policy))?.0.silent_clone());
            }
            if let Some(machine) = self.tried(random) {
                return Ok(machine);
            }
            let is_free = matches!(self.draws, Redraws::Free);
            if is_free && self.known.has_seen_draws() {
                // Draws at random have led there before, and now not once.
                self.draws = Redraws::Shuffled;
            } else if self.known.pin() || self.known.approach(is_free, random) {
                self.draws = redraws(&self.known);
            } else {
                return Err(self.known.no_deal(policy));
            }
        }
    }

    /// Tries random deals; `None` if none of them leads to what the player sees.
    fn tried(&mut self, random: &mut Random) -> Option<Machine<'p>> {
        if matches!(self.draws, Redraws::Given { probed: false }) {
            let strays = (0..PROBES).any(|_| self.again(random).strays);
            self.draws = if strays { self.loosened(random) } else { Redraws::Given { probed: true } };
        }
        let mut left = self.tries();
        while left > 0 {
            left -= 1;
            let again = self.again(random);
            if again.machine.is_some() {
                return again.machine;
            }
            if again.strays && matches!(self.draws, Redraws::Given { .. }) {
                self.draws = self.loosened(random);
                left = self.tries();
            }
        }
        None
    }

    /// Returns how draws are made again if hidden cards decide which of them are seen: at random, if enough of these lead
    /// to what the player sees.
    fn loosened(&mut self, random: &mut Random) -> Redraws<'p> {
        self.draws = Redraws::Free;
        let enough = (0..MAX_TRIES).filter(|_| self.again(random).machine.is_some()).nth(ENOUGH - 1);
        if enough.is_some() { Redraws::Free } else { Redraws::Shuffled }
    }

    /// Plays a random deal.
    fn again(&self, random: &mut Random) -> Again<'p> {
        let is_free = matches!(self.draws, Redraws::Free);
        let anchor = if is_free { &self.known.free } else { &self.known.anchor };
        let random_draws = Box::new(random.fork());
        let draws = match self.draws {
            Redraws::Shuffled => Draws::Shuffled(random_draws),
            _ => Draws::Random(random_draws),
        };
        self.known.replay(anchor, self.known.dealt(anchor, random), draws)
    }

    /// Returns how many deals to try.
    fn tries(&self) -> usize {
        let rare = matches!(self.draws, Redraws::Free) && self.known.has_seen_draws();
        MAX_TRIES
            * match (self.known.has_pins(), rare) {
                (true, _) => PINNED,
                (false, true) => ENOUGH,
                (false, false) => 1,
            }
    }

    /// Returns where the cards were that the player has not seen.
    pub(super) fn origins(&self) -> Vec<Unseen> {
        self.known.origins()
    }

    /// Returns the error for too many deals.
    pub(super) fn too_many(&self) -> Box<Diagnostic> {
        self.known.too_many()
    }
}

/// Returns how to make the draws since the anchor again.
fn redraws<'p>(known: &Known<'_, 'p>) -> Redraws<'p> {
    if !known.has_seen_draws() {
        return Redraws::Free;
    }
    let mut games: Vec<(Machine<'p>, BigRational, u64)> = Vec::new();
    let all = known.each(&known.free, LISTED, &mut |machine, weight| {
        games.push((machine.silent_clone(), weight.clone(), 0));
        Ok(())
    });
    if !matches!(all, Ok(Visited::All)) {
        return Redraws::Given { probed: false };
    }
    let total: BigRational = games.iter().map(|(_, weight, _)| weight).sum();
    let mut sum = BigRational::from_integer(BigInt::ZERO);
    for (_, weight, up_to) in &mut games {
        sum += &*weight;
        let share = &sum / &total * BigRational::from_integer(WHOLE.to_bigint().unwrap_or_default());
        *up_to = share.to_integer().to_u64().unwrap_or(WHOLE);
    }
    Redraws::Listed(games)
}
