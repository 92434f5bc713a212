//! Writing to the terminal.

use std::io::{IsTerminal, Write};

/// Whether standard output takes colour: a terminal, and neither `NO_COLOR` nor a dumb terminal.
pub(super) fn colour() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    std::io::stdout().is_terminal() && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Write to standard output. A reader that has gone away (`| head`) is no error.
pub(super) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Write a message about the usage to standard error.
pub(super) fn complain(text: &str) {
    let mut out = std::io::stderr().lock();
    let _ = writeln!(out, "error: {text}");
}
