//! Enumerates all deals that are consistent with what a player knows, each with its weight.
//!
//! As in `redeal`, the cards that the player does not see are dealt at the beginning of the phase that paused, and the
//! phase is run again. A deal counts if the run reaches the same question and looks the same to the player. No random
//! numbers are used, so averages over all deals are exact. Orders unknown to the player are dropped: the next draw from
//! them is random.

use std::cell::RefCell;
use std::rc::Rc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

use super::forks::Forks;
use super::machine::Machine;
use super::redeal::{Draws, Known};
use crate::diagnostic::Diagnostic;
use crate::table::{Counts, Face, Faces, PieceId, State, Zone, ZoneId};

/// The maximum number of deals for one decision.
pub(super) const MAX_DEALS: usize = 1000;
/// The maximum number of runs of a phase for one decision.
const MAX_RUNS: usize = 10_000;

/// A deal: the number of ways in which single cards make it, and the cards of each covered zone, then of each covered
/// cell of the board.
type Deal = (BigInt, Vec<Counts>);

/// A function called for a game and its weight.
pub(super) type Visit<'v, 'p> = dyn FnMut(&Machine<'p>, &BigRational) -> Result<(), Box<Diagnostic>> + 'v;

impl<'p> Known<'_, 'p> {
    /// Visits a game at the same pause for every deal that the player considers possible, with a weight proportional to
    /// its probability.
    ///
    /// # Errors
    /// Returns an error if there are too many deals, or what `visit` returns.
    pub(super) fn each(&self, visit: &mut Visit<'_, 'p>) -> Result<(), Box<Diagnostic>> {
        let Some(deals) = self.deals() else { return Err(self.too_many()) };
        let (mut runs, mut visited) = (0, false);
        for (ways, zones) in deals {
            let state = self.laid(&zones);
            let forks = Rc::new(RefCell::new(Forks::default()));
            loop {
                runs += 1;
                if runs > MAX_RUNS {
                    return Err(self.too_many());
                }
                let same = self.replayed(state.clone(), Rc::clone(&self.given), Draws::Each(Rc::clone(&forks)));
                if let Some(machine) = same {
                    let weight = BigRational::from_integer(ways.clone()) * forks.borrow().weight();
                    visit(&machine, &weight)?;
                    visited = true;
                }
                if !forks.borrow_mut().advance() {
                    break;
                }
            }
        }
        if visited { Ok(()) } else { Err(self.too_many()) }
    }

    /// Returns every way to deal the pool to the covered zones; `None` if there are more than [`MAX_DEALS`].
    fn deals(&self) -> Option<Vec<Deal>> {
        let mut pool = Counts::new();
        self.pool.iter().for_each(|card| *pool.entry(*card).or_default() += 1);
        let mut deals: Vec<(BigInt, Vec<Counts>, Counts)> = vec![(BigInt::one(), Vec::new(), pool)];
        let zones = self.covered.iter().map(|zone| {
            let kept = self.kept.iter().filter(|(other, _)| other == zone).count() as u64;
            let size = self.begun.zone(*zone).map_or(0, |zone| zone.unknown() + zone.known().len() as u64);
            size.saturating_sub(kept)
        });
        let mut faces = self.begun.faces().clone();
        let faces = self.covered_faces(&mut faces).count();
        for size in zones.chain(std::iter::repeat_n(1, faces)) {
            let mut longer = Vec::new();
            for (ways, zones, left) in deals {
                for (more, taken) in subsets(&left, size)? {
                    let mut left = left.clone();
                    taken.iter().for_each(|(card, count)| *left.entry(*card).or_default() -= count);
                    longer.push((&ways * more, zones.iter().cloned().chain([taken]).collect(), left));
                }
                if longer.len() > MAX_DEALS {
                    return None;
                }
            }
            deals = longer;
        }
        Some(deals.into_iter().map(|(ways, zones, _)| (ways, zones)).collect())
    }

    /// Returns the beginning of the phase with these cards in the covered zones, in no order.
    fn laid(&self, zones: &[Counts]) -> State {
        let mut state = self.begun.view(self.player).state;
        for (zone, cards) in self.covered.iter().zip(zones) {
            let Some(slot) = state.zone_mut(*zone) else { continue };
            let Some(begun) = self.begun.zone(*zone) else { continue };
            let mut laid = Zone::new(Vec::new(), cards.clone());
            self.kept.iter().filter(|(other, _)| other == zone).for_each(|(_, card)| laid.add(*card));
            *slot = laid.with_away(begun);
        }
        let mut faces = self.begun.faces().clone();
        let cards = zones.iter().skip(self.covered.len()).filter_map(|cards| cards.keys().next());
        self.covered_faces(&mut faces).zip(cards).for_each(|(face, card)| *face = *card);
        state.set_faces(faces);
        state
    }

    /// Returns the cards that lie face down and that the player has not seen.
    fn covered_faces<'f>(&self, faces: &'f mut Faces) -> impl Iterator<Item = &'f mut PieceId> {
        let player = self.player;
        faces.values_mut().filter_map(move |face| match face {
            Face::Card { card, seen, .. } if !seen.contains(&player) => Some(card),
            _ => None,
        })
    }

    fn too_many(&self) -> Box<Diagnostic> {
        let schema = self.begun.schema();
        let board = (!self.begun.faces().is_empty()).then(|| "face down on the board".to_owned());
        let holds = |zone: &&ZoneId| self.begun.zone(**zone).is_some_and(|zone| !zone.is_empty());
        let zones = self.covered.iter().filter(holds).map(|zone| schema.zone_name(*zone));
        let zones: Vec<String> = zones.chain(board).collect();
        let player = schema.player_name(self.player);
        let message = format!(
            "`greedy` depends on cards that {player} does not see ({}): more than {MAX_DEALS} deals are possible",
            zones.join(", ")
        );
        let help = format!(
            "name a policy that uses only what {player} sees, such as `random` or an action; `referee simulate` also has `mcts`"
        );
        self.at_ask(Diagnostic::question("not_seen", message).help(help))
    }
}

