//! The arguments of a phase as values of a script: a set of cells is a set again, where values of the game that a script
//! reads elsewhere (of properties, of options) become lists.

use rhai::ImmutableString;

use super::arena::Arena;
use super::value::Val;
use referee_table::{Cells, Value};

impl Arena {
    /// Converts an argument of a phase for a script, on a board with `size` slots.
    pub(crate) fn of_argument(&mut self, value: &Value, size: usize) -> Val {
        match value {
            Value::Set(set) => self.cells(cells(size, set)),
            Value::List(list) => {
                let items = list.iter().map(|value| self.of_argument(value, size)).collect();
                self.list(items)
            }
            Value::Map(map) => {
                let items =
                    map.iter().map(|(name, value)| (ImmutableString::from(&**name), self.of_argument(value, size)));
                let items = items.collect();
                self.unsorted_map(items)
            }
            plain => self.of_value(plain),
        }
    }
}

/// Returns the cells of a set. Scripts have no other sets, so all values in it are cells.
fn cells<'v>(size: usize, set: impl IntoIterator<Item = &'v Value>) -> Cells {
    let cell = |value: &Value| match value {
        Value::Cell(cell) => Some(*cell),
        _ => None,
    };
    Cells::of(size, set.into_iter().filter_map(cell))
}
