//! Which of the cards that a player does not see may be in which places: cards of one deck are not dealt into another.
//!
//! What is known of the homes of cards (`table/mixed.rs`) leaves two things open. Where homes were mixed, a place has as many cards
//! of them as before, but of which home each is, is dealt first: those of all places that were mixed with it are dealt out again.
//! Then the cards of each home are dealt to the places of cards of this home.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::One as _;

use super::random::Random;
use super::subsets::subsets;
use referee_table::{Counts, Face, Home, PieceId, PlayerId, Spot, State, ZoneId};

/// The cards to deal, by home. A *label* is the first of the cards of a home, and stands for the home.
pub(super) struct Pools {
    /// The cards of each label.
    cards: BTreeMap<PieceId, Counts>,
    /// For each group of homes in a group of places, the labels of its cards.
    groups: Vec<Counts>,
    /// For each place, how many cards of each group it has: the covered zones, then each cell and each card in no place.
    places: Vec<Vec<(usize, u32)>>,
}

/// A deal that is not complete: the number of ways in which single cards make it, the cards of the places so far, and what is left.
type Part = (BigInt, Vec<Counts>, Vec<Counts>, BTreeMap<PieceId, Counts>);

impl Pools {
    /// Returns the pools of a state for these cards, which its covered zones have besides those that are kept there; `None` if all
    /// have the same home.
    pub(super) fn of(
        begun: &State,
        player: PlayerId,
        pool: &[PieceId],
        (covered, kept): (&[ZoneId], &[(ZoneId, PieceId)]),
    ) -> Option<Self> {
        let schema = begun.schema();
        let mut labels: BTreeMap<Home, PieceId> = BTreeMap::new();
        let mut cards: BTreeMap<PieceId, Counts> = BTreeMap::new();
        for card in pool {
            let label = *labels.entry(schema.home(*card)).or_insert(*card);
            add(cards.entry(label).or_default(), *card, 1);
        }
        if labels.len() < 2 {
            return None;
        }
        let held = covered.iter().map(|zone| {
            let mut cards = begun.zone(*zone).map(referee_table::Zone::counts).unwrap_or_default();
            for (_, card) in kept.iter().filter(|(other, _)| other == zone) {
                cards.entry(*card).and_modify(|count| *count = count.saturating_sub(1));
            }
            (Some(*zone), cards)
        });
        let down = begun.faces().values().filter_map(|face| match face {
            Face::Card { card, seen, .. } if !seen.contains(&player) => Some(*card),
            _ => None,
        });
        let loose = begun.loose().into_iter().filter(|loose| loose.seen != Some(player)).map(|loose| loose.card);
        let single = |card: PieceId| (None, [(card, 1)].into_iter().collect::<Counts>());
        let mixed = begun.mixed();
        let mut numbers: BTreeMap<(Spot, Home), usize> = BTreeMap::new();
        let mut groups: Vec<Counts> = Vec::new();
        let mut places = Vec::new();
        for (spot, cards) in held.chain(down.chain(loose).map(single)) {
            let mut place: BTreeMap<usize, u32> = BTreeMap::new();
            for (card, count) in cards.iter().filter(|(_, count)| **count > 0) {
                let home = schema.home(*card);
                let next = groups.len();
                let group = *numbers.entry((mixed.spot(spot), mixed.home(home))).or_insert(next);
                if group == next {
                    groups.push(Counts::new());
                }
                if let (Some(group), Some(label)) = (groups.get_mut(group), labels.get(&home)) {
                    add(group, *label, *count);
                }
                *place.entry(group).or_default() += count;
            }
            places.push(place.into_iter().collect());
        }
        Some(Self { cards, groups, places })
    }

    /// Returns the cards of each place, dealt at random and in a random order.
    pub(super) fn dealt(&self, random: &mut Random) -> Vec<Vec<PieceId>> {
        let mut groups: Vec<Vec<PieceId>> = self.groups.iter().map(listed).collect();
        for group in groups.iter_mut().zip(&self.groups).filter(|(_, labels)| labels.len() > 1).map(|(group, _)| group)
        {
            mix(group, random);
        }
        let mut cards: BTreeMap<PieceId, Vec<PieceId>> =
            self.cards.iter().map(|(label, cards)| (*label, listed(cards))).collect();
        cards.values_mut().for_each(|cards| mix(cards, random));
        let mut places = Vec::with_capacity(self.places.len());
        for place in &self.places {
            let mut dealt = Vec::new();
            for (group, count) in place {
                for _ in 0..*count {
                    let label = groups.get_mut(*group).and_then(Vec::pop);
                    dealt.extend(label.and_then(|label| cards.get_mut(&label)?.pop()));
                }
            }
            if place.len() > 1 {
                mix(&mut dealt, random);
            }
            places.push(dealt);
        }
        places
    }

