//! Reads the options of a choice from a script.

use rhai::{Array, Dynamic};

use crate::values::{Moves, Native, failure, kind_of};
use referee_table::Cells;

/// Returns the options as a list of values.
pub(super) fn listed(options: &Dynamic) -> Native<Vec<Dynamic>> {
    if let Some(cells) = options.read_lock::<Cells>() {
        return Ok(cells.iter().map(Dynamic::from).collect());
    }
    if let Some(list) = options.read_lock::<Array>() {
        return Ok(list.clone());
    }
    if let Some(range) = options.read_lock::<std::ops::RangeInclusive<i64>>() {
        return numbers(*range.start(), *range.end());
    }
    if let Some(range) = options.read_lock::<std::ops::Range<i64>>() {
        return numbers(range.start, range.end.saturating_sub(1));
    }
    Err(failure(format!(
        "expected a list, a set of cells or a range of numbers as options, found {}",
        kind_of(options)
    )))
}

/// Returns whether there are options.
pub(crate) fn any(options: &Dynamic) -> Native<bool> {
    if let Some(moves) = options.read_lock::<Moves>() {
        return Ok(!moves.all().is_empty());
    }
    Ok(!listed(options)?.is_empty())
}

/// The maximum number of values in a range of options.
const MAX_OPTIONS: i64 = 10_000;

fn numbers(low: i64, high: i64) -> Native<Vec<Dynamic>> {
    if high.saturating_sub(low) >= MAX_OPTIONS {
        return Err(failure(format!("a range of options has at most {MAX_OPTIONS} numbers")));
    }
    Ok((low..=high).map(Dynamic::from).collect())
}
