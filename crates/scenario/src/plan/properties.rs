//! Reads flags, counters and properties from the words of a scenario's lines.

use crate::plan::resolver::{Resolver, names};
use referee_source::{Span, Word};
use referee_table::{Owner, PropertyId, Table, Value, WordError};

/// Reads the owner and the property of words such as `red.score` or `block 1.hits`, and the number of these words.
/// Returns `None` for other words. Reports a part that does not exist.
pub(crate) fn dotted(
    resolver: &mut Resolver<'_>,
    table: &Table,
    words: &[Word<'_>],
) -> Option<Option<((Owner, PropertyId), usize)>> {
    let read = names(table).dotted(words)?;
    Some(resolver.get(read))
}

/// Reads a value for a property from the words after it.
pub(crate) fn value(
    resolver: &mut Resolver<'_>,
    table: &Table,
    property: PropertyId,
    words: &[Word<'_>],
    end: Span,
) -> Option<Value> {
    resolver.get(names(table).property_value(property, words, end))
}

/// Reads `red squished`, `red not squished`, `block 1 moved`: the owner, the flag, and whether it is set.
pub(crate) fn flag(table: &Table, words: &[Word<'_>]) -> Result<(Owner, PropertyId, bool), WordError> {
    names(table).flag(words)
}
