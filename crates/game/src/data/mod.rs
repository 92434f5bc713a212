//! Reads component data in YAML: a deck of cards, the arrows of a board, a graph.

mod arrows;
mod cards;
mod declared;
mod graph;
mod printed;
mod unreadable;
mod upgrade;
mod yaml;

pub(crate) use arrows::arrows;
pub(super) use cards::{CardData, Deck, cards};
pub use declared::{NameInData, OfData, names_in_data};
pub(crate) use graph::graph;
pub(super) use printed::MAX_PRINTED;
pub use upgrade::upgraded_data;
