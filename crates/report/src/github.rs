//! Failures as commands of GitHub workflows, which show them at the lines of a pull request.

use super::titles::{place, title};
use referee_diagnostic::{Diagnostic, one_line, printable};
use referee_trace::{Failure, TestResult};

/// Returns a line `::error …` for each failure. The errors of a file are given once, and not again for each of its
/// tests.
#[must_use]
pub fn github<'r>(files: impl IntoIterator<Item = (&'r [Diagnostic], &'r [TestResult])>) -> String {
    let mut text = String::new();
    for (problems, results) in files {
        for problem in problems {
            let of_file = results.first().map_or(("", 1), |result| (&*result.file, 1));
            text.push_str(&line(
                problem.place().unwrap_or(of_file),
                column(problem),
                "invalid",
                &message(problem, None),
            ));
        }
        for result in results.iter().filter(|_| problems.is_empty()) {
            for failure in &result.failures {
                let message = message(&failure.diagnostic, Some(failure));
                text.push_str(&line(place(result, failure), column(&failure.diagnostic), &title(result), &message));
            }
        }
    }
    text
}

fn column(diagnostic: &Diagnostic) -> Option<usize> {
    let label = diagnostic.labels.first()?;
    Some(label.source.position(label.span.start).column)
}

fn line((file, line): (&str, usize), column: Option<usize>, title: &str, message: &str) -> String {
    let column = column.map(|column| format!(",col={column}")).unwrap_or_default();
    let (file, title) = (property(file), property(title));
    format!("::error file={file},line={line}{column},title={title}::{}\n", data(message))
}

/// Returns the message, the expected and the actual value, and the help.
fn message(diagnostic: &Diagnostic, failure: Option<&Failure>) -> String {
    let labelled = |name: &str, value: Option<&String>| value.map(|value| format!("{name}: {value}"));
    let expected = failure.and_then(|failure| labelled("expected", failure.expected.as_ref()));
    let actual = failure.and_then(|failure| labelled("actual", failure.actual.as_ref()));
    let help = labelled("help", diagnostic.help.as_ref());
    let parts = std::iter::once(diagnostic.message.clone()).chain(expected).chain(actual).chain(help);
    parts.collect::<Vec<_>>().join("\n")
}

/// Escapes a message, so that it stays on one line.
fn data(text: &str) -> String {
    printable(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property, which commas and colons would end.
fn property(text: &str) -> String {
    data(&one_line(text)).replace(':', "%3A").replace(',', "%2C")
}
