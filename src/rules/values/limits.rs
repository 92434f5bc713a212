//! How much of everything rules may have.

/// The deepest nesting of calls.
pub(crate) const CALL_LEVELS: usize = 32;

/// The most elements of an array or map, those of arrays and maps in it included.
pub(crate) const COLLECTION: usize = 10_000;

/// The most bytes of a text: a single native call may make a text as long as the square of this.
pub(crate) const TEXT: usize = 10_000;

/// The most variables of a call.
pub(crate) const VARIABLES: usize = 200;

/// The largest script, in bytes; the optimiser's time grows with the square of it.
pub(crate) const SCRIPT: usize = 1_000_000;
