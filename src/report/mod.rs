//! What people and machines read: results as text and as JSON, boards as text.

mod board;
mod human;
mod json;

pub use board::{draw, side_by_side};
pub use human::{Human, test_name};
pub use json::{check_json, test_json};
