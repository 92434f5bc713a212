//! Stores constants. Equal strings are stored once, so that maps find names by pointer.

use std::collections::BTreeMap;

use rhai::ImmutableString;

use crate::values::{Arena, Val};
use crate::vm::ComponentNames;
use referee_table::{Choice, PieceDef, Schema, Value};

/// The strings among the constants.
pub(crate) type Strings = BTreeMap<ImmutableString, Val>;

/// Stores a string, unless it is stored already.
pub(crate) fn text(text: &ImmutableString, arena: &mut Arena, strings: &mut Strings) -> Val {
    *strings.entry(text.clone()).or_insert_with(|| arena.text(text.clone()))
}

/// Stores the values printed on cards, by the index of their name and by piece. They never change.
pub(super) fn printed(schema: &Schema, arena: &mut Arena, strings: &mut Strings) -> Vec<Vec<Option<Val>>> {
    let mut of = |name: &String, piece: &PieceDef| Some(value(piece.card.as_ref()?.value(name), arena, strings));
    schema.printed.iter().map(|one| schema.pieces.iter().map(|piece| of(&one.name, piece)).collect()).collect()
}

/// Stores the names of all players and pieces.
pub(super) fn names(schema: &Schema, arena: &mut Arena, strings: &mut Strings) -> ComponentNames {
    let mut lay = |name: &str| text(&ImmutableString::from(name), arena, strings);
    let players = schema.players.iter().map(|name| lay(name)).collect();
    ComponentNames { players, pieces: schema.pieces.iter().map(|piece| lay(&piece.name)).collect() }
}

/// Stores the words that options may be set to, so that rules compare them by number.
pub(super) fn settings(schema: &Schema, arena: &mut Arena, strings: &mut Strings) {
    for option in &schema.options {
        if let Choice::Words(words) = &option.choice {
            words.iter().for_each(|word| _ = text(&ImmutableString::from(&**word), arena, strings));
        }
    }
}

/// Stores a value that never changes.
fn value(from: &Value, arena: &mut Arena, strings: &mut Strings) -> Val {
    let stored = match from {
        Value::Text(string) => return text(&ImmutableString::from(&**string), arena, strings),
        Value::List(items) => {
            let items = items.iter().map(|item| value(item, arena, strings)).collect();
            arena.list(items)
        }
        Value::Map(items) => {
            let mut named: Vec<(ImmutableString, Val)> = Vec::with_capacity(items.len());
            for (name, item) in items {
                let name = text(&ImmutableString::from(&**name), arena, strings);
                let name = arena.text_of(name).cloned().unwrap_or_default();
                named.push((name, value(item, arena, strings)));
            }
            arena.unsorted_map(named)
        }
        other => arena.of_value(other),
    };
    arena.share(stored);
    stored
}
