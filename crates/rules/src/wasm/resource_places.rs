//! Where the resources of a game are in the memory, and in a packed amount.

use referee_table::{PropertyEach, PropertyId, Schema, text_weight};

/// The number of resources up to which amounts are packed, and of the bits of each at most.
const MOST_RESOURCES: usize = 12;
const MOST_BITS: u32 = 32;

/// Where all resources of a game are.
pub(super) struct Amounts {
    /// The number of the name of the first resource: those of the others follow it.
    pub(super) first: u32,
    /// The number of bits for each.
    pub(super) bits: u32,
    pub(super) resources: Vec<Place>,
}

/// Where one resource is.
pub(super) struct Place {
    /// What players have of it, and the address of what the first player has; `None` if players have none.
    pub(super) held: Option<(PropertyId, u32)>,
    /// What is left of it in the supply, if that has an end.
    pub(super) supply: Option<(PropertyId, u32)>,
}

/// Returns the names of all resources in the order of the alphabet, if their amounts may be packed.
pub(super) fn names(schema: &Schema) -> Option<Vec<&str>> {
    let mut names: Vec<&str> = schema.resources.iter().map(|resource| resource.name.as_str()).collect();
    names.sort_unstable();
    ((1..=MOST_RESOURCES).contains(&names.len()) && names.iter().all(|name| text_weight(name) == 1)).then_some(names)
}

impl Amounts {
    /// Returns where the resources with these names are, of which the first has this number. `value` returns the address of the
    /// first value of a property. `None` if a value has no place.
    pub(super) fn of(
        schema: &Schema,
        names: &[&str],
        first: u32,
        value: impl Fn(PropertyId) -> Option<u32>,
    ) -> Option<Self> {
        let place = |property: PropertyId| {
            let declared = schema.properties.get(property.index()).filter(|_| property.index() < 64)?;
            let is_plain = !declared.in_drawings && schema.copied(declared).is_none();
            Some((property, value(property)?)).filter(|_| is_plain)
        };
        let mut resources = Vec::new();
        for name in names {
            let resource = schema.resource(name)?;
            let is_of_players = schema.is_held_by(resource, PropertyEach::Player);
            // What players have must come first.
            if is_of_players
                && schema.properties.get(resource.held.index())?.owners.sorts().first() != Some(&PropertyEach::Player)
            {
                return None;
            }
            let held = if is_of_players { Some(place(resource.held)?) } else { None };
            let supply = match resource.supply {
                Some(supply) => Some(place(supply)?),
                None => None,
            };
            resources.push(Place { held, supply });
        }
        let bits = (u64::BITS / u32::try_from(names.len()).ok()?).min(MOST_BITS);
        Some(Self { first, bits, resources })
    }

    pub(super) fn shift(&self, at: usize) -> i64 {
        i64::from(self.bits) * i64::try_from(at).unwrap_or_default()
    }

    /// Returns the number from which on there are too many of a resource.
    pub(super) const fn limit(&self) -> i64 {
        1 << (self.bits - 1)
    }

    /// Returns a number with these bits for each resource.
    pub(super) fn each(&self, bits: i64) -> i64 {
        (0..self.resources.len()).fold(0, |all, at| all | bits << self.shift(at))
    }

    /// Returns the highest bit of each resource.
    pub(super) fn highest(&self) -> i64 {
        self.each(self.limit())
    }
}
