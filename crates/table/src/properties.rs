//! How flags, counters and properties are called.

use super::{Property, PropertyEach, PropertyId, Schema, Value};

impl Schema {
    /// Returns whether a property is a record, which rules write and never read.
    #[must_use]
    pub fn is_record(&self, property: PropertyId) -> bool {
        let property = self.properties.get(property.index());
        property.is_some_and(Property::is_record)
    }

    /// Returns a help text for an expression without a comparison, with a counter of this game.
    #[must_use]
    pub fn example_comparison(&self) -> String {
        // Pieces are called differently in expressions.
        let counted = |property: &&Property| {
            matches!(property.initial, Value::Int(_)) && property.owners.include(PropertyEach::Player)
        };
        let player = self.example_players()[0];
        let counter = self.properties.iter().find(counted);
        let example = counter.map(|property| format!("`{{ {player}.{} == 3 }}`", property.name));
        match example {
            Some(example) => format!("write a comparison, such as {example}"),
            None => "write a comparison with `==`, `<` or `>`".to_owned(),
        }
    }
}
