//! Counts the work that is done on large values: one call may read or make ten thousand values, and costs accordingly.

use std::cell::Cell;

use rhai::{Blob, Dynamic, ImmutableString};

use super::moves::Moves;
use super::value::{Callable, Fields, List, Span, Val};
use referee_table::{Cells, Dirs, Move};
use referee_trace::Action;

/// The number of values of a list, and of bytes, that are read or copied with one operation. Fewer cost nothing: they
/// belong to the operation that needs them.
const VALUES: usize = 8;
pub(crate) const BYTES: usize = 64;

/// Work in operations. The machine counts it with its next operation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work(Cell<u64>);

impl Work {
    /// Adds a number of operations.
    #[inline]
    pub(crate) fn add(&self, operations: usize) {
        self.0.set(self.0.get().saturating_add(operations as u64));
    }

    /// Adds the work of reading or copying a number of values.
    #[inline]
    pub(crate) fn of_values(&self, count: usize) {
        self.add(count / VALUES);
    }

    /// Adds the work of reading or copying a number of bytes.
    #[inline]
    pub(crate) fn of_bytes(&self, count: usize) {
        self.add(count / BYTES);
    }

    /// Returns the work, and starts again at zero.
    #[inline]
    pub(crate) fn take(&self) -> u64 {
        self.0.replace(0)
    }

    /// Returns the work.
    pub(crate) const fn get(&self) -> u64 {
        self.0.get()
    }

    /// Sets the work, where what was done since costs something else.
    pub(crate) fn set(&self, operations: u64) {
        self.0.set(operations);
    }
}

/// The memory of a value beyond its own size.
pub(super) trait Beyond {
    /// Returns its size in bytes.
    #[inline]
    fn beyond(&self) -> usize {
        0
    }
}

/// Lists, maps and strings are counted where they are stored; others are small, or shared.
impl Beyond for List {}
impl Beyond for Fields {}
impl Beyond for ImmutableString {}
impl Beyond for Moves {}
impl Beyond for Span {}

impl Beyond for Dynamic {
    fn beyond(&self) -> usize {
        self.read_lock::<Blob>().map_or(0, |bytes| bytes.len())
    }
}

impl Beyond for Cells {
    #[inline]
    fn beyond(&self) -> usize {
        self.bytes_beyond()
    }
}

impl Beyond for Dirs {
    #[inline]
    fn beyond(&self) -> usize {
        self.bytes_beyond()
    }
}

impl Beyond for Move {
    fn beyond(&self) -> usize {
        usize::try_from(self.weight()).unwrap_or(usize::MAX).saturating_sub(2) * size_of::<Val>()
    }
}

impl Beyond for Action {
    fn beyond(&self) -> usize {
        let weight = self.values.iter().fold(0_u64, |sum, value| sum.saturating_add(value.weight()));
        usize::try_from(weight).unwrap_or(usize::MAX).saturating_mul(size_of::<Val>())
    }
}

impl Beyond for Callable {
    fn beyond(&self) -> usize {
        size_of_val(self.curry.as_slice())
    }
}
