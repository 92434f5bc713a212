//! Phases: functions of the rules to run next.

use std::sync::Arc;

use super::{Schema, Value};

/// The name of the phase that asks before it runs another. The space keeps it apart from functions of scripts.
pub const DEFERRED: &str = "choose then";
/// Which of its arguments is the list of the options.
const OPTIONS: usize = 2;

/// A function of the rules to run, with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct Phase {
    /// The name of the function.
    pub name: Arc<str>,
    /// The arguments.
    pub args: Vec<Value>,
}

impl Phase {
    /// Sorts the options, if the phase asks before it runs another and the game declares symmetries. What the options
    /// become by a symmetry is then the list that the rules make in the position that the symmetry leads to.
    #[must_use]
    pub fn sorted(mut self, schema: &Schema) -> Self {
        if &*self.name == DEFERRED
            && !schema.symmetries.is_empty()
            && let Some(Value::List(options)) = self.args.get_mut(OPTIONS)
        {
            options.sort_unstable();
        }
        self
    }
}
