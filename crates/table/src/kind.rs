//! The kinds of values in forms and properties, written in capitals.

use std::collections::BTreeSet;
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
    /// Several values of a kind, written with commas or spaces between them, or `none`.
    Many(Several, Box<Kind>),
}

/// What several values of one kind are together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Several {
    /// `NUMBERS`, `BAG of NUMBER`: repetition counts, order does not.
    Bag,
    /// `CELLS`, `SET of NUMBER`: each value once, without an order.
    Set,
    /// `LIST of NUMBER`: in an order, and with repetition.
    List,
}

impl Several {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Bag, Self::Set, Self::List];

    /// Returns the word before `of`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Bag => "BAG",
            Self::Set => "SET",
            Self::List => "LIST",
        }
    }

    /// Returns the word as sentences have it: `a bag`.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Bag => "a bag",
            Self::Set => "a set",
            Self::List => "a list",
        }
    }

    /// Returns these values together, in the order that this keeps; a set has each value once.
    #[must_use]
    pub fn of(self, mut values: Vec<Value>) -> Value {
        match self {
            // Without values there is no order either: so no list, set or bag has a value that differs.
            Self::List if values.is_empty() => Value::Set(BTreeSet::new()),
            Self::List => Value::List(values),
            Self::Set => Value::Set(values.into_iter().collect()),
            Self::Bag => {
                values.sort_unstable();
                Self::bag_of(values.into_iter().map(|value| (value, 1)))
            }
        }
    }

    /// Returns a bag of sorted values, each so often.
    pub fn bag_of(sorted: impl IntoIterator<Item = (Value, u32)>) -> Value {
        let mut bag: Vec<(Value, u32)> = Vec::new();
        for (value, count) in sorted {
            match bag.last_mut() {
                Some((last, before)) if *last == value => *before = before.saturating_add(count),
                _ => bag.push((value, count)),
            }
        }
        match bag.iter().any(|(_, count)| *count > 1) {
            true => Value::Bag(bag),
            false => Value::Set(bag.into_iter().map(|(value, _)| value).collect()),
        }
    }
}

/// What a list loses if it becomes a set or a bag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// A value that is repeated.
    Copy(Value),
    /// The order: a value, and a later one that a set or a bag has before it.
    Order(Value, Value),
}

