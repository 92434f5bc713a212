//! The chance of something, over every answer of chance from a pause on.
//!
//! First the play is laid out as a graph (`explore`): a node for each state at the beginning of a phase, equal states
//! being one; within a phase every answer is tried. Decisions are settled beforehand or left to a player who makes the
//! condition likeliest or least likely. Then the graph is solved, component by component from the ends back: exactly as
//! fractions (`exact`) as long as that is little work, otherwise by lower and upper bounds that close in (`bounds`).

mod bounds;
mod budget;
mod chance;
mod components;
mod course;
mod exact;
mod explore;
mod fold;
mod graph;
mod linear;
mod place;
mod settlement;
mod solve;
#[cfg(test)]
mod tests;
mod trap;

pub use budget::Limit;
pub use chance::{Chance, Rounding, decimal};
pub use course::Open;
pub use explore::{Horizon, Inquiry, MAX_STATES, MOST_STATES, Trouble, explore};
pub use graph::{Graph, Trap};
pub use settlement::{Manner, Met, Settlement, Snag};
