//! Playing a game: phases run one after another, asks are answered, and a pause can be gone on from.

mod feed;
mod machine;
mod odds;
mod perft;

pub use feed::{Feed, Reader};
pub use machine::{Machine, Stop, Watch};
pub use odds::{
    Chance, Graph, Horizon, Inquiry, MOST_STATES, Open, Policy, Rounding, Settlement, Trouble, decimal, explore,
};
pub use perft::{divide, perft};
