//! Where the value of a property is, by its owner.

use std::mem::{Discriminant, discriminant};

use rhai::ImmutableString;

use crate::host::plain;
use crate::values::Val;
use referee_table::{Cell, Kind, PieceId, PlayerId, Property, PropertyEach, PropertyId, PropertyKind, Schema};

/// A property of the game, of its players, of the pieces of a kind or of the cells of a board that has no other places.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Owned {
    Game(u8),
    Player(u8),
    Piece(u8),
    Cell(u8),
}

/// For each property of pieces, the index of the first piece that has it, and their number.
#[derive(Debug, Default)]
pub(crate) struct Owners(Vec<(usize, usize)>);

impl Owners {
    pub(crate) fn of(schema: &Schema) -> Self {
        let range = |each| match each {
            Some(PropertyEach::Kind(kind)) => {
                let mut pieces = schema.pieces_of(kind);
                pieces.next().map_or((0, 0), |first| (first.index(), 1 + pieces.count()))
            }
            _ => (0, 0),
        };
        Self(schema.properties.iter().map(|property| range(property.owners.only())).collect())
    }
}

impl Owned {
    /// Returns a property with its owner; `None` if there are too many, or owners of several sorts.
    pub(crate) fn of(schema: &Schema, property: PropertyId) -> Option<Self> {
        let number = u8::try_from(property.0).ok()?;
        Some(match schema.properties.get(property.index())?.owners.only()? {
            PropertyEach::Game => Self::Game(number),
            PropertyEach::Player => Self::Player(number),
            PropertyEach::Kind(_) => Self::Piece(number),
            // Of several kinds of places, the board says which is which.
            PropertyEach::Place(kind) => schema.has_only(kind).then_some(Self::Cell(number))?,
        })
    }

    /// Returns the property, and the place of an owner among its owners; `None` for any other value.
    #[inline(always)]
    pub(crate) fn place(self, owner: Val, owners: &Owners) -> Option<(PropertyId, usize)> {
        match (self, owner) {
            (Self::Game(property), Val::Game) => Some((PropertyId(property.into()), 0)),
            (Self::Player(property), Val::Player(player)) => Some((PropertyId(property.into()), player.index())),
            (Self::Piece(property), Val::Piece(piece)) => {
                let (first, count) = owners.0.get(usize::from(property)).copied()?;
                let place = piece.index().wrapping_sub(first);
                (place < count).then(|| (PropertyId(property.into()), place))
            }
            (Self::Cell(property), Val::Cell(cell)) => Some((PropertyId(property.into()), cell.index())),
            _ => None,
        }
    }
}

/// The values of a property that the machine sets itself: flags and counters, or values of one type, besides `()`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Settable {
    FlagOrCounter,
    Only(Discriminant<Val>),
    /// A list or a set.
    Listed,
}

impl Settable {
    /// Returns what the machine sets for a property; `None` if it never does: a record, one that drawings show, or one that
    /// copies would have together, which is an error.
    pub(crate) fn of(schema: &Schema, property: PropertyId) -> Option<Self> {
        let is_plain =
            |declared: &&Property| !declared.in_drawings && !declared.resource && schema.copied(declared).is_none();
        let declared = schema.properties.get(property.index()).filter(is_plain)?;
        let only = |value: Val| Some(Self::Only(discriminant(&value)));
        match &declared.kind {
            PropertyKind::Flag | PropertyKind::Counter { record: false } => Some(Self::FlagOrCounter),
            PropertyKind::Value(Kind::Number) => only(Val::Number(0)),
            PropertyKind::Value(Kind::Cell) => only(Val::Cell(Cell(0))),
            PropertyKind::Value(Kind::Player) => only(Val::Player(PlayerId(0))),
            PropertyKind::Value(Kind::Piece) => only(Val::Piece(PieceId(0))),
            PropertyKind::Value(Kind::Many(..)) => Some(Self::Listed),
            _ => None,
        }
    }

    /// Returns, for each of these names, the property that the machine sets itself.
    pub(crate) fn of_names<'n>(
        schema: &Schema,
        names: impl Iterator<Item = &'n ImmutableString>,
    ) -> Vec<Option<(Owned, Self)>> {
        let settable = |name: &ImmutableString| {
            let property = plain(schema, name)?;
            Some((Owned::of(schema, property)?, Self::of(schema, property)?))
        };
        names.map(settable).collect()
    }

    /// Returns whether it is a value of the one type, or `()`.
    pub(crate) fn is(self, value: Val) -> bool {
        matches!(self, Self::Only(kind) if kind == discriminant(&value) || value == Val::Nothing)
    }
}
