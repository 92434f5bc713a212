//! The language server: speaks the Language Server Protocol 3.17 for editors. Everything it knows comes from `ide`.
//!
//! One thread answers requests and reports what a text says wrong. Another one runs the tests of the files that are open,
//! and reports failures.

mod answers;
mod commands;
mod convert;
mod documents;
mod messages;
mod runner;
mod server;
mod state;

pub use server::serve;
