//! All integration tests, in one binary.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that finds something missing should stop there"
)]

/// The games that come along.
mod games;
/// Input that attacks.
mod hostile;
