//! The language server, from outside: a client speaks the protocol with the binary. The grammars of editors.

mod anywhere;
mod boards;
mod broken_messages;
mod client;
mod declared;
mod expected;
mod fixes;
mod goes_on;
mod grammars;
mod houses;
mod kinds;
mod neovim;
mod notes;
mod odd_names;
mod odd_texts;
mod requests;
mod scopes;
mod session;
