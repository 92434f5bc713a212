//! How native functions fail.

use rhai::{Dynamic, EvalAltResult, Position};

/// A native's result.
pub(crate) type Native<T> = Result<T, Box<EvalAltResult>>;

/// The error by which a script is stopped; scripts cannot catch it.
pub(crate) fn stopped() -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE))
}

/// An error with a message for people.
pub(crate) fn failure(message: impl Into<String>) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorRuntime(Dynamic::from(message.into()), Position::NONE))
}

/// A text, a list or a map grows too large.
pub(crate) fn too_large(what: &str) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorDataTooLarge(what.to_owned(), rhai::Position::NONE))
}
