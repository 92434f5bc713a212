//! History: the positions in which turns began. It is kept beside a state and is not part of its key.

use std::sync::Arc;

use super::{Cell, Cells, Faces, PlayerId, Value, Zone};

/// The variable part of a position at the beginning of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) player: PlayerId,
    pub(super) many: Vec<Cells>,
    pub(super) places: Vec<Option<Cell>>,
    pub(super) zones: Vec<Zone>,
    pub(super) faces: Faces,
    pub(super) values: Vec<Vec<Value>>,
}

/// The turns so far, the last first. Copies share them.
#[derive(Clone, Debug, Default)]
pub(super) struct History(Option<Arc<Turn>>);

#[derive(Debug)]
struct Turn {
    standing: Standing,
    before: History,
}

impl History {
    /// Adds a turn that begins in this position.
    pub(super) fn push(&mut self, standing: Standing) {
        let before = Self(self.0.take());
        self.0 = Some(Arc::new(Turn { standing, before }));
    }

    /// Returns the number of turns that began in this position.
    pub(super) fn count(&self, standing: &Standing) -> usize {
        let turns = std::iter::successors(self.0.as_deref(), |turn| turn.before.0.as_deref());
        turns.filter(|turn| turn.standing == *standing).count()
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
