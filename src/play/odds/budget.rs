//! How much is done and kept for one question: counted, never timed, so that the answer is the same on every machine.

/// What a run of a phase costs besides its operations, in operations.
const RUN: u64 = 500;
/// How many operations there may be for each state that may be looked at.
const WORK: u64 = 1000;
/// How many there may be at least, and at most.
const WORK_RANGE: (u64, u64) = (100_000_000, 4_000_000_000);
/// The most bytes that are kept: states that wait, keys of all states, and how they lead to one another.
const MAX_BYTES: u64 = 512 << 20;

/// What there is too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// States.
    States,
    /// Bytes that are kept.
    Bytes,
    /// Operations of the rules.
    Work,
    /// Ways through a phase, or asks in it.
    Phase,
}

/// What may still be done and kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    work: u64,
    bytes: u64,
}

impl Budget {
    /// What there is for a question.
    pub(super) fn of(states: usize) -> Self {
        let work = (states as u64).saturating_mul(WORK).clamp(WORK_RANGE.0, WORK_RANGE.1);
        Self { work, bytes: MAX_BYTES }
    }

    /// A phase was run, or an option was tried, with so many operations.
    pub(super) fn work(&mut self, operations: u64) -> Result<(), Limit> {
        let left = self.work.checked_sub(operations.saturating_add(RUN));
        self.work = left.ok_or(Limit::Work)?;
        Ok(())
    }

    /// So many bytes are kept.
    pub(super) fn keep(&mut self, bytes: u64) -> Result<(), Limit> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Limit::Bytes)?;
        Ok(())
    }

    /// So many bytes are kept no longer.
    pub(super) fn free(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_add(bytes).min(MAX_BYTES);
    }
}
