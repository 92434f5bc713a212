//! What was before: the positions in which turns began. It stands beside a state and does not belong to its key.

use std::sync::Arc;

use super::{Cell, Cells, Faces, PlayerId, Value, Zone};

/// All of a position that changes in the course of a game, when a turn begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) player: PlayerId,
    pub(super) many: Vec<Cells>,
    pub(super) places: Vec<Option<Cell>>,
    pub(super) zones: Vec<Zone>,
    pub(super) faces: Faces,
    pub(super) values: Vec<Vec<Value>>,
}

/// The turns that have begun, the last first. A copy shares them.
#[derive(Clone, Debug, Default)]
pub(super) struct History(Option<Arc<Turn>>);

#[derive(Debug)]
struct Turn {
    standing: Standing,
    before: History,
}

impl History {
    /// A turn begins.
    pub(super) fn push(&mut self, standing: Standing) {
        let before = Self(self.0.take());
        self.0 = Some(Arc::new(Turn { standing, before }));
    }

    /// Returns how many turns began so.
    pub(super) fn count(&self, standing: &Standing) -> usize {
        let turns = std::iter::successors(self.0.as_deref(), |turn| turn.before.0.as_deref());
        turns.filter(|turn| turn.standing == *standing).count()
    }
}

impl Drop for History {
    /// One after the other: a long game would nest too deep.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut turn) = next.and_then(Arc::into_inner) {
            next = turn.before.0.take();
        }
    }
}
