//! Answers for editors about the files that are being edited: errors, names and their locations, completions, fixes,
//! positions.
//!
//! It knows files and bytes, but not the protocol: `lsp` translates.

mod check;
mod complete;
mod edit;
mod fixes;
mod goes_on;
mod hover;
mod known;
mod mentions;
mod names;
mod navigate;
mod outline;
mod overlay;
mod project;
mod record;
mod tokens;

pub use check::{Reached, Run, edited_problems, game_notes, game_problems, position, problems, run, tests_at};
pub use complete::{Completion, CompletionKind, answers_below, complete};
pub use edit::Edit;
pub use fixes::{Fix, accepted, suggested};
pub use goes_on::GoesOn;
pub use hover::{Hover, hover};
pub use known::Known;
pub use mentions::Mention;
pub use names::{Definition, Key, NameKind, Names};
pub use navigate::{Place, RenameError, definitions, references, renamable, rename};
pub use outline::{Fold, Symbol, SymbolKind, folds, symbols};
pub use overlay::Overlay;
pub use project::{Opened, Project, Role};
pub use record::record;
pub use tokens::{TOKEN_KINDS, Token, TokenKind, semantic_tokens};
