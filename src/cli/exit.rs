//! The exit codes.

use std::process::ExitCode;

/// The result of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Everything passed.
    Passed = 0,
    /// An expectation failed.
    Failed = 1,
    /// The command line is wrong.
    Usage = 2,
    /// A file is invalid.
    Invalid = 3,
    /// Nothing matched.
    Nothing = 4,
    /// The program itself is wrong: see `diagnostic::noted_missing`.
    Internal = 70,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
