//! A set of cells for every direction: rules about lines need one call instead of a loop.

use super::{Board, Cells, Direction};

/// A set of cells for each direction of a board, in the order of the directions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dirs(Vec<Cells>);

impl Dirs {
    /// Returns the sets that `cells` returns for each direction.
    pub fn each(board: &Board, cells: impl Fn(Direction) -> Cells) -> Self {
        Self((1..=board.headings().len()).map(|number| cells(Direction::at(number))).collect())
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
        Self(self.iter().map(|(direction, cells)| board.shift_back(cells, direction)).collect())
    }

    /// Returns each set for the opposite of its direction; empty for a direction without an opposite.
    #[must_use]
    pub fn opposite(&self, board: &Board) -> Self {
        Self::each(board, |direction| {
            let back = board.heading(direction).and_then(|heading| board.direction_of(-heading.dx, -heading.dy));
            back.and_then(|back| self.at(back)).cloned().unwrap_or_else(|| Cells::none(board.size()))
        })
    }

    /// Returns `cells` for one direction, and the empty set for the others.
    #[must_use]
    pub fn only(board: &Board, cells: &Cells, direction: Direction) -> Self {
        Self::each(board, |other| if other == direction { cells.clone() } else { Cells::none(board.size()) })
    }

    /// Combines both, direction by direction; reuses the sets of this one.
    #[must_use]
    pub fn combine(mut self, other: &Self, with: impl Fn(&Cells, &Cells) -> Cells) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(one, other)| *one = with(one, other));
        self
    }

    /// Combines each set with the same cells.
    #[must_use]
    pub fn with(mut self, cells: &Cells, with: impl Fn(&Cells, &Cells) -> Cells) -> Self {
        self.0.iter_mut().for_each(|one| *one = with(one, cells));
        self
    }

    /// Returns the cells that are in the set of any direction.
    #[must_use]
    pub fn any(&self) -> Cells {
        let Some((first, rest)) = self.0.split_first() else { return Cells::default() };
        let mut all = first.clone();
        rest.iter().for_each(|cells| all.add(cells));
        all
    }

    /// Returns the sets with their directions.
    pub fn iter(&self) -> impl Iterator<Item = (Direction, &Cells)> {
        self.0.iter().enumerate().map(|(at, cells)| (Direction::at(at + 1), cells))
    }

    /// Returns the set of one direction.
    #[must_use]
    pub fn at(&self, direction: Direction) -> Option<&Cells> {
        self.0.get(direction.index().checked_sub(1)?)
    }
}
