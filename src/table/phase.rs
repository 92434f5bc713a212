//! Phases: functions of the rules to run next.

use std::sync::Arc;

use super::Value;

/// A function of the rules to run, with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct Phase {
    /// The name of the function.
    pub name: Arc<str>,
    /// The arguments.
    pub args: Vec<Value>,
}
