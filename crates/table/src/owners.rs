//! Who has the values of flags, counters, properties and resources: the game, players, pieces and places of the board.

use super::{Cell, KindId, PieceId, PlaceKind, PlayerId};

/// The owner of one value of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// The game itself.
    Game,
    /// A player.
    Player(PlayerId),
    /// A piece.
    Piece(PieceId),
    /// A place of the board.
    Place(Cell),
}

/// Owners of one sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyEach {
    /// The game has one.
    Game,
    /// Each player has one.
    Player,
    /// Each piece of the kind has one.
    Kind(KindId),
    /// Each place of the kind has one.
    Place(PlaceKind),
}

/// The owners of a property: those of one sort, or of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyOwners(Vec<PropertyEach>);

impl From<PropertyEach> for PropertyOwners {
    fn from(each: PropertyEach) -> Self {
        Self(vec![each])
    }
}

impl PropertyOwners {
    /// Returns the owners of these sorts; those of the game if there are none.
    #[must_use]
    pub fn of(sorts: Vec<PropertyEach>) -> Self {
        if sorts.is_empty() { PropertyEach::Game.into() } else { Self(sorts) }
    }

    /// Returns the sorts.
    #[must_use]
    pub fn sorts(&self) -> &[PropertyEach] {
        &self.0
    }

    /// Returns the sort, if it is the only one.
    #[must_use]
    pub fn only(&self) -> Option<PropertyEach> {
        match *self.0.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns whether they are those of one sort, and no others.
    #[must_use]
    pub fn is(&self, each: PropertyEach) -> bool {
        self.only() == Some(each)
    }

    /// Returns whether owners of a sort are among them.
    #[must_use]
    pub fn include(&self, each: PropertyEach) -> bool {
        self.0.contains(&each)
    }

    /// Returns whether pieces of some kind are among them.
    #[must_use]
    pub fn include_pieces(&self) -> bool {
        self.0.iter().any(|each| matches!(each, PropertyEach::Kind(_)))
    }

    /// Returns whether places of the board are among them.
    #[must_use]
    pub fn include_places(&self) -> bool {
        self.0.iter().any(|each| matches!(each, PropertyEach::Place(_)))
    }
}
