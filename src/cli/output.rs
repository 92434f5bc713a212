//! Writing to the terminal.

use std::io::{ErrorKind, IsTerminal, Write};

use super::Exit;
use crate::diagnostic::printable;

/// Returns whether standard output takes colour: a terminal, and neither `NO_COLOR` nor a dumb terminal.
pub(super) fn colour() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    std::io::stdout().is_terminal() && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Writes to standard output. A reader that has gone away (`| head`) is no error; a full disk ends the program, for
/// whoever reads the exit code must not take half a report for a whole one.
pub(super) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            complain(&format!("cannot write the report: {error}"));
            std::process::exit(Exit::Usage as i32);
        }
        _ => {}
    }
}

/// Writes a message about the usage to standard error.
pub(super) fn complain(text: &str) {
    let mut out = std::io::stderr().lock();
    // Nobody is left to tell where standard error is gone.
    let _ = writeln!(out, "error: {}", printable(text));
}

/// Writes a remark to standard error.
pub(super) fn remark(text: &str) {
    let mut out = std::io::stderr().lock();
    let _ = writeln!(out, "{}", printable(text));
}
