//! The language server, from outside: a client speaks the protocol with the binary. The grammars of editors.

mod anywhere;
mod client;
mod grammars;
mod neovim;
mod requests;
