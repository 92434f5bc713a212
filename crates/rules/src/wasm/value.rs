//! How compiled rules hold values.
//!
//! A value whose kind is known is a number of the machine: a number of the rules as 64 bits, a boolean or an id as 32, a set
//! of cells of a small board as one bit for each cell. Any other value is *wrapped*: 64 bits with its tag in the lowest four,
//! and a number, an id or an address in the others. So numbers have 60 bits: rules with larger ones are given up, and the
//! machine runs them.
//!
//! A move of one step that captures at most on its last cell is its two cells and a bit, [`packed`]. Rules that make other moves
//! have [records](super::long_moves) of them.

use wasm_encoder::ValType;

use crate::values::{Kind, Sort};
use referee_table::{Cell, Move};

/// The number of bits of a tag.
pub(super) const TAG_BITS: i64 = 4;

/// What a wrapped value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Tag {
    Nothing = 0,
    Truth = 1,
    Number = 2,
    Player = 3,
    Piece = 4,
    Cell = 5,
    Zone = 6,
    /// The number of a string. Equal strings have one number.
    Text = 7,
    /// The address of a list.
    List = 8,
    /// The address of a map.
    Map = 9,
    /// The address of the words of a set of cells.
    Cells = 10,
    /// The number of a value that only the host knows.
    Other = 11,
    /// The address of an action: the number of its ask, how many values it has, and the wrapped values.
    Action = 12,
    /// The address of a set of a small board for each direction.
    Dirs = 13,
    /// A packed move, or the address of the record of another one.
    Move = 14,
    /// The address of several moves: see [`super::moves`].
    Moves = 15,
}

impl Tag {
    /// Returns the tag of a wrapped value.
    pub(super) const fn of(wrapped: i64) -> Option<Self> {
        Some(match wrapped & 15 {
            0 => Self::Nothing,
            1 => Self::Truth,
            2 => Self::Number,
            3 => Self::Player,
            4 => Self::Piece,
            5 => Self::Cell,
            6 => Self::Zone,
            7 => Self::Text,
            8 => Self::List,
            9 => Self::Map,
            10 => Self::Cells,
            11 => Self::Other,
            12 => Self::Action,
            13 => Self::Dirs,
            14 => Self::Move,
            15 => Self::Moves,
            _ => return None,
        })
    }

    /// Returns the wrapped value with this tag and an id.
    pub(super) const fn wrap(self, id: u32) -> i64 {
        (id as i64) << TAG_BITS | self as i64
    }

    /// Returns whether two values of this sort are equal if and only if their ids are.
    pub(super) const fn is_id(self, shapes: Shapes) -> bool {
        match self {
            Self::Player | Self::Piece | Self::Zone | Self::Cell | Self::Text => true,
            Self::Move => shapes.plain,
            _ => false,
        }
    }

    /// Returns whether the value has an owner, so that it is copied before a second one changes it.
    pub(super) const fn is_owned(self) -> bool {
        matches!(self, Self::List | Self::Map)
    }

    fn of_sort(sort: Sort, shapes: Shapes) -> Self {
        match sort {
            Sort::Dirs if shapes.small => Self::Dirs,
            Sort::Move if shapes.moves => Self::Move,
            Sort::Moves if shapes.moves => Self::Moves,
            Sort::Nothing => Self::Nothing,
            Sort::Truth => Self::Truth,
            Sort::Number => Self::Number,
            Sort::Player => Self::Player,
            Sort::Piece | Sort::Men => Self::Piece,
            Sort::Zone => Self::Zone,
            Sort::Cell => Self::Cell,
            Sort::Text => Self::Text,
            Sort::List => Self::List,
            Sort::Map => Self::Map,
            Sort::Cells => Self::Cells,
            Sort::Action => Self::Action,
            Sort::Dirs | Sort::Move | Sort::Moves | Sort::Range | Sort::Function | Sort::Game => Self::Other,
        }
    }
}

/// What is known of the values in the games of a table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shapes {
    /// Whether a set of cells is one number.
    pub(super) small: bool,
    /// Whether several moves are in the memory.
    pub(super) moves: bool,
    /// Whether all moves are packed.
    pub(super) plain: bool,
    /// Whether amounts of resources are packed.
    pub(super) amounts: bool,
}

/// Where the first cell of a packed move begins, and where the last one does, below which is whether it captures there. Packed
/// moves are in the order of moves.
pub(super) const FROM: i32 = 16;
pub(super) const TO: i32 = 1;
/// The bits of the last cell, once they are the lowest.
pub(super) const CELL: i32 = (1 << (FROM - TO)) - 1;

