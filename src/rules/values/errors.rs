//! The errors of native functions.

use rhai::{Dynamic, EvalAltResult, Position};

/// An error of running rules.
pub(crate) type Wrong = Box<EvalAltResult>;

/// A native function's result.
pub(crate) type Native<T> = Result<T, Box<EvalAltResult>>;

/// Returns the error that stops a script. Scripts cannot catch it.
pub(crate) fn stopped() -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE))
}

/// Returns an error with a message for the author of the rules.
pub(crate) fn failure(message: impl Into<String>) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorRuntime(Dynamic::from(message.into()), Position::NONE))
}

/// Returns the error for a string, a list or a map that grows too large.
pub(crate) fn too_large(what: &str) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorDataTooLarge(what.to_owned(), rhai::Position::NONE))
}
