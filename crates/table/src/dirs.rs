//! A set of cells for every direction: rules about lines need one call instead of a loop.

use super::{Board, Cells, Direction};
use referee_diagnostic::MustBe as _;

/// The number of directions of most boards.
const DIRECTIONS: usize = 8;

/// A set of cells for each direction of a board, in the order of the directions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dirs(Sets);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Sets {
    /// The sets of an ordinary board: no allocation, and one loop for all directions. Those after the last are empty.
    Small { count: u8, sets: [u128; DIRECTIONS] },
    /// The sets of a larger board, or of one with more directions.
    Large(Vec<Cells>),
}

use Sets::{Large, Small};

impl Dirs {
    /// Returns the sets that `cells` returns for each direction.
    #[inline]
    pub fn each(board: &Board, cells: impl Fn(Direction) -> Cells) -> Self {
        let directions = board.headings().len();
        if directions > DIRECTIONS || !Cells::are_small(board.size()) {
            return Self(Large((1..=directions).map(|number| cells(Direction::at(number))).collect()));
        }
        let mut sets = [0; DIRECTIONS];
        for (slot, number) in sets.iter_mut().zip(1..=directions) {
            *slot = bits(&cells(Direction::at(number)));
        }
        Self(Small { count: u8::try_from(directions).unwrap_or(u8::MAX), sets })
    }

    /// Returns for each direction the cells whose next cell in that direction is one of `cells`.
    #[must_use]
    pub fn touched(board: &Board, cells: &Cells) -> Self {
        Self::each(board, |direction| board.shift_back(cells, direction))
    }

    /// Returns for each direction the cells from which one of `cells` is ahead at any distance, whatever is in between.
    #[must_use]
    pub fn seen(board: &Board, cells: &Cells) -> Self {
        Self::each(board, |direction| board.all_back(cells, direction))
    }

    /// Returns for each direction the cells from which one of `cells` is ahead at any distance, with only cells of
    /// `through` in between.
    #[must_use]
    pub fn seen_through(board: &Board, cells: &Cells, through: &Cells) -> Self {
        Self::each(board, |direction| {
            let mut seen = board.shift_back(cells, direction);
            loop {
                let more = seen.union(&board.shift_back(&seen.intersection(through), direction));
                if more == seen {
                    return seen;
                }
                seen = more;
            }
        })
    }

    /// Returns for each direction the cells whose next cell in that direction is in the set of the direction.
    #[must_use]
    pub fn behind(&self, board: &Board) -> Self {
        let none = || Cells::none(board.size());
        Self::each(board, |direction| board.shift_back(&self.at(direction).unwrap_or_else(none), direction))
    }

    /// Returns each set for the opposite of its direction; empty for a direction without an opposite.
    #[must_use]
    pub fn opposite(&self, board: &Board) -> Self {
        Self::each(board, |direction| {
            let back = board.heading(direction).and_then(|heading| board.direction_of(-heading.dx, -heading.dy));
            back.and_then(|back| self.at(back)).unwrap_or_else(|| Cells::none(board.size()))
        })
    }

    /// Returns `cells` for one direction, and the empty set for the others.
    #[must_use]
    pub fn only(board: &Board, cells: &Cells, direction: Direction) -> Self {
        Self::each(board, |other| if other == direction { cells.clone() } else { Cells::none(board.size()) })
    }

    /// Combines both, direction by direction.
    #[must_use]
    #[inline]
    pub fn combine(&self, other: &Self, with: impl Fn(&Cells, &Cells) -> Cells) -> Self {
        match (&self.0, &other.0) {
            (Small { count, sets }, Small { sets: others, .. }) => {
                let mut both = [0; DIRECTIONS];
                for ((slot, one), other) in both.iter_mut().zip(sets).zip(others) {
                    *slot = bits(&with(&Cells::of_bits(*one), &Cells::of_bits(*other)));
                }
                Self(Small { count: *count, sets: both })
            }
            (Large(sets), Large(others)) => {
                Self(Large(sets.iter().zip(others).map(|(one, other)| with(one, other)).collect()))
            }
            // Sets of different boards.
            _ => self.clone(),
        }
    }

    /// Combines each set with the same cells.
    #[must_use]
    #[inline]
    pub fn with(&self, cells: &Cells, with: impl Fn(&Cells, &Cells) -> Cells) -> Self {
        Self(match &self.0 {
            Small { count, sets } => {
                let mut all = [0; DIRECTIONS];
                for (slot, one) in all.iter_mut().zip(sets).take(usize::from(*count)) {
                    *slot = bits(&with(&Cells::of_bits(*one), cells));
                }
                Small { count: *count, sets: all }
            }
            Large(sets) => Large(sets.iter().map(|one| with(one, cells)).collect()),
        })
    }

    /// Returns the size in bytes of what the sets of a large board have on the heap.
    #[must_use]
    #[inline]
    pub fn bytes_beyond(&self) -> usize {
        match &self.0 {
            Small { .. } => 0,
            Large(sets) => sets.iter().map(|cells| size_of::<Cells>() + cells.bytes_beyond()).sum(),
        }
    }

    /// Returns the cells that are in the set of any direction.
    #[must_use]
    pub fn any(&self) -> Cells {
        match &self.0 {
            Small { sets, .. } => Cells::of_bits(sets.iter().fold(0, |all, one| all | one)),
            Large(sets) => {
                let Some((first, rest)) = sets.split_first() else { return Cells::default() };
                let mut all = first.clone();
                rest.iter().for_each(|cells| all.add(cells));
                all
            }
        }
    }

    /// Returns the set of one direction.
    #[must_use]
    #[inline]
    pub fn at(&self, direction: Direction) -> Option<Cells> {
        let place = direction.index().checked_sub(1)?;
        match &self.0 {
            Small { count, sets } if place < usize::from(*count) => sets.get(place).copied().map(Cells::of_bits),
            Small { .. } => None,
            Large(sets) => sets.get(place).cloned(),
        }
    }
}

/// Returns the bits of a set of a small board.
#[inline]
fn bits(cells: &Cells) -> u128 {
    cells.bits().or_missing("the bits of a small set", 0)
}
