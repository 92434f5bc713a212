//! Counts work for progress display. Results do not depend on it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::odds::Chance;

static STEPS: AtomicU64 = AtomicU64::new(0);
static SOLVING: AtomicU64 = AtomicU64::new(0);
static WATCHER: OnceLock<fn(&Progress<'_>)> = OnceLock::new();

/// The number of states between two calls of the watcher.
const OFTEN: u64 = 100;
/// The number of steps of solving between two calls of the watcher.
const OFTEN_SOLVING: u64 = 1 << 20;

/// What a watcher is told.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'p> {
    /// The number of states and positions processed so far.
    States(u64),
    /// The number of steps of solving so far: states are there, their chances are computed.
    Solving(u64),
    /// The outcome whose chance is computed next.
    Outcome(&'p str),
    /// Its chance lies between these bounds, whatever the steps that are left.
    Between(&'p Chance),
    /// Its chance.
    Is(&'p Chance),
}

/// Returns the number of states and positions that all threads of this process have processed so far.
#[must_use]
pub fn steps_done() -> u64 {
    STEPS.load(Ordering::Relaxed)
}

/// Returns the number of steps of solving that all threads of this process have made so far.
#[must_use]
pub fn solving_done() -> u64 {
    SOLVING.load(Ordering::Relaxed)
}

/// Has a function called about every hundred states and every million steps of solving, for a program without a thread
/// that could look at [`steps_done`]. Only the first such function is called.
pub fn watch(watcher: fn(&Progress<'_>)) {
    // A second one would show the same numbers.
    let _ = WATCHER.set(watcher);
}

/// Tells the watcher something.
pub fn tell(progress: &Progress<'_>) {
    if let Some(watcher) = WATCHER.get() {
        watcher(progress);
    }
}

/// Adds processed states or positions.
pub(super) fn stepped(count: u64) {
    if let Some(all) = added(&STEPS, count, OFTEN) {
        tell(&Progress::States(all));
    }
}

/// Adds steps of solving. Returns whether the watcher was told, and may be told more.
pub(super) fn solving(count: u64) -> bool {
    let told = added(&SOLVING, count, OFTEN_SOLVING);
    told.is_some_and(|all| {
        tell(&Progress::Solving(all));
        WATCHER.get().is_some()
    })
}

/// Adds to a sum, and returns it if a multiple of `often` was reached.
fn added(sum: &AtomicU64, count: u64, often: u64) -> Option<u64> {
    let before = sum.fetch_add(count, Ordering::Relaxed);
    let after = before.wrapping_add(count);
    (before / often != after / often).then_some(after)
}
