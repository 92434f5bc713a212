//! The chance of a condition, over all random outcomes from a pause on.
//!
//! First, `explore` builds a graph of play, with one node for each state at the beginning of a phase. Within a phase it
//! tries every answer. Decisions follow given instructions and policies, or a player makes the condition as likely or
//! as unlikely as possible. Then the graph is solved, component by component from the ends back: as exact fractions
//! (`exact`) within a budget of work, otherwise by converging lower and upper bounds (`bounds`).

mod bounds;
mod budget;
mod chance;
mod course;
mod decisions;
mod exact;
mod explore;
mod fold;
mod graph;
mod guess;
mod place;
mod solve;
mod stepwise;
#[cfg(test)]
mod tests;
mod trap;
mod ways;

pub use budget::{DEFAULT_BYTES, Limit};
pub use chance::{Chance, Rounding, decimal, short_fraction};
pub use course::Open;
pub use decisions::{DecisionsSeen, UndecidedReason};
pub use explore::{Classify, DEFAULT_STATES, Follower, Horizon, Inquiry, MAX_STATES, OddsError, explore};
pub use graph::{Graph, Trap};
