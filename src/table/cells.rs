//! Sets of cells: one bit for each slot of the board's padded grid, so that all cells step at once.

use serde::{Deserialize, Serialize};

use super::Cell;
use super::wide::Wide;
use super::words::{Places, Words};

/// The number of slots in a small set: enough for a grid of 10x10, or a hexagon with six cells on a side.
const SMALL: usize = u128::BITS as usize;

/// A set of cells of one board. Sets of the same board have the same width.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cells(Bits);

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
enum Bits {
    /// The set of an ordinary board: no allocation, and a few instructions for each operation.
    Small(u128),
    /// The set of a middle-sized board: no allocation either.
    Middle(Wide),
    /// The set of a larger board.
    Large(Words),
}

use Bits::{Large, Middle, Small};

impl Default for Cells {
    fn default() -> Self {
        Self(Small(0))
    }
}

impl Cells {
    /// Returns the empty set for a board with `size` slots.
    #[must_use]
    #[inline]
    pub fn none(size: usize) -> Self {
        Self(match size {
            size if Self::are_small(size) => Small(0),
            ..=Wide::SLOTS => Middle(Wide::default()),
            size => Large(Words::none(size)),
        })
    }

    /// Returns whether the sets of a board with `size` slots are numbers of 128 bits.
    #[inline]
    pub(super) const fn are_small(size: usize) -> bool {
        size <= SMALL
    }

    /// Returns the bits of a small set; `None` for a large one.
    #[inline]
    pub(super) const fn bits(&self) -> Option<u128> {
        match &self.0 {
            Small(bits) => Some(*bits),
            Middle(_) | Large(_) => None,
        }
    }

    /// Returns the small set with these bits.
    #[inline]
    pub(super) const fn of_bits(bits: u128) -> Self {
        Self(Small(bits))
    }

    /// Returns the set of these cells for a board with `size` slots.
    pub fn of(size: usize, cells: impl IntoIterator<Item = Cell>) -> Self {
        let mut set = Self::none(size);
        for cell in cells {
            set.insert(cell);
        }
        set
    }

    /// Adds `cell`; ignores a cell outside the board.
    #[inline]
    pub fn insert(&mut self, cell: Cell) {
        match &mut self.0 {
            Small(bits) => *bits |= bit(cell),
            Middle(words) => words.insert(cell),
            Large(words) => words.insert(cell),
        }
    }

    /// Adds `count` cells, at most 64, from this one on; ignores those outside the board.
    #[inline]
    pub(super) fn insert_run(&mut self, first: Cell, count: u8) {
        match &mut self.0 {
            Small(bits) => {
                let run = u128::BITS.checked_sub(count.into()).and_then(|rest| u128::MAX.checked_shr(rest));
                *bits |= run.and_then(|run| run.checked_shl(first.0)).unwrap_or(0);
            }
            Middle(words) => words.insert_run(first, count.into()),
            Large(words) => words.insert_run(first, count.into()),
        }
    }

    /// Removes `cell`.
    pub fn remove(&mut self, cell: Cell) {
        match &mut self.0 {
            Small(bits) => *bits &= !bit(cell),
            Middle(words) => words.remove(cell),
            Large(words) => words.remove(cell),
        }
    }

