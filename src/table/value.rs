//! Values: what asks, events, counters and phases hold.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Cell, PieceId, PlayerId};

/// A plain value; directions are numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Value {
    /// Nothing: what a form leaves out, a cell that is not set.
    #[default]
    Nothing,
    /// True or false.
    Bool(bool),
    /// A number, or a direction.
    Int(i64),
    /// A word.
    Text(Arc<str>),
    /// A player.
    Player(PlayerId),
    /// A piece.
    Piece(PieceId),
    /// A cell.
    Cell(Cell),
    /// A move from one cell to another.
    Move(Move),
    /// A set, kept in order.
    Set(BTreeSet<Value>),
    /// A list.
    List(Vec<Value>),
    /// Values by name.
    Map(Vec<(Arc<str>, Value)>),
}

impl Value {
    /// A word.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::Text(Arc::from(text))
    }

    /// Whether it is [`Value::Nothing`].
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// How much room it takes, roughly: the number of plain values in it.
    #[must_use]
    pub fn weight(&self) -> u64 {
        let all = |sum: u64, value: &Self| sum.saturating_add(value.weight());
        match self {
            Self::Text(text) => 1 + text.len() as u64 / 32,
            Self::Set(set) => set.iter().fold(1, all),
            Self::List(list) => list.iter().fold(1, all),
            Self::Map(map) => map.iter().fold(1, |sum, (name, value)| all(sum + 1 + name.len() as u64 / 32, value)),
            _ => 1,
        }
    }
}

/// A move from one cell to another. Whether it captures is told and not compared: the cells say which move it is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Move {
    /// Where the piece stands.
    pub from: Cell,
    /// Where it goes.
    pub to: Cell,
    /// Whether a piece is captured there; written `a1xb2` then, else `a1-b2`.
    pub captures: bool,
}

impl Move {
    const fn cells(self) -> (Cell, Cell) {
        (self.from, self.to)
    }
}

impl PartialEq for Move {
    fn eq(&self, other: &Self) -> bool {
        self.cells() == other.cells()
    }
}

impl Eq for Move {}

impl std::hash::Hash for Move {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.cells().hash(hasher);
    }
}

impl PartialOrd for Move {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Move {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.cells().cmp(&other.cells())
    }
}
