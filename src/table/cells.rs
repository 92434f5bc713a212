//! Sets of cells.

use fixedbitset::FixedBitSet;

use super::Cell;

/// A set of cells of one board, in the order of the board's cells.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Cells(FixedBitSet);

impl Cells {
    /// No cell, for a board of `size` cells.
    #[must_use]
    pub fn none(size: usize) -> Self {
        Self(FixedBitSet::with_capacity(size))
    }

    /// These cells, for a board of `size` cells.
    pub fn of(size: usize, cells: impl IntoIterator<Item = Cell>) -> Self {
        let mut set = Self::none(size);
        for cell in cells {
            set.insert(cell);
        }
        set
    }

    /// Put `cell` in; a cell that the board does not have is left out.
    pub fn insert(&mut self, cell: Cell) {
        if cell.index() < self.0.len() {
            self.0.insert(cell.index());
        }
    }

    /// Whether `cell` is in it.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        self.0.contains(cell.index())
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.count_ones(..)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_clear()
    }

    /// The cells in the order of the board: rows from the bottom, each from the left.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        self.0.ones().map(Cell::at)
    }

    /// In either.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self(&self.0 | &other.0)
    }

    /// In both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self(&self.0 & &other.0)
    }

    /// In this one and not in the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        let mut left = self.0.clone();
        left.difference_with(&other.0);
        Self(left)
    }
}