    /// Returns whether `cell` is in the set.
    #[must_use]
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        match &self.0 {
            Small(bits) => bits & bit(cell) != 0,
            Middle(words) => words.contains(cell),
            Large(words) => words.contains(cell),
        }
    }

    /// Returns the size in bytes of what a set of a large board has on the heap.
    #[must_use]
    #[inline]
    pub const fn bytes_beyond(&self) -> usize {
        match &self.0 {
            Small(_) | Middle(_) => 0,
            Large(words) => words.bytes(),
        }
    }

    /// Returns the number of cells.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        match &self.0 {
            Small(bits) => bits.count_ones() as usize,
            Middle(words) => words.len(),
            Large(words) => words.len(),
        }
    }

    /// Returns whether the set is empty.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        match &self.0 {
            Small(bits) => *bits == 0,
            Middle(words) => words.is_empty(),
            Large(words) => words.is_empty(),
        }
    }

    /// Returns the first cell in the order of the board.
    #[must_use]
    #[inline]
    pub fn first(&self) -> Option<Cell> {
        self.iter().next()
    }

    /// Returns the cells in the order of the board: rows from the bottom, each from the left.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        let (mut small, mut large) = match &self.0 {
            Small(bits) => (*bits, Places::default()),
            Middle(words) => (0, words.places()),
            Large(words) => (0, words.places()),
        };
        std::iter::from_fn(move || {
            if small == 0 {
                return large.next();
            }
            let bit = small.trailing_zeros() as usize;
            small &= small - 1;
            Some(Cell::at(bit))
        })
    }

    /// Returns the set that is made from two sets. Of sets of different boards, the result is empty.
    #[inline]
    fn combine(
        &self,
        other: &Self,
        small: impl Fn(u128, u128) -> u128,
        middle: impl Fn(u64, u64) -> u64,
        large: impl Fn(&Words, &Words) -> Words,
    ) -> Self {
        match (&self.0, &other.0) {
            (Small(one), Small(other)) => Self(Small(small(*one, *other))),
            (Middle(one), Middle(other)) => Self(Middle(one.combine(other, middle))),
            (Large(one), Large(other)) => Self(Large(large(one, other))),
            _ => Self(Large(Words::none(0))),
        }
    }

    /// Returns the cells in either set.
    #[must_use]
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        self.combine(other, |one, other| one | other, |one, other| one | other, Words::union)
    }

    /// Returns the cells in both sets.
    #[must_use]
    #[inline]
    pub fn intersection(&self, other: &Self) -> Self {
        self.combine(other, |one, other| one & other, |one, other| one & other, Words::intersection)
    }

    /// Returns the cells in this set that are not in the other.
    #[must_use]
    #[inline]
    pub fn difference(&self, other: &Self) -> Self {
        self.combine(other, |one, other| one & !other, |one, other| one & !other, Words::difference)
    }

    /// Adds all cells of the other set.
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        match (&mut self.0, &other.0) {
            (Small(bits), Small(more)) => *bits |= more,
            (Middle(words), Middle(more)) => *words = words.combine(more, |one, other| one | other),
            (Large(words), Large(more)) => words.add(more),
            _ => {}
        }
    }

    /// Returns whether every cell of this set is in the other.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Small(one), Small(other)) => one & !other == 0,
            (Middle(one), Middle(other)) => one.is_subset(other),
            (Large(one), Large(other)) => one.is_subset(other),
            _ => true,
        }
    }

    /// Returns these cells, moved by `by` slots of the padded grid, as far as they are in `within`.
    #[must_use]
    #[inline(always)]
    pub(super) fn moved(&self, by: i32, within: &Self) -> Self {
        match (&self.0, &within.0) {
            (Small(bits), Small(within)) => Self(Small(shifted(*bits, by) & within)),
            (Middle(words), Middle(within)) => Self(Middle(words.moved(by).combine(within, |one, other| one & other))),
            (Large(words), Large(within)) => {
                let mut moved = within.empty();
                moved.add_moved(words, by, within);
                Self(Large(moved))
            }
            _ => self.intersection(within),
        }
    }

    /// Adds the cells of `cells`, moved by each of `steps` slots of the padded grid, as far as they are in `within`.
    #[inline(always)]
    pub(super) fn add_moved(&mut self, cells: &Self, steps: &[i32], within: &Self) {
        match (&mut self.0, &cells.0, &within.0) {
            (Small(all), Small(bits), Small(within)) => {
                steps.iter().for_each(|by| *all |= shifted(*bits, *by) & within);
            }
            (Middle(all), Middle(cells), Middle(within)) => all.add_moved(cells, steps, within),
            (Large(all), Large(words), Large(within)) => {
                steps.iter().for_each(|by| all.add_moved(words, *by, within));
            }
            _ => {}
        }
    }

    /// Adds the cells of `within` that can be reached from these by such steps. Returns how many rounds of steps it took.
    #[inline(always)]
    pub(super) fn spread(&mut self, steps: &[i32], within: &Self) -> usize {
        let mut rounds = 0;
        match (&mut self.0, &within.0) {
            (Small(reached), Small(within)) => {
                let mut before = 0;
                while *reached != before && *reached != *within {
                    before = *reached;
                    rounds += 1;
                    // Each step begins where the last one has led.
                    steps.iter().for_each(|by| *reached |= shifted(*reached, *by) & within);
                }
            }
            (Middle(reached), Middle(within)) => rounds = reached.spread(steps, within),
            (Large(reached), Large(within)) => {
                let mut grew = true;
                while grew {
                    grew = false;
                    rounds += 1;
                    steps.iter().for_each(|by| grew |= reached.spread(*by, within));
                }
            }
            _ => {}
        }
        rounds
    }
}

impl IntoIterator for Cells {
    type Item = Cell;
    type IntoIter = std::vec::IntoIter<Cell>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter().collect::<Vec<_>>().into_iter()
    }
}

/// Returns the bit of a cell in a small set.
#[inline]
fn bit(cell: Cell) -> u128 {
    1_u128.checked_shl(cell.0).unwrap_or(0)
}

/// Returns the bits moved by `by` places.
#[inline(always)]
const fn shifted(bits: u128, by: i32) -> u128 {
    let count = by.unsigned_abs();
    let moved = if by >= 0 { bits.checked_shl(count) } else { bits.checked_shr(count) };
    match moved {
        Some(moved) => moved,
        None => 0,
    }
}
