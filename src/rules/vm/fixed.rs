//! Results of native functions that stay the same while the table does not change.

use std::cell::RefCell;
use std::sync::Arc;

use rhai::ImmutableString;
use smallvec::SmallVec;

use crate::rules::values::{Arena, Mark, Val};
use crate::table::{Cells, Table};

/// The last result of a native function at a call site, which is the same for equal arguments on the same table.
pub(crate) type Known = RefCell<Option<Memo>>;

/// A result with its table and arguments. Constants are left out of the arguments.
#[derive(Debug)]
pub(crate) struct Memo {
    pub(crate) table: Arc<Table>,
    pub(crate) args: SmallVec<[Val; 2]>,
    pub(crate) result: Fixed,
}

/// A value kept from phase to phase.
#[derive(Clone, Debug)]
pub(crate) enum Fixed {
    Small(Val),
    Text(ImmutableString),
    Cells(Cells),
    /// A list with only small values and constants.
    List(Vec<Val>),
}

impl Fixed {
    /// Converts a value, if it can be kept. Constants, which end at the mark, are kept as they are.
    pub(crate) fn of(value: Val, arena: &Arena, constants: &Mark) -> Option<Self> {
        match value {
            value if is_lasting(&value, constants) => Some(Self::Small(value)),
            Val::Text(_) => arena.text_of(value).cloned().map(Self::Text),
            Val::Cells(at) => arena.cells.get(at as usize).cloned().map(Self::Cells),
            Val::List(_) => {
                let items = arena.items(value)?;
                items.iter().all(|item| is_lasting(item, constants)).then(|| Self::List(items.clone()))
            }
            _ => None,
        }
    }

    /// Converts a value like [`Self::of`]. A text that equals a constant becomes that constant, which costs nothing to
    /// store and is quick to compare.
    pub(crate) fn of_native(value: Val, arena: &Arena, constants: &Mark) -> Option<Self> {
        let known = arena.text_of(value).and_then(|text| {
            (0..).zip(arena.texts.iter().take(constants.texts)).find(|(_, known)| *known == text).map(|(at, _)| at)
        });
        known.map_or_else(|| Self::of(value, arena, constants), |at| Some(Self::Small(Val::Text(at))))
    }

    /// Stores it in the arena of the present phase.
    pub(crate) fn lay(&self, arena: &mut Arena) -> Val {
        match self {
            Self::Small(value) => *value,
            Self::Text(text) => arena.text(text.clone()),
            Self::Cells(cells) => arena.cells(cells.clone()),
            Self::List(items) => arena.list_of(items),
        }
    }
}

/// Returns whether a value means the same in every phase.
pub(crate) const fn is_small(value: &Val) -> bool {
    matches!(
        value,
        Val::Nothing | Val::Truth(_) | Val::Number(_) | Val::Player(_) | Val::Piece(_) | Val::Zone(_) | Val::Cell(_)
    )
}

/// Returns whether a value means the same in every phase: it is small, or a constant. Constants end at the mark.
pub(crate) const fn is_lasting(value: &Val, constants: &Mark) -> bool {
    match *value {
        Val::Text(at) => (at as usize) < constants.texts,
        Val::List(at) => (at as usize) < constants.lists,
        Val::Map(at) => (at as usize) < constants.maps,
        _ => is_small(value),
    }
}
