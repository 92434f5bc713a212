//! Values that are the same in all games of a table, while rules are compiled.

use std::collections::BTreeMap;

use rhai::{Dynamic, ImmutableString};

use super::of_board::Combined;
use super::value::Tag;
use crate::script::LocalId;
use crate::values::{Arena, Val};
use referee_table::{Cell, Cells, PieceId, PlayerId, ZoneId};

/// A value that is the same in all games of a table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fixed {
    Nothing,
    Truth(bool),
    Number(i64),
    Text(ImmutableString),
    /// A player, a piece, a cell or a zone.
    Id(Tag, u32),
    /// A set of cells, by its words.
    Set(Vec<u64>),
    List(Vec<Fixed>),
}

/// The variables whose values are fixed.
pub(super) type Known = BTreeMap<LocalId, Fixed>;

/// The results of natives with fixed arguments; `None` where there is none, or not of these sorts.
pub(super) type Results = BTreeMap<(ImmutableString, Vec<Fixed>), Option<Fixed>>;

/// Calls a function of the rules. Returns its result, and how many operations that took.
pub(crate) type Compute<'s> = dyn Fn(&str, &[Fixed]) -> Option<(Fixed, u64)> + 's;

/// The results of functions of the rules that only compute, each with what is counted for it.
pub(super) type Computed = BTreeMap<(ImmutableString, Vec<Fixed>), Option<(Fixed, i64)>>;

/// The number of elements up to which a list is one of these values.
const MOST_ITEMS: usize = 256;

impl Fixed {
    /// Returns a value of the machine as a fixed one.
    pub(crate) fn of_value(value: Val, arena: &Arena) -> Option<Self> {
        let id = |tag, number: usize| u32::try_from(number).ok().map(|number| Self::Id(tag, number));
        match value {
            Val::Nothing => Some(Self::Nothing),
            Val::Truth(truth) => Some(Self::Truth(truth)),
            Val::Number(number) => Self::number(number),
            Val::Text(_) => arena.text_of(value).cloned().map(Self::Text),
            Val::Player(player) => id(Tag::Player, player.index()),
            Val::Piece(piece) => id(Tag::Piece, piece.index()),
            Val::Zone(zone) => id(Tag::Zone, zone.index()),
            Val::Cell(cell) => id(Tag::Cell, cell.index()),
            Val::Cells(at) => arena.cells.get(at as usize).map(|cells| Self::Set(cells.words().collect())),
            Val::List(_) => Self::list(arena.items(value)?.iter().map(|item| Self::of_value(*item, arena))),
            _ => None,
        }
    }

    /// Returns it as a value of the machine. `cells` is the number of cells of the board.
    pub(crate) fn value(&self, arena: &mut Arena, cells: usize) -> Val {
        match self {
            Self::Nothing => Val::Nothing,
            Self::Truth(truth) => Val::Truth(*truth),
            Self::Number(number) => Val::Number(*number),
            Self::Text(text) => arena.text(text.clone()),
            Self::Id(Tag::Player, id) => Val::Player(PlayerId::at(*id as usize)),
            Self::Id(Tag::Piece, id) => Val::Piece(PieceId::at(*id as usize)),
            Self::Id(Tag::Zone, id) => Val::Zone(ZoneId::at(*id as usize)),
            Self::Id(_, id) => Val::Cell(Cell(*id)),
            Self::Set(words) => arena.cells(Cells::of_words(cells, words.iter().copied())),
            Self::List(items) => {
                let items = items.iter().map(|item| item.value(arena, cells)).collect();
                arena.list(items)
            }
        }
    }

    /// Returns a constant of the scripts, or a component.
    pub(super) fn of_constant(value: &Dynamic) -> Option<Self> {
        if let Ok(number) = value.as_int() {
            return Self::number(number);
        }
        if let Ok(truth) = value.as_bool() {
            return Some(Self::Truth(truth));
        }
        if let Ok(text) = value.as_immutable_string_ref() {
            return Some(Self::Text(text.clone()));
        }
        if value.is_unit() {
            return Some(Self::Nothing);
        }
        if let Ok(items) = value.as_array_ref() {
            return Self::list(items.iter().map(Self::of_constant));
        }
        let player = value.clone().try_cast::<PlayerId>().map(|player| (Tag::Player, player.index()));
        let piece = || value.clone().try_cast::<PieceId>().map(|piece| (Tag::Piece, piece.index()));
        let zone = || value.clone().try_cast::<ZoneId>().map(|zone| (Tag::Zone, zone.index()));
        let (tag, number) = player.or_else(piece).or_else(zone)?;
        u32::try_from(number).ok().map(|number| Self::Id(tag, number))
    }

