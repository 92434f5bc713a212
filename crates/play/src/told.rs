//! How a game has ended, and what is told of it besides its counts.

use std::hash::{DefaultHasher, Hash as _};

use super::tally::Tally;
use referee_diagnostic::Diagnostic;
use referee_table::Outcome;
use referee_trace::{Answer, Ask, Event};

/// How a playout ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The game is over.
    Over(Outcome),
    /// The game took too many turns.
    Stopped,
    /// The rules or a policy caused an error.
    Fault(Box<Diagnostic>),
    /// The rules ask again and again within a turn.
    Endless(Box<Diagnostic>),
}

/// What is wanted of a game besides its end and its counts.
pub(super) enum Want<'w> {
    /// Nothing.
    Counts,
    /// The asks with their answers.
    Answers,
    /// What was asked, answered and told, phase by phase, as a number.
    Told(&'w mut DefaultHasher),
}

/// What was asked, answered and told in a phase.
#[derive(Default)]
pub(super) struct Account {
    pub(super) answers: Vec<(Ask, Answer)>,
    pub(super) events: Vec<Event>,
}

impl Account {
    pub(super) fn hash(&self, into: &mut DefaultHasher) {
        self.answers.len().hash(into);
        for (ask, answer) in &self.answers {
            (&ask.question, answer).hash(into);
        }
        self.events.hash(into);
    }
}

/// What tells a game from others: if it is the same, so are both games, but for where in the rules something was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Digest {
    /// How the game ended.
    pub(super) ending: Ending,
    pub(super) tally: Tally,
    /// The position at the end.
    pub(super) state: Vec<u8>,
    /// What was asked, answered and told.
    pub(super) told: u64,
}
