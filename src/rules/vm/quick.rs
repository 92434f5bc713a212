//! Native functions that rules call most: the machine carries them out itself for the usual arguments.

use std::cell;
use std::rc::Rc;
use std::sync::Arc;

use super::direct::{Lookup, lookup, lookup_kind};
use super::native::Native;
use super::owned::{Owned, Settable};
use crate::rules::host::plain;
use crate::rules::values::Val;
use crate::table::{AskId, Board, Cell, DieId, Each, KindId, PieceId, PlayerId, Schema};

/// A native function that the machine carries out itself. For other arguments it is called as any other.
#[derive(Clone, Debug)]
pub(crate) enum Quick {
    /// `roll` of this die.
    Roll(DieId),
    /// `choose` for this ask.
    Choose {
        ask: AskId,
        /// The list of options, if it is a constant.
        options: Option<u32>,
        /// Whether this list has been looked at: its options are actions without values, and all are different.
        known: cell::Cell<bool>,
    },
    /// `then` with a phase.
    Then {
        /// Its name, which the check of the rules has not seen if it is computed.
        phase: Arc<str>,
        /// Whether the rules are known to have this function.
        known: cell::Cell<bool>,
    },
    /// `at(cell)`
    At,
    /// `cell_named(constant)`
    CellNamed,
    /// `name` of a cell, a piece or a player.
    NameOf,
    /// `occupied` of this kind.
    Occupied(KindId),
    /// A function that looks something up, with its second value if that is a constant.
    Lookup(Lookup, Option<Val>),
    /// `list.push(value)`
    Push,
    /// `set` of the property with this name.
    Set(Owned, Settable),
    /// `set` of a property whose name is a value.
    SetNamed,
    /// The piece of a kind that belongs to a player, by player.
    Mine(Rc<[Option<PieceId>]>),
}

impl Quick {
    /// Returns the function of this name, if it is one of them. `text` returns the arguments that are constant strings,
    /// `options` is the third argument, if it is a constant list, and `natives` are all functions of this name and number of parameters.
    pub(crate) fn of<'t>(
        name: &str,
        count: usize,
        text: impl Fn(usize) -> Option<&'t str>,
        options: Option<u32>,
        schema: &Schema,
        natives: &[Native],
    ) -> Option<Self> {
        // A function of a game's kinds may have the same name.
        let only = |value: Val| natives.iter().filter(|native| native.takes(&[value])).count() == 1;
        let player = Val::Player(PlayerId(0));
        let cell = Val::Cell(Cell(0));
        match (name, count) {
            ("roll", 0) => (schema.dice.len() == 1).then_some(Self::Roll(DieId(0))),
            ("roll", 1) => schema.die(text(0)?).map(Self::Roll),
            ("choose", 3) => {
                let ask = schema.ask(text(1)?)?;
                Some(Self::Choose { ask, options, known: cell::Cell::default() })
            }
            ("then", 1..) => text(0).map(|phase| Self::Then { phase: phase.into(), known: cell::Cell::default() }),
            ("at", 1) => only(cell).then_some(Self::At),
            ("occupied", 1) => schema.kind(text(0)?).filter(|_| natives.len() == 1).map(Self::Occupied),
            ("name", 1) => {
                let piece = Val::Piece(PieceId(0));
                [cell, piece, player].into_iter().all(only).then_some(Self::NameOf)
            }
            // Another property may be printed on cards.
            ("set", 3) if natives.len() == 3 => match text(1) {
                Some(name) => {
                    let property = plain(schema, name)?;
                    Some(Self::Set(Owned::of(schema, property)?, Settable::of(schema, property)?))
                }
                None => Some(Self::SetNamed),
            },
            ("cell_named", 1) => only(Val::Text(0)).then_some(Self::CellNamed),
            ("is_kind", 2) => {
                lookup_kind(schema, text(1)?, natives).map(|(lookup, kind)| Self::Lookup(lookup, Some(kind)))
            }
            (name, _) => match lookup(name, natives) {
                Some(lookup) => Some(Self::Lookup(lookup, None)),
                None if count == 1 && only(player) => Self::mine(name, schema),
                None => None,
            },
        }
    }

    /// Returns the method of this name, if it is one of them.
    pub(crate) fn of_method(name: &str, count: usize, natives: &[Native]) -> Option<Self> {
        match lookup(name, natives) {
            Some(lookup) => Some(Self::Lookup(lookup, None)),
            None => ((name, count) == ("push", 2) && natives.is_empty()).then_some(Self::Push),
        }
    }

    /// Returns whether the machine does not read a constant argument when it carries out the call.
    pub(crate) const fn ignores(&self, argument: usize) -> bool {
        match self {
            Self::Roll(_) | Self::Occupied(_) => true,
            Self::Choose { options, .. } => argument == 1 || argument == 2 && options.is_some(),
            Self::Then { .. } => argument == 0,
            Self::Set(..) | Self::Lookup(_, Some(_)) => argument == 1,
            _ => false,
        }
    }

    fn mine(name: &str, schema: &Schema) -> Option<Self> {
        let kind = schema.kind(name)?;
        schema.kinds.get(kind.index()).filter(|kind| matches!(kind.each, Each::Player))?;
        let owned = |piece: &PieceId, player: usize| {
            schema.pieces.get(piece.index()).and_then(|piece| piece.owner) == Some(PlayerId::at(player))
        };
        let of = |player| schema.pieces_of(kind).find(|piece| owned(piece, player));
        Some(Self::Mine((0..schema.players.len()).map(of).collect()))
    }
}

/// The cells of a board that constants of the rules name.
#[derive(Default)]
pub(crate) struct CellTexts {
    pub(super) board: Option<Arc<Board>>,
    /// For each string among the constants, the cell with this name.
    pub(super) cells: Vec<Option<Cell>>,
    /// For each cell, its name, if it is among the constants.
    pub(super) names: Vec<Option<Val>>,
}
