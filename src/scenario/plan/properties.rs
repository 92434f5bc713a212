//! Flags, counters and properties in the words of a scenario's lines.

use crate::scenario::plan::resolver::{Resolver, names};
use crate::source::{Span, Word};
use crate::table::{Misread, Owner, PropertyId, Schema, Table, Value};

/// Returns the owner and the property of words like `red.score` or `block 1.hits`, and how many words that takes;
/// `None` if they are none. A part that does not exist is noted.
pub(crate) fn dotted(
    resolver: &mut Resolver<'_>,
    table: &Table,
    words: &[Word<'_>],
) -> Option<Option<((Owner, PropertyId), usize)>> {
    let read = names(table).dotted(words)?;
    Some(resolver.get(read))
}

/// What lines call an owner.
pub(crate) fn owner_name(schema: &Schema, owner: Owner) -> String {
    schema.owner_name(owner).to_owned()
}

/// Returns a value for a property from the words behind it.
pub(crate) fn value(
    resolver: &mut Resolver<'_>,
    table: &Table,
    property: PropertyId,
    words: &[Word<'_>],
    end: Span,
) -> Option<Value> {
    resolver.get(names(table).property_value(property, words, end))
}

/// `red squished`, `red not squished`, `block 1 moved`: who, which flag, and whether it is set.
pub(crate) fn flag(table: &Table, words: &[Word<'_>]) -> Result<(Owner, PropertyId, bool), Misread> {
    names(table).flag(words)
}