    /// Returns a list; `None` if an element is none of these values, or if there are too many, also within elements.
    pub(super) fn list(items: impl Iterator<Item = Option<Self>>) -> Option<Self> {
        let mut elements = 0;
        let mut all = Vec::new();
        for item in items {
            let item = item?;
            elements += item.elements();
            if elements > MOST_ITEMS {
                return None;
            }
            all.push(item);
        }
        Some(Self::List(all))
    }

    /// Returns how many elements it is in a list, with those that it has itself.
    fn elements(&self) -> usize {
        match self {
            Self::List(items) => 1 + items.iter().map(Self::elements).sum::<usize>(),
            _ => 1,
        }
    }

    /// Returns it as a boolean.
    pub(super) const fn truth(&self) -> Option<bool> {
        match self {
            Self::Truth(truth) => Some(*truth),
            _ => None,
        }
    }

    /// Returns its tag, if it is a number, a string or an id.
    const fn tag(&self) -> Option<Tag> {
        match self {
            Self::Number(_) => Some(Tag::Number),
            Self::Text(_) => Some(Tag::Text),
            Self::Id(tag, _) => Some(*tag),
            _ => None,
        }
    }

    /// Returns the tag of all of several, if it is the same.
    pub(super) fn tag_of_all(all: &[Self]) -> Option<Tag> {
        let tag = all.first()?.tag()?;
        all.iter().all(|one| one.tag() == Some(tag)).then_some(tag)
    }

    pub(super) fn number(number: i64) -> Option<Self> {
        super::value::number(number).map(|_| Self::Number(number))
    }
}

/// Compares two values; `None` if the machine is to say what comes of it.
pub(super) fn compared(sign: &str, one: &Fixed, other: &Fixed) -> Option<bool> {
    let is_equality = matches!(sign, "==" | "!=");
    let order = match (one, other) {
        (Fixed::Number(one), Fixed::Number(other)) => one.cmp(other),
        (Fixed::Truth(one), Fixed::Truth(other)) if is_equality => one.cmp(other),
        (Fixed::Text(one), Fixed::Text(other)) if is_equality => one.cmp(other),
        (Fixed::Set(one), Fixed::Set(other)) if is_equality => one.cmp(other),
        (Fixed::Id(tag, one), Fixed::Id(of, other)) if is_equality && tag == of => one.cmp(other),
        (Fixed::Nothing, other) | (other, Fixed::Nothing)
            if is_equality && matches!(other, Fixed::Nothing | Fixed::Id(..) | Fixed::Text(_)) =>
        {
            Fixed::Nothing.cmp(other)
        }
        _ => return None,
    };
    Some(match sign {
        "==" => order.is_eq(),
        "!=" => order.is_ne(),
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        ">=" => order.is_ge(),
        _ => return None,
    })
}

/// Computes with two values; `None` if the machine is to say what comes of it.
pub(super) fn computed(sign: &str, one: &Fixed, other: &Fixed) -> Option<Fixed> {
    match (one, other) {
        (Fixed::Number(one), Fixed::Number(other)) => Fixed::number(match sign {
            "+" => one.checked_add(*other)?,
            "-" => one.checked_sub(*other)?,
            "*" => one.checked_mul(*other)?,
            "/" => one.checked_div(*other)?,
            "%" => one.checked_rem(*other)?,
            _ => return None,
        }),
        (Fixed::Set(one), Fixed::Set(other)) if one.len() == other.len() => {
            let how = Combined::by(sign)?;
            Some(Fixed::Set(one.iter().zip(other).map(|(one, other)| how.of(*one, *other)).collect()))
        }
        _ => None,
    }
}
