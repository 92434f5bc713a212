//! Limits what rules do between two asks. Operations are counted, which is the same on every machine. As a last resort,
//! time and memory are limited, if the program that uses the library provides gauges.

use core::time::Duration;
use std::cell::Cell;

use crate::rules::values::{Native, failure};
use crate::table::Value;

/// The maximum number of operations between two asks. Unlike the engine's own count, it includes closures that native
/// functions call.
const OPERATIONS: u64 = 5_000_000;
/// The maximum number of values that a phase may keep: in events, later phases, choices and recorded states.
const KEPT: u64 = 1_000_000;
/// The number of operations between two readings of the gauges.
const GLANCE: u64 = 1 << 17;
/// The maximum time between two asks.
const TIME: Duration = Duration::from_secs(10);
/// The maximum growth of memory between two asks, in bytes.
const MEMORY: u64 = 1 << 30;

/// Measurements that the library cannot take by itself.
#[derive(Clone, Copy, Debug)]
pub struct ResourceProbes {
    /// The time since a fixed moment.
    pub time: fn() -> Duration,
    /// The resident memory of the process in bytes; always 0 if it is unknown.
    pub memory: fn() -> u64,
}

/// The limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excess {
    Operations,
    Time,
    Memory,
}

/// Counts what rules do and keep.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    operations: Cell<u64>,
    /// The operations of all runs up to the last ask.
    spent: Cell<u64>,
    /// The number of operations at which the limits are checked; 0 if the run must stop.
    due: Cell<u64>,
    kept: Cell<u64>,
    excess: Cell<Option<Excess>>,
    began: Cell<Option<(Duration, u64)>>,
    gauges: Cell<Option<ResourceProbes>>,
    /// The number of operations of all runs after which rules stop, if it is limited.
    last: Cell<Option<u64>>,
}

impl Meter {
    /// Limits the operations of all runs from here on.
    pub(crate) fn allow(&self, operations: u64) {
        self.last.set(Some(self.spent().saturating_add(operations)));
    }

    /// Returns whether more operations were used than allowed.
    pub(crate) fn is_over(&self) -> bool {
        self.last.get().is_some_and(|last| self.spent() > last)
    }

    /// Sets the gauges.
    pub(crate) fn gauge(&self, gauges: Option<ResourceProbes>) {
        self.gauges.set(gauges);
    }

    /// Starts a run with values of this weight already kept.
    pub(crate) fn reset(&self, kept: u64) {
        self.kept.set(kept);
        self.asked();
    }

    /// Returns the weight of the kept values.
    pub(crate) fn kept(&self) -> u64 {
        self.kept.get()
    }

    /// Sets the weight of the values that a resumed phase has kept.
    pub(crate) fn has_kept(&self, kept: u64) {
        self.kept.set(kept);
    }

    /// Restarts the count of operations after an answered ask.
    pub(crate) fn asked(&self) {
        self.spent.set(self.spent());
        self.operations.set(0);
        self.due.set(next_glance(0));
        self.excess.set(None);
        self.began.set(None);
        if self.is_over() {
            self.excess.set(Some(Excess::Operations));
            self.halt();
        }
    }

    /// Returns the number of operations of all runs.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.get().wrapping_add(self.operations.get())
    }

    /// Returns the number of operations since the last ask.
    pub(crate) fn operations(&self) -> u64 {
        self.operations.get()
    }

    /// Returns whether this many more operations are counted before any limit is checked.
    pub(crate) fn is_within(&self, operations: u64) -> bool {
        self.operations.get().saturating_add(operations) < self.due.get()
    }

    /// Stops the run at the next operation.
    pub(crate) fn halt(&self) {
        self.due.set(0);
    }

    /// Clears an earlier halt at the start of a run.
    pub(crate) fn resume(&self) {
        self.due.set(if self.excess.get().is_some() { 0 } else { next_glance(self.operations.get()) });
    }

    /// Counts one operation. Returns whether the run must stop.
    #[inline]
    pub(crate) fn tick(&self) -> bool {
        let operations = self.operations.get() + 1;
        self.operations.set(operations);
        operations >= self.due.get() && self.look(operations)
    }

    /// Checks the limits. Returns whether the run must stop.
    fn look(&self, operations: u64) -> bool {
        if self.due.get() == 0 {
            return true;
        }
        if operations > OPERATIONS || self.is_over() {
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

    /// Returns the limit that was exceeded, if any.
    pub(crate) fn excess(&self) -> Option<Excess> {
        self.excess.get()
    }

    /// Stops the run because its values exceed the memory limit.
    pub(crate) fn full(&self) {
        self.excess.set(self.excess.get().or(Some(Excess::Memory)));
        self.halt();
    }

    /// Counts the work of native functions, in operations.
    pub(crate) fn work(&self, operations: u64) {
        self.operations.set(self.operations.get().saturating_add(operations));
    }

    /// Counts values of this weight that are kept beyond the present call.
    ///
    /// # Errors
    /// Returns an error if the kept values exceed the limit.
    pub(crate) fn keep(&self, weight: u64) -> Native<()> {
        let kept = self.kept.get().saturating_add(weight);
        self.kept.set(kept);
        if kept > KEPT {
            let message = "the rules keep too much without asking anything: events, phases to come or choices";
            return Err(failure(message));
        }
        Ok(())
    }

    /// Counts values like [`Meter::keep`].
    pub(crate) fn keep_values<'v>(&self, values: impl IntoIterator<Item = &'v Value>) -> Native<()> {
        self.keep(values.into_iter().fold(1, |sum, value| sum.saturating_add(value.weight())))
    }
}

/// Returns the number of operations at which the gauges are read next. It is a multiple of `GLANCE`, so many short runs
/// reach it too.
fn next_glance(operations: u64) -> u64 {
    (operations / GLANCE + 1).saturating_mul(GLANCE).min(OPERATIONS + 1)
}
