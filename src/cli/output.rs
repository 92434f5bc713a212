//! Writing to the terminal.

use std::io::{ErrorKind, IsTerminal, Write};

use super::Exit;
use referee_diagnostic::{Diagnostic, Renderer, inert, printable};

/// Returns whether to colour standard output: it is a terminal, not a dumb one, and `NO_COLOR` is not set; or
/// `CLICOLOR_FORCE` is set, as for output that is shown elsewhere.
pub(super) fn colour() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let terminal = || std::io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    !set("NO_COLOR") && (set("CLICOLOR_FORCE") || terminal())
}

/// Writes a text of ours to standard output. No line of it is a command for the system that runs the program, whatever
/// the texts are that it contains.
pub(super) fn print(text: &str) {
    print_data(&inert(text));
}

/// Writes data to standard output, as it is: what another program reads, or a file. A closed pipe (`| head`) is not an error. A full disk ends the program, because the exit
/// code must not vouch for half a report.
pub(super) fn print_data(text: &str) {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            print_error(&format!("cannot write the report: {error}"));
            std::process::exit(Exit::Usage as i32);
        }
        _ => {}
    }
}

/// Writes an error message to standard error.
pub(super) fn print_error(text: &str) {
    let mut out = std::io::stderr().lock();
    // If standard error is gone, there is nowhere to report the error.
    let _ = writeln!(out, "error: {}", inert(&printable(text)));
}

/// Writes a remark to standard error.
pub(super) fn remark(text: &str) {
    let mut out = std::io::stderr().lock();
    let _ = writeln!(out, "{}", inert(&printable(text)));
}

/// Prints diagnostics to standard error.
pub(super) fn print_errors(problems: &[Diagnostic]) {
    let renderer = Renderer { colour: false };
    for problem in problems {
        print_error(renderer.render(problem).trim_end());
    }
}
