//! Counts work for progress display. Results do not depend on it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

static STEPS: AtomicU64 = AtomicU64::new(0);
static WATCHER: OnceLock<fn(u64)> = OnceLock::new();

/// The number of steps between two calls of the watcher.
const OFTEN: u64 = 1000;

/// Returns the number of states and positions that all threads of this process have processed so far.
#[must_use]
pub fn steps_done() -> u64 {
    STEPS.load(Ordering::Relaxed)
}

/// Has a function called with the number of steps, about every thousand of them, for a program without a thread that
/// could look at [`steps_done`]. Only the first such function is called.
pub fn watch_steps(watcher: fn(u64)) {
    // A second one would show the same numbers.
    let _ = WATCHER.set(watcher);
}

/// Adds processed states or positions.
pub(super) fn stepped(count: u64) {
    let before = STEPS.fetch_add(count, Ordering::Relaxed);
    if let Some(watcher) = WATCHER.get().filter(|_| before / OFTEN != (before + count) / OFTEN) {
        watcher(before + count);
    }
}
