//! The phase that asks before it runs another.

use super::{Phase, Schema, Value};

/// The name of the phase. The space keeps it apart from functions of scripts.
pub const DEFERRED: &str = "choose then";
/// Which of its arguments is the list of the options.
const OPTIONS: usize = 2;

/// Sorts the options, if this is the phase and the game declares symmetries. What the options become by a symmetry is
/// then the list that the rules make in the position that the symmetry leads to.
#[must_use]
pub fn with_sorted_options(mut phase: Phase, schema: &Schema) -> Phase {
    if &*phase.name == DEFERRED
        && !schema.symmetries.is_empty()
        && let Some(Value::List(options)) = phase.args.get_mut(OPTIONS)
    {
        options.sort_unstable();
    }
    phase
}
