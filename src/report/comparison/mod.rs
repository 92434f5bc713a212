//! What an option or a house rule changes: scenarios, statistics of games and odds under two readings; or many readings,
//! ranked by their effect.

mod human;
mod json;
mod model;
mod odds;
mod ranking;
mod scenarios;
mod statistics;

pub use model::{ComparedReading, Comparison, OddsPair, ReadingNames};