    /// Returns every deal, with the number of ways in which single cards make it; `None` if there are more than `most`.
    pub(super) fn each(&self, most: usize) -> Option<Vec<(BigInt, Vec<Counts>)>> {
        let mut deals: Vec<Part> = vec![(BigInt::one(), Vec::new(), self.groups.clone(), self.cards.clone())];
        for place in &self.places {
            let begun = |(ways, mut places, groups, cards): Part| {
                places.push(Counts::new());
                (ways, places, groups, cards)
            };
            deals = deals.into_iter().map(begun).collect();
            for (group, count) in place {
                let mut longer = Vec::new();
                for deal in &deals {
                    let labels = deal.2.get(*group)?;
                    for (more, taken) in subsets(labels, (*count).into(), most)? {
                        // Which labels are where comes first, and there are more deals of the cards to more equal places.
                        // So deals are weighed by the orders of the cards of a label in a place, unless it always has as many.
                        let orders = || taken.values().map(|count| factorial(*count)).product::<BigInt>();
                        let more = if labels.len() > 1 { more * orders() } else { BigInt::one() };
                        longer.extend(with_labels(deal, *group, &more, &taken, most)?);
                        if longer.len() > most {
                            return None;
                        }
                    }
                }
                deals = longer;
            }
        }
        Some(deals.into_iter().map(|(ways, places, _, _)| (ways, places)).collect())
    }
}

/// Returns the deals in which the last place gets cards of these labels as well, which are taken from a group; `None` if there are
/// more than `most`.
fn with_labels(deal: &Part, group: usize, more: &BigInt, labels: &Counts, most: usize) -> Option<Vec<Part>> {
    let (ways, places, groups, cards) = deal;
    let mut groups = groups.clone();
    let left = groups.get_mut(group)?;
    labels.iter().for_each(|(label, count)| take(left, *label, *count));
    let mut deals: Vec<Part> = vec![(ways * more, places.clone(), groups, cards.clone())];
    for (label, count) in labels {
        let mut longer = Vec::new();
        for (ways, places, groups, cards) in deals {
            for (more, taken) in subsets(cards.get(label)?, (*count).into(), most)? {
                let (mut places, mut cards) = (places.clone(), cards.clone());
                for (card, count) in &taken {
                    add(places.last_mut()?, *card, *count);
                    take(cards.get_mut(label)?, *card, *count);
                }
                longer.push((&ways * more, places, groups.clone(), cards));
                if longer.len() > most {
                    return None;
                }
            }
        }
        deals = longer;
    }
    Some(deals)
}

fn factorial(of: u32) -> BigInt {
    (1..=of).map(BigInt::from).product()
}

fn add(counts: &mut Counts, card: PieceId, count: u32) {
    let all = counts.entry(card).or_default();
    *all = all.saturating_add(count);
}

fn take(counts: &mut Counts, card: PieceId, count: u32) {
    counts.entry(card).and_modify(|all| *all = all.saturating_sub(count));
}

fn listed(counts: &Counts) -> Vec<PieceId> {
    counts.iter().flat_map(|(card, count)| (0..*count).map(move |_| *card)).collect()
}

fn mix(cards: &mut [PieceId], random: &mut Random) {
    for last in (1..cards.len()).rev() {
        cards.swap(last, random.place(last + 1));
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that finds something missing should stop there")]

    use std::collections::BTreeMap;

    use num_bigint::BigInt;
    use num_traits::ToPrimitive as _;

    use super::{Pools, listed};
    use crate::random::Random;
    use referee_table::{Counts, PieceId};

    /// Two places hold three cards of two decks, which were mixed there; each deck holds the rest of its cards.
    #[test]
    fn random_deals_are_as_frequent_as_their_weights() {
        let counts = |cards: &[(usize, u32)]| -> Counts {
            cards.iter().map(|(card, count)| (PieceId::at(*card), *count)).collect()
        };
        let (low, high) = (0, 5);
        let pools = Pools {
            cards: [(PieceId::at(low), counts(&[(0, 2), (1, 1)])), (PieceId::at(high), counts(&[(5, 1), (6, 2)]))]
                .into(),
            groups: vec![counts(&[(low, 2), (high, 1)]), counts(&[(low, 1)]), counts(&[(high, 2)])],
            places: vec![vec![(0, 2)], vec![(0, 1)], vec![(1, 1)], vec![(2, 2)]],
        };
        let mut weights: BTreeMap<Vec<Vec<PieceId>>, BigInt> = BTreeMap::new();
        for (ways, places) in pools.each(1000).unwrap() {
            *weights.entry(places.iter().map(listed).collect()).or_default() += ways;
        }
        let total: BigInt = weights.values().sum();
        let is_low = |places: &[Vec<PieceId>], at: usize| {
            places.get(at).is_some_and(|place| place.iter().all(|card| *card < PieceId::at(high)))
        };
        assert!(weights.keys().all(|places| is_low(places, 2) && !is_low(places, 3)));
        let number = 60_000;
        let mut found: BTreeMap<Vec<Vec<PieceId>>, usize> = BTreeMap::new();
        let mut random = Random::of_game(1, 1);
        for _ in 0..number {
            let mut places = pools.dealt(&mut random);
            places.iter_mut().for_each(|place| place.sort_unstable());
            *found.entry(places).or_default() += 1;
        }
        assert!(found.keys().all(|places| weights.contains_key(places)));
        // The second place has a low card in two of three deals.
        let lows: usize = found.iter().filter(|(places, _)| is_low(places, 1)).map(|(_, times)| times).sum();
        assert!(lows.abs_diff(number * 2 / 3) < 700, "{lows}");
        for (places, ways) in &weights {
            let expected = ways.to_f64().unwrap() / total.to_f64().unwrap() * number as f64;
            let times = found.get(places).copied().unwrap_or(0) as f64;
            assert!((times - expected).abs() < 6.0 * expected.sqrt(), "{places:?}: {times} of {expected}");
        }
    }
}
