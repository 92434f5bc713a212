//! History: the positions in which turns began. It is kept beside a state and is not part of its key.

use std::sync::Arc;

use super::PlayerId;
use super::contents::Contents;

/// A position at the beginning of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TurnStart {
    pub(super) player: PlayerId,
    pub(super) contents: Contents,
}

/// The turns so far, the last first. Copies share them.
#[derive(Clone, Debug, Default)]
pub(super) struct History(Option<Arc<Turn>>);

#[derive(Debug)]
struct Turn {
    start: TurnStart,
    before: History,
}

impl History {
    /// Adds a turn that begins in this position.
    pub(super) fn push(&mut self, start: TurnStart) {
        let before = Self(self.0.take());
        self.0 = Some(Arc::new(Turn { start, before }));
    }

    /// Returns the number of turns that began in this position.
    pub(super) fn count(&self, start: &TurnStart) -> usize {
        let turns = std::iter::successors(self.0.as_deref(), |turn| turn.before.0.as_deref());
        turns.filter(|turn| turn.start == *start).count()
    }
}

impl Drop for History {
    /// Drops the turns in a loop: recursion would nest too deep in a long game.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut turn) = next.and_then(Arc::into_inner) {
            next = turn.before.0.take();
        }
    }
}
