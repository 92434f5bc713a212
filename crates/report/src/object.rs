//! Objects of JSON, written from what a report is about: each field names its value once, and no second type repeats
//! the first.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use referee_diagnostic::{Diagnostic, is_printable, note_missing};

/// Fields of an object, in the order in which they are written.
pub(super) trait Fields {
    /// Writes them.
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;
}

/// An object. Its fields are written in the order in which they were added.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object<F>(F);

/// Fields, and one after them; `None` is left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Then<F, V> {
    before: F,
    name: &'static str,
    value: Option<V>,
}

/// Returns an object without fields.
pub(super) const fn object() -> Object<()> {
    Object(())
}

impl<F: Fields> Object<F> {
    /// Adds a field.
    pub(super) fn with<V: Serialize>(self, name: &'static str, value: V) -> Object<Then<F, V>> {
        self.some(name, Some(value))
    }

    /// Adds a field, unless there is no value.
    pub(super) fn some<V: Serialize>(self, name: &'static str, value: Option<V>) -> Object<Then<F, V>> {
        Object(Then { before: self.0, name, value })
    }

    /// Adds a field with a list.
    pub(super) fn list<V: Serialize>(
        self,
        name: &'static str,
        values: impl IntoIterator<Item = V>,
    ) -> Object<Then<F, Vec<V>>> {
        self.with(name, values.into_iter().collect())
    }

    /// Adds a field with a list, unless it is empty.
    pub(super) fn filled<V: Serialize>(
        self,
        name: &'static str,
        values: impl IntoIterator<Item = V>,
    ) -> Object<Then<F, Vec<V>>> {
        let values: Vec<V> = values.into_iter().collect();
        self.some(name, (!values.is_empty()).then_some(values))
    }

    /// Adds the fields of another object.
    pub(super) fn and<G: Fields>(self, other: Object<G>) -> Object<(F, G)> {
        Object((self.0, other.0))
    }

    /// Adds the fields of another object, if there is one.
    pub(super) fn and_some<G: Fields>(self, other: Option<Object<G>>) -> Object<(F, Option<G>)> {
        Object((self.0, other.map(|other| other.0)))
    }

    /// Adds the place of a message: the first that it shows.
    pub(super) fn place(self, diagnostic: &Diagnostic) -> Object<(F, impl Fields)> {
        let first = diagnostic.labels.first();
        let at = first.map(|label| label.source.position(label.span.start));
        self.and(
            object()
                .with("file", first.map(|label| label.source.name()))
                .with("line", at.map(|at| at.line))
                .with("column", at.map(|at| at.column)),
        )
    }
}

impl Fields for () {
    fn write<M: SerializeMap>(&self, _: &mut M) -> Result<(), M::Error> {
        Ok(())
    }
}

impl<F: Fields, G: Fields> Fields for (F, G) {
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        self.0.write(map)?;
        self.1.write(map)
    }
}

impl<F: Fields> Fields for Option<F> {
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        self.as_ref().map_or(Ok(()), |fields| fields.write(map))
    }
}

impl<F: Fields, V: Serialize> Fields for Then<F, V> {
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        self.before.write(map)?;
        match &self.value {
            Some(value) => map.serialize_entry(self.name, value),
            None => Ok(()),
        }
    }
}

impl<F: Fields> Serialize for Object<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.0.write(&mut map)?;
        map.end()
    }
}

/// Returns names and their values as an object, sorted.
pub(super) fn by_name(pairs: &[(String, String)]) -> BTreeMap<&str, &str> {
    pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

/// Returns the code of a message with the name of the program, as all outputs for programs have it.
pub(super) fn full_code(diagnostic: &Diagnostic) -> String {
    format!("referee::{}", diagnostic.code)
}

/// Returns a value as one line of JSON.
pub(super) fn line(value: &impl Serialize) -> String {
    // Serialization cannot fail for these types.
    let text = serde_json::to_string(value).unwrap_or_else(|_| {
        note_missing("the JSON of a report");
        String::new()
    });
    let mut safe = String::with_capacity(text.len() + 1);
    let mut units = [0; 2];
    let mut before = ' ';
    for letter in text.chars() {
        // JSON does not escape all characters that are invisible or control a terminal, nor the second `#` of `##[error]`,
        // by which systems that run programs know their commands.
        if is_printable(letter) && !(letter == '#' && before == '#') {
            safe.push(letter);
        } else {
            for unit in letter.encode_utf16(&mut units) {
                safe.push_str(&format!("\\u{unit:04x}"));
            }
        }
        before = letter;
    }
    safe.push('\n');
    safe
}

#[cfg(test)]
mod tests {
    use super::{line, object};

    #[test]
    fn fields_are_written_in_their_order_and_empty_ones_are_left_out() {
        let inner = object().with("z", 1).some("y", None::<u8>).with("x", None::<u8>);
        let all = object().list("list", [1, 2]).filled("none", [0; 0]).filled("one", ["a"]).and(inner);
        assert_eq!(line(&all), "{\"list\":[1,2],\"one\":[\"a\"],\"z\":1,\"x\":null}\n");
        assert_eq!(line(&object()), "{}\n");
    }
}
