//! Replay the worked examples of a rulebook against its rules, and judge them.
//!
//! `docs/architecture.md` describes the modules and their levels: a module uses only modules at lower levels.

#[cfg(feature = "cli")]
pub mod cli;
pub mod diagnostic;
pub mod draw;
pub mod format;
pub mod game;
pub mod ide;
#[cfg(feature = "lsp")]
pub mod lsp;
pub mod play;
pub mod report;
pub mod rules;
pub mod scenario;
pub mod source;
pub mod syntax;
pub mod table;
pub mod trace;
