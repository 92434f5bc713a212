//! Seeded random generators, one for each game, with the same numbers on every machine.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use referee_diagnostic::MustBe as _;

use referee_table::{Die, DieId, PieceId, Schema, State, Throw, ZoneId};
use referee_trace::Answer;

/// The random generator of a game. Its numbers depend only on the seed and the game's number.
#[derive(Debug)]
pub struct Random {
    generator: ChaCha8Rng,
    /// The numbers that come next, once somebody has looked ahead, from the place of the next one on.
    ahead: Vec<u64>,
    at: usize,
}

impl Clone for Random {
    fn clone(&self) -> Self {
        // The crate's generator is not made to be copied, but its place can be.
        let generator = ChaCha8Rng::deserialize_state(&self.generator.serialize_state());
        Self { generator, ahead: self.ahead.clone(), at: self.at }
    }
}

impl Random {
    /// Returns the generator of game `number` of the series for `seed`.
    #[must_use]
    pub fn of_game(seed: u64, number: u64) -> Self {
        let mut key = [0; 32];
        for (slot, byte) in key.iter_mut().zip(seed.to_le_bytes()) {
            *slot = byte;
        }
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(number);
        Self { generator, ahead: Vec::new(), at: 0 }
    }

    /// Returns the next number.
    fn next(&mut self) -> u64 {
        match self.ahead.get(self.at) {
            Some(number) => {
                self.at += 1;
                *number
            }
            None => self.generator.next_u64(),
        }
    }

    /// Fills a buffer with the next numbers.
    pub(super) fn fill(&mut self, numbers: &mut [u64]) {
        numbers.iter_mut().for_each(|number| *number = self.next());
    }

