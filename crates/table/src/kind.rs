//! The kinds of values in forms and properties, written in capitals.

use std::fmt;

use super::Value;
use referee_source::unwritable;

/// The kind of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `CELL`
    Cell,
    /// `NUMBER`; a line may name a direction instead of its number.
    Number,
    /// `PLAYER`
    Player,
    /// `PIECE`
    Piece,
    /// `DIRECTION`: a number, written `NE`.
    Direction,
    /// `MOVE`: from one cell to another, written `a1-b2` or `a1xb2`.
    Move,
    /// `TEXT`: one word, or words in quotes.
    Text,
    /// `AMOUNT`: how much of some resources, written `ore x3 wool`.
    Amount,
    /// `queued|ignored`: one of these words.
    Word(Vec<String>),
    /// The plural of a kind: a set, written with commas or spaces between its members, or `none`.
    Many(Box<Kind>),
}

/// What a list loses if it becomes a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// A value that is repeated.
    Copy(Value),
    /// The order: a value, and a later one that a set has before it.
    Order(Value, Value),
}

impl Lost {
    /// Returns what a list would lose first; copies come before the order.
    fn of(list: &[Value]) -> Option<Self> {
        let pairs = || list.iter().zip(list.iter().skip(1));
        if pairs().all(|(one, next)| one < next) {
            return None;
        }
        let mut known = std::collections::BTreeSet::new();
        let copy = list.iter().find(|value| !known.insert(*value)).cloned();
        let turned =
            || pairs().find(|(one, next)| one > next).map(|(one, next)| Self::Order(one.clone(), next.clone()));
        copy.map(Self::Copy).or_else(turned)
    }
}

/// The name of the kind that has no plural.
const AMOUNT: &str = "AMOUNT";

/// The kinds by their names.
const NAMES: [(&str, Kind); 8] = [
    ("CELL", Kind::Cell),
    ("NUMBER", Kind::Number),
    ("PLAYER", Kind::Player),
    ("PIECE", Kind::Piece),
    ("DIRECTION", Kind::Direction),
    ("MOVE", Kind::Move),
    ("TEXT", Kind::Text),
    (AMOUNT, Kind::Amount),
];

impl Kind {
    /// Returns a value as this kind has it: a list becomes a set if the kind is a set and the set loses nothing.
    ///
    /// # Errors
    /// Returns what the set would lose, and the list.
    pub fn converted(&self, value: Value) -> Result<Value, (Lost, Vec<Value>)> {
        match (self, value) {
            (Self::Many(_), Value::List(list)) => match Lost::of(&list) {
                None => Ok(Value::Set(list.into_iter().collect())),
                Some(lost) => Err((lost, list)),
            },
            // What is not there is left out, so that equal amounts are equal values.
            (Self::Amount, Value::Map(mut map)) => {
                map.retain(|(_, count)| *count != Value::Int(0));
                map.sort_unstable();
                Ok(Value::Map(map))
            }
            (_, value) => Ok(value),
        }
    }

    /// Returns the kind named `name`, singular or plural.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let find = |wanted: &str| NAMES.iter().find(|(name, _)| *name == wanted).map(|(_, kind)| kind.clone());
        let many = |name: &str| Some(name).filter(|name| *name != AMOUNT).and_then(find);
        find(name).or_else(|| many(name.strip_suffix('S')?).map(|kind| Self::Many(Box::new(kind))))
    }

    /// Returns whether words for a value of the one kind may be read as one of the other, or as several.
    pub fn may_be_read_as(&self, other: &Self) -> bool {
        let other = if let Self::Many(one) = other { one } else { other };
        let is_number = |kind: &Self| matches!(kind, Self::Number | Self::Direction);
        self == other || *self == Self::Text || *other == Self::Text || is_number(self) && is_number(other)
    }

    /// Returns every name that [`Kind::named`] accepts, singular first.
    pub fn all_names() -> impl Iterator<Item = String> {
        let singular = NAMES.iter().map(|(name, _)| (*name).to_owned());
        singular.chain(NAMES.iter().filter(|(name, _)| *name != AMOUNT).map(|(name, _)| format!("{name}S")))
    }
}

impl fmt::Display for Kind {
    /// Writes the value that a line needs for this kind: `a cell`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cell => write!(f, "a cell"),
            Self::Number => write!(f, "a number"),
            Self::Player => write!(f, "a player"),
            Self::Piece => write!(f, "a piece"),
            Self::Direction => write!(f, "a direction"),
            Self::Move => write!(f, "a move such as `a1-b2`"),
            Self::Text => write!(f, "a word"),
            Self::Amount => write!(f, "an amount of resources"),
            Self::Word(words) => write!(f, "`{}`", words.join("` or `")),
            Self::Many(one) => write!(f, "{} or several", one),
        }
    }
}

impl Kind {
    /// Returns the kind as forms write it: `CELL`, `queued|ignored`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Word(words) => words.join("|"),
            Self::Many(one) => format!("{}S", one.name()),
            plain => NAMES.iter().find(|(_, kind)| kind == plain).map_or("", |(name, _)| name).to_owned(),
        }
    }

    /// Returns whether its values refer to the cells of a board.
    #[must_use]
    pub fn names_cells(&self) -> bool {
        match self {
            Self::Cell | Self::Move | Self::Direction => true,
            Self::Many(one) => one.names_cells(),
            _ => false,
        }
    }

    /// Returns whether `value` is of this kind; a direction must be one of `directions`, and a line must be able to have
    /// a text.
    #[must_use]
    pub fn accepts(&self, value: &Value, directions: usize) -> bool {
        match (self, value) {
            (Self::Cell, Value::Cell(_))
            | (Self::Number, Value::Int(_))
            | (Self::Player, Value::Player(_))
            | (Self::Piece, Value::Piece(_))
            | (Self::Move, Value::Move(_)) => true,
            (Self::Text, Value::Text(text)) => unwritable(text).is_none(),
            (Self::Direction, Value::Int(number)) => {
                usize::try_from(*number).is_ok_and(|number| (1..=directions).contains(&number))
            }
            (Self::Word(words), Value::Text(text)) => words.iter().any(|word| **word == **text),
            (Self::Amount, Value::Map(map)) => map.iter().all(|(_, count)| matches!(count, Value::Int(1..))),
            (Self::Many(one), Value::Set(set)) => set.iter().all(|value| one.accepts(value, directions)),
            (Self::Many(one), Value::List(list)) => list.iter().all(|value| one.accepts(value, directions)),
            _ => false,
        }
    }
}
