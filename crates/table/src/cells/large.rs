//! The sets of cells that are too large for one number, as words of a machine: a few words in place for middle-sized
//! boards, and a box of words for large ones. What differs is how they step, because a large set is mostly empty.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::Cell;
use referee_diagnostic::note_missing;

/// The number of bits in a word.
const BITS: usize = u64::BITS as usize;

/// The number of words of a middle-sized set: enough for a grid of 16x16.
const FEW: usize = 4;

/// A set of cells: one bit for each slot of a board.
pub(super) trait Words: Sized {
    /// Returns all its words.
    fn words(&self) -> &[u64];

    /// Returns all its words to change them.
    fn words_mut(&mut self) -> &mut [u64];

    /// Returns the words between which its cells are.
    fn span(&self) -> Range<usize>;

    /// Notes that there may be cells in these words.
    fn grow(&mut self, span: Range<usize>);

    /// Returns whether there are no cells.
    fn is_empty(&self) -> bool;

    /// Returns whether every cell is in another set.
    fn is_subset(&self, other: &Self) -> bool;

    /// Returns the words between which its cells are, with the number of the first.
    #[inline]
    fn part(&self) -> (usize, &[u64]) {
        let span = self.span();
        (span.start, self.words().get(span).unwrap_or_default())
    }

    /// Adds a cell of the board.
    #[inline]
    fn insert(&mut self, cell: Cell) {
        let (at, bit) = place(cell);
        match self.words_mut().get_mut(at) {
            Some(word) => {
                *word |= bit;
                self.grow(at..at + 1);
            }
            None => outside(),
        }
    }

    /// Adds `count` cells, at most a word's, from this one on, as far as the board has them.
    #[inline]
    fn insert_run(&mut self, first: Cell, count: u32) {
        let Some(run) = u64::BITS.checked_sub(count).and_then(|rest| u64::MAX.checked_shr(rest)) else { return };
        let (at, start) = (first.index() / BITS, first.index() % BITS);
        // Two shifts, because one by all bits is none.
        for (at, bits) in [(at, run << start), (at + 1, run >> 1 >> (BITS - 1 - start))] {
            if let Some(word) = self.words_mut().get_mut(at).filter(|_| bits != 0) {
                *word |= bits;
                self.grow(at..at + 1);
            }
        }
    }

    /// Adds the cells of the set with these words.
    #[inline]
    fn add_words(&mut self, words: impl Iterator<Item = u64>) {
        let (mut first, mut end) = (usize::MAX, 0);
        for ((at, word), more) in self.words_mut().iter_mut().enumerate().zip(words) {
            if more != 0 {
                *word |= more;
                (first, end) = (first.min(at), at + 1);
            }
        }
        if first < end {
            self.grow(first..end);
        }
    }

    #[inline]
    fn remove(&mut self, cell: Cell) {
        let (at, bit) = place(cell);
        self.words_mut().get_mut(at).into_iter().for_each(|word| *word &= !bit);
    }

    #[inline]
    fn contains(&self, cell: Cell) -> bool {
        let (at, bit) = place(cell);
        self.words().get(at).is_some_and(|word| word & bit != 0)
    }

    #[inline]
    fn len(&self) -> usize {
        self.part().1.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns its cells, in order.
    #[inline]
    fn places(&self) -> Places<'_> {
        let (from, words) = self.part();
        Places { words: words.iter(), left: 0, next: from * BITS }
    }
}

/// Notes that a set has no room for a cell, which is therefore not of its board.
#[cold]
#[inline(never)]
pub(super) fn outside() {
    note_missing("the place of a cell in a set");
}

/// The word and the bit of a cell.
#[inline]
const fn place(cell: Cell) -> (usize, u64) {
    (cell.index() / BITS, 1 << (cell.index() % BITS))
}

/// The cells of a set, in order.
#[derive(Default)]
pub(super) struct Places<'w> {
    words: std::slice::Iter<'w, u64>,
    /// The cells of the present word that are left.
    left: u64,
    /// The first cell of the next word.
    next: usize,
}

impl Iterator for Places<'_> {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        while self.left == 0 {
            self.left = *self.words.next()?;
            self.next += BITS;
        }
        let bit = self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some(Cell::at(self.next - BITS + bit))
    }
}

/// The set of a middle-sized board, without an allocation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Few([u64; FEW]);

impl Words for Few {
    #[inline]
    fn words(&self) -> &[u64] {
        &self.0
    }

    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }

    #[inline]
    fn span(&self) -> Range<usize> {
        0..FEW
    }

    #[inline]
    fn grow(&mut self, _: Range<usize>) {}

    #[inline]
    fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline]
    fn is_subset(&self, other: &Self) -> bool {
        self.combine(other, |one, other| one & !other).is_empty()
    }
}

