//! The kinds of values that the check distinguishes.

use std::collections::BTreeMap;

use rhai::{Dynamic, ImmutableString};

use crate::rules::values::GameItself;
use crate::table::{Kind, PieceId, PlayerId, ZoneId};

/// The kind of a value. A value that may also be `()` has its other kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Number,
    Truth,
    Text,
    Player,
    Piece,
    /// The pieces of a `many` kind of a player: a piece that stands for all of them.
    Men,
    Cell,
    Cells,
    Dirs,
    Zone,
    Move,
    Moves,
    List,
    Map,
    Range,
    Function,
    Action,
    Game,
    Nothing,
    /// That of a parameter for which no call is known yet. Only the search for kinds sees it.
    Open,
}

impl Sort {
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Truth => "a boolean",
            Self::Text => "a string",
            Self::Player => "a player",
            Self::Piece | Self::Men => "a piece",
            Self::Cell => "a cell",
            Self::Cells => "a set of cells",
            Self::Dirs => "a set of cells for each direction",
            Self::Zone => "a zone",
            Self::Move => "a move",
            Self::Moves => "several moves",
            Self::List => "a list",
            Self::Map => "a map",
            Self::Range => "a range of numbers",
            Self::Function => "a function",
            Self::Action => "an action",
            Self::Game => "the game",
            Self::Nothing => "`()`",
            Self::Open => "a value",
        }
    }

    /// Returns the kind of the result of two branches, each with its kind; `None` if the kinds differ. If one of the
    /// branches gives `()`, the kind is that of the other.
    pub(super) fn joined(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Open, sort) | (sort, Self::Open) => Some(sort),
            (Self::Nothing, sort) | (sort, Self::Nothing) => Some(sort),
            (Self::Piece, Self::Men) | (Self::Men, Self::Piece) => Some(Self::Piece),
            (one, other) => (one == other).then_some(one),
        }
    }

    /// Returns the kind, and a piece for one that stands for several.
    pub(super) const fn plain(self) -> Self {
        match self {
            Self::Men => Self::Piece,
            other => other,
        }
    }

    pub(super) fn of_kind(kind: &Kind) -> Self {
        match kind {
            Kind::Cell => Self::Cell,
            Kind::Number | Kind::Direction => Self::Number,
            Kind::Player => Self::Player,
            Kind::Piece => Self::Piece,
            Kind::Move => Self::Move,
            Kind::Text | Kind::Word(_) => Self::Text,
            Kind::Many(_) => Self::List,
        }
    }

    pub(super) fn of_dynamic(value: &Dynamic) -> Option<Self> {
        if value.is_int() {
            Some(Self::Number)
        } else if value.is_bool() {
            Some(Self::Truth)
        } else if value.is::<ImmutableString>() {
            Some(Self::Text)
        } else if value.is_array() {
            Some(Self::List)
        } else if value.is_map() {
            Some(Self::Map)
        } else if value.is_fnptr() {
            Some(Self::Function)
        } else if value.is::<GameItself>() {
            Some(Self::Game)
        } else if value.is::<PlayerId>() {
            Some(Self::Player)
        } else if value.is::<PieceId>() {
            Some(Self::Piece)
        } else if value.is::<ZoneId>() {
            Some(Self::Zone)
        } else {
            None
        }
    }
}

/// The kinds of a function's variables by name; `None` if a variable has several kinds, or an unknown one.
pub(super) type Sorts = BTreeMap<ImmutableString, Option<Sort>>;

/// What is before the dot of a property: how it is written, and its kind, as far as they are known.
#[derive(Clone, Default)]
pub(super) struct BeforeDot {
    pub(super) written: Option<String>,
    pub(super) sort: Option<Sort>,
}
