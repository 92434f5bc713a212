//! The positions that play passes between two asks.

use super::expand::{Expander, Found, Look, Post, Setting};
use super::store::{Bounds, Store};
use crate::Machine;
use crate::points::Pause;
use referee_rules::SILENT_PHASES;
use referee_table::Images;

/// Returns the least number of turns, the present one included, within which the answer of this number at the pause of a
/// machine leads to a position that `look` marks, before anything else is asked. Returns `None` if it leads to none.
#[must_use]
pub fn turns_to_mark(machine: &Machine<'_>, choice: u32, look: Look<'_>) -> Option<u32> {
    let mut first = Pause::of(machine)?;
    first.state.forget_history();
    first.segment = None;
    let table = first.state.table.clone();
    let setting = Setting { table, alone: machine.is_alone(), symmetries: Images::default() };
    let expander = Expander { program: machine.program(), setting: &setting, look: Some(look), first: None };
    let none = Store::new(Bounds { states: 0, bytes: 0 }, false, false);
    let stand = expander.answered(&Post::Asks(Box::new(first)), choice as usize).ok()?;
    for turns in 1..=u32::try_from(SILENT_PHASES).unwrap_or(u32::MAX) {
        let landing = expander.land(&none, stand.clone(), Some(turns), &mut Found::default()).ok()?;
        match landing.mark {
            Some(_) => return Some(turns),
            // The horizon is not reached, so more turns change nothing.
            None if landing.left != Some(0) => return None,
            None => {}
        }
    }
    None
}
