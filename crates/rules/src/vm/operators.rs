//! Operators on numbers, booleans, characters, strings, lists and sets of cells.

use rhai::EvalAltResult;

use crate::values::{Arena, COLLECTION, TEXT, Val, too_large};
use referee_table::{Cells, Dirs};

/// An operator. The order is that of [`NAMES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Operator {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Not,
    Negate,
}

/// The signs of the operators.
pub(crate) const NAMES: [&str; 19] =
    ["==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", "!", "-"];

impl Operator {
    /// Returns the operator with this sign and number of operands.
    pub(crate) fn of(sign: &str, count: usize) -> Option<Self> {
        Some(match (sign, count) {
            ("==", 2) => Self::Equal,
            ("!=", 2) => Self::Unequal,
            ("<", 2) => Self::Less,
            ("<=", 2) => Self::AtMost,
            (">", 2) => Self::More,
            (">=", 2) => Self::AtLeast,
            ("+", 2) => Self::Add,
            ("-", 2) => Self::Subtract,
            ("*", 2) => Self::Multiply,
            ("/", 2) => Self::Divide,
            ("%", 2) => Self::Remainder,
            ("**", 2) => Self::Power,
            ("&", 2) => Self::And,
            ("|", 2) => Self::Or,
            ("^", 2) => Self::Xor,
            ("<<", 2) => Self::ShiftLeft,
            (">>", 2) => Self::ShiftRight,
            ("!", 1) => Self::Not,
            ("-", 1) => Self::Negate,
            _ => return None,
        })
    }

    /// Returns the operator that is true where this one is false, for values of all kinds: `>=` is not that of `<`, for both
    /// are false if the kinds differ.
    pub(crate) const fn opposite(self) -> Option<Self> {
        match self {
            Self::Equal => Some(Self::Unequal),
            Self::Unequal => Some(Self::Equal),
            _ => None,
        }
    }

    /// Returns whether a comparison of two numbers is true; `false` for any other operator.
    #[inline(always)]
    pub(crate) fn holds(self, one: i64, other: i64) -> bool {
        // For each comparison a bit for less, equal and greater.
        const BITS: [u8; 6] = [0b010, 0b101, 0b001, 0b011, 0b100, 0b110];
        let order = 1_u8 << (1 + one.cmp(&other) as i8);
        BITS.get(self as usize).is_some_and(|bits| bits & order != 0)
    }

    /// Returns the result of a comparison; `None` for any other operator.
    #[inline]
    pub(crate) fn compares<T: PartialOrd>(self, one: T, other: T) -> Option<bool> {
        Some(match self {
            Self::Equal => one == other,
            Self::Unequal => one != other,
            Self::Less => one < other,
            Self::AtMost => one <= other,
            Self::More => one > other,
            Self::AtLeast => one >= other,
            _ => return None,
        })
    }

    /// Returns the sum or the difference of two numbers; `None` for anything else, and if it is too large.
    #[inline(always)]
    pub(crate) const fn sum(self, values: [Val; 2]) -> Option<i64> {
        match (self, values) {
            (Self::Add, [Val::Number(one), Val::Number(other)]) => one.checked_add(other),
            (Self::Subtract, [Val::Number(one), Val::Number(other)]) => one.checked_sub(other),
            _ => None,
        }
    }

    /// Returns the result for two numbers; `None` for an error, which Rhai then reports.
    #[inline]
    pub(crate) fn of_numbers(self, one: i64, other: i64) -> Option<Val> {
        let number = match self {
            Self::Add => one.checked_add(other),
            Self::Subtract => one.checked_sub(other),
            Self::Multiply => one.checked_mul(other),
            Self::Divide => one.checked_div(other),
            Self::Remainder => one.checked_rem(other),
            Self::And => Some(one & other),
            Self::Or => Some(one | other),
            Self::Xor => Some(one ^ other),
            _ => return self.compares(one, other).map(Val::Truth),
        };
        number.map(Val::Number)
    }

    /// Returns the result for one value, if it is computed here.
    #[inline]
    pub(crate) const fn of_one(self, value: Val) -> Option<Val> {
        match (self, value) {
            (Self::Not, Val::Truth(truth)) => Some(Val::Truth(!truth)),
            (Self::Negate, Val::Number(number)) => match number.checked_neg() {
                Some(number) => Some(Val::Number(number)),
                None => None,
            },
            _ => None,
        }
    }