/// Returns a packed move.
pub(super) const fn packed(from: Cell, to: Cell, captures: bool) -> u32 {
    from.0 << FROM | to.0 << TO | captures as u32
}

/// Returns the move that is packed.
pub(super) const fn unpacked(packed: u32) -> Move {
    Move::step(Cell(packed >> FROM), Cell(packed >> TO & CELL.cast_unsigned()), packed & 1 == 1)
}

/// What known results in tables are combined with, so that none is 0: moves at the address 0, where there are none.
pub(super) const KNOWN: i64 = 15;

/// What a wrapped value may be to have a place in a table of results.
pub(super) const COMPONENTS: [Tag; 4] = [Tag::Player, Tag::Piece, Tag::Cell, Tag::Zone];

/// The wrapped `()`.
pub(super) const NOTHING: i64 = 0;
/// The id that stands for `()`.
pub(super) const NO_ID: i32 = -1;

/// Returns a wrapped boolean.
pub(super) const fn truth(truth: bool) -> i64 {
    (truth as i64) << TAG_BITS | Tag::Truth as i64
}

/// Returns a wrapped number; `None` if it is too large.
pub(super) const fn number(number: i64) -> Option<i64> {
    let wrapped = number << TAG_BITS | Tag::Number as i64;
    if wrapped >> TAG_BITS == number { Some(wrapped) } else { None }
}

/// The type of a value in compiled code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    /// There is no value: the place is never reached.
    Never,
    /// `()`, which takes no room.
    Nothing,
    Number,
    Truth,
    /// A set of cells of a board with at most 64.
    Set,
    /// An id, a number or an address, as the tag says. With `maybe`, it may be [`NO_ID`].
    Id {
        tag: Tag,
        maybe: bool,
    },
    /// A wrapped value.
    Any,
}

impl Ty {
    pub(super) const fn id(tag: Tag) -> Self {
        Self::Id { tag, maybe: false }
    }

    pub(super) const fn maybe(tag: Tag) -> Self {
        Self::Id { tag, maybe: true }
    }

    /// Returns whether values of a type may be given where one of this type is wanted, without a question to the host: what does
    /// not fit gives the rules up.
    pub(super) fn takes(self, given: Self) -> bool {
        match (self, given) {
            (Self::Number, Self::Number) | (Self::Set, Self::Set) => true,
            (Self::Set | Self::Id { tag: Tag::Cells, .. }, Self::Any) => false,
            (Self::Id { tag: one, .. }, Self::Id { tag: other, .. }) => one == other,
            (_, Self::Any) => true,
            _ => false,
        }
    }

    /// Returns the type for values of a kind.
    pub(super) fn of(kind: &Kind, shapes: Shapes) -> Self {
        if kind.is_any() || kind.is_never() {
            return Self::Any;
        }
        let mut tags = kind.sorts().filter(|sort| *sort != Sort::Nothing).map(|sort| Tag::of_sort(sort, shapes));
        let maybe = kind.may_be(Sort::Nothing);
        let Some(tag) = tags.next() else { return Self::Nothing };
        if tags.any(|other| other != tag) {
            return Self::Any;
        }
        match tag {
            Tag::Number | Tag::Truth if maybe => Self::Any,
            Tag::Cells if maybe && shapes.small => Self::Any,
            Tag::Number => Self::Number,
            Tag::Truth => Self::Truth,
            Tag::Cells if shapes.small => Self::Set,
            tag => Self::Id { tag, maybe },
        }
    }

    /// Returns the type in WebAssembly; `None` if there is no value.
    pub(super) const fn wasm(self) -> Option<ValType> {
        match self {
            Self::Never | Self::Nothing => None,
            Self::Number | Self::Set | Self::Any => Some(ValType::I64),
            Self::Truth | Self::Id { .. } => Some(ValType::I32),
        }
    }

    /// Returns whether a value may be a list or a map.
    pub(super) const fn may_be_owned(self) -> bool {
        match self {
            Self::Any => true,
            Self::Id { tag, .. } => tag.is_owned(),
            _ => false,
        }
    }
}

/// Returns whether a value of this kind may be one that a function changes.
pub(super) fn may_change(kind: &Kind) -> bool {
    [Sort::List, Sort::Map, Sort::Text].iter().any(|sort| kind.may_be(*sort))
}
