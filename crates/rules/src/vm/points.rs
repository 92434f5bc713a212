//! The points of the rules whose runs are counted, for coverage.

use std::cell::RefCell;

use rhai::Position;

/// The kinds of points.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PointKind {
    /// Calls of the function with this name.
    Function(String),
    /// Runs of a statement.
    Statement,
    /// How often a condition has this value.
    Condition(bool),
    /// How often a case of a `switch` is chosen.
    Case,
    /// How often no case of a `switch` without a default is chosen.
    NoCase,
    /// How often a loop begins a round.
    Round,
    /// How often a loop comes to the end of its values.
    LoopEnd,
}

/// Points and their counts.
#[derive(Debug, Default)]
pub(crate) struct Points {
    all: Vec<(PointKind, Position)>,
    counts: RefCell<Vec<u64>>,
}

impl Points {
    /// Adds a point and returns its index.
    pub(crate) fn add(&mut self, kind: PointKind, at: Position) -> u32 {
        let index = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.all.push((kind, at));
        self.counts.get_mut().push(0);
        index
    }

    /// Returns all points.
    pub(crate) fn all(&self) -> &[(PointKind, Position)] {
        &self.all
    }

    /// Counts a run of a point.
    pub(crate) fn hit(&self, point: u32) {
        if let Some(count) = self.counts.borrow_mut().get_mut(point as usize) {
            *count += 1;
        }
    }

    /// Returns the count of each point since the last call.
    pub(crate) fn take_counts(&self) -> Vec<u64> {
        let mut counts = self.counts.borrow_mut();
        let zero = vec![0; counts.len()];
        std::mem::replace(&mut counts, zero)
    }
}
