//! Values that not all players see.

use super::{Owner, PlayerId, Property, PropertyId, Schema, Sight, State};

impl Schema {
    /// Returns whether there are values that not all players see.
    #[must_use]
    pub fn has_secret_values(&self) -> bool {
        self.properties.iter().any(|property| property.sight != Sight::Open)
    }

    /// Returns whether a player sees a value of a property.
    #[must_use]
    pub fn sees_value(&self, player: PlayerId, property: &Property, owner: Owner) -> bool {
        let own = match owner {
            Owner::Game => None,
            Owner::Player(own) => Some(own),
            Owner::Piece(piece) => self.pieces.get(piece.index()).and_then(|piece| piece.owner),
        };
        match property.sight {
            Sight::Open => true,
            Sight::Secret => own == Some(player),
            Sight::Hidden => false,
        }
    }
}

impl State {
    /// Returns the values that a player does not see. Those of players who do not take part are none.
    #[must_use]
    pub fn unseen_values(&self, player: PlayerId) -> Vec<(PropertyId, Owner)> {
        let schema = self.schema();
        let properties = schema.properties.iter().enumerate().filter(|(_, property)| property.sight != Sight::Open);
        let unseen = properties.flat_map(|(at, property)| {
            let owners = schema
                .owners(property.each)
                .into_iter()
                .filter(|owner| self.table.has_owner(*owner) && !schema.sees_value(player, property, *owner));
            owners.map(move |owner| (PropertyId::at(at), owner)).collect::<Vec<_>>()
        });
        unseen.collect()
    }

    /// Sets these values to those at first, so that nothing of them is known.
    pub(super) fn forget_values(&mut self, values: Vec<(PropertyId, Owner)>) {
        for (property, owner) in values {
            let first = self.schema().properties.get(property.index()).map(|property| property.initial.clone());
            if let Some(first) = first {
                self.set_value(property, owner, first);
            }
        }
    }
}
