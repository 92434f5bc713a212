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

/// The words after the player's name in the error for an ask without options.
const NO_OPTIONS: &str = " has no options for `";
/// The words after the player's name in the error for an ask without moves.
const NO_MOVES: &str = " has no moves to choose from";

/// The words before the reason why no line of a scenario can have a text.
const UNWRITABLE: &str = "no line of a scenario can have this text: it ";

/// Returns the error for a text that no line of a scenario can have. `why` is the reason, after "it".
pub(crate) fn unwritable_text(why: &str) -> Box<EvalAltResult> {
    failure(format!("{UNWRITABLE}{why}"))
}

/// Returns help for the error for a text that no line can have; `None` for another error.
pub(crate) fn help_for_text(message: &str) -> Option<&'static str> {
    let (_, why) = message.split_once(UNWRITABLE)?;
    Some(if why.contains("line end") {
        "write it on one line, or make a text of each line: `text.split(\"\\n\")`"
    } else {
        "write it without this character"
    })
}

/// Returns the error for a player who has no options for an ask.
pub(crate) fn no_options(player: &str, ask: &str) -> Box<EvalAltResult> {
    failure(format!("{player}{NO_OPTIONS}{ask}`"))
}

/// Returns the error for a player who has no moves.
pub(crate) fn no_moves(player: &str) -> Box<EvalAltResult> {
    failure(format!("{player}{NO_MOVES}"))
}

/// Returns whether an error of the rules is about an ask without options.
pub(crate) fn is_about_no_options(message: &str) -> bool {
    message.contains(NO_OPTIONS) || message.contains(NO_MOVES)
}
