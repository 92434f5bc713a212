//! How often the points of the rules have run, for coverage.

use std::cell::RefCell;

/// The number of runs of each point, by its number in the tree that counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runs(RefCell<Vec<u64>>);

impl Runs {
    /// Returns the counts of so many points.
    pub(crate) fn of(points: usize) -> Self {
        Self(RefCell::new(vec![0; points]))
    }

    /// Counts a run of a point.
    pub(crate) fn hit(&self, point: u32) {
        if let Some(count) = self.0.borrow_mut().get_mut(point as usize) {
            *count += 1;
        }
    }

    /// Returns the count of each point since the last call.
    pub(crate) fn take(&self) -> Vec<u64> {
        let mut counts = self.0.borrow_mut();
        let zero = vec![0; counts.len()];
        std::mem::replace(&mut counts, zero)
    }

    /// Adds counts that were taken.
    pub(crate) fn add(&self, more: &[u64]) {
        self.0.borrow_mut().iter_mut().zip(more).for_each(|(count, more)| *count += more);
    }
}
