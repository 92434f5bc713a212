//! Moves: paths of two cells or more, with the cells that they capture.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Cell, Cells, PieceId, State};

/// The most steps of a move.
pub const MAX_STEPS: usize = 256;

/// A move: a path of two cells or more, and the cells that it captures.
///
/// Two moves are equal if path and captured cells are equal. A move as a line writes it names no captured cells, so that
/// it is compared by [`Move::is_written_as`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Move {
    from: Cell,
    to: Cell,
    way: Way,
}

/// How a move comes to its last cell. The variants are a normal form: equal moves have the same one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
enum Way {
    /// In one step that captures nothing.
    Quiet,
    /// In one step that captures what lies on the last cell.
    Capture,
    /// In any other way.
    Path(Arc<Vec<Step>>),
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
struct Step {
    to: Cell,
    /// Whether the step captures; a line says no more than this.
    captures: bool,
    /// The cells that the step captures, in order.
    captured: Vec<Cell>,
}

impl Move {
    /// Returns a move of one step that captures nothing, or what lies on its goal.
    #[must_use]
    pub const fn step(from: Cell, to: Cell, captures: bool) -> Self {
        Self { from, to, way: if captures { Way::Capture } else { Way::Quiet } }
    }

    /// Returns a move as a line writes it: its first cell, and for each step the cell and whether `x` leads to it.
    /// `None` if there is no step, or too many of them.
    #[must_use]
    pub fn written(from: Cell, steps: &[(Cell, bool)]) -> Option<Self> {
        let step = |(to, captures): &(Cell, bool)| Step { to: *to, captures: *captures, captured: Vec::new() };
        Self::of(from, steps.iter().map(step).collect())
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

    /// Returns the same move, of which the last step captures on these cells as well.
    #[must_use]
    pub fn capturing(&self, cells: impl IntoIterator<Item = Cell>) -> Self {
        let mut steps = self.all_steps();
        if let Some(last) = steps.last_mut() {
            last.captured.extend(cells);
            last.captures = last.captures || !last.captured.is_empty();
        }
        Self::of(self.from, steps).unwrap_or_else(|| self.clone())
    }

    fn all_steps(&self) -> Vec<Step> {
        let one = |captured: Vec<Cell>| vec![Step { to: self.to, captures: !captured.is_empty(), captured }];
        match &self.way {
            Way::Quiet => one(Vec::new()),
            Way::Capture => one(vec![self.to]),
            Way::Path(steps) => steps.to_vec(),
        }
    }

    /// Returns where the piece stands.
    #[must_use]
    pub const fn from(&self) -> Cell {
        self.from
    }

    /// Returns where it comes to rest.
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

    /// Returns whether its cells and whether it captures say all about it: it has one step, and captures nothing but
    /// what lies on its goal.
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        !matches!(self.way, Way::Path(_))
    }

    /// Returns the cells on which it captures; none for a move as a line writes it.
    pub fn captured(&self) -> impl Iterator<Item = Cell> + '_ {
        let goal = matches!(self.way, Way::Capture).then_some(self.to);
        goal.into_iter().chain(self.path().iter().flat_map(|step| step.captured.iter().copied()))
    }

    /// Each step: the cell to which it leads, and whether it captures.
    pub fn steps(&self) -> impl Iterator<Item = (Cell, bool)> + '_ {
        let one = match self.way {
            Way::Quiet => Some((self.to, false)),
            Way::Capture => Some((self.to, true)),
            Way::Path(_) => None,
        };
        one.into_iter().chain(self.path().iter().map(|step| (step.to, step.captures)))
    }

    /// Returns all cells of its path, the first and the last among them.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        std::iter::once(self.from).chain(self.steps().map(|(cell, _)| cell))
    }

    fn path(&self) -> &[Step] {
        match &self.way {
            Way::Path(steps) => steps,
            Way::Quiet | Way::Capture => &[],
        }
    }

    /// Returns whether both are written alike: the same cells, with `x` and `-` between the same ones.
    #[must_use]
    pub fn is_written_as(&self, other: &Self) -> bool {
        self.from == other.from && self.steps().eq(other.steps())
    }

    /// Returns whether both have the same path, whatever they capture.
    #[must_use]
    pub fn has_path_of(&self, other: &Self) -> bool {
        self.cells().eq(other.cells())
    }

    /// Returns how much room it takes, roughly in plain values.
    #[must_use]
    pub fn weight(&self) -> u64 {
        self.path().iter().fold(1, |sum, step| sum + 1 + step.captured.len() as u64)
    }
}

/// Why a move cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// Nothing lies where it begins.
    NothingMoves(Cell),
    /// It is to capture where nothing lies.
    NothingCaptured(Cell),
    /// It is to capture the piece that moves.
    CapturesItself(Cell),
    /// A piece lies where it ends, and it does not capture that one.
    Occupied(Cell, PieceId),
    /// The piece would not lie on the board as a whole.
    DoesNotFit(Cell),
}

impl State {
    /// Moves a piece along the path of a move, and takes what the move captures off the board.
    ///
    /// # Errors
    /// The move does not agree with what lies on the board; then nothing has changed.
    pub fn make(&mut self, made: &Move) -> Result<(), MoveError> {
        let (from, to) = (made.from(), made.to());
        let piece = self.at(from).ok_or(MoveError::NothingMoves(from))?;
        let many = self.schema().is_many(piece);
        let size = self.board().size();
        let own = if many { Cells::of(size, [from]) } else { self.covered(piece) };
        let mut freed = own.clone();
        for cell in made.captured() {
            let captured = self.at(cell).ok_or(MoveError::NothingCaptured(cell))?;
            if own.contains(cell) {
                return Err(MoveError::CapturesItself(cell));
            }
            match self.schema().is_many(captured) {
                true => freed.insert(cell),
                false => freed.add(&self.covered(captured)),
            }
        }
        let goal = self.board().footprint(to, self.table.size(piece)).ok_or(MoveError::DoesNotFit(to))?;
        if goal.iter().any(|cell| self.board().is_too_far(cell)) {
            return Err(MoveError::DoesNotFit(to));
        }
        for cell in goal.iter().filter(|cell| !freed.contains(*cell)) {
            if let Some(other) = self.at(cell) {
                return Err(MoveError::Occupied(cell, other));
            }
        }
        for cell in made.captured() {
            self.clear(cell);
        }
        if from == to {
            return Ok(());
        }
        if many {
            self.follow_face(from, Some(to));
            self.clear(from);
        }
        self.put(piece, to).map_err(|_| MoveError::DoesNotFit(to))
    }
}
