//! Looks for holes in the rules of a game: plays it, and shrinks what was found to the shortest scenario that shows it.

mod case;
mod crop;
mod finding;
mod hints;
mod hunt;
mod invariant;
mod minimal;
mod replay;
mod shrink;

pub use finding::{Finding, FindingKey, Kind};
pub use hints::clause_hints;
pub use hunt::{Hunt, Hunted};
pub use invariant::{Invariant, invariants};
pub use shrink::{Evidence, Shrunk, shrink};
