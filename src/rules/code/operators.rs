//! What numbers, truths and texts can do by themselves, as the engine does it.

use super::{Held, Operator};

impl Operator {
    pub(super) fn of_one(self, one: &Held) -> Option<Held> {
        match (self, one) {
            (Self::Not, Held::Truth(truth)) => Some(Held::Truth(!truth)),
            (Self::Negate, Held::Number(number)) => number.checked_neg().map(Held::Number),
            _ => None,
        }
    }

    /// What comes of two values; nothing for other values, an error for what they cannot do.
    pub(super) fn of_two(self, one: &Held, other: &Held) -> Result<Option<Held>, ()> {
        let same = match (one, other) {
            // The engine has these for numbers.
            (Held::Number(_), Held::Number(_)) if self == Self::Other => return Ok(None),
            (Held::Number(one), Held::Number(other)) => return self.of_numbers(*one, *other).map(Some).ok_or(()),
            (Held::Truth(one), Held::Truth(other)) => one == other,
            (Held::Text(one), Held::Text(other)) => one == other,
            (Held::Nothing, other) | (other, Held::Nothing) => matches!(other, Held::Nothing),
            _ => return Ok(None),
        };
        Ok(match self {
            Self::Equal => Some(Held::Truth(same)),
            Self::Unequal => Some(Held::Truth(!same)),
            _ => None,
        })
    }

    fn of_numbers(self, one: i64, other: i64) -> Option<Held> {
        Some(match self {
            Self::Equal => Held::Truth(one == other),
            Self::Unequal => Held::Truth(one != other),
            Self::Less => Held::Truth(one < other),
            Self::AtMost => Held::Truth(one <= other),
            Self::More => Held::Truth(one > other),
            Self::AtLeast => Held::Truth(one >= other),
            Self::Add | Self::AddTo => Held::Number(one.checked_add(other)?),
            Self::Subtract => Held::Number(one.checked_sub(other)?),
            Self::Multiply => Held::Number(one.checked_mul(other)?),
            Self::Divide => Held::Number(one.checked_div(other)?),
            Self::Remainder => Held::Number(one.checked_rem(other)?),
            Self::Not | Self::Negate | Self::Other => return None,
        })
    }
}
