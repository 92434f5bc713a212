//! Component data in YAML: a deck of cards, the arrows of a board.

mod arrows;
mod yaml;

pub(super) use arrows::arrows;
