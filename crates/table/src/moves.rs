//! Moves: paths of at least two cells, with the captured cells.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Cell, PieceId};

/// The maximum number of steps in a move.
pub const MAX_STEPS: usize = 256;

/// A move: a path of at least two cells, and the captured cells.
///
/// Two moves are equal if their paths and captured cells are equal. The notation does not name captured cells: compare
/// a move from a line by [`Move::is_written_as`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Move {
    from: Cell,
    to: Cell,
    way: Way,
}

/// The way from the first cell to the last. The variants are a normal form: equal moves have the same one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
enum Way {
    /// One step without a capture.
    Quiet,
    /// One step that captures on the last cell.
    Capture,
    /// Any other way.
    Path(Arc<Vec<Step>>),
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
struct Step {
    to: Cell,
    /// Whether the step captures; the notation only shows this.
    captures: bool,
    /// The captured cells, sorted.
    captured: Vec<Cell>,
}

impl Move {
    /// Returns a move of one step that captures nothing or, if `captures`, on its last cell.
    #[must_use]
    pub const fn step(from: Cell, to: Cell, captures: bool) -> Self {
        Self { from, to, way: if captures { Way::Capture } else { Way::Quiet } }
    }

    /// Returns a move from its notation: its first cell, and for each step its cell and whether an `x` precedes it.
    /// `None` if there are no steps, or too many.
    #[must_use]
    pub fn written(from: Cell, steps: &[(Cell, bool)]) -> Option<Self> {
        let step = |(to, captures): &(Cell, bool)| Step { to: *to, captures: *captures, captured: Vec::new() };
        Self::of(from, steps.iter().map(step).collect())
    }

    /// Returns a move from its first cell and all of its steps, each with its cell, whether it captures, and the cells on which it
    /// does. `None` if there are no steps, or too many.
    #[must_use]
    pub fn of_steps(from: Cell, steps: impl Iterator<Item = (Cell, bool, Vec<Cell>)>) -> Option<Self> {
        Self::of(from, steps.map(|(to, captures, captured)| Step { to, captures, captured }).collect())
    }

    fn of(from: Cell, mut steps: Vec<Step>) -> Option<Self> {
        let to = steps.last()?.to;
        for step in &mut steps {
            step.captured.sort_unstable();
            step.captured.dedup();
        }
        let way = match steps.as_slice() {
            [one] if !one.captures => Way::Quiet,
            [one] if one.captured == [to] => Way::Capture,
            steps if steps.len() > MAX_STEPS => return None,
            _ => Way::Path(Arc::new(steps)),
        };
        Some(Self { from, to, way })
    }

    /// Returns the same move with one more step; `None` if it has too many.
    #[must_use]
    pub fn onward(&self, to: Cell) -> Option<Self> {
        let mut steps = self.all_steps();
        steps.push(Step { to, captures: false, captured: Vec::new() });
        Self::of(self.from, steps)
    }

    /// Returns the same move; its last step also captures on these cells.
    #[must_use]
    pub fn capturing(&self, cells: impl IntoIterator<Item = Cell>) -> Self {
        let mut steps = self.all_steps();
        if let Some(last) = steps.last_mut() {
            last.captured.extend(cells);
            last.captures = last.captures || !last.captured.is_empty();
        }
        Self::of(self.from, steps).unwrap_or_else(|| self.clone())
    }

    /// Returns the same move of a board whose cells are others.
    #[must_use]
    pub(super) fn mapped(&self, to: impl Fn(Cell) -> Cell) -> Self {
        let mut steps = self.all_steps();
        for step in &mut steps {
            step.to = to(step.to);
            step.captured.iter_mut().for_each(|cell| *cell = to(*cell));
        }
        let (from, end) = (to(self.from), to(self.to));
        Self::of(from, steps).unwrap_or(Self { from, to: end, way: self.way.clone() })
    }

    fn all_steps(&self) -> Vec<Step> {
        let one = |captured: Vec<Cell>| vec![Step { to: self.to, captures: !captured.is_empty(), captured }];
        match &self.way {
            Way::Quiet => one(Vec::new()),
            Way::Capture => one(vec![self.to]),
            Way::Path(steps) => steps.to_vec(),
        }
    }

    /// Returns the cell where the piece starts.
    #[must_use]
    pub const fn from(&self) -> Cell {
        self.from
    }

    /// Returns the cell where the piece ends.
    #[must_use]
    pub const fn to(&self) -> Cell {
        self.to
    }

    /// Returns whether any step captures.
    #[must_use]
    pub fn captures(&self) -> bool {
        match &self.way {
            Way::Quiet => false,
            Way::Capture => true,
            Way::Path(steps) => steps.iter().any(|step| step.captures),
        }
    }

    /// Returns whether its notation describes it completely: it has one step and captures at most on its last cell.
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        !matches!(self.way, Way::Path(_))
    }

    /// Returns the cells on which it captures; none for a move read from its notation.
    pub fn captured(&self) -> impl Iterator<Item = Cell> + '_ {
        let goal = matches!(self.way, Way::Capture).then_some(self.to);
        goal.into_iter().chain(self.path().iter().flat_map(|step| step.captured.iter().copied()))
    }

    /// Returns its steps: the cell of each, and whether it captures.
    pub fn steps(&self) -> impl Iterator<Item = (Cell, bool)> + '_ {
        let one = match self.way {
            Way::Quiet => Some((self.to, false)),
            Way::Capture => Some((self.to, true)),
            Way::Path(_) => None,
        };
        one.into_iter().chain(self.path().iter().map(|step| (step.to, step.captures)))
    }

    /// Returns its steps as [`Move::of_steps`] takes them.
    pub fn steps_in_full(&self) -> impl Iterator<Item = (Cell, bool, Vec<Cell>)> {
        self.all_steps().into_iter().map(|step| (step.to, step.captures, step.captured))
    }

    /// Returns all cells of its path, including the first and the last.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        std::iter::once(self.from).chain(self.steps().map(|(cell, _)| cell))
    }

    fn path(&self) -> &[Step] {
        match &self.way {
            Way::Path(steps) => steps,
            Way::Quiet | Way::Capture => &[],
        }
    }

    /// Returns whether both have the same notation: the same cells with the same `x` and `-` between them.
    #[must_use]
    pub fn is_written_as(&self, other: &Self) -> bool {
        self.from == other.from && self.steps().eq(other.steps())
    }

    /// Returns whether both have the same path, regardless of captures.
    #[must_use]
    pub fn has_path_of(&self, other: &Self) -> bool {
        self.cells().eq(other.cells())
    }

    /// Returns its approximate size, in plain values.
    #[must_use]
    pub fn weight(&self) -> u64 {
        self.path().iter().fold(1, |sum, step| sum + 1 + step.captured.len() as u64)
    }
}

/// Why a move cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// Its first cell is empty.
    NothingMoves(Cell),
    /// A cell on which it captures is empty.
    NothingCaptured(Cell),
    /// It captures the moving piece.
    CapturesItself(Cell),
    /// A cell where the piece ends is occupied by a piece that it does not capture.
    Occupied(Cell, PieceId),
    /// The piece would not be completely on the board.
    DoesNotFit(Cell),
}
