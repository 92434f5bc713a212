//! Games that are tried in a quicker way, and those of them that had to be played in another one.

/// From how many games on it is known how many miss, and the part of them that is too many.
const SAMPLE: u64 = 16;
const TOO_MANY: u64 = 4;

/// How many games were tried, and how many of them had to be played in another way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Misses {
    tried: u64,
    missed: u64,
}

impl Misses {
    /// Nothing was tried yet.
    pub(super) const NONE: Self = Self { tried: 0, missed: 0 };

    /// Counts a game that was tried.
    pub(super) fn count(&mut self, is_missed: bool) {
        self.tried += 1;
        self.missed += u64::from(is_missed);
    }

    /// Returns whether it is no longer worth trying.
    pub(super) const fn are_too_many(self) -> bool {
        self.tried >= SAMPLE && self.missed * TOO_MANY >= self.tried
    }
}
