//! The language server: speaks the Language Server Protocol 3.17 for editors. Everything it knows comes from `ide`.
//!
//! A [`Session`] answers requests and reports the errors of texts. A [`Runner`] runs the tests of the open files, and
//! reports failures. Neither needs a thread: [`serve`] gives each one of its own, and a page in a browser has one for
//! both.

mod answers;
mod commands;
mod convert;
mod desk;
mod documents;
mod greeting;
mod messages;
mod runner;
#[cfg(feature = "threads")]
mod server;
mod session;

pub use desk::Desk;
pub use greeting::Greeting;
pub use runner::{Batch, Runner};
#[cfg(feature = "threads")]
pub use server::serve;
pub use session::Session;
