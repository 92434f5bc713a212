//! Locations in a source text.

use std::ops::Range;

/// A range of bytes in one source text, end excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Index of the first byte.
    pub start: u32,
    /// Index after the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the span of the bytes `range`, clipped to 4 GiB; larger texts are rejected when they are read.
    #[must_use]
    pub fn new(range: Range<usize>) -> Self {
        let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { start: clip(range.start), end: clip(range.end) }
    }

    /// Returns the span of a part of a text that begins at the byte `begin`.
    #[must_use]
    pub fn of_part(begin: usize, text: &str, part: &str) -> Self {
        let start = begin + (part.as_ptr() as usize - text.as_ptr() as usize);
        Self::new(start..start + part.len())
    }

    /// Returns the smallest span that contains both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the span of `text`, with which this one begins.
    #[must_use]
    pub fn of_start(self, text: &str) -> Self {
        let start = self.range().start;
        Self::new(start..start + text.len())
    }

    /// Returns the bytes as a range, for slicing.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A value and its location in a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spanned<T> {
    /// The value.
    pub node: T,
    /// Its location.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Returns `node` with the location `span`.
    pub const fn new(node: T, span: Span) -> Self {
        Self { node, span }
    }
}
