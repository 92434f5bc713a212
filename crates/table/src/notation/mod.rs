//! How the things of a game are written in the words of lines: the one place that reads values from words with the names
//! of a game, and writes them.
//!
//! The grammar knows only lines and words, because a placeholder may stand for any words of a line, and names of pieces
//! and cards have several words. [`Word`](referee_source::Word) cuts a word at its marks; here the longest name that fits
//! decides what words mean.

mod amounts;
mod forms;
mod likely;
mod moves;
mod names;
mod owners;
mod phrase;
mod pieces;
mod properties;
mod several;
mod write;
mod zones;

pub use likely::{likely_name, written_name};
pub use names::{Names, no_board};
pub use phrase::Phrase;
pub use pieces::{Placing, Prefixed};
pub use properties::Undotted;
pub use zones::Listed;
