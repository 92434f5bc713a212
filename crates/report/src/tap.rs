//! Results in the Test Anything Protocol, version 14.

use std::fmt::Write;

use super::test_name;
use super::titles::{UniqueNames, first_message, in_full, place};
use referee_diagnostic::one_line;
use referee_trace::{Status, TestResult};

/// How a report begins, with a comment by which a later run knows it.
pub const TAP_BEGINNING: &str = "TAP version 14\n# referee";

/// Returns the results as TAP: a line for each test, and for each that did not pass a block with the first message, its
/// place, and all messages.
#[must_use]
pub fn tap<'r>(results: impl IntoIterator<Item = &'r TestResult> + Clone) -> String {
    let mut names = UniqueNames::of(results.clone().into_iter().map(test_name));
    let mut lines = String::new();
    let mut count = 0;
    for result in results {
        count += 1;
        let name = escaped(&names.give(test_name(result), result.line));
        let _ = match result.status {
            Status::Passed => writeln!(lines, "ok {count} - {name}"),
            // A test that was not run has not passed.
            Status::Skipped => writeln!(lines, "not ok {count} - {name}\n{}", block(result)),
            Status::Failed | Status::Errored => writeln!(lines, "not ok {count} - {name}\n{}", block(result)),
        };
    }
    format!("{TAP_BEGINNING}\n1..{count}\n{lines}")
}

/// Escapes characters that would begin a directive.
fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace('#', "\\#")
}

/// Returns the block below a line, in YAML: strings are written as in JSON.
fn block(result: &TestResult) -> String {
    let quoted = |text: &str| serde_json::Value::from(one_line(text)).to_string();
    let (file, line) = result.failures.first().map_or((&*result.file, result.line), |first| place(result, first));
    let mut text = format!(
        "  ---\n  message: {}\n  severity: {}\n  at:\n    file: {}\n    line: {line}\n",
        quoted(first_message(result)),
        quoted(result.status.word()),
        quoted(file),
    );
    let full = in_full(result);
    if !full.is_empty() {
        text.push_str("  details: |\n");
        // The first line says how far the others are indented, so it must not begin with spaces of its own.
        let lines = full.lines().map(|line| format!("    {line}").trim_end().to_owned() + "\n");
        text.extend(lines);
    }
    text + "  ..."
}
