//! Values of asks, events, properties and phases.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Cell, Move, PieceId, PlayerId};

/// A plain value; directions are numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Value {
    /// No value: an optional part that is left out, a cell that is not set.
    #[default]
    Nothing,
    /// A boolean.
    Bool(bool),
    /// A number, or a direction.
    Int(i64),
    /// A string.
    Text(Arc<str>),
    /// A player.
    Player(PlayerId),
    /// A piece.
    Piece(PieceId),
    /// A cell.
    Cell(Cell),
    /// A move.
    Move(Move),
    /// A set, sorted.
    Set(BTreeSet<Value>),
    /// A list.
    List(Vec<Value>),
    /// Values by name.
    Map(Vec<(Arc<str>, Value)>),
}

impl Value {
    /// Returns a string.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::Text(Arc::from(text))
    }

    /// Returns whether it is [`Value::Nothing`].
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// Returns whether this value, read from a line, matches `actual`. A move is compared by its notation.
    #[must_use]
    pub fn says(&self, actual: &Self) -> bool {
        match (self, actual) {
            (Self::Move(written), Self::Move(made)) => written.is_written_as(made),
            (Self::Set(written), Self::Set(made)) => {
                written.len() == made.len() && written.iter().all(|one| made.iter().any(|other| one.says(other)))
            }
            _ => self == actual,
        }
    }

    /// Returns its approximate size: the number of plain values in it.
    #[must_use]
    #[inline]
    pub fn weight(&self) -> u64 {
        match self {
            Self::Nothing | Self::Bool(_) | Self::Int(_) | Self::Player(_) | Self::Piece(_) | Self::Cell(_) => 1,
            large => large.weight_of_large(),
        }
    }

    fn weight_of_large(&self) -> u64 {
        let all = |sum: u64, value: &Self| sum.saturating_add(value.weight());
        match self {
            Self::Text(text) => text_weight(text),
            Self::Move(made) => made.weight(),
            Self::Set(set) => set.iter().fold(1, all),
            Self::List(list) => list.iter().fold(1, all),
            Self::Map(map) => map.iter().fold(1, |sum, (name, value)| all(sum + 1 + name.len() as u64 / 32, value)),
            _ => 1,
        }
    }
}

/// Returns the weight of a string as a value.
pub fn text_weight(text: &str) -> u64 {
    1 + text.len() as u64 / 32
}
