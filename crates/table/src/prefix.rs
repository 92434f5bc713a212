//! The player written before a piece, `ann:Pooga`: the value of the property that a kind of pieces has `in drawings`.

use super::{Each, Face, Owner, PieceId, PlayerId, PropertyEach, PropertyId, Schema, State, Value};

impl Schema {
    /// Returns the property of a piece that diagrams show.
    #[must_use]
    pub fn drawn_property(&self, piece: PieceId) -> Option<PropertyId> {
        let each = PropertyEach::Kind(self.pieces.get(piece.index())?.kind);
        let found = self.properties.iter().position(|property| property.in_drawings && property.owners.is(each));
        found.map(PropertyId::at)
    }

    /// Returns whether diagrams show a property of cards.
    #[must_use]
    pub fn shows_cards(&self) -> bool {
        self.properties.iter().filter(|property| property.in_drawings).any(|property| match property.owners.only() {
            Some(PropertyEach::Kind(kind)) => self.kinds.get(kind.index()).is_some_and(|kind| kind.each == Each::Card),
            _ => false,
        })
    }

    /// Returns a piece as diagrams and lines write it: `symbol` with the player before it.
    #[must_use]
    pub fn prefixed(&self, player: Option<PlayerId>, symbol: &str) -> String {
        match player {
            Some(player) => format!("{}:{symbol}", self.player_name(player)),
            None => symbol.to_owned(),
        }
    }

    /// Returns a symbol or name of a piece that could be read as a piece with a player before it.
    #[must_use]
    pub fn ambiguous_prefix(&self) -> Option<&str> {
        let shown = self.properties.iter().any(|property| property.in_drawings);
        let symbols = self.pieces.iter().map(|piece| (piece, piece.symbol.as_str()));
        let mut plain = symbols.filter(|(_, symbol)| shown && symbol.contains(':'));
        plain.find(|(piece, symbol)| piece.drawn() == *symbol).map(|(_, symbol)| symbol)
    }
}

impl Value {
    /// Returns the player, if the value is one.
    #[must_use]
    pub const fn player(&self) -> Option<PlayerId> {
        match self {
            Self::Player(player) => Some(*player),
            _ => None,
        }
    }
}

impl State {
    /// Returns the player written before a piece.
    #[must_use]
    pub fn drawn_player(&self, piece: PieceId) -> Option<PlayerId> {
        let property = self.schema().drawn_property(piece)?;
        self.value(property, Owner::Piece(piece)).as_ref().and_then(Value::player)
    }

    /// Returns whether a diagram of this state shows the value of a property: that of a piece on the board.
    #[must_use]
    pub fn is_in_drawing(&self, property: PropertyId, owner: Owner) -> bool {
        let Owner::Piece(piece) = owner else { return false };
        let shown = self.schema().properties.get(property.index()).is_some_and(|property| property.in_drawings);
        let down = || self.faces().values().filter_map(Face::card).any(|card| card == piece);
        shown && (!self.is_off(piece) || down())
    }
}
