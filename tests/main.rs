//! All integration tests, in one binary.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that finds something missing should stop there"
)]

/// The command line, from outside.
mod commands;
/// No dependency cycles among the source files.
mod cycles;
/// The documentation.
mod docs;
/// The language server, and the grammars of editors.
mod editor;
/// Shipped scenarios with false lines.
mod falsify;
/// The bundled games.
mod games;
/// Malicious input.
mod hostile;
/// The dependencies that are allowed between modules.
mod layering;
/// The program that tests run.
mod program;
/// Every shipped scenario, and a catalogue of errors.
mod suite;
/// Pages in a browser.
mod web;
