//! Helpers for the arguments and results of API functions.

use crate::values::{Native, failure};
use referee_table::{Board, Direction};

/// Converts a count to a number of the rules. Counts always fit.
pub(super) fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Returns the work of this many steps from set to set on a board, in operations.
pub(super) fn work(board: &Board, steps: usize) -> u64 {
    /// The number of words of sets that one operation reads.
    const WORDS: usize = 32;
    (steps.saturating_mul(board.size().div_ceil(64)) / WORDS) as u64
}

/// Returns the work of as many steps each way that leads from a cell to its neighbours.
pub(super) fn work_each_way(board: &Board, steps: usize) -> u64 {
    work(board, steps.saturating_mul(board.ways().max(board.headings().len())))
}

/// Returns the direction with this number.
///
/// # Errors
/// Returns an error if the board does not have it.
pub(super) fn direction_of(board: &Board, number: i64) -> Native<Direction> {
    let direction = u8::try_from(number).ok().map(Direction).filter(|direction| board.heading(*direction).is_some());
    direction
        .ok_or_else(|| failure(format!("unknown direction {number}: the board has 1 to {}", board.headings().len())))
}
