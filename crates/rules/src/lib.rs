//! The rules of a game: Rhai scripts, the functions they may call, and running them up to the next unanswered ask.
//!
//! This is the only layer that uses Rhai. Its modules, lowest level first: `values`, `host` (the game that running
//! rules act on), `natives` (everything that rules may use, and what is known of it), `layers` (the script and its house
//! rules), `script` (its tree), `vm` (the machine), `compile` (from scripts to its operations), `wasm` (from scripts to machine code), `lint` (the checks),
//! `program`. Each uses only those before it. `scripts` answers what editors ask.

mod compile;
mod host;
mod layers;
mod lint;
mod marks;
mod mutants;
mod natives;
mod program;
mod script;
mod scripts;
#[cfg(test)]
mod tests;
mod values;
mod vm;
mod wasm;

pub use host::{Answers, Keep, Reply, Role, Used as UsedUp};
pub use layers::{ScriptTokenKind, is_setting, tokens};
pub use lint::{Check, Entry, Snippet, Used, checks, explained};
pub use marks::{Mark, MarkKind, marks};
pub use mutants::{Mutant, OptionWords, mutants};
pub use natives::{DealingFunction, Example, Form, Worst, described, entries, reference};
pub use program::{
    CalledFunction, Counted, End, Expression, GameCounts, Loading, Paused, PhaseCounts, Placeholders, Played, Playing,
    Point, Profile, ProfileNode, ProfiledLine, Program, Run, SILENT_PHASES, StandIn, Steps, TurnPlaces, Workings,
    turns_read_by,
};
pub use script::PointKind;
pub use script::{Meaning, Occurrence, Variable, WORDS};
pub use scripts::{DeclaredInScript, Offered, OfferedKind, Place, Scripts, declared_in_script};
pub use values::Moves;
pub use vm::Clock;
pub use wasm::{Asked, Called, Draws, Engine, Listed, Numbers, Page, Reached, number_for, run_in};
