//! How much has been done, for whoever waits. Nothing depends on it.

use std::sync::atomic::{AtomicU64, Ordering};

static STEPS: AtomicU64 = AtomicU64::new(0);

/// Returns how many states and positions all threads of this process have looked at so far.
#[must_use]
pub fn steps_done() -> u64 {
    STEPS.load(Ordering::Relaxed)
}

/// So many more were looked at.
pub(super) fn stepped(count: u64) {
    STEPS.fetch_add(count, Ordering::Relaxed);
}
