//! Limits what rules do between two asks. What they do is counted, never timed, so rules stop at the same place on every
//! machine.

use std::cell::Cell;

use crate::values::{Native, failure, stopped};
use referee_table::Value;

/// The maximum number of operations between two asks. Unlike the engine's own count, it includes closures that native
/// functions call, and what these functions read and make.
const OPERATIONS: u64 = 5_000_000;
/// The maximum number of values that a phase may keep: in events, later phases, choices and recorded states.
const KEPT: u64 = 1_000_000;

/// The limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excess {
    Operations,
    Memory,
}

/// Counts what rules do and keep.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    operations: Cell<u64>,
    /// The operations of all runs up to the last ask.
    spent: Cell<u64>,
    /// Those of all runs that were the work of native functions, or on large values.
    worked: Cell<u64>,
    /// The number of operations at which the limits are checked; 0 if the run must stop.
    due: Cell<u64>,
    kept: Cell<u64>,
    excess: Cell<Option<Excess>>,
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

    /// Starts a run with values of this weight already kept.
    pub(crate) fn reset(&self, kept: u64) {
        self.kept.set(kept);
        self.asked();
    }

    /// Leaves only this many operations until the next ask.
    pub(crate) fn leave(&self, operations: u64) {
        self.work(OPERATIONS.saturating_sub(operations));
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
        self.due.set(self.limit());
        self.excess.set(None);
        if self.is_over() {
            self.excess.set(Some(Excess::Operations));
            self.halt();
        }
    }

    /// Returns the number of operations of all runs.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.get().wrapping_add(self.operations.get())
    }

    /// Returns the number of operations of all runs without the work of native functions, and on large values.
    pub(crate) fn stepped(&self) -> u64 {
        self.spent().wrapping_sub(self.worked.get())
    }

    /// Returns the number of operations since the last ask.
    pub(crate) fn operations(&self) -> u64 {
        self.operations.get()
    }

    /// Returns whether this many more operations are counted before any limit is checked.
    pub(crate) fn is_within(&self, operations: u64) -> bool {
        self.operations.get().saturating_add(operations) < self.due.get()
    }

    /// Returns whether more operations were counted than rules may do.
    pub(crate) fn is_passed(&self) -> bool {
        self.operations.get() > self.limit()
    }

    /// Stops the run at the next operation.
    pub(crate) fn halt(&self) {
        self.due.set(0);
    }

    /// Clears an earlier halt at the start of a run.
    pub(crate) fn resume(&self) {
        self.due.set(if self.excess.get().is_some() { 0 } else { self.limit() });
    }

    /// Counts one operation, and the work of native functions before it. Returns whether the run must stop.
    #[inline]
    pub(crate) fn tick(&self, work: u64) -> bool {
        if work > 0 {
            self.worked.set(self.worked.get().wrapping_add(work));
        }
        let operations = self.operations.get().saturating_add(work) + 1;
        self.operations.set(operations);
        operations >= self.due.get() && self.look()
    }

    /// Notes which limit is exceeded. Returns whether the run must stop.
    #[cold]
    fn look(&self) -> bool {
        if self.due.get() > 0 && self.operations.get() >= self.limit() {
            self.excess.set(self.excess.get().or(Some(Excess::Operations)));
            self.halt();
        }
        self.due.get() == 0
    }

    /// Returns the number of operations at which the run must stop.
    fn limit(&self) -> u64 {
        let left = self.last.get().map_or(u64::MAX, |last| last.saturating_sub(self.spent.get()));
        left.min(OPERATIONS) + 1
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

    /// Counts the work of native functions, in operations. It is at the next operation that the run stops.
    pub(crate) fn work(&self, operations: u64) {
        self.worked.set(self.worked.get().wrapping_add(operations));
        self.operations.set(self.operations.get().saturating_add(operations));
    }

    /// Counts the work of a native function before it is done.
    ///
    /// # Errors
    /// Returns an error if this is more than the rules may do.
    pub(crate) fn charge(&self, operations: u64) -> Native<()> {
        self.work(operations);
        if self.operations.get() >= self.due.get() && self.look() { Err(stopped()) } else { Ok(()) }
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
