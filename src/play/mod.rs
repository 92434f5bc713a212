//! Playing a game: phases run one after another, asks are answered, and a pause can be gone on from.

mod deal;
mod deals;
mod feed;
mod forks;
mod instruction;
mod machine;
mod odds;
mod perft;
mod playout;
mod policy;
mod progress;
mod random;
mod search;
mod sight;
mod tally;

pub use feed::{Feed, Reader};
pub use instruction::{Condition, Instruction};
pub use machine::{Machine, Stop, Watch};
pub use odds::{
    Chance, Graph, Horizon, Inquiry, Limit, MAX_STATES, MOST_STATES, Manner, Met, Open, Rounding, Settlement, Snag,
    Trap, Trouble, decimal, explore,
};
pub use perft::{divide, perft};
pub use playout::{Ending, Played, Playouts, Start};
pub use policy::{Policy, ReadAction, policies};
pub use progress::steps_done;
pub use random::Random;
pub use sight::Unseen;
pub use tally::{Applied, Tally, Totals};
