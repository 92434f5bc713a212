//! Enumerates all deals that are consistent with what a player knows, each with its weight.
//!
//! As in `redeal`, the cards that the player does not see are dealt at the anchor, and the rules are run again from
//! there. A deal counts if the run reaches the same question and looks the same to the player. No random numbers are
//! used, so averages over all deals are exact. Orders unknown to the player are dropped: the next draw from them is
//! random.

use std::cell::RefCell;
use std::rc::Rc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

use super::forks::Forks;
use super::machine::Machine;
use super::redeal::{Anchor, Known};
use super::subsets::subsets;
use super::tape::Draws;
use referee_diagnostic::{Code, Diagnostic, MustBe as _};
use referee_table::{Counts, State, Zone, ZoneId};

/// The maximum number of deals for one decision over which averages are always exact.
pub(super) const MAX_DEALS: usize = 1000;

/// A deal: the number of ways in which single cards make it, and the cards of each covered zone, then the card of each
/// covered cell of the board and each card in no place.
type Deal = (BigInt, Vec<Counts>);

/// The maximum numbers of deals and of runs.
#[derive(Clone, Copy)]
pub(super) struct Most {
    pub(super) deals: usize,
    pub(super) runs: usize,
}

/// What came of visiting all deals.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Visited {
    /// All were visited.
    All,
    /// There are too many, or none leads to what the player sees.
    NotAll,
    /// Which draws the player has seen depends on the deal.
    Strays,
}

