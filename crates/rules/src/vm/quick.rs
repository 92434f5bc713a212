//! Native functions that rules call most: the machine carries them out itself for the usual arguments.

use std::cell;
use std::rc::Rc;
use std::sync::Arc;

use super::owned::{Owned, Settable};
use crate::host::plain;
use crate::natives::{self, Lookup, Named, Native, Shortcut};
use crate::values::Val;
use referee_table::{AskId, Board, Cell, DieId, Each, KindId, PieceId, PlayerId, Schema};

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
    /// `step(cell, direction)`
    Step,
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
    /// Returns what the entry of a function says of the machine, if it can carry out this call. `text` returns the arguments
    /// that are constant strings, `options` is the third argument, if it is a constant list, and `natives` are all functions
    /// of this name and number of parameters.
    pub(crate) fn of<'t>(
        (name, forms): (&str, Named),
        count: usize,
        text: impl Fn(usize) -> Option<&'t str>,
        options: Option<u32>,
        schema: &Schema,
        natives: &[Native],
    ) -> Option<Self> {
        let Some(shortcut) = forms.shortcut(count, natives) else {
            // A function of a game's kinds may have the name of another one.
            let player = Val::Player(PlayerId(0));
            let is_only = || natives.iter().filter(|native| native.takes(&[player])).count() == 1;
            return if count == 1 && is_only() { Self::mine(name, schema) } else { None };
        };
        Some(match shortcut {
            Shortcut::Roll if count == 0 => Self::Roll(schema.thrown_openly(schema.only_die()?)?),
            Shortcut::Roll => Self::Roll(schema.thrown_openly(schema.die(text(0)?)?)?),
            Shortcut::Choose => Self::Choose { ask: schema.ask(text(1)?)?, options, known: cell::Cell::default() },
            Shortcut::Then => Self::Then { phase: text(0)?.into(), known: cell::Cell::default() },
            Shortcut::At => Self::At,
            Shortcut::Occupied => Self::Occupied(schema.kind(text(0)?)?),
            Shortcut::NameOf => Self::NameOf,
            // Another property may be printed on cards.
            Shortcut::Set => match text(1) {
                Some(name) => {
                    let property = plain(schema, name)?;
                    Self::Set(Owned::of(schema, property)?, Settable::of(schema, property)?)
                }
                None => Self::SetNamed,
            },
            Shortcut::CellNamed => Self::CellNamed,
            Shortcut::IsKind => {
                let number = i64::try_from(schema.kind(text(1)?)?.index()).ok()?;
                Self::Lookup(natives::is_kind, Some(Val::Number(number)))
            }
            Shortcut::Step => Self::Step,
            Shortcut::Lookup(lookup) => Self::Lookup(lookup, None),
            Shortcut::Push | Shortcut::Length | Shortcut::Own(_) => return None,
        })
    }

    /// Returns what the entry of a method says of the machine, if it can carry out this call.
    pub(crate) fn of_method(forms: Named, count: usize, natives: &[Native]) -> Option<Self> {
        match forms.shortcut(count, natives)? {
            Shortcut::Step => Some(Self::Step),
            Shortcut::Lookup(lookup) => Some(Self::Lookup(lookup, None)),
            Shortcut::Push => Some(Self::Push),
            _ => None,
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
