//! Helpers for the arguments and results of API functions.

use rhai::NativeCallContext;

use crate::rules::layers::rules_place;
use crate::rules::values::{Native, failure};
use crate::table::{Board, Direction};
use crate::trace::RulesPlace;

/// Returns the place in the rules from which a native function is called.
pub(super) fn place(ctx: &NativeCallContext<'_>) -> RulesPlace {
    let position = ctx.call_position();
    if position.is_none() {
        return RulesPlace::default();
    }
    rules_place(position)
}

/// Converts a count to a number of the rules. Counts always fit.
pub(super) fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
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
