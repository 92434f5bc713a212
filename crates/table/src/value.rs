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
    /// A set, sorted; a bag in which no value is repeated; a list without values.
    Set(BTreeSet<Value>),
    /// A list.
    List(Vec<Value>),
    /// Values by name.
    Map(Vec<(Arc<str>, Value)>),
    /// A bag in which a value is repeated: each value once, sorted, with its number. A bag without repetition is a
    /// [`Value::Set`].
    Bag(Vec<(Value, u32)>),
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
            (Self::List(written), Self::List(made)) => {
                written.len() == made.len() && written.iter().zip(made).all(|(one, other)| one.says(other))
            }
            // Moves with equal notation may differ, so that a bag of what is written may say a set.
            (Self::Set(_) | Self::Bag(_), Self::Set(_) | Self::Bag(_)) => {
                let mut made: Vec<&Self> = actual.items().collect();
                let says = |one: &Self| {
                    let at = made.iter().position(|other| one.says(other));
                    at.map(|at| made.swap_remove(at)).is_some()
                };
                let moves = self.items().next().is_some_and(|one| matches!(one, Self::Move(_)));
                self == actual || moves && self.items().count() == actual.items().count() && self.items().all(says)
            }
            _ => self == actual,
        }
    }

    /// Returns the values in a set, a bag or a list, each as often as it is there; none for any other value.
    pub fn items(&self) -> impl Iterator<Item = &Self> {
        self.runs().flat_map(|(value, count)| std::iter::repeat_n(value, count as usize))
    }

    /// Returns the values in a set, a bag or a list, those that a bag repeats with their number.
    pub fn runs(&self) -> Runs<'_> {
        match self {
            Self::Set(set) => Runs::Set(set.iter()),
            Self::List(list) => Runs::List(list.iter()),
            Self::Bag(bag) => Runs::Bag(bag.iter()),
            _ => Runs::List([].iter()),
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
            Self::Bag(bag) => bag
                .iter()
                .fold(1, |sum, (value, count)| sum.saturating_add(value.weight().saturating_mul((*count).into()))),
            Self::Map(map) => map.iter().fold(1, |sum, (name, value)| all(sum + 1 + name.len() as u64 / 32, value)),
            _ => 1,
        }
    }
}

/// Returns the weight of a string as a value.
pub fn text_weight(text: &str) -> u64 {
    1 + text.len() as u64 / 32
}

/// The values in a set, a bag or a list, each with its number.
#[derive(Clone, Debug)]
pub enum Runs<'v> {
    /// Those of a set.
    Set(std::collections::btree_set::Iter<'v, Value>),
    /// Those of a list.
    List(std::slice::Iter<'v, Value>),
    /// Those of a bag.
    Bag(std::slice::Iter<'v, (Value, u32)>),
}

impl<'v> Iterator for Runs<'v> {
    type Item = (&'v Value, u32);

    fn next(&mut self) -> Option<(&'v Value, u32)> {
        match self {
            Self::Set(values) => values.next().map(|value| (value, 1)),
            Self::List(values) => values.next().map(|value| (value, 1)),
            Self::Bag(values) => values.next().map(|(value, count)| (value, *count)),
        }
    }
}
