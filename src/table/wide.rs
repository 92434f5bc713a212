//! Sets of cells of middle-sized boards: a few words without an allocation.

use serde::{Deserialize, Serialize};

use super::Cell;
use super::words::Places;

/// The number of bits in a word.
const BITS: usize = u64::BITS as usize;

/// The number of words: enough for a grid of 16x16.
const WORDS: usize = 5;

/// A set of cells: one bit for each slot of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Wide([u64; WORDS]);

impl Wide {
    /// The maximum number of slots.
    pub(super) const SLOTS: usize = WORDS * BITS;

    /// Returns the word of a cell, and its bit.
    #[inline]
    fn place(&mut self, cell: Cell) -> Option<(&mut u64, u64)> {
        Some((self.0.get_mut(cell.index() / BITS)?, 1 << (cell.index() % BITS)))
    }

    #[inline]
    pub(super) fn insert(&mut self, cell: Cell) {
        self.place(cell).into_iter().for_each(|(word, bit)| *word |= bit);
    }

    #[inline]
    pub(super) fn remove(&mut self, cell: Cell) {
        self.place(cell).into_iter().for_each(|(word, bit)| *word &= !bit);
    }

    #[inline]
    pub(super) fn contains(&self, cell: Cell) -> bool {
        self.0.get(cell.index() / BITS).is_some_and(|word| word >> (cell.index() % BITS) & 1 != 0)
    }

    /// Adds `count` cells, at most a word's, from this one on.
    #[inline]
    pub(super) fn insert_run(&mut self, first: Cell, count: u32) {
        let Some(run) = u64::BITS.checked_sub(count).and_then(|rest| u64::MAX.checked_shr(rest)) else { return };
        let (at, start) = (first.index() / BITS, first.index() % BITS);
        if let Some(word) = self.0.get_mut(at) {
            *word |= run << start;
        }
        // Two shifts, because one by all bits is none.
        let carried = run >> 1 >> (BITS - 1 - start);
        if let Some(word) = self.0.get_mut(at + 1).filter(|_| carried != 0) {
            *word |= carried;
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Returns its cells, in order.
    #[inline]
    pub(super) fn places(&self) -> Places<'_> {
        Places::of(&self.0, 0)
    }

    /// Returns the set whose words are made from the words of two sets.
    #[inline(always)]
    pub(super) fn combine(mut self, other: &Self, of: impl Fn(u64, u64) -> u64) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word = of(*word, other));
        self
    }

    #[inline]
    pub(super) fn is_subset(&self, other: &Self) -> bool {
        self.combine(other, |one, other| one & !other).is_empty()
    }

    /// Returns these cells, moved by `by` slots.
    #[inline]
    pub(super) fn moved(mut self, by: i32) -> Self {
        let count = by.unsigned_abs() as usize;
        let bits = count % BITS;
        if count >= BITS {
            self.skip(count / BITS, by >= 0);
        }
        // Two shifts, because one by all bits is none.
        let mut carried = 0;
        if by >= 0 {
            for word in &mut self.0 {
                let moved = *word << bits | carried;
                carried = *word >> 1 >> (BITS - 1 - bits);
                *word = moved;
            }
        } else {
            for word in self.0.iter_mut().rev() {
                let moved = *word >> bits | carried;
                carried = *word << 1 << (BITS - 1 - bits);
                *word = moved;
            }
        }
        self
    }

    /// Moves the cells by this many words. Few boards have such long rows.
    #[cold]
    fn skip(&mut self, words: usize, up: bool) {
        let words = words.min(WORDS);
        if up {
            self.0.rotate_right(words);
            self.0.iter_mut().take(words).for_each(|word| *word = 0);
        } else {
            self.0.rotate_left(words);
            self.0.iter_mut().rev().take(words).for_each(|word| *word = 0);
        }
    }

    /// Adds the cells of `cells`, moved by each of `steps` slots, as far as they are in `within`.
    #[inline]
    pub(super) fn add_moved(&mut self, cells: &Self, steps: &[i32], within: &Self) {
        let all =
            steps.iter().fold(Self::default(), |all, by| all.combine(&cells.moved(*by), |one, other| one | other));
        *self = self.combine(&all.combine(within, |one, other| one & other), |one, other| one | other);
    }

    /// Adds the cells of `within` that can be reached from these by such steps.
    pub(super) fn spread(&mut self, steps: &[i32], within: &Self) -> usize {
        let mut before = Self::default();
        let mut rounds = 0;
        while *self != before {
            before = *self;
            rounds += 1;
            // Each step begins where the last one has led.
            for by in steps {
                let from = *self;
                self.add_moved(&from, std::slice::from_ref(by), within);
            }
        }
        rounds
    }
}
