//! All integration tests, in one binary.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that finds something missing should stop there"
)]

/// The command line, from outside.
mod commands;
/// The documentation.
mod docs;
/// Shipped scenarios with false lines.
mod falsify;
/// The games that come along.
mod games;
/// Input that attacks.
mod hostile;
/// Which room of the source may use which.
mod layering;
/// Every scenario that comes along, and a catalogue of mistakes.
mod suite;
