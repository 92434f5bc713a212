//! Which functions of a module are for zones and cards: each is written if something calls it.

use super::layout::{Layout, are_single};
use super::value::{Tag, Ty};
use referee_table::State;

/// What a function returns if the host is to do it, with nothing done here.
pub(super) const TO_HOST: i32 = -2;

/// The number of cells inside a board up to which cards are dealt to all of them.
const MOST_CELLS: usize = 128;

/// A function for zones and cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfZones {
    /// `(zone) -> boolean`
    IsEmpty,
    /// `(zone) -> number`
    Count,
    /// `(zone, card) -> number`: copies of a card.
    Copies,
    /// `(zone) -> list of cards`
    Cards,
    /// `(card, zone)`: takes a card out of a zone.
    Take,
    /// `(card, zone)`: puts a card that is nowhere else into a zone.
    Arrive,
    /// `(card, zone) -> 0`, or [`TO_HOST`]: puts a card that is in no place into a zone.
    Put,
    /// `(zone) -> card`, or [`TO_HOST`]: takes the next card out of a zone.
    Draw,
    /// `(zone) -> card`: takes one of the unknown cards out of a zone, at random.
    Chance,
    /// `(card, cell) -> 0`, or [`TO_HOST`]: puts a piece on a cell, which may be a card that is in no place.
    Place,
    /// `(zone)`: forgets the order of a zone.
    Shuffle,
    /// `(zone, cell) -> 0`, or [`TO_HOST`]: deals an unknown card face down.
    Down,
    /// `(number, zone) -> 0`, or [`TO_HOST`]: deals so many unknown cards face down to empty cells.
    AllDown,
    /// `(cell, zone) -> card`, or [`TO_HOST`]: moves an unknown face-down card into a zone.
    PickUp,
}

impl OfZones {
    /// Returns its parameters and its result.
    pub(super) const fn signature(self) -> (&'static [Ty], Ty) {
        const ZONE: Ty = Ty::id(Tag::Zone);
        const CARD: Ty = Ty::id(Tag::Piece);
        const CELL: Ty = Ty::id(Tag::Cell);
        match self {
            Self::IsEmpty => (&[ZONE], Ty::Truth),
            Self::Count => (&[ZONE], Ty::Number),
            Self::Copies => (&[ZONE, CARD], Ty::Number),
            Self::Cards => (&[ZONE], Ty::id(Tag::List)),
            Self::Take | Self::Arrive => (&[CARD, ZONE], Ty::Nothing),
            Self::Put => (&[CARD, ZONE], Ty::Truth),
            Self::Draw | Self::Chance => (&[ZONE], Ty::maybe(Tag::Piece)),
            Self::Place => (&[CARD, CELL], Ty::Truth),
            Self::Shuffle => (&[ZONE], Ty::Nothing),
            Self::Down => (&[ZONE, CELL], Ty::Truth),
            Self::AllDown => (&[Ty::Number, ZONE], Ty::Truth),
            Self::PickUp => (&[CELL, ZONE], Ty::maybe(Tag::Piece)),
        }
    }

    /// Returns whether it can be written for the games of a table.
    pub(super) fn is_possible(self, state: &State, layout: &Layout) -> bool {
        if layout.zones.is_none() {
            return false;
        }
        let single = || are_single(state) && !state.board().is_open();
        match self {
            Self::Place => are_single(state) && (layout.vast.is_some() || !state.board().is_open()),
            Self::AllDown if state.board().inside().len() > MOST_CELLS => false,
            Self::Down | Self::AllDown | Self::PickUp => {
                single() && state.schema().back().is_some_and(|back| layout.many(back).is_some())
            }
            _ => true,
        }
    }
}
