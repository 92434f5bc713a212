//! The owners of the properties of a game, and where the values of each are among those of a state.

use std::borrow::Cow;

use super::{
    Board, BoardSpec, Cell, Owner, PieceId, PlaceKind, PlayerId, Property, PropertyEach, PropertyId, PropertyKind,
    PropertyOwners, Schema, Table,
};

/// The largest number of values of flags, counters and properties.
const MAX_VALUES: usize = 65_536;

impl Schema {
    /// Returns how many values the owners of a sort have on a board with so many slots. A slot that is no place of the kind counts, and
    /// stays as it is at first.
    fn places_of(&self, each: PropertyEach, slots: usize) -> usize {
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
        Self::too_many_values(
            self.properties.iter().map(|property| self.values_of(&property.owners, board.size())).sum(),
        )
    }

    /// Returns why there are too many values; `None` if there are not.
    #[must_use]
    pub fn too_many_values(values: usize) -> Option<String> {
        (values > MAX_VALUES).then(|| {
            format!("all players, pieces and places together have at most {MAX_VALUES} flags, counters and properties")
        })
    }

    /// Returns how many values a property of these owners has on a board with so many slots.
    #[must_use]
    pub fn values_of(&self, owners: &PropertyOwners, slots: usize) -> usize {
        owners.sorts().iter().map(|each| self.places_of(*each, slots)).sum()
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
    pub(super) fn owners_of_sort(&self, each: PropertyEach) -> Vec<Owner> {
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
    pub fn owner_name(&self, owner: Owner) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(match owner {
            Owner::Game => "game",
            Owner::Player(player) => self.player_name(player),
            Owner::Piece(piece) => match self.name_with_kind(piece).filter(|_| self.shares_with_player(piece)) {
                Some(name) => return Some(Cow::Owned(name)),
                None => self.piece_name(piece),
            },
            Owner::Place(_) => return None,
        }))
    }

    /// Returns whether players have a property that pieces of the kind of this one have, too.
    fn shares_with_player(&self, piece: PieceId) -> bool {
        let kind = self.pieces.get(piece.index()).map(|piece| piece.kind);
        let has_both = |owners: &PropertyOwners| {
            owners.include(PropertyEach::Player) && kind.is_some_and(|kind| owners.include(PropertyEach::Kind(kind)))
        };
        self.properties.iter().any(|property| has_both(&property.owners))
    }

    /// Returns the words for the owners of a property: `player`, `marker`, `player or cell`.
    #[must_use]
    pub fn owner_words(&self, owners: &PropertyOwners) -> String {
        let words: Vec<&str> = owners.sorts().iter().map(|each| self.sort_words(*each)).collect();
        words.join(" or ")
    }

    /// Returns the word for the owners of a sort.
    fn sort_words(&self, each: PropertyEach) -> &str {
        match each {
            PropertyEach::Game => "game",
            PropertyEach::Player => "player",
            PropertyEach::Kind(kind) => self.kind_name(kind),
            PropertyEach::Place(kind) => kind.word(),
        }
    }
}

/// Returns whether an owner is of a sort, on a board.
pub(super) fn is_of_sort(schema: &Schema, board: &Board, each: PropertyEach, owner: Owner) -> bool {
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
        let mut before = 0;
        for each in self.schema.properties.get(property.index())?.owners.sorts() {
            if let Some(place) = self.place_in_sort(*each, owner) {
                return Some(before + place);
            }
            before += self.schema.places_of(*each, self.board.size());
        }
        None
    }

    /// Returns the place among the values of a property to which the one at a place goes, if its owner becomes another of the same
    /// sort. A slot of the board that is no place of the kind has no value, and stays where it is. `None` if there is no such place.
    #[must_use]
    pub fn place_of_image(&self, property: PropertyId, place: usize, image: impl Fn(Owner) -> Owner) -> Option<usize> {
        let mut before = 0;
        for each in self.schema.properties.get(property.index())?.owners.sorts() {
            let count = self.schema.places_of(*each, self.board.size());
            if let Some(own) = place.checked_sub(before).filter(|own| *own < count) {
                let owner = self.owner_in_sort(*each, own)?;
                let goes_to = match self.place_in_sort(*each, owner) {
                    Some(_) => self.place_in_sort(*each, image(owner))?,
                    None => own,
                };
                return Some(before + goes_to);
            }
            before += count;
        }
        None
    }

    /// Returns the place of an owner among those of a sort; `None` if it is not of this sort.
    #[inline]
    fn place_in_sort(&self, each: PropertyEach, owner: Owner) -> Option<usize> {
        if !is_of_sort(&self.schema, &self.board, each, owner) {
            return None;
        }
        Some(match (each, owner) {
            // Pieces are sorted by kind.
            (PropertyEach::Kind(kind), Owner::Piece(piece)) => {
                piece.index() - self.schema.pieces_of(kind).next()?.index()
            }
            (_, Owner::Player(player)) => player.index(),
            (_, Owner::Place(place)) => place.index(),
            (_, Owner::Game | Owner::Piece(_)) => 0,
        })
    }

    /// Returns the owner at a place of a sort, which may be a slot of the board that is no place of the kind.
    fn owner_in_sort(&self, each: PropertyEach, place: usize) -> Option<Owner> {
        Some(match each {
            PropertyEach::Game => Owner::Game,
            PropertyEach::Player => Owner::Player(PlayerId::at(place)),
            PropertyEach::Kind(kind) => Owner::Piece(self.schema.pieces_of(kind).nth(place)?),
            PropertyEach::Place(_) => Owner::Place(Cell::at(place)),
        })
    }
}
