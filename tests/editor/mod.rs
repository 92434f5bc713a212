//! The language server, from outside: a client speaks the protocol with the binary.

mod anywhere;
mod client;
mod neovim;
mod requests;
