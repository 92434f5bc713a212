//! The limits on what rules may use.

/// The maximum nesting of calls.
pub(crate) const CALL_LEVELS: usize = 32;

/// The maximum number of elements of an array or map, including nested ones.
pub(crate) const COLLECTION: usize = 10_000;

/// The maximum size of a string in bytes. It is small because one native call can make a string as long as its
/// square.
pub(crate) const TEXT: usize = 10_000;

/// The maximum number of variables of a call.
pub(crate) const VARIABLES: usize = 200;

/// The maximum size of a script in bytes. The optimiser's time grows with its square.
pub(crate) const SCRIPT: usize = 1_000_000;