    /// Returns a uniformly random number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        // Lemire, "Fast Random Integer Generation in an Interval": values that would favour some numbers are rejected.
        // They are fewer than the bound, so the division is rare.
        let bound = bound.max(1);
        loop {
            let wide = u128::from(self.next()) * u128::from(bound);
            let low = wide as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (wide >> 64) as u64;
            }
        }
    }

    /// Fills a buffer with the next numbers, without using them up.
    pub(super) fn look_ahead(&mut self, numbers: &mut [u64]) {
        let known = self.ahead.len().saturating_sub(self.at);
        if known < numbers.len() {
            self.ahead.drain(..self.at.min(self.ahead.len()));
            self.at = 0;
            let Self { generator, ahead, .. } = self;
            ahead.extend((known..numbers.len()).map(|_| generator.next_u64()));
        }
        let next = self.ahead.get(self.at..).and_then(|next| next.get(..numbers.len()));
        next.into_iter().for_each(|next| numbers.copy_from_slice(next));
    }

    /// Uses up this many numbers.
    pub(super) fn skip(&mut self, numbers: u64) {
        let left = self.ahead.len().saturating_sub(self.at);
        let known = left.min(usize::try_from(numbers).unwrap_or(usize::MAX));
        self.at += known;
        (known as u64..numbers).for_each(|_| {
            self.generator.next_u64();
        });
    }

    /// Returns a throw of a die, or of several equal dice, with equally likely sides.
    pub fn throw(&mut self, schema: &Schema, die: DieId) -> Throw {
        let Some(die) = schema.dice.get(die.index()) else { return Throw::default() };
        if die.count == 1 {
            return Throw::one(self.face(die));
        }
        Throw::of((0..die.count).map(|_| self.face(die)))
    }

    /// Returns the index of a face of one of the equal dice, with equally likely sides.
    pub(super) fn face(&mut self, die: &Die) -> usize {
        let sides = die.sides();
        let mut side = self.below(sides);
        if sides == die.faces.len() as u64 {
            return side as usize;
        }
        let shown = die.faces.iter().position(|face| {
            let here = side < face.sides;
            side = side.saturating_sub(face.sides);
            here
        });
        shown.or_missing("the side of a die", 0)
    }

    /// Returns the next card of a zone in unknown order, with equally likely single cards.
    pub fn card(&mut self, state: &State, zone: ZoneId) -> Answer {
        let Some(zone) = state.zone(zone).noted("a zone") else { return Answer::Drawn(PieceId(0)) };
        let mut at = self.below(zone.unknown());
        let found = zone.bag().iter().find(|(_, count)| {
            let count = u64::from(**count);
            let here = at < count;
            at = at.saturating_sub(count);
            here
        });
        Answer::Drawn(found.map_or(PieceId(0), |(card, _)| *card))
    }

    /// Deals the unknown cards of all zones. Returns them with their zones.
    pub fn deal_unknown(&mut self, state: &mut State) -> Vec<(ZoneId, PieceId)> {
        let mut dealt = Vec::new();
        for zone in (0..state.schema().zones.len()).map(ZoneId::at) {
            while let Some(lent) = state.zone(zone).and_then(referee_table::Zone::lent) {
                let Answer::Drawn(card) = self.card(state, lent.from) else { break };
                state.settle_lent(zone, card);
                if state.zone(zone).and_then(referee_table::Zone::lent) == Some(lent) {
                    break;
                }
                dealt.push((zone, card));
            }
        }
        dealt
    }

    /// Returns an independent generator, for looking ahead.
    #[must_use]
    pub fn fork(&mut self) -> Self {
        Self::of_game(self.seed(), 0)
    }

    /// Returns the seed of an independent generator.
    pub(super) fn seed(&mut self) -> u64 {
        self.next()
    }

    /// Returns a random index below `count`.
    pub fn place(&mut self, count: usize) -> usize {
        self.below(count as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn a_copy_has_the_same_numbers_from_every_place_on() {
        let mut all = [0; 200];
        Random::of_game(3, 5).fill(&mut all);
        let mut random = Random::of_game(3, 5);
        for place in 0..100 {
            // Some numbers are looked at before they are used.
            random.look_ahead(&mut vec![0; place % 40]);
            let mut numbers = [0; 100];
            random.clone().fill(&mut numbers);
            assert_eq!(Some(&numbers[..]), all.get(place..place + 100), "after {place} numbers");
            random.skip(1);
        }
    }

    #[test]
    fn the_numbers_are_those_of_the_seed_and_the_game() {
        let ten = |mut random: Random| (0..10).map(|_| random.below(1_000_000)).collect::<Vec<_>>();
        assert_eq!(ten(Random::of_game(1, 2)), ten(Random::of_game(1, 2)));
        let mut seen = std::collections::BTreeSet::new();
        for (seed, number) in [(1, 1), (1, 2), (2, 1), (2, 2), (1 << 32, 1), (1, 1 << 32), (u64::MAX, u64::MAX)] {
            assert!(seen.insert(ten(Random::of_game(seed, number))), "{seed} {number} repeats another");
        }
    }

    #[test]
    fn looking_ahead_changes_no_number() {
        let mut plain = Random::of_game(3, 4);
        let numbers: Vec<u64> = (0..2_000).map(|_| plain.next()).collect();
        let mut ahead = Random::of_game(3, 4);
        let mut at = 0;
        for (seen, used, after) in [(16, 5, 0), (32, 32, 3), (256, 100, 0), (7, 9, 1), (256, 256, 40), (1, 300, 2)] {
            let mut next = vec![0; seen];
            ahead.look_ahead(&mut next);
            assert_eq!(numbers.get(at..at + seen), Some(&*next));
            ahead.skip(used);
            at += used as usize;
            for _ in 0..after {
                assert_eq!(numbers.get(at).copied(), Some(ahead.next()));
                at += 1;
            }
        }
    }

    #[test]
    fn every_number_below_a_bound_is_as_likely() {
        let mut random = Random::of_game(1, 1);
        for bound in [1, 2, 3, 7, 10] {
            let drawn: Vec<u64> = (0..bound * 10_000).map(|_| random.below(bound)).collect();
            for number in 0..bound {
                // 10,000 expected of each; five standard deviations are at most 500.
                let count = drawn.iter().filter(|other| **other == number).count();
                assert!(count.abs_diff(10_000) < 500, "{bound}: {number} came {count} times");
            }
            assert!(drawn.iter().all(|number| *number < bound));
        }
        // A biased remainder would show at a bound next to a power of two.
        let third = u64::MAX / 3 * 2;
        let low = (0..30_000).filter(|_| random.below(third) < third / 2).count();
        assert!(low.abs_diff(15_000) < 450, "{low}");
    }
}
