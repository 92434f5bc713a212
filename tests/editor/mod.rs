//! The language server, from outside: a client speaks the protocol with the binary.

mod client;
mod neovim;
mod requests;
