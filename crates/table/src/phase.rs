//! Phases: functions of the rules to run next.

use std::sync::Arc;

use super::{PlayerId, Value};

/// A function of the rules to run, with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct Phase {
    /// The name of the function.
    pub name: Arc<str>,
    /// The arguments.
    pub args: Vec<Value>,
}

/// The name of the rules' function for a player's turn.
const TURN: &str = "turn";
/// The names of the rules' functions for the beginning and the end of a round.
pub const ROUND_BEGINS: &str = "round_begins";
/// See [`ROUND_BEGINS`].
pub const ROUND_ENDS: &str = "round_ends";

impl Phase {
    /// Returns the phase that is a player's turn.
    #[must_use]
    pub fn turn(player: PlayerId) -> Self {
        // Games have very many turns, so they share the name. Threads do not: they would wait for each other to count it.
        thread_local! {
            static NAME: Arc<str> = TURN.into();
        }
        Self { name: NAME.with(Arc::clone), args: vec![Value::Player(player)] }
    }

    /// Returns the phase that begins a round.
    #[must_use]
    pub fn round_begins() -> Self {
        Self { name: ROUND_BEGINS.into(), args: Vec::new() }
    }

    /// Returns the phase that ends a round.
    #[must_use]
    pub fn round_ends() -> Self {
        Self { name: ROUND_ENDS.into(), args: Vec::new() }
    }

    /// Returns whether it is a player's turn.
    #[must_use]
    pub fn is_turn(&self) -> bool {
        &*self.name == TURN
    }

    /// Returns the player whose turn it is; `None` if it is no turn, or not in the usual form.
    #[must_use]
    pub fn player(&self) -> Option<PlayerId> {
        match self.args.as_slice() {
            [Value::Player(player)] if self.is_turn() => Some(*player),
            _ => None,
        }
    }
}

/// The name of the phase that asks before it runs another. The space keeps it apart from functions of scripts.
pub const DEFERRED: &str = "choose then";
