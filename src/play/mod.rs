//! Playing a game: phases run one after another, asks are answered, and a pause can be gone on from.

mod feed;
mod machine;
mod perft;

pub use feed::{Feed, Reader};
pub use machine::{Machine, Stop, Watch};
pub use perft::{divide, perft};
