//! Types for requests: their parameters, their answers, the names of commands.

use std::path::PathBuf;

use lsp_types::Uri;
use serde::de::DeserializeOwned;
use serde_json::{Value, to_value};

use super::convert::path_of;

/// The result of a request: its answer, `None` for an unknown request, or the reason why there is no answer.
pub(super) type Answer = Result<Option<Value>, String>;

/// Runs the tests at a line, or all of a file: `[uri, line]` or `[uri]`.
pub(super) const RUN: &str = "referee.run";
/// Shows the position at a line: `[uri, line]`.
pub(super) const SHOW: &str = "referee.show";
/// Records the position at a line as expectations below it: `[uri, line]`.
pub(super) const RECORD: &str = "referee.record";

/// All commands.
pub(super) const COMMANDS: [&str; 3] = [RUN, SHOW, RECORD];

/// Reads the parameters of a request.
pub(super) fn read<P: DeserializeOwned>(parameters: Value) -> Result<P, String> {
    serde_json::from_value(parameters).map_err(|error| format!("these are not the parameters: {error}"))
}

/// Returns the path of a file URI.
pub(super) fn path(uri: &Uri) -> Result<PathBuf, String> {
    path_of(uri).ok_or_else(|| format!("{} is no file", uri.as_str()))
}

/// Returns an answer.
pub(super) fn done(answer: impl serde::Serialize) -> Answer {
    to_value(answer).map(Some).map_err(|error| error.to_string())
}