/// A function called for a game and its weight.
pub(super) type Visit<'v, 'p> = dyn FnMut(&Machine<'p>, &BigRational) -> Result<(), Box<Diagnostic>> + 'v;

impl<'p> Known<'_, 'p> {
    /// Visits a game at the same pause for every deal that the player considers possible, with a weight proportional to
    /// its probability.
    ///
    /// # Errors
    /// Returns what `visit` returns.
    pub(super) fn each(
        &self,
        anchor: &Anchor,
        most: Most,
        visit: &mut Visit<'_, 'p>,
    ) -> Result<Visited, Box<Diagnostic>> {
        let Some(deals) = self.deals(anchor, most.deals) else { return Ok(Visited::NotAll) };
        let (mut runs, mut visited) = (0, false);
        let all = deals.len();
        for (at, (ways, cards)) in deals.into_iter().enumerate() {
            let state = self.laid(anchor, &cards);
            let forks = Rc::new(RefCell::new(Forks::default()));
            loop {
                runs += 1;
                if runs > most.runs {
                    return Ok(Visited::NotAll);
                }
                let again = self.replay(anchor, state.clone(), Draws::Each(Rc::clone(&forks)));
                if again.strays {
                    return Ok(Visited::Strays);
                }
                if let Some(machine) = again.machine {
                    let weight = BigRational::from_integer(ways.clone()) * forks.borrow().weight();
                    visit(&machine, &weight)?;
                    visited = true;
                }
                // The other cards of the draws of this run are at least as many runs.
                if forks.borrow().runs() > most.runs.saturating_mul(2) {
                    return Ok(Visited::NotAll);
                }
                if !forks.borrow_mut().advance() {
                    break;
                }
            }
            // Most deals take about as many runs as those before, so there will be too many.
            if (runs / (at + 1)).saturating_mul(all) > most.runs.saturating_mul(2) {
                return Ok(Visited::NotAll);
            }
        }
        Ok(if visited { Visited::All } else { Visited::NotAll })
    }

    /// Returns every way to deal the pool to the places that the player does not see; `None` if there are more than
    /// `most`.
    fn deals(&self, anchor: &Anchor, most: usize) -> Option<Vec<Deal>> {
        if let Some(pools) = anchor.pools(self.player) {
            return pools.each(most);
        }
        let mut pool = Counts::new();
        anchor.pool.iter().for_each(|card| *pool.entry(*card).or_default() += 1);
        let mut deals: Vec<(BigInt, Vec<Counts>, Counts)> = vec![(BigInt::one(), Vec::new(), pool)];
        let zones = anchor.covered.iter().map(|zone| {
            let kept = anchor.kept.iter().filter(|(other, _)| other == zone).count() as u64;
            let size = anchor.begun.zone(*zone).map_or(0, |zone| zone.unknown() + zone.known().len() as u64);
            size.saturating_sub(kept)
        });
        for size in zones.chain(std::iter::repeat_n(1, anchor.singles(self.player))) {
            let mut longer = Vec::new();
            for (ways, zones, left) in deals {
                for (more, taken) in subsets(&left, size, most)? {
                    let mut left = left.clone();
                    taken.iter().for_each(|(card, count)| *left.entry(*card).or_default() -= count);
                    longer.push((&ways * more, zones.iter().cloned().chain([taken]).collect(), left));
                    if longer.len() > most {
                        return None;
                    }
                }
            }
            deals = longer;
        }
        Some(deals.into_iter().map(|(ways, zones, _)| (ways, zones)).collect())
    }

    /// Returns the state at the anchor with these cards in the covered zones, in no order, and in the other places.
    fn laid(&self, anchor: &Anchor, cards: &[Counts]) -> State {
        let mut state = anchor.begun.view(self.player).state;
        for (zone, cards) in anchor.covered.iter().zip(cards) {
            let Some(slot) = state.zone_mut(*zone).noted("a covered zone") else { continue };
            let Some(begun) = anchor.begun.zone(*zone).noted("a covered zone") else { continue };
            let mut laid = Zone::new(Vec::new(), cards.clone());
            anchor.kept.iter().filter(|(other, _)| other == zone).for_each(|(_, card)| laid.add(*card));
            *slot = laid.with_unknown_of(begun);
        }
        let mut single = cards.iter().skip(anchor.covered.len()).filter_map(|cards| cards.keys().next().copied());
        let (faces, loose) = anchor.single(self.player, || single.next());
        state.set_faces(faces);
        state.set_loose(loose);
        state
    }

    /// Returns the error for too many deals. `help` says what else can be written.
    pub(super) fn too_many(&self) -> Box<Diagnostic> {
        if let Some(wrong) = self.is_told("greedy") {
            return wrong;
        }
        let schema = self.anchor.begun.schema();
        let board = (!self.anchor.begun.faces().is_empty()).then(|| "face down on the board".to_owned());
        let holds = |zone: &&ZoneId| self.anchor.begun.zone(**zone).is_some_and(|zone| !zone.is_empty());
        let zones = self.anchor.covered.iter().filter(holds).map(|zone| schema.zone_name(*zone));
        let zones: Vec<String> = zones.chain(board).collect();
        let player = schema.player_name(self.player);
        let message = if zones.is_empty() {
            format!("`greedy` depends on throws that {player} does not see: more than {MAX_DEALS} are possible")
        } else {
            let zones = zones.join(", ");
            format!(
                "`greedy` depends on cards that {player} does not see ({zones}): more than {MAX_DEALS} deals are possible"
            )
        };
        let help = format!(
            "take the average over a sample of them: write `over 100 deals` at the end of the line `expect chance …`; or name a policy that uses only what {player} sees, such as `random` or an action"
        );
        self.at_ask(Diagnostic::question(Code::NotSeen, message).help(help))
    }
}

/// Returns the states that come of every way to deal the unknown cards of zones, each with the number of ways in which single cards
/// make it; `None` if there are more than `most`.
pub(super) fn unknown_deals(state: &State, most: usize) -> Option<Vec<(BigInt, State)>> {
    let mut deals = vec![(BigInt::one(), state.clone())];
    for (zone, lent) in state.lent_zones() {
        let mut longer = Vec::new();
        for (ways, state) in deals {
            for (more, taken) in subsets(state.zone(lent.from)?.bag(), lent.count.into(), most)? {
                let mut state = state.clone();
                for (card, count) in taken {
                    (0..count).for_each(|_| state.settle_lent(zone, card));
                }
                longer.push((&ways * more, state));
                if longer.len() > most {
                    return None;
                }
            }
        }
        deals = longer;
    }
    Some(deals)
}
