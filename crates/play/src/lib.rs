//! Plays games: runs phases one after another, answers asks, and continues from pauses.

mod all_deals;
mod blind;
mod clocks;
mod components;
mod feed;
mod forks;
mod instruction;
mod lockstep;
mod machine;
mod misses;
mod odds;
mod open;
mod paired;
mod perft;
mod pins;
mod playout;
mod points;
mod policy;
mod pools;
mod progress;
mod quicker;
mod random;
mod rated;
mod rated_games;
mod redeal;
mod retrace;
mod search;
mod segment;
mod series;
mod set_up;
mod space;
mod stepped;
mod stepped_games;
mod strategy;
mod subsets;
mod tally;
mod tape;
mod told;
mod visibility;
mod watched;

pub use clocks::clocks;
pub use feed::{AnswerSource, SharedAnswers, tape};
pub use instruction::{Condition, Instruction};
pub use lockstep::{Comparison, Course, Difference, Unlike, difference, first_asking};
pub use machine::{Machine, Passed, Stop, Watch, pause_key};
pub use odds::{
    Chance, Classify, DEFAULT_BYTES, DEFAULT_STATES, DecisionsSeen, Follower, Graph, Horizon, Inquiry, Limit,
    MAX_STATES, OddsError, Open, Rounding, Trap, UndecidedReason, decimal, explore, short_fraction,
};
pub use paired::{Measure, Pairs};
pub use perft::{Counter, divide, divide_within, perft};
pub use playout::{Ended, Played, Playouts, Start};
pub use policy::{Deals, MAX_SAMPLE, Policy};
pub use progress::{Progress, solving_done, steps_done, tell, watch};
pub use quicker::Quicker;
pub use random::Random;
pub use retrace::{Leg, retrace};
pub use series::Series;
pub use set_up::set_up_fault;
pub use space::{
    Alone, Bounds, Crew, Cycle, Look, LookFor, Marker, Moment, NONE, Sight, Space, SpaceError, StateId, Unrolled,
    Visitor, WalkPlan, WalkStep, replay, turns_to_mark, unrolled, walk,
};
pub use strategy::StrategyProfile;
pub use tally::{Applied, Squares, Tally, Totals};
pub use told::{Digest, Ending};
pub use visibility::Unseen;
pub use watched::Watched;