impl Lost {
    /// Returns what a list would lose first; copies come before the order.
    fn of(list: &[Value], several: Several) -> Option<Self> {
        let pairs = || list.iter().zip(list.iter().skip(1));
        let turned =
            || pairs().find(|(one, next)| one > next).map(|(one, next)| Self::Order(one.clone(), next.clone()));
        match several {
            Several::List => return None,
            Several::Bag => return turned(),
            Several::Set if pairs().all(|(one, next)| one < next) => return None,
            Several::Set => {}
        }
        let mut known = BTreeSet::new();
        let copy = list.iter().find(|value| !known.insert(*value)).cloned();
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
    /// Returns a value as this kind has it: a list becomes a set or a bag if the kind is one, and that loses nothing.
    ///
    /// # Errors
    /// Returns what the set or the bag would lose, and the list.
    pub fn converted(&self, value: Value) -> Result<Value, (Lost, Vec<Value>)> {
        match (self, value) {
            (Self::Many(several, _), Value::List(list)) => match Lost::of(&list, *several) {
                None => Ok(several.of(list)),
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

    /// Returns the kind named `name`, singular or plural, or several of a kind: `LIST of NUMBER`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        if let Some((several, one)) = Self::several_in(name) {
            return Self::one_named(one).map(|one| Self::Many(several, Box::new(one)));
        }
        Self::singular(name).or_else(|| {
            // Words are several only where that is said: `CLUBS|SPADES` is one of two.
            let one = Self::one_named(name.strip_suffix('S').filter(|one| !one.contains('|'))?)?;
            let several = if one == Self::Cell { Several::Set } else { Several::Bag };
            Some(Self::Many(several, Box::new(one)))
        })
    }

    /// Returns what several values of a kind are, and the name of that kind, in `LIST of NUMBER`.
    #[must_use]
    pub fn several_in(name: &str) -> Option<(Several, &str)> {
        let (first, rest) = name.split_once([' ', '\t'])?;
        let several = Several::ALL.into_iter().find(|several| several.word() == first)?;
        let one = rest.trim_start().strip_prefix("of")?;
        one.starts_with([' ', '\t']).then(|| (several, one.trim()))
    }

    fn singular(wanted: &str) -> Option<Self> {
        NAMES.iter().find(|(name, _)| *name == wanted).map(|(_, kind)| kind.clone())
    }

    /// Returns the kind of which there may be several: one in the singular, or words such as `red|blue`.
    fn one_named(name: &str) -> Option<Self> {
        if name.contains('|') {
            return Some(Self::Word(name.split('|').map(str::to_owned).collect()));
        }
        Self::singular(name).filter(|kind| *kind != Self::Amount)
    }

    /// Returns whether words for a value of the one kind may be read as one of the other, or as several.
    pub fn may_be_read_as(&self, other: &Self) -> bool {
        let other = if let Self::Many(_, one) = other { one } else { other };
        let is_number = |kind: &Self| matches!(kind, Self::Number | Self::Direction);
        let shared = match (self, other) {
            (Self::Word(words), Self::Word(others)) => words.iter().any(|word| others.contains(word)),
            _ => false,
        };
        self == other || *self == Self::Text || *other == Self::Text || shared || is_number(self) && is_number(other)
    }

    /// Returns every name of one word that [`Kind::named`] accepts, singular first.
    pub fn all_names() -> impl Iterator<Item = String> {
        let singular = NAMES.iter().map(|(name, _)| (*name).to_owned());
        singular.chain(Self::names_of_one().map(|name| format!("{name}S")))
    }

    /// Returns the names of the kinds of which there may be several.
    pub fn names_of_one() -> impl Iterator<Item = String> {
        NAMES.iter().filter(|(name, _)| *name != AMOUNT).map(|(name, _)| (*name).to_owned())
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
            Self::Many(_, one) => write!(f, "{} or several", one),
        }
    }
}

impl Kind {
    /// Returns the kind as forms write it: `CELL`, `queued|ignored`, `NUMBERS`, `LIST of NUMBER`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Word(words) => words.join("|"),
            Self::Many(several, one) => match (several, &**one) {
                (_, Self::Word(_)) | (Several::List, _) | (Several::Bag, Self::Cell) => self.long_name(),
                (Several::Set, one) if *one != Self::Cell => self.long_name(),
                (_, one) => format!("{}S", one.name()),
            },
            plain => NAMES.iter().find(|(_, kind)| kind == plain).map_or("", |(name, _)| name).to_owned(),
        }
    }

    /// Returns the kind in its long form: `BAG of NUMBER` for `NUMBERS`.
    #[must_use]
    pub fn long_name(&self) -> String {
        match self {
            Self::Many(several, one) => format!("{} of {}", several.word(), one.name()),
            plain => plain.name(),
        }
    }

    /// Returns the kind of one of its values, if there may be several.
    #[must_use]
    pub fn one(&self) -> &Self {
        match self {
            Self::Many(_, one) => one,
            plain => plain,
        }
    }

    /// Returns a value of this kind with its lists in the order of a set or a bag, if it is one; repetition counts for a bag only.
    #[must_use]
    pub fn in_order(&self, value: Value) -> Value {
        match (self, value) {
            (Self::Many(several, _), Value::List(list)) => several.of(list),
            (_, value) => value,
        }
    }

    /// Returns the value that a property of this kind begins with.
    #[must_use]
    pub fn initial(&self) -> Value {
        match self {
            Self::Many(several, _) => several.of(Vec::new()),
            _ => Value::Nothing,
        }
    }

    /// Returns whether its values refer to the cells of a board.
    #[must_use]
    pub fn names_cells(&self) -> bool {
        match self {
            Self::Cell | Self::Move | Self::Direction => true,
            Self::Many(_, one) => one.names_cells(),
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
            (Self::Many(Several::Bag | Several::Set, one), Value::Set(set)) => {
                set.iter().all(|value| one.accepts(value, directions))
            }
            (Self::Many(Several::List, _), Value::Set(set)) => set.is_empty(),
            (Self::Many(_, one), Value::List(list)) => list.iter().all(|value| one.accepts(value, directions)),
            (Self::Many(Several::Bag, one), Value::Bag(bag)) => {
                bag.iter().all(|(value, _)| one.accepts(value, directions))
            }
            _ => false,
        }
    }
}
