//! The language server: speaks the Language Server Protocol 3.17 for editors. Everything it knows comes from `ide`.
//!
//! One thread answers requests and reports the errors of texts. Another one runs the tests of the open files, and
//! reports failures.

mod answers;
mod commands;
mod convert;
mod documents;
mod messages;
mod runner;
mod server;
mod state;

pub use server::serve;
