//! The natives: everything that rules may use and the program provides. Each function, property and operator has an entry
//! in the file of its subject, which says all that is known of it and what carries it out. Whoever wants to know something
//! of a native asks its entry.

mod amounts;
mod arguments;
mod asks;
mod board;
mod cards;
mod cells;
mod copied;
mod dealing;
mod distances;
mod emitted;
mod ends;
mod entry;
mod face_down;
mod for_rhai;
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
mod named;
mod native;
mod needs;
mod numbers;
mod pieces;
mod places;
mod players;
mod properties;
mod quick_amounts;
mod registry;
mod stacks;
mod table;
mod telling;
mod texts;
mod turns;
mod ways;

pub(crate) use amounts::takes_amounts;
pub(crate) use asks::{ANY_VALUES, MOVE_OF, OF_CHOSEN, OFFERING, is_chosen_action};
pub(crate) use asks::{needs_player, not_secret};
pub(crate) use copied::set_for_copies;
pub use dealing::DealingFunction;
pub(crate) use dealing::dealing_function;
pub(crate) use emitted::{Emitted, Ending, PartOfMove, emitted, ending, lists_moves, makes_long_moves, reduces};
pub(crate) use entry::getter;
pub(crate) use entry::{Cost, Does, Loop, Parameter, Shortcut, Special};
pub use entry::{Example, Form, Worst};
pub(crate) use face_down::FACE_UP;
pub(crate) use for_rhai::{for_interpreter, for_library};
pub(crate) use game::OfGame;
pub use game::entries;
pub(crate) use kinds::components;
pub(crate) use lacking::{Asked, lacking_of_kind, lacking_of_piece};
pub(crate) use library::{ChangedKinds, Library, PUSH, TO_TEXT, growing, place};
pub(crate) use lookups::{Lookup, heading, is_kind};
pub(crate) use moves::{IF_MADE, LOOK, LOOK_BACK};
pub(crate) use named::{Asking, Named, library_function, library_property};
pub(crate) use native::{Given, Native, Natives, READ, WRITE};
pub(crate) use needs::{Need, lacking_on_graphs, place_needed};
pub(crate) use table::{
    askers, functions, is_length, is_property, names_of_library, operator_signs, operators, properties, properties_of,
    property_names, property_of, readers_of_history, register, shown,
};
pub use table::{described, reference};
pub(crate) use turns::turn_rules;
