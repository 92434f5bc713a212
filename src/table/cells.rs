//! Sets of cells: one bit for each place of the board's paper, so that all cells step at once.

use smallvec::SmallVec;

use super::Cell;

/// The bits of one word.
const BITS: usize = u64::BITS as usize;

/// A set of cells of one board. Sets of the same board have the same width; a 19x19 board fits without an allocation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Cells(SmallVec<[u64; 6]>);

impl Cells {
    /// No cell, for a board with `size` places.
    #[must_use]
    pub fn none(size: usize) -> Self {
        Self(SmallVec::from_elem(0, size.div_ceil(BITS)))
    }

    /// These cells, for a board with `size` places.
    pub fn of(size: usize, cells: impl IntoIterator<Item = Cell>) -> Self {
        let mut set = Self::none(size);
        for cell in cells {
            set.insert(cell);
        }
        set
    }

    /// Put `cell` in; a cell that the board does not have is left out.
    pub fn insert(&mut self, cell: Cell) {
        if let Some(word) = self.0.get_mut(cell.index() / BITS) {
            *word |= 1 << (cell.index() % BITS);
        }
    }

    /// Take `cell` out.
    pub fn remove(&mut self, cell: Cell) {
        if let Some(word) = self.0.get_mut(cell.index() / BITS) {
            *word &= !(1 << (cell.index() % BITS));
        }
    }

    /// Whether `cell` is in it.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        self.0.get(cell.index() / BITS).is_some_and(|word| word >> (cell.index() % BITS) & 1 == 1)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// The first cell in the order of the board.
    #[must_use]
    pub fn first(&self) -> Option<Cell> {
        self.iter().next()
    }

    /// The cells in the order of the board: rows from the bottom, each from the left.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                left &= left.wrapping_sub(1);
                (bit < BITS).then(|| Cell::at(at * BITS + bit))
            })
        })
    }

    fn combine(&self, other: &Self, with: impl Fn(u64, u64) -> u64) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(one, other)| with(*one, *other)).collect())
    }

    /// In either.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.combine(other, |one, other| one | other)
    }

    /// In both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.combine(other, |one, other| one & other)
    }

    /// In this one and not in the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.combine(other, |one, other| one & !other)
    }

    /// Whether every cell of this set is in the other.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(one, other)| one & !other == 0)
    }

    /// All cells moved on by `by` places of the paper; those that leave it are gone.
    #[must_use]
    pub(super) fn moved(&self, by: i32) -> Self {
        let (words, bits) = (by.unsigned_abs() as usize / BITS, by.unsigned_abs() % u64::BITS);
        let count = self.0.len();
        let word = |at: Option<usize>| at.and_then(|at| self.0.get(at)).copied().unwrap_or(0);
        let up = |at: usize| {
            let low = word(at.checked_sub(words)) << bits;
            if bits == 0 { low } else { low | word(at.checked_sub(words + 1)) >> (u64::BITS - bits) }
        };
        let down = |at: usize| {
            let high = word(Some(at + words)) >> bits;
            if bits == 0 { high } else { high | word(Some(at + words + 1)) << (u64::BITS - bits) }
        };
        Self(if by >= 0 { (0..count).map(up).collect() } else { (0..count).map(down).collect() })
    }
}
