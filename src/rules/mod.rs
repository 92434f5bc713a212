//! The rules of a game: Rhai scripts, the functions they may call, and running them up to the next unanswered ask.
//!
//! This is the only module that uses Rhai. Its submodules, lowest level first: `values`, `host` (the game that running
//! rules act on), `natives` (everything that rules may use, and what is known of it), `layers` (the script and its house
//! rules), `vm` (the machine), `compile` (from scripts to its operations), `check`, `program`. Each uses only those before
//! it.

mod check;
mod compile;
mod host;
mod layers;
mod marks;
mod mutants;
mod natives;
mod program;
#[expect(dead_code, unused_imports, reason = "the readers of scripts move to the tree one after the other")]
mod script;
mod values;
mod vm;

pub use host::{Answers, Keep, Reply};
pub use layers::is_setting;
pub(crate) use layers::{ScriptToken, ScriptTokenKind, tokens};
pub use marks::{Mark, MarkKind, marks};
pub use mutants::{Mutant, OptionWords, mutants};
pub use natives::{Form, described, reference};
pub use program::{End, Loading, Paused, Placeholders, Playing, Point, Program, Run, SILENT_PHASES};
pub use values::library;
pub use vm::PointKind;
