//! Chance: a seeded generator for each game, the same on every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The chance of one game. What it draws depends on the seed and the game's number alone.
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The chance of game `number` of the run that `seed` begins.
    #[must_use]
    pub fn of_game(seed: u64, number: u64) -> Self {
        let mut key = [0; 32];
        for (slot, byte) in key.iter_mut().zip(seed.to_le_bytes()) {
            *slot = byte;
        }
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(number);
        Self(generator)
    }

    /// A number below `bound`, each as likely as any other; 0 where there is no such number.
    pub fn below(&mut self, bound: u64) -> u64 {
        // Lemire, "Fast Random Integer Generation in an Interval": what would favour some numbers is drawn again.
        let bound = bound.max(1);
        let unfair = bound.wrapping_neg() % bound;
        loop {
            let wide = u128::from(self.0.next_u64()) * u128::from(bound);
            if wide as u64 >= unfair {
                return (wide >> 64) as u64;
            }
        }
    }

    /// The place of one of `count` things.
    pub fn place(&mut self, count: usize) -> usize {
        self.below(count as u64) as usize
    }
}
