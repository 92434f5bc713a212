//! Sets of cells: one bit for each slot of the board's grid, so that all cells step at once.

mod large;

use serde::{Deserialize, Serialize};

use super::Cell;
use large::{Few, Many, Places, Words as _, outside};
use referee_diagnostic::note_missing;

/// The number of slots in a small set: enough for a grid of 11x11, or a hexagon with six cells on a side.
const SMALL: usize = u128::BITS as usize;

/// A set of cells of one board. Sets of the same board have the same width.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cells(Bits);

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
enum Bits {
    /// The set of an ordinary board: no allocation, and a few instructions for each operation.
    Small(u128),
    /// The set of a middle-sized board: no allocation either.
    Middle(Few),
    /// The set of a larger board.
    Large(Many),
}

use Bits::{Large, Middle, Small};

/// A step in a direction, for all cells at once. A cell at the end of a row and the first one of the next are neighbours
/// in the grid, so a set is moved only onto the cells to which the step leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The number of slots.
    pub(super) by: i32,
    /// The cells to which the step leads from a cell of the board.
    pub(super) onto: Cells,
    /// The cells from which the step leads to a cell of the board.
    pub(super) from: Cells,
}

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
            ..=Few::SLOTS => Middle(Few::default()),
            size => Large(Many::none(size)),
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

    /// Returns the set with these words, of 64 slots each, for a board with `size` slots.
    #[must_use]
    #[inline]
    pub fn of_words(size: usize, words: impl Iterator<Item = u64>) -> Self {
        let mut set = Self::none(size);
        set.add_words(words);
        set
    }

    /// Adds the cells of the set with these words.
    #[inline]
    pub(super) fn add_words(&mut self, mut words: impl Iterator<Item = u64>) {
        match &mut self.0 {
            Small(bits) => {
                let mut next = || u128::from(words.next().unwrap_or(0));
                *bits |= next() | next() << u64::BITS;
            }
            Middle(set) => set.add_words(words),
            Large(set) => set.add_words(words),
        }
    }

    /// Returns its words, of 64 slots each.
    pub fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let (small, large): ([u64; 2], &[u64]) = match &self.0 {
            // The two halves of the number.
            Small(bits) => ([*bits as u64, (*bits >> u64::BITS) as u64], &[]),
            Middle(words) => ([0; 2], words.words()),
            Large(words) => ([0; 2], words.words()),
        };
        let few = if large.is_empty() { small.len() } else { 0 };
        small.into_iter().take(few).chain(large.iter().copied())
    }

    /// Adds a cell of the board.
    #[inline]
    pub fn insert(&mut self, cell: Cell) {
        match &mut self.0 {
            Small(bits) => match 1_u128.checked_shl(cell.0) {
                Some(bit) => *bits |= bit,
                None => outside(),
            },
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

    /// Returns the set that is made from two sets. If one of them has no room for any cell, `mixed` returns it.
    #[inline]
    fn combine(
        &self,
        other: &Self,
        small: impl Fn(u128, u128) -> u128,
        middle: impl Fn(u64, u64) -> u64,
        large: impl Fn(&Many, &Many) -> Many,
        mixed: impl Fn() -> Self,
    ) -> Self {
        match (&self.0, &other.0) {
            (Small(one), Small(other)) => Self(Small(small(*one, *other))),
            (Middle(one), Middle(other)) => Self(Middle(one.combine(other, middle))),
            (Large(one), Large(other)) => Self(Large(large(one, other))),
            _ => {
                self.meet(other);
                mixed()
            }
        }
    }

    /// Notes that two sets are of different boards. A set without room for any cell, as that of a single piece, is of any.
    #[cold]
    #[inline(never)]
    fn meet(&self, other: &Self) {
        if !self.is_empty() && !other.is_empty() {
            note_missing("the board of two sets of cells");
        }
    }

    /// Returns whichever of two sets of different widths has cells.
    fn fuller(&self, other: &Self) -> Self {
        if self.is_empty() { other.clone() } else { self.clone() }
    }

    /// Returns the cells in either set.
    #[must_use]
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        self.combine(other, |one, other| one | other, |one, other| one | other, Many::union, || self.fuller(other))
    }

    /// Returns the cells in both sets.
    #[must_use]
    #[inline]
    pub fn intersection(&self, other: &Self) -> Self {
        self.combine(other, |one, other| one & other, |one, other| one & other, Many::intersection, Self::default)
    }

    /// Returns the cells in this set that are not in the other.
    #[must_use]
    #[inline]
    pub fn difference(&self, other: &Self) -> Self {
        self.combine(other, |one, other| one & !other, |one, other| one & !other, Many::difference, || self.clone())
    }

    /// Adds all cells of the other set.
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        match (&mut self.0, &other.0) {
            (Small(bits), Small(more)) => *bits |= more,
            (Middle(words), Middle(more)) => *words = words.combine(more, |one, other| one | other),
            (Large(words), Large(more)) => words.add(more),
            _ => {
                self.meet(other);
                *self = self.fuller(other);
            }
        }
    }

    /// Returns whether every cell of this set is in the other.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Small(one), Small(other)) => one & !other == 0,
            (Middle(one), Middle(other)) => one.is_subset(other),
            (Large(one), Large(other)) => one.is_subset(other),
            _ => {
                self.meet(other);
                self.is_empty()
            }
        }
    }

    /// Returns these cells, moved by `by` slots of the grid, as far as they are in `within`.
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

    /// Adds the cells to which any of the steps leads from `cells`.
    #[inline(always)]
    pub(super) fn add_moved(&mut self, cells: &Self, steps: &[Step]) {
        for Step { by, onto, .. } in steps {
            match (&mut self.0, &cells.0, &onto.0) {
                (Small(all), Small(bits), Small(onto)) => *all |= shifted(*bits, *by) & onto,
                (Middle(all), Middle(cells), Middle(onto)) => all.add_moved(cells, *by, onto),
                (Large(all), Large(words), Large(onto)) => all.add_moved(words, *by, onto),
                _ => cells.meet(onto),
            }
        }
    }

    /// Adds the cells of `within` that can be reached from these by such steps. Returns how many rounds of steps it took.
    #[inline(always)]
    pub(super) fn spread(&mut self, steps: &[Step], within: &Self) -> usize {
        let mut rounds = 0;
        let mut grew = !self.is_empty();
        while grew && *self != *within {
            rounds += 1;
            grew = false;
            // Each step begins where the last one has led.
            for Step { by, onto, .. } in steps {
                match (&mut self.0, &onto.0, &within.0) {
                    (Small(reached), Small(onto), Small(within)) => {
                        let more = shifted(*reached, *by) & onto & within & !*reached;
                        *reached |= more;
                        grew |= more != 0;
                    }
                    (Middle(reached), Middle(onto), Middle(within)) => grew |= reached.spread(*by, onto, within),
                    (Large(reached), Large(onto), Large(within)) => grew |= reached.spread(*by, onto, within),
                    _ => self.meet(within),
                }
            }
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

/// Returns the bit of a cell in a small set; none for one outside the board.
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

#[cfg(test)]
mod tests {
    use super::Cells;
    use crate::Cell;
    use referee_diagnostic::noted_missing;

    #[test]
    fn a_cell_outside_and_sets_of_different_boards_are_noted() {
        let noted = |what: &str| noted_missing().iter().any(|wrong| wrong.message.contains(what));
        for size in [100, 200, 1000] {
            let all = Cells::of(size, (0..size).map(Cell::at));
            // Single pieces have a set without room for any cell.
            assert_eq!(all.union(&Cells::default()), all);
            assert_eq!(Cells::default().union(&all), all);
            assert_eq!(all.difference(&Cells::default()), all);
            assert!(all.intersection(&Cells::default()).is_empty() && Cells::default().is_subset(&all));
            assert!(!noted("two sets of cells") && !noted("a cell in a set"));
        }
        assert!(Cells::of(200, [Cell::at(3)]).union(&Cells::of(1000, [Cell::at(4)])).contains(Cell::at(3)));
        assert!(noted("two sets of cells") && !noted("a cell in a set"));
        Cells::none(1000).insert(Cell::at(1024));
        assert!(noted("a cell in a set"));
    }
}