    /// Returns the result of `==` or `!=` for two small values; `None` for other values and operators.
    #[inline]
    pub(crate) fn of_small(self, one: &Val, other: &Val) -> Option<bool> {
        let same = match (one, other) {
            (Val::Truth(one), Val::Truth(other)) => one == other,
            (Val::Player(one), Val::Player(other)) => one == other,
            (Val::Piece(one), Val::Piece(other)) => one == other,
            (Val::Cell(one), Val::Cell(other)) => one == other,
            (Val::Zone(one), Val::Zone(other)) => one == other,
            (Val::Nothing, Val::Nothing) => true,
            (Val::Text(one), Val::Text(other)) if one == other => true,
            (Val::Nothing, _) | (_, Val::Nothing) => false,
            _ => return None,
        };
        self.of_identities(same)
    }

    /// Returns the result of `==` or `!=` for two values that are known to be the same or not; `None` for any other operator.
    #[inline]
    pub(crate) const fn of_identities(self, same: bool) -> Option<bool> {
        match self {
            Self::Equal => Some(same),
            Self::Unequal => Some(!same),
            _ => None,
        }
    }

    /// Returns the result for two values, if it is computed here.
    pub(crate) fn of_two(self, one: Val, other: Val, arena: &mut Arena) -> Result<Option<Val>, Box<EvalAltResult>> {
        Ok(match (one, other) {
            (Val::Number(one), Val::Number(other)) => self.of_numbers(one, other),
            (Val::Text(_), Val::Text(_)) => self.of_texts(one, other, arena)?,
            (Val::List(_), Val::List(_)) if self == Self::Add => {
                let (Some(first), Some(second)) = (arena.items(one), arena.items(other)) else { return Ok(None) };
                if first.len() + second.len() > COLLECTION {
                    return Err(too_large("Size of array/BLOB"));
                }
                let items = [first.as_slice(), second].concat();
                items.iter().for_each(|item| arena.share(*item));
                let both = arena.list(items);
                arena.fits(both)?;
                Some(both)
            }
            (Val::Cells(_), Val::Cells(_)) => self.of_sets(one, other, arena),
            _ => self.of_small(&one, &other).map(Val::Truth),
        })
    }

    fn of_texts(self, one: Val, other: Val, arena: &mut Arena) -> Result<Option<Val>, Box<EvalAltResult>> {
        let (Some(one), Some(other)) = (arena.text_of(one), arena.text_of(other)) else { return Ok(None) };
        if self != Self::Add {
            let least = one.len().min(other.len());
            arena.work().of_bytes(least);
            return Ok(self.compares(one, other).map(Val::Truth));
        }
        if one.len() + other.len() > TEXT {
            return Err(too_large("Length of string"));
        }
        let both = [one.as_str(), other.as_str()].concat();
        Ok(Some(arena.text(both.into())))
    }

    /// Returns the result for two sets of cells; `None` for other values and operators.
    #[inline]
    pub(crate) fn of_sets(self, one: Val, other: Val, arena: &mut Arena) -> Option<Val> {
        let (Val::Cells(one), Val::Cells(other)) = (one, other) else { return None };
        let value = self.of_cells(arena.cells.get(one as usize)?, arena.cells.get(other as usize)?)?;
        Some(match value {
            Ok(cells) => arena.cells(cells),
            Err(truth) => Val::Truth(truth),
        })
    }

    /// Returns the result if one of two values is a set for each direction, and the other one, too, or a set of cells;
    /// `None` for other values and operators.
    #[inline]
    pub(crate) fn of_dirs(self, one: Val, other: Val, arena: &mut Arena) -> Option<Val> {
        let sets = match self {
            Self::And => combined(one, other, arena, Cells::intersection),
            Self::Or if matches!((one, other), (Val::Dirs(_), Val::Dirs(_))) => {
                combined(one, other, arena, Cells::union)
            }
            Self::Subtract if matches!(one, Val::Dirs(_)) => combined(one, other, arena, Cells::difference),
            _ => None,
        };
        sets.map(|sets| arena.dirs(sets))
    }

    fn of_cells(self, one: &Cells, other: &Cells) -> Option<Result<Cells, bool>> {
        Some(match self {
            Self::Equal => Err(one == other),
            Self::Unequal => Err(one != other),
            Self::Or => Ok(one.union(other)),
            Self::Subtract => Ok(one.difference(other)),
            Self::And => Ok(one.intersection(other)),
            _ => return None,
        })
    }
}

/// Returns sets for each direction, combined with others, or with the same cells for each direction.
#[inline]
fn combined(one: Val, other: Val, arena: &Arena, with: impl Fn(&Cells, &Cells) -> Cells) -> Option<Dirs> {
    match (one, other) {
        (Val::Dirs(one), Val::Dirs(other)) => {
            Some(arena.dirs.get(one as usize)?.combine(arena.dirs.get(other as usize)?, with))
        }
        (Val::Dirs(dirs), Val::Cells(cells)) | (Val::Cells(cells), Val::Dirs(dirs)) => {
            Some(arena.dirs.get(dirs as usize)?.with(arena.cells.get(cells as usize)?, with))
        }
        _ => None,
    }
}
