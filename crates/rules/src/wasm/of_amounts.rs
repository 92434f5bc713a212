//! Which functions of a module are for amounts of resources: each is written if something calls it.

use super::value::{Tag, Ty};

/// A function for amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfAmounts {
    /// `(map) -> packed`
    Pack,
    /// `(packed) -> map`
    Unpack,
    /// `(packed) -> number`: how many these are together.
    Total,
    /// `(player) -> packed`: all that a player has.
    Held,
    /// `() -> packed`: what is left in the supply.
    Supply,
    /// `(packed, packed) -> packed`: the first one without the other.
    Without,
    /// `(player, packed)`: from the supply to a player, and back.
    Gain,
    Pay,
    /// `(player, packed, player)`: from one player to the other.
    PayTo,
    /// `(list of amounts, ask) -> list of actions`, each with one of these amounts.
    Offered,
}

impl OfAmounts {
    /// Returns its parameters and its result.
    pub(super) const fn signature(self) -> (&'static [Ty], Ty) {
        const MAP: Ty = Ty::id(Tag::Map);
        const LIST: Ty = Ty::id(Tag::List);
        const PLAYER: Ty = Ty::id(Tag::Player);
        match self {
            Self::Pack => (&[MAP], Ty::Number),
            Self::Unpack => (&[Ty::Number], MAP),
            Self::Total => (&[Ty::Number], Ty::Number),
            Self::Held => (&[PLAYER], Ty::Number),
            Self::Supply => (&[], Ty::Number),
            Self::Without => (&[Ty::Number, Ty::Number], Ty::Number),
            Self::Gain | Self::Pay => (&[PLAYER, Ty::Number], Ty::Nothing),
            Self::PayTo => (&[PLAYER, Ty::Number, PLAYER], Ty::Nothing),
            Self::Offered => (&[LIST, Ty::Truth], LIST),
        }
    }
}
