//! A set of cells for every direction at once: rules about lines are written with one call instead of a loop.

use smallvec::SmallVec;

use super::{Board, Cells, Direction};

/// A set of cells for each direction of a board, in their order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dirs(SmallVec<[Cells; 8]>);

impl Dirs {
    /// What `cells` gives for each direction.
    pub fn each(board: &Board, cells: impl Fn(Direction) -> Cells) -> Self {
        Self((1..=board.headings().len()).map(|number| cells(Direction::at(number))).collect())
    }

    /// For each direction the cells whose next cell that way is one of `cells`.
    #[must_use]
    pub fn touched(board: &Board, cells: &Cells) -> Self {
        Self::each(board, |direction| board.shift_back(cells, direction))
    }

    /// For each direction the cells from which one of `cells` lies further on that way, however far and behind whatever.
    #[must_use]
    pub fn seen(board: &Board, cells: &Cells) -> Self {
        Self::each(board, |direction| board.all_back(cells, direction))
    }

    /// `cells` for one direction, and none for the others.
    #[must_use]
    pub fn only(board: &Board, cells: &Cells, direction: Direction) -> Self {
        Self::each(board, |other| if other == direction { cells.clone() } else { Cells::none(board.size()) })
    }

    /// Both sets combined, direction by direction; the sets of this one are made to the result.
    #[must_use]
    pub fn combine(mut self, other: &Self, with: impl Fn(&Cells, &Cells) -> Cells) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(one, other)| *one = with(one, other));
        self
    }

    /// Each set combined with the same cells.
    #[must_use]
    pub fn with(mut self, cells: &Cells, with: impl Fn(&Cells, &Cells) -> Cells) -> Self {
        self.0.iter_mut().for_each(|one| *one = with(one, cells));
        self
    }

    /// The cells that are in the set of any direction.
    #[must_use]
    pub fn any(&self, board: &Board) -> Cells {
        let mut all = Cells::none(board.size());
        self.0.iter().for_each(|cells| all.add(cells));
        all
    }

    /// The set of one direction.
    #[must_use]
    pub fn at(&self, direction: Direction) -> Option<&Cells> {
        self.0.get(direction.index().checked_sub(1)?)
    }
}
