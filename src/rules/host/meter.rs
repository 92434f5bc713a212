//! How much rules may do between two asks: operations, which are the same on every machine; and as a last resort, where
//! the program that uses the library gives gauges, time and memory.

use core::time::Duration;
use std::cell::Cell;

use crate::rules::values::{Native, failure};
use crate::table::Value;

/// The most operations between two asks. Unlike the engine's own count, those of closures that native functions call count.
const OPERATIONS: u64 = 5_000_000;
/// The most that a phase may leave behind: values of events, of phases and choices to come, of states noted.
const KEPT: u64 = 1_000_000;
/// How often the gauges are looked at, in operations.
const GLANCE: u64 = 1 << 17;
/// The longest time between two asks.
const TIME: Duration = Duration::from_secs(10);
/// The most memory that may be taken between two asks, in bytes.
const MEMORY: u64 = 1 << 30;

/// What the library cannot tell by itself.
#[derive(Clone, Copy, Debug)]
pub struct Gauges {
    /// The time since some moment.
    pub time: fn() -> Duration,
    /// The memory that the process takes, in bytes; always 0 where nobody knows.
    pub memory: fn() -> u64,
}

/// What was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excess {
    Operations,
    Time,
    Memory,
}

/// Counts what rules do.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    operations: Cell<u64>,
    /// The operations up to the last ask, of all runs together.
    spent: Cell<u64>,
    /// The number of operations at which to look closer; 0 once the run is to stop.
    due: Cell<u64>,
    kept: Cell<u64>,
    excess: Cell<Option<Excess>>,
    began: Cell<Option<(Duration, u64)>>,
    gauges: Cell<Option<Gauges>>,
}

impl Meter {
    /// Looks at these gauges from now on.
    pub(crate) fn gauge(&self, gauges: Option<Gauges>) {
        self.gauges.set(gauges);
    }

    /// A run begins; so much is kept already.
    pub(crate) fn reset(&self, kept: u64) {
        self.kept.set(kept);
        self.asked();
    }

    /// Returns the weight of what is kept.
    pub(crate) fn kept(&self) -> u64 {
        self.kept.get()
    }

    /// A phase goes on that has kept so much.
    pub(crate) fn has_kept(&self, kept: u64) {
        self.kept.set(kept);
    }

    /// An ask was answered.
    pub(crate) fn asked(&self) {
        self.spent.set(self.spent());
        self.operations.set(0);
        self.due.set(next_glance(0));
        self.excess.set(None);
        self.began.set(None);
    }

    /// Returns the operations of all runs together.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.get().wrapping_add(self.operations.get())
    }

    /// The run is to stop at the next operation.
    pub(crate) fn halt(&self) {
        self.due.set(0);
    }

    /// A run begins that has not been halted.
    pub(crate) fn resume(&self) {
        self.due.set(if self.excess.get().is_some() { 0 } else { next_glance(self.operations.get()) });
    }

    /// One operation; whether the run is to stop.
    #[inline]
    pub(crate) fn tick(&self) -> bool {
        let operations = self.operations.get() + 1;
        self.operations.set(operations);
        operations >= self.due.get() && self.look(operations)
    }

    /// Looks closer.
    fn look(&self, operations: u64) -> bool {
        if self.due.get() == 0 {
            return true;
        }
        if operations > OPERATIONS {
            self.excess.set(self.excess.get().or(Some(Excess::Operations)));
        } else if let Some(gauges) = self.gauges.get() {
            let (time, memory) = ((gauges.time)(), (gauges.memory)());
            let (began, taken) = self.began.get().unwrap_or((time, memory));
            self.began.set(Some((began, taken)));
            if time.saturating_sub(began) > TIME {
                self.excess.set(self.excess.get().or(Some(Excess::Time)));
            } else if memory.saturating_sub(taken) > MEMORY {
                self.excess.set(self.excess.get().or(Some(Excess::Memory)));
            }
        }
        let stop = self.excess.get().is_some();
        self.due.set(if stop { 0 } else { next_glance(operations) });
        stop
    }

    /// What was exceeded, if anything.
    pub(crate) fn excess(&self) -> Option<Excess> {
        self.excess.get()
    }

    /// The values of the rules take more room than they may.
    pub(crate) fn full(&self) {
        self.excess.set(self.excess.get().or(Some(Excess::Memory)));
        self.halt();
    }

    /// Counts the work that native functions do, in operations.
    pub(crate) fn work(&self, operations: u64) {
        self.operations.set(self.operations.get().saturating_add(operations));
    }

    /// So much is kept beyond the present call.
    pub(crate) fn keep(&self, weight: u64) -> Native<()> {
        let kept = self.kept.get().saturating_add(weight);
        self.kept.set(kept);
        if kept > KEPT {
            let message = "the rules keep too much without asking anything: events, phases to come or choices";
            return Err(failure(message));
        }
        Ok(())
    }

    /// Like [`Meter::keep`], for values.
    pub(crate) fn keep_values<'v>(&self, values: impl IntoIterator<Item = &'v Value>) -> Native<()> {
        self.keep(values.into_iter().fold(1, |sum, value| sum.saturating_add(value.weight())))
    }
}

/// Returns the number of operations at which the gauges are looked at next. Many short runs one after another come to it, too.
fn next_glance(operations: u64) -> u64 {
    (operations / GLANCE + 1).saturating_mul(GLANCE).min(OPERATIONS + 1)
}
