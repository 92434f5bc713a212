//! Every choice of some of several cards.

use num_bigint::BigInt;
use num_traits::One as _;

use referee_table::{Counts, PieceId};

/// Returns every choice of `size` of these cards, with the number of ways in which single cards make it; `None` if
/// there are more than `most`.
pub(super) fn subsets(cards: &Counts, size: u64, most_found: usize) -> Option<Vec<(BigInt, Counts)>> {
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
                if longer.len() > most_found {
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
        let cards: Counts = [(PieceId::at(0), 5), (PieceId::at(1), 2), (PieceId::at(2), 1)].into_iter().collect();
        for size in 0..=8 {
            let found = subsets(&cards, size, 1000).unwrap();
            assert!(found.iter().all(|(_, taken)| taken.values().map(|count| u64::from(*count)).sum::<u64>() == size));
            let ways: BigInt = found.iter().map(|(ways, _)| ways.clone()).sum();
            assert_eq!(ways, binomial(8, u32::try_from(size).unwrap()), "{size} of 8");
        }
        let many: Counts = (0..40).map(|at| (PieceId::at(at), 1)).collect();
        assert!(subsets(&many, 20, 1000).is_none());
    }
}
