//! How native functions fail.

use rhai::{Dynamic, EvalAltResult, Position};

/// A native function's result.
pub(crate) type Native<T> = Result<T, Box<EvalAltResult>>;

/// Returns the error by which a script is stopped; scripts cannot catch it.
pub(crate) fn stopped() -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE))
}

/// Returns an error with a message for people.
pub(crate) fn failure(message: impl Into<String>) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorRuntime(Dynamic::from(message.into()), Position::NONE))
}

/// Returns a text, a list or a map grows too large.
pub(crate) fn too_large(what: &str) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorDataTooLarge(what.to_owned(), rhai::Position::NONE))
}
