//! Who has the values of flags, counters, properties and resources: the game, players, pieces and places of the board.

use super::{
    Board, BoardSpec, KindId, Names, PieceId, PlaceKind, PlayerId, Property, PropertyId, PropertyKind, Schema, Table,
};
use crate::Cell;

/// The largest number of values of flags, counters and properties.
const MAX_VALUES: usize = 65_536;

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

impl Schema {
    /// Returns how many values the owners of a sort have on a board with so many slots. A slot that is no place of the kind counts, and
    /// stays as it is at first.
    #[must_use]
    pub fn places_of(&self, each: PropertyEach, slots: usize) -> usize {
        match each {
            PropertyEach::Game => 1,
            PropertyEach::Player => self.players.len(),
            PropertyEach::Kind(kind) => self.pieces_of(kind).count(),
            PropertyEach::Place(_) => slots,
        }
    }

    /// Returns why a board is too large for the flags, counters and properties of this game; `None` if it is not.
    #[must_use]
    pub fn has_too_many_values(&self, board: &Board) -> Option<String> {
        Self::too_many_values(self.properties.iter().map(|property| self.values_of(&property.owners, board)).sum())
    }

    /// Returns why there are too many values; `None` if there are not.
    #[must_use]
    pub fn too_many_values(values: usize) -> Option<String> {
        (values > MAX_VALUES).then(|| {
            format!("all players, pieces and places together have at most {MAX_VALUES} flags, counters and properties")
        })
    }

    /// Returns how many values a property of these owners has on a board.
    #[must_use]
    pub fn values_of(&self, owners: &PropertyOwners, board: &Board) -> usize {
        owners.sorts().iter().map(|each| self.places_of(*each, board.size())).sum()
    }

    /// Returns the counters that statistics of many games include on every board, each with its owner: records, and counters of
    /// players.
    pub fn statistics(&self) -> impl Iterator<Item = (PropertyId, Owner)> + '_ {
        let all = self.properties.iter().enumerate();
        all.flat_map(|(at, property)| {
            let is_shown = |each: &&PropertyEach| match property.kind {
                PropertyKind::Counter { record } => record || **each == PropertyEach::Player,
                PropertyKind::Flag | PropertyKind::Value(_) => false,
            };
            let sorts = property.owners.sorts().iter().filter(is_shown);
            sorts.flat_map(|each| self.owners_of_sort(*each)).map(move |owner| (PropertyId::at(at), owner))
        })
    }

    /// Returns the owners of a sort that are no places of the board, in order.
    fn owners_of_sort(&self, each: PropertyEach) -> Vec<Owner> {
        match each {
            PropertyEach::Game => vec![Owner::Game],
            PropertyEach::Player => (0..self.players.len()).map(|at| Owner::Player(PlayerId::at(at))).collect(),
            PropertyEach::Kind(kind) => self.pieces_of(kind).map(Owner::Piece).collect(),
            PropertyEach::Place(_) => Vec::new(),
        }
    }

    /// Returns whether places of the board have flags, counters or properties.
    #[must_use]
    pub fn has_values_of_places(&self) -> bool {
        self.properties.iter().any(|property| property.owners.include_places())
    }

    /// Returns whether boards of the game have places of a kind.
    #[must_use]
    pub fn may_have(&self, kind: PlaceKind) -> bool {
        match kind {
            PlaceKind::Cell => self.board != BoardSpec::None,
            PlaceKind::Link => self.board.is_graph(),
            PlaceKind::Side => self.second.sides,
            PlaceKind::Corner => self.second.corners,
        }
    }

    /// Returns whether boards of the game have only places of a kind.
    #[must_use]
    pub fn has_only(&self, kind: PlaceKind) -> bool {
        PlaceKind::ALL.into_iter().all(|other| other == kind || !self.may_have(other))
    }

    /// Returns whether an owner is of a sort, as far as that can be said without the board.
    fn may_be(&self, each: PropertyEach, owner: Owner) -> bool {
        match (each, owner) {
            (PropertyEach::Game, Owner::Game)
            | (PropertyEach::Player, Owner::Player(_))
            | (PropertyEach::Place(_), Owner::Place(_)) => true,
            (PropertyEach::Kind(kind), Owner::Piece(piece)) => {
                self.pieces.get(piece.index()).is_some_and(|piece| piece.kind == kind)
            }
            _ => false,
        }
    }

    /// Returns the name of an owner in lines; `None` for a place, which the board names.
    #[must_use]
    pub fn owner_name(&self, owner: Owner) -> Option<&str> {
        Some(match owner {
            Owner::Game => "game",
            Owner::Player(player) => self.player_name(player),
            Owner::Piece(piece) => self.piece_name(piece),
            Owner::Place(_) => return None,
        })
    }

    /// Returns the words for the owners of a property: `player`, `marker`, `player or cell`.
    #[must_use]
    pub fn owner_words(&self, owners: &PropertyOwners) -> String {
        let words: Vec<&str> = owners.sorts().iter().map(|each| self.sort_words(*each)).collect();
        words.join(" or ")
    }

    /// Returns the word for the owners of a sort.
    #[must_use]
    pub fn sort_words(&self, each: PropertyEach) -> &str {
        match each {
            PropertyEach::Game => "game",
            PropertyEach::Player => "player",
            PropertyEach::Kind(kind) => self.kind_name(kind),
            PropertyEach::Place(kind) => kind.word(),
        }
    }
}

