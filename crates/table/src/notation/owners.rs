//! The owners of properties by their names.

use std::borrow::Cow;

use super::names::Names;
use crate::owned::is_of_sort;
use crate::{Owner, Property, PropertyEach, PropertyId, PropertyOwners};

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

    /// Returns the counters that statistics of many games include, each with its owner: those of [`crate::Schema::statistics`], and then
    /// the records of places.
    pub fn statistics(self) -> impl Iterator<Item = (PropertyId, Owner)> + 'a {
        let records = self.schema.properties.iter().enumerate().filter(|(_, property)| property.is_record());
        let of_places = records.flat_map(move |(at, property)| {
            let places = property.owners.sorts().iter().filter(|each| matches!(each, PropertyEach::Place(_)));
            places.flat_map(move |each| self.owners_of_sort(*each)).map(move |owner| (PropertyId::at(at), owner))
        });
        self.schema.statistics().chain(of_places)
    }

    /// Returns the name of an owner in lines. It has its kind, `red marker`, if its player has a value of the same name.
    #[must_use]
    pub fn owner_name(&self, owner: Owner) -> Cow<'a, str> {
        match owner {
            Owner::Place(place) => Cow::Borrowed(self.board.name(place)),
            owner => self.schema.owner_name(owner).unwrap_or_default(),
        }
    }

    /// Returns the name of a value in lines: `red.score`, `game.round`, `a1.ore`.
    #[must_use]
    pub fn value_name(&self, property: PropertyId, owner: Owner) -> String {
        format!("{}.{}", self.owner_name(owner), self.schema.property_name(property))
    }
}