impl Few {
    /// The maximum number of slots.
    pub(super) const SLOTS: usize = FEW * BITS;

    /// Returns the set whose words are made from the words of two sets.
    #[inline(always)]
    pub(super) fn combine(mut self, other: &Self, of: impl Fn(u64, u64) -> u64) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word = of(*word, other));
        self
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
        let words = words.min(FEW);
        if up {
            self.0.rotate_right(words);
            self.0.iter_mut().take(words).for_each(|word| *word = 0);
        } else {
            self.0.rotate_left(words);
            self.0.iter_mut().rev().take(words).for_each(|word| *word = 0);
        }
    }

    /// Adds the cells of `cells`, moved by `by` slots, as far as they are in `within`.
    #[inline]
    pub(super) fn add_moved(&mut self, cells: &Self, by: i32, within: &Self) {
        let moved = cells.moved(by).combine(within, |one, other| one & other);
        *self = self.combine(&moved, |one, other| one | other);
    }

    /// Adds the cells of `onto` and `within` to which steps of `by` slots lead. Returns whether there were any.
    pub(super) fn spread(&mut self, by: i32, onto: &Self, within: &Self) -> bool {
        let before = *self;
        self.add_moved(&before, by, &onto.combine(within, |one, other| one & other));
        *self != before
    }
}

/// The set of a large board. Before its words are two halves of a word: all cells are in the words from the one number up
/// to but not including the other. So a set is no larger than a box.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Box<[u64]>", into = "Box<[u64]>")]
pub(super) struct Many(Box<[u64]>);

impl Words for Many {
    fn words(&self) -> &[u64] {
        self.0.get(1..).unwrap_or_default()
    }

    fn words_mut(&mut self) -> &mut [u64] {
        self.0.get_mut(1..).unwrap_or_default()
    }

    fn span(&self) -> Range<usize> {
        let halves = self.0.first().copied().unwrap_or(0);
        (halves as u32) as usize..(halves >> u32::BITS) as usize
    }

    fn grow(&mut self, span: Range<usize>) {
        let count = self.words().len();
        let (from, to) = (span.start.min(count), span.end.min(count));
        let before = self.span();
        if from < to
            && let Some(halves) = self.0.first_mut()
        {
            let empty = before.is_empty();
            let from = if empty { from } else { before.start.min(from) };
            let to = if empty { to } else { before.end.max(to) };
            *halves = from as u64 | (to as u64) << u32::BITS;
        }
    }

    fn is_empty(&self) -> bool {
        self.part().1.iter().all(|word| *word == 0)
    }

    fn is_subset(&self, other: &Self) -> bool {
        let (from, words) = self.part();
        words.iter().zip(other.words().get(from..).unwrap_or_default()).all(|(one, other)| one & !other == 0)
    }
}

impl Many {
    /// Returns the empty set for a board with `size` slots.
    pub(super) fn none(size: usize) -> Self {
        Self(vec![0; 1 + size.div_ceil(BITS)].into())
    }

    /// Returns the size of its words in bytes.
    pub(super) const fn bytes(&self) -> usize {
        size_of::<u64>() * self.0.len()
    }

    /// Returns the empty set for the same board.
    pub(super) fn empty(&self) -> Self {
        Self(vec![0; self.0.len()].into())
    }

    /// Returns the set whose words in a span are made from the words of two sets; the others are empty.
    fn made(&self, other: &Self, span: Range<usize>, of: impl Fn(u64, u64) -> u64) -> Self {
        let mut made = if other.0.len() < self.0.len() { other.empty() } else { self.empty() };
        let (one, other) = (self.words().get(span.clone()), other.words().get(span.clone()));
        if let (Some(made), Some(one), Some(other)) = (made.words_mut().get_mut(span.clone()), one, other) {
            made.iter_mut().zip(one.iter().zip(other)).for_each(|(word, (one, other))| *word = of(*one, *other));
        }
        made.grow(span);
        made
    }

    /// Returns the cells in either set. If sets of different boards are combined, the result is cut to the smaller.
    pub(super) fn union(&self, other: &Self) -> Self {
        let (small, large) = if other.0.len() < self.0.len() { (other, self) } else { (self, other) };
        let mut all = small.clone();
        all.add(large);
        all
    }

    /// Returns the cells in both sets.
    pub(super) fn intersection(&self, other: &Self) -> Self {
        let (one, two) = (self.span(), other.span());
        self.made(other, one.start.max(two.start)..one.end.min(two.end), |one, other| one & other)
    }