impl<'a> Names<'a> {
    /// Returns the owners of a property on this board, in order.
    #[must_use]
    pub fn owners(&self, owners: &PropertyOwners) -> Vec<Owner> {
        owners.sorts().iter().flat_map(|each| self.owners_of_sort(*each)).collect()
    }

    fn owners_of_sort(&self, each: PropertyEach) -> Vec<Owner> {
        match each {
            PropertyEach::Place(kind) => {
                self.board.places(kind).into_iter().flat_map(|places| places.iter().map(Owner::Place)).collect()
            }
            each => self.schema.owners_of_sort(each),
        }
    }

    /// Returns whether an owner has a property.
    #[must_use]
    pub fn has(&self, property: &Property, owner: Owner) -> bool {
        property.owners.sorts().iter().any(|each| is_of_sort(self.schema, self.board, *each, owner))
    }

    /// Returns the counters that statistics of many games include, each with its owner: those of [`Schema::statistics`], and then
    /// the records of places.
    pub fn statistics(self) -> impl Iterator<Item = (PropertyId, Owner)> + 'a {
        let records = self.schema.properties.iter().enumerate().filter(|(_, property)| property.is_record());
        let of_places = records.flat_map(move |(at, property)| {
            let places = property.owners.sorts().iter().filter(|each| matches!(each, PropertyEach::Place(_)));
            places.flat_map(move |each| self.owners_of_sort(*each)).map(move |owner| (PropertyId::at(at), owner))
        });
        self.schema.statistics().chain(of_places)
    }

    /// Returns the name of an owner in lines.
    #[must_use]
    pub fn owner_name(&self, owner: Owner) -> &'a str {
        match owner {
            Owner::Place(place) => self.board.name(place),
            owner => self.schema.owner_name(owner).unwrap_or_default(),
        }
    }

    /// Returns the name of a value in lines: `red.score`, `game.round`, `a1.ore`.
    #[must_use]
    pub fn value_name(&self, property: PropertyId, owner: Owner) -> String {
        format!("{}.{}", self.owner_name(owner), self.schema.property_name(property))
    }
}

fn is_of_sort(schema: &Schema, board: &Board, each: PropertyEach, owner: Owner) -> bool {
    let is_there = match (each, owner) {
        (PropertyEach::Place(kind), Owner::Place(place)) => {
            board.places(kind).is_some_and(|places| places.contains(place))
        }
        _ => true,
    };
    is_there && schema.may_be(each, owner)
}

impl Table {
    /// Returns the owners of a property at this table, in order: of players also those who do not take part.
    #[must_use]
    pub fn owners(&self, property: &Property) -> Vec<Owner> {
        self.names().owners(&property.owners)
    }

    /// Returns the place of an owner among the values of a property; `None` if the owner does not have it.
    #[inline]
    #[must_use]
    pub fn owner_place(&self, property: PropertyId, owner: Owner) -> Option<usize> {
        let sorts = self.schema.properties.get(property.index())?.owners.sorts();
        let mut before = 0;
        for each in sorts {
            if is_of_sort(&self.schema, &self.board, *each, owner) {
                let place = match (*each, owner) {
                    (PropertyEach::Kind(kind), Owner::Piece(piece)) => {
                        // Pieces are sorted by kind.
                        piece.index() - self.schema.pieces_of(kind).next()?.index()
                    }
                    (_, Owner::Player(player)) => player.index(),
                    (_, Owner::Place(place)) => place.index(),
                    (_, Owner::Game | Owner::Piece(_)) => 0,
                };
                return Some(before + place);
            }
            before += self.schema.places_of(*each, self.board.size());
        }
        None
    }

    /// Returns the owner at a place among the values of a property, which may be a slot of the board that is no place of the kind.
    #[must_use]
    pub fn owner_at(&self, property: PropertyId, mut place: usize) -> Option<Owner> {
        for each in self.schema.properties.get(property.index())?.owners.sorts() {
            let count = self.schema.places_of(*each, self.board.size());
            if place < count {
                return Some(match *each {
                    PropertyEach::Game => Owner::Game,
                    PropertyEach::Player => Owner::Player(PlayerId::at(place)),
                    PropertyEach::Kind(kind) => Owner::Piece(self.schema.pieces_of(kind).nth(place)?),
                    PropertyEach::Place(_) => Owner::Place(Cell::at(place)),
                });
            }
            place -= count;
        }
        None
    }
}
