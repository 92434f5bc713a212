//! Values, throws and answers that not all players see.

use std::sync::Arc;

use super::{AskId, DieId, Owner, PlayerId, Property, PropertyId, Schema, Sight, State, Value};

impl Schema {
    /// Returns whether there are values that not all players see.
    #[must_use]
    pub fn has_secret_values(&self) -> bool {
        self.properties.iter().any(|property| property.sight != Sight::Open)
    }

    /// Returns whether there are values, throws or answers that not all players see.
    #[must_use]
    pub fn has_secrets(&self) -> bool {
        self.has_secret_values() || self.has_secret_dice() || self.asks.iter().any(|form| form.sight != Sight::Open)
    }

    /// Returns whether there is anything that not all players see: cards, values, throws or answers.
    #[must_use]
    pub fn is_private(&self) -> bool {
        self.has_secrets() || self.zones.iter().any(|zone| !zone.visibility.is_open())
    }

    /// Returns whether there are dice whose throws not all players see.
    #[must_use]
    pub fn has_secret_dice(&self) -> bool {
        self.dice.iter().any(|die| die.sight != Sight::Open)
    }

    /// Returns a die if all players see its throws.
    #[must_use]
    pub fn thrown_openly(&self, die: DieId) -> Option<DieId> {
        self.dice.get(die.index()).is_none_or(|die| die.sight == Sight::Open).then_some(die)
    }

    /// Returns whether a player sees a throw of a die, which was thrown for `by`, if for a player.
    #[must_use]
    pub fn sees_throw(&self, player: PlayerId, die: DieId, by: Option<PlayerId>) -> bool {
        self.dice.get(die.index()).is_none_or(|die| die.sight.is_seen(player, by))
    }

    /// Returns whether a player sees what another answers to an ask.
    #[must_use]
    pub fn sees_answer(&self, player: PlayerId, ask: AskId, by: PlayerId) -> bool {
        self.asks.get(ask.index()).is_none_or(|form| form.sight.is_seen(player, Some(by)))
    }

    /// Returns whether a player sees a value of a property.
    #[must_use]
    pub fn sees_value(&self, player: PlayerId, property: &Property, owner: Owner) -> bool {
        let own = match owner {
            Owner::Game | Owner::Place(_) => None,
            Owner::Player(own) => Some(own),
            Owner::Piece(piece) => self.pieces.get(piece.index()).and_then(|piece| piece.owner),
        };
        property.sight.is_seen(player, own)
    }
}

impl State {
    /// Returns the values that a player does not see. Those of players who do not take part are none.
    #[must_use]
    pub fn unseen_values(&self, player: PlayerId) -> Vec<(PropertyId, Owner)> {
        let schema = self.schema();
        let properties = schema.properties.iter().enumerate().filter(|(_, property)| property.sight != Sight::Open);
        let unseen = properties.flat_map(|(at, property)| {
            let is_unseen =
                |owner: &Owner| self.table.has_owner(*owner) && !schema.sees_value(player, property, *owner);
            let owners = self.table.owners(property).into_iter().filter(is_unseen);
            owners.map(move |owner| (PropertyId::at(at), owner)).collect::<Vec<_>>()
        });
        unseen.collect()
    }

    /// Returns the dice of which a player does not see all throws.
    pub fn unseen_dice(&self, player: PlayerId) -> impl Iterator<Item = DieId> + '_ {
        let own = self.alone(player);
        let dice = self.schema().dice.iter().enumerate();
        dice.filter(move |(_, die)| !die.sight.is_seen(player, own)).map(|(at, _)| DieId::at(at))
    }

    /// Returns the asks of which a player does not see all answers.
    pub fn unseen_answers(&self, player: PlayerId) -> impl Iterator<Item = AskId> + '_ {
        let own = self.alone(player);
        let asks = self.schema().asks.iter().enumerate();
        asks.filter(move |(_, form)| !form.sight.is_seen(player, own)).map(|(at, _)| AskId::at(at))
    }

    /// Notes a throw that not all players see.
    pub const fn note_secret_throw(&mut self) {
        self.thrown = true;
    }

    /// Returns whether nothing is secret, as far as all players know: no secret throw matters any more, and the values that not
    /// all players see are those at first.
    #[must_use]
    pub fn has_nothing_secret(&self) -> bool {
        let is_first = |(property, owner)| {
            let first = self.schema().properties.get(PropertyId::index(property)).map(|property| &property.initial);
            self.value(property, owner).as_ref() == first
        };
        !self.thrown && self.secret_values().into_iter().all(is_first)
    }

    /// Sets all values that not all players see to those at first. Of resources, what an owner had goes back to the supply. From
    /// here on nothing that was secret before matters.
    pub fn clear_secrets(&mut self) {
        self.thrown = false;
        for (property, owner) in self.secret_values() {
            let schema = Arc::clone(&self.table.schema);
            let Some(first) = schema.properties.get(property.index()).map(|property| property.initial.clone()) else {
                continue;
            };
            let resource = schema.resources.iter().find(|resource| resource.held == property);
            if let (Some(resource), Value::Int(first)) = (resource, &first)
                && let Some((supply, left)) = resource.supply.zip(self.supplied(resource))
            {
                let back = self.held(owner, resource).saturating_sub(*first);
                self.set_value(supply, Owner::Game, Value::Int(left.saturating_add(back)));
            }
            self.set_value(property, owner, first);
        }
    }

    /// Returns the values that not all players see, of the game and of all who take part.
    fn secret_values(&self) -> Vec<(PropertyId, Owner)> {
        let properties = self.schema().properties.iter().enumerate();
        let secret = properties.filter(|(_, property)| property.sight != Sight::Open);
        let owned = secret.flat_map(|(at, property)| {
            let owners = self.table.owners(property).into_iter().filter(|owner| self.table.has_owner(*owner));
            owners.map(move |owner| (PropertyId::at(at), owner))
        });
        owned.collect()
    }

    /// Returns a player if nobody else takes part.
    fn alone(&self, player: PlayerId) -> Option<PlayerId> {
        self.table.players.iter().all(|other| *other == player).then_some(player)
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
