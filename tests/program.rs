//! The program that tests run.
//!
//! A test whose size is what costs has two variants: a sample, and everything. The second is ignored, and its name ends
//! with `_in_full`. `.ci/run full` runs all of these, with the release build of the program.

use std::ffi::OsString;
use std::process::Command;

/// The program: that of this build, if the environment variable `REFEREE` does not name another one.
pub(crate) fn referee() -> Command {
    let own = || OsString::from(env!("CARGO_BIN_EXE_referee"));
    Command::new(std::env::var_os("REFEREE").filter(|other| !other.is_empty()).unwrap_or_else(own))
}
