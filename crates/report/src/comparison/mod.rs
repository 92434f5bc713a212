//! The effect of an option or a house rule on scenarios, statistics of games and odds, under two readings; or the
//! ranking of many readings by their effect.

mod human;
mod json;
mod model;
mod odds;
mod ranking;
mod scenarios;
mod statistics;

pub use model::{ComparedReading, Comparison, OddsPair, ReadingNames, counters, own_counters};
