//! The forms of native functions, as calls need them.

use std::ops::RangeInclusive;

use super::sorts::Sort;
use crate::rules::host::Role;
use crate::rules::natives::{Form, OfGame};
use crate::rules::values;
use crate::table::NameMap;

/// A form of a native function.
pub(super) struct Signature<'e> {
    pub(super) form: &'e Form,
}

/// Native functions by name.
pub(super) type Signatures<'e> = NameMap<Vec<Signature<'e>>, &'e str>;

impl Signature<'_> {
    /// Returns what the values of its parameter of this number name.
    pub(super) fn role(&self, at: usize) -> Option<Role> {
        self.form.parameters.get(at).map(|parameter| parameter.role)
    }

    /// Returns the numbers of arguments that it takes.
    pub(super) fn counts(&self) -> RangeInclusive<usize> {
        self.form.counts()
    }

    /// Returns the kind of its result; `None` if it is not known. That of one that may also be `()` is the other one.
    pub(super) fn result(&self) -> Option<Sort> {
        self.form.result.sort().and_then(Sort::of)
    }

    /// Returns the kinds that the function takes as its argument of this number, the usual one first; `None` if they are not
    /// known.
    pub(super) fn sorts_of_parameter(&self, at: usize) -> Option<Vec<Sort>> {
        let parameter = self.form.parameters.get(at).filter(|parameter| !parameter.kind.is_any())?;
        let mut sorts: Vec<Sort> = parameter.kind.sorts().filter_map(Sort::of).collect();
        if parameter.role == Role::Options {
            sorts.sort_by_key(|sort| *sort != Sort::List);
        }
        Some(sorts)
    }
}

impl Sort {
    /// Returns the kind for a sort of value.
    pub(super) const fn of(sort: values::Sort) -> Option<Self> {
        Some(match sort {
            values::Sort::Number => Self::Number,
            values::Sort::Truth => Self::Truth,
            values::Sort::Text => Self::Text,
            values::Sort::Player => Self::Player,
            values::Sort::Piece => Self::Piece,
            values::Sort::Men => Self::Men,
            values::Sort::Cell => Self::Cell,
            values::Sort::Cells => Self::Cells,
            values::Sort::Dirs => Self::Dirs,
            values::Sort::Zone => Self::Zone,
            values::Sort::Move => Self::Move,
            values::Sort::Moves => Self::Moves,
            values::Sort::List => Self::List,
            values::Sort::Map => Self::Map,
            values::Sort::Range => Self::Range,
            values::Sort::Function => Self::Function,
            values::Sort::Action => Self::Action,
            values::Sort::Game => Self::Game,
            values::Sort::Nothing => Self::Nothing,
        })
    }
}

/// Returns the forms of the functions of the rules API by name, and those of the game.
pub(super) fn signatures(of_game: &OfGame) -> Signatures<'_> {
    let mut signatures = Signatures::default();
    for form in of_game.all_of_api() {
        signatures.entry(form.name()).or_default().push(Signature { form });
    }
    signatures
}