    /// Returns the cells in this set that are not in the other.
    pub(super) fn difference(&self, other: &Self) -> Self {
        self.made(other, self.span(), |one, other| one & !other)
    }

    /// Adds the cells of another set.
    pub(super) fn add(&mut self, other: &Self) {
        let (from, more) = other.part();
        let words = self.words_mut().get_mut(from..).unwrap_or_default();
        words.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
        self.grow(other.span());
    }

    /// Adds the cells of another set, moved by `by` slots, as far as they are in `within`.
    pub(super) fn add_moved(&mut self, cells: &Self, by: i32, within: &Self) {
        let (skipped, bits) = shift(by);
        let (from, words) = cells.part();
        // Two shifts, because one by all bits is none.
        let mut carried = 0;
        if by >= 0 {
            for (at, word) in (from + skipped..).zip(words) {
                self.add_word(at, word << bits | carried, within);
                carried = word >> 1 >> (u64::BITS - 1 - bits);
            }
            self.add_word(from + words.len() + skipped, carried, within);
        } else {
            for (number, word) in words.iter().enumerate().rev() {
                let at = from + number;
                at.checked_sub(skipped).into_iter().for_each(|at| self.add_word(at, word >> bits | carried, within));
                carried = word << 1 << (u64::BITS - 1 - bits);
            }
            from.checked_sub(skipped + 1).into_iter().for_each(|at| self.add_word(at, carried, within));
        }
        let span = cells.span();
        self.grow(match by >= 0 {
            true => span.start + skipped..span.end + skipped + 1,
            false => span.start.saturating_sub(skipped + 1)..span.end.saturating_sub(skipped),
        });
    }

    #[inline]
    fn add_word(&mut self, at: usize, more: u64, within: &Self) {
        if let (Some(word), Some(within)) = (self.0.get_mut(at + 1), within.0.get(at + 1)) {
            *word |= more & within;
        }
    }

    /// Adds the cells of `onto` and `within` to which steps of `by` slots lead. Each step begins where the last one has
    /// led, so that a set spreads over many words at once. Returns whether there were any.
    pub(super) fn spread(&mut self, by: i32, onto: &Self, within: &Self) -> bool {
        let (skipped, bits) = shift(by);
        let span = self.span();
        let mut grew = false;
        // The last word with a cell that leads on.
        let mut last = if by >= 0 { span.end.saturating_sub(1) } else { span.start };
        let mut at = if by >= 0 { Some(span.start + skipped) } else { span.end.checked_sub(skipped + 1) };
        while let Some(place) = at
            && (if by >= 0 { place.saturating_sub(last) } else { last.saturating_sub(place) }) <= skipped + 1
            && let (Some(onto), Some(within)) = (onto.0.get(place + 1), within.0.get(place + 1))
        {
            let word = |at: Option<usize>| at.and_then(|at| self.0.get(at + 1)).copied().unwrap_or(0);
            let more = if by >= 0 {
                let from = place.checked_sub(skipped);
                word(from) << bits | word(from.and_then(|from| from.checked_sub(1))) >> 1 >> (u64::BITS - 1 - bits)
            } else {
                word(Some(place + skipped)) >> bits | word(Some(place + skipped + 1)) << 1 << (u64::BITS - 1 - bits)
            };
            let added = more & onto & within;
            if let Some(word) = self.words_mut().get_mut(place)
                && added != 0
            {
                grew |= added & !*word != 0;
                *word |= added;
                self.grow(place..place + 1);
                last = if by >= 0 { last.max(place) } else { last.min(place) };
            }
            at = if by >= 0 { Some(place + 1) } else { place.checked_sub(1) };
        }
        grew
    }
}

/// Returns the number of whole words and of bits in a step.
const fn shift(by: i32) -> (usize, u32) {
    (by.unsigned_abs() as usize / BITS, by.unsigned_abs() % u64::BITS)
}

impl From<Box<[u64]>> for Many {
    fn from(words: Box<[u64]>) -> Self {
        let span = (words.len() as u64) << u32::BITS;
        Self(std::iter::once(span).chain(words).collect())
    }
}

impl From<Many> for Box<[u64]> {
    fn from(set: Many) -> Self {
        set.words().into()
    }
}

// Where the cells may be follows from the words: it makes no difference between sets.

impl PartialEq for Many {
    fn eq(&self, other: &Self) -> bool {
        self.words() == other.words()
    }
}

impl Eq for Many {}

impl Hash for Many {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.words().hash(state);
    }
}

impl PartialOrd for Many {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Many {
    fn cmp(&self, other: &Self) -> Ordering {
        self.words().cmp(other.words())
    }
}
