//! Limits on work and memory for one question. Work is counted, not timed, so that every machine gives the same answer.

/// The cost of a run of a phase in addition to its operations, in operations.
const RUN: u64 = 500;
/// The number of operations allowed for each allowed state.
const WORK: u64 = 4000;
/// The minimum and the maximum number of operations allowed.
const WORK_RANGE: (u64, u64) = (400_000_000, 16_000_000_000);
/// The default limit on memory in bytes: for waiting states and their answers, keys of all states, edges of the graph.
pub const DEFAULT_BYTES: u64 = 500_000_000;

/// The limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// States.
    States,
    /// Memory.
    Bytes,
    /// Operations of the rules.
    Work,
    /// Paths through a phase, or asks in it.
    Phase,
}

/// The work and memory that are left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    work: u64,
    bytes: u64,
    /// The number of bytes at first.
    most: u64,
}

impl Budget {
    /// Returns the budget of a question about at most this many states, with this number of bytes.
    pub(super) fn of(states: usize, bytes: u64) -> Self {
        let work = (states as u64).saturating_mul(WORK).clamp(WORK_RANGE.0, WORK_RANGE.1);
        Self { work, bytes, most: bytes }
    }

    /// Charges a run of a phase, or a trial of an option, with this number of operations.
    pub(super) fn work(&mut self, operations: u64) -> Result<(), Limit> {
        let left = self.work.checked_sub(operations.saturating_add(RUN));
        self.work = left.ok_or(Limit::Work)?;
        Ok(())
    }

    /// Charges this number of bytes.
    pub(super) fn keep(&mut self, bytes: u64) -> Result<(), Limit> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Limit::Bytes)?;
        Ok(())
    }

    /// Releases this number of bytes.
    pub(super) fn free(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_add(bytes).min(self.most);
    }
}
