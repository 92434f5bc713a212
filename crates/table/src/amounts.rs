//! Amounts of resources: how much of each, by their names. Amounts are maps in which nothing is left out but what is not there.

use std::sync::Arc;

use super::{Names, Owner, PropertyEach, PropertyId, Resource, Schema, State, Value};

/// What follows the name of a resource in that of the counter of its supply.
pub const SUPPLY: &str = "_supply";

/// How much of some resources, sorted by name; each number is at least 1.
pub type Amount = Vec<(Arc<str>, i64)>;

/// Returns the amount that a map of numbers is.
#[must_use]
pub fn amount_in(map: &[(Arc<str>, Value)]) -> Amount {
    let number = |(name, value): &(Arc<str>, Value)| match value {
        Value::Int(number) => Some((Arc::clone(name), *number)),
        _ => None,
    };
    map.iter().filter_map(number).collect()
}

impl Schema {
    /// Returns the resource with this name.
    #[must_use]
    pub fn resource(&self, name: &str) -> Option<&Resource> {
        self.resources.iter().find(|resource| resource.name == name)
    }

    /// Returns whether owners of a sort hold a resource.
    #[must_use]
    pub fn is_held_by(&self, resource: &Resource, each: PropertyEach) -> bool {
        self.properties.get(resource.held.index()).is_some_and(|held| held.owners.include(each))
    }

    /// Returns an amount in the words of lines: `ore x3 wool`, or `none`.
    #[must_use]
    pub fn written_amount(&self, amount: &Amount) -> String {
        let count = |name: &str| amount.iter().find(|(own, _)| **own == *name).map_or(0, |(_, count)| *count);
        let words = self.resources.iter().filter_map(|resource| match count(&resource.name) {
            0 => None,
            1 => Some(resource.name.clone()),
            several => Some(format!("{} x{several}", resource.name)),
        });
        match words.collect::<Vec<_>>().join(" ") {
            none if none.is_empty() => "none".to_owned(),
            words => words,
        }
    }
}

impl Names<'_> {
    /// Returns whether an owner holds a resource.
    #[must_use]
    pub fn holds(&self, owner: Owner, resource: &Resource) -> bool {
        self.schema.properties.get(resource.held.index()).is_some_and(|held| self.has(held, owner))
    }
}

impl State {
    /// Returns how much of a resource an owner has; 0 if it is none that the owner can have.
    #[must_use]
    pub fn held(&self, owner: Owner, resource: &Resource) -> i64 {
        match self.value(resource.held, owner) {
            Some(Value::Int(count)) => count,
            _ => 0,
        }
    }

    /// Returns how much of a resource is left in the supply; `None` if there is no limit.
    #[must_use]
    pub fn supplied(&self, resource: &Resource) -> Option<i64> {
        match self.value(resource.supply?, Owner::Game) {
            Some(Value::Int(count)) => Some(count),
            _ => Some(0),
        }
    }

    /// Returns how much of a resource is left in the supply if nothing but what owners have was taken from it: negative if they have more
    /// than there is. `None` if there is no limit.
    #[must_use]
    pub fn left_of(&self, resource: &Resource) -> Option<i64> {
        let schema = self.schema();
        let number = |property: PropertyId| match schema.properties.get(property.index())?.initial {
            Value::Int(number) => Some(number),
            _ => None,
        };
        let (all, held) = (number(resource.supply?)?, schema.properties.get(resource.held.index())?);
        let owners = self.table.owners(held).into_iter().filter(|owner| self.table.has_owner(*owner));
        let taken = owners.map(|owner| self.held(owner, resource).saturating_sub(number(resource.held).unwrap_or(0)));
        Some(all.saturating_sub(taken.fold(0, i64::saturating_add)))
    }

    /// Returns whether the supply of a resource, if a property is one, has what is left of it, so that nobody has to say so.
    #[must_use]
    pub fn is_usual_supply(&self, property: PropertyId) -> bool {
        let resource = self.schema().resources.iter().find(|resource| resource.supply == Some(property));
        resource.is_some_and(|resource| self.supplied(resource) == self.left_of(resource))
    }

    /// Returns all that an owner has.
    #[must_use]
    pub fn amount_of(&self, owner: Owner) -> Amount {
        let held = self.schema().resources.iter().filter(|resource| self.table.names().holds(owner, resource));
        let held = held.map(|resource| (Arc::from(resource.name.as_str()), self.held(owner, resource)));
        let mut held: Amount = held.filter(|(_, count)| *count != 0).collect();
        held.sort_unstable();
        held
    }
}
