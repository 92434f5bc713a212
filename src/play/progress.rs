//! Counts work for progress display. Results do not depend on it.

use std::sync::atomic::{AtomicU64, Ordering};

static STEPS: AtomicU64 = AtomicU64::new(0);

/// Returns the number of states and positions that all threads of this process have processed so far.
#[must_use]
pub fn steps_done() -> u64 {
    STEPS.load(Ordering::Relaxed)
}

/// Adds processed states or positions.
pub(super) fn stepped(count: u64) {
    STEPS.fetch_add(count, Ordering::Relaxed);
}