/// Returns every choice of `size` of these cards, with the number of ways in which single cards make it; `None` if
/// there are more than [`MAX_DEALS`].
fn subsets(cards: &Counts, size: u64) -> Option<Vec<(BigInt, Counts)>> {
    let mut rest: u64 = cards.values().map(|count| u64::from(*count)).sum();
    let mut found = vec![(BigInt::one(), Counts::new(), size)];
    for (card, count) in cards {
        rest -= u64::from(*count);
        let mut longer = Vec::new();
        for (ways, taken, open) in found {
            // The remaining cards must suffice to fill the zone.
            let least = u32::try_from(open.saturating_sub(rest)).ok()?;
            let most = u32::try_from(open).unwrap_or(u32::MAX).min(*count);
            for number in least..=most {
                let taken = with(&taken, *card, number);
                longer.push((&ways * binomial(*count, number), taken, open - u64::from(number)));
                if longer.len() > MAX_DEALS {
                    return None;
                }
            }
        }
        found = longer;
    }
    Some(found.into_iter().map(|(ways, taken, _)| (ways, taken)).collect())
}

fn with(cards: &Counts, card: PieceId, number: u32) -> Counts {
    let mut cards = cards.clone();
    if number > 0 {
        cards.insert(card, number);
    }
    cards
}

fn binomial(of: u32, number: u32) -> BigInt {
    let number = number.min(of - number);
    (0..number).fold(BigInt::one(), |product, step| product * (of - step) / (step + 1))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that finds something missing should stop there")]

    use num_bigint::BigInt;

    use super::{Counts, PieceId, binomial, subsets};

    #[test]
    fn subsets_are_all_there_with_their_weights() {
        let cards: Counts = [(PieceId::at(0), 5), (PieceId::at(1), 2), (PieceId::at(2), 1)].into();
        for size in 0..=8 {
            let found = subsets(&cards, size).unwrap();
            assert!(found.iter().all(|(_, taken)| taken.values().map(|count| u64::from(*count)).sum::<u64>() == size));
            let ways: BigInt = found.iter().map(|(ways, _)| ways.clone()).sum();
            assert_eq!(ways, binomial(8, u32::try_from(size).unwrap()), "{size} of 8");
        }
        let many: Counts = (0..40).map(|at| (PieceId::at(at), 1)).collect();
        assert!(subsets(&many, 20).is_none());
    }
}
