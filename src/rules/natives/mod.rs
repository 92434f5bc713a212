//! The natives: everything that rules may use and the program provides. Each function, property and operator has an entry
//! in the file of its subject, which says all that is known of it and what carries it out. Whoever wants to know something
//! of a native asks its entry.

mod arguments;
mod asks;
mod board;
mod cards;
mod cells;
mod dealing;
mod distances;
mod ends;
mod entry;
mod face_down;
mod game;
mod kinds;
mod lacking;
mod language;
mod library;
mod lines;
mod lists;
mod lookups;
mod maps;
mod moves;
mod native;
mod numbers;
mod pieces;
mod players;
mod properties;
mod registry;
mod table;
mod telling;
mod texts;
mod ways;

pub(crate) use dealing::{DealingFunction, dealing_function, perform};
pub use entry::Form;
#[expect(unused_imports, reason = "the tree of scripts will ask for them")]
pub(crate) use entry::{By, Entry, Sense};
pub(crate) use entry::{Cost, Does, Parameter, Shortcut};
pub(crate) use game::OfGame;
pub(crate) use kinds::components;
pub(crate) use lacking::{Asked, lacking_of_kind, lacking_of_piece};
pub(crate) use library::{ChangedKinds, Library, growing, place};
pub(crate) use lookups::{Lookup, heading, is_kind};
pub(crate) use native::{Caller, Given, Native, Natives, READ, WRITE};
#[expect(unused_imports, reason = "the tree of scripts will ask for it")]
pub(crate) use table::operators;
pub(crate) use table::{
    askers, changed_kinds, cost_of_library, fills, functions, is_fixed, is_known, is_of_library, is_of_library_with,
    is_search, library_function, may_change, names_of_library, only_changes_lists, properties, properties_of,
    property_names, register, shortcut, takes_sets, topics,
};
pub use table::{described, reference};
