//! Results of native functions that stay the same while the table does not change.

use std::cell::{Ref, RefCell};
use std::sync::Arc;

use rhai::ImmutableString;
use smallvec::SmallVec;

use super::arguments::{Key, put_in_table};
use super::window::{Register, Window};
use crate::values::{Arena, Mark, Val};
use referee_table::{Cells, Table};

/// The maximum number of results that a call site remembers.
const RESULTS: usize = 64;

/// The maximum number of values of a list that is remembered: many places remember results.
const LONGEST: usize = 1000;

/// The results of a native function at a call site, each of which is the same for equal arguments on the same table.
#[derive(Debug)]
pub(crate) struct Known {
    /// The registers of the arguments. Constants are left out.
    given: SmallVec<[Register; 2]>,
    results: RefCell<Vec<Option<Result>>>,
}

/// A result with its table and arguments.
#[derive(Debug)]
struct Result {
    table: Arc<Table>,
    key: Key,
    value: (Fixed, Cost),
}

/// What the call has cost that gave a result. Later calls, which only look it up, count as much.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    /// The work on large values, in operations.
    pub(super) work: u64,
    /// The bytes of the arena.
    pub(super) bytes: usize,
}

impl Known {
    pub(crate) fn of(given: impl IntoIterator<Item = Register>) -> Self {
        Self { given: given.into_iter().collect(), results: RefCell::new(Vec::new()) }
    }

    /// Returns the key of the arguments of a call; `None` if one does not mean the same in every phase, or may be changed
    /// by a function of the same name: `reverse` of a list.
    #[inline]
    pub(super) fn key(&self, window: &Window<'_>, constants: &Mark) -> Option<Key> {
        match self.given.as_slice() {
            [] => Some(Key::default()),
            given if given.iter().any(|at| matches!(window[*at], Val::List(_) | Val::Map(_))) => None,
            given => Key::of(given.iter().map(|at| window[*at]), constants),
        }
    }

    /// Returns the result for these arguments; `None` if there is none.
    #[inline]
    pub(super) fn get(&self, key: &Key, table: &Arc<Table>) -> Option<Ref<'_, (Fixed, Cost)>> {
        Ref::filter_map(self.results.borrow(), |all| {
            let found = all.get(if self.given.is_empty() { 0 } else { key.place(all.len()) })?.as_ref()?;
            (found.key == *key && Arc::ptr_eq(&found.table, table)).then_some(&found.value)
        })
        .ok()
    }

    /// Returns whether a new result is remembered: if there is no place left, earlier ones are kept.
    pub(super) fn takes(&self, key: &Key, table: &Arc<Table>) -> bool {
        let all = self.results.borrow();
        let known = all.get(key.place(all.len())).and_then(Option::as_ref);
        all.len() < RESULTS || known.is_none_or(|known| !Arc::ptr_eq(&known.table, table))
    }

    /// Remembers a result.
    pub(super) fn note(&self, key: Key, table: Arc<Table>, value: (Fixed, Cost)) {
        put_in_table(&mut self.results.borrow_mut(), (1, RESULTS), Result { table, key, value }, |result| &result.key);
    }
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
                let items = arena.items(value).filter(|items| items.len() <= LONGEST)?;
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
