//! Results as text: a line for each file, every failure in full, and a list of all failures at the end.

use std::fmt::Write;

use super::board::{draw, side_by_side};
use referee_diagnostic::{Diagnostic, Renderer, counted, one_line, printable};
use referee_table::Drawing;
use referee_trace::{Answered, Failure, Status, StatusCounts, TestResult};

/// Writes results of files one by one, and counts them.
#[derive(Debug)]
pub struct Human {
    colour: bool,
    verbose: bool,
    counts: StatusCounts,
    again: Vec<String>,
}

/// Returns the name of a test: `file:line title (row 2) > branch`.
#[must_use]
pub fn test_name(result: &TestResult) -> String {
    let is_outside = result.loose && result.scenario.is_empty();
    let title = if is_outside { String::new() } else { format!(" {}", result.title()) };
    one_line(&format!("{}:{}{title}", result.file, result.line))
}

impl Human {
    /// Returns an empty report; if `verbose`, it also lists tests that pass.
    #[must_use]
    pub fn new(colour: bool, verbose: bool) -> Self {
        Self { colour, verbose, counts: StatusCounts::default(), again: Vec::new() }
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// Returns the text for one file: its errors and its tests.
    pub fn file(&mut self, file: &str, problems: &[Diagnostic], results: &[TestResult]) -> String {
        let mut text = String::new();
        for problem in problems {
            let _ = writeln!(text, "{}", Renderer { colour: self.colour }.render(problem));
        }
        for result in results {
            self.counts.count(result.status);
            match result.status {
                Status::Passed if self.verbose => {
                    let _ = writeln!(text, "{} {}", self.paint("32", "pass"), test_name(result));
                    result.answers.iter().for_each(|answer| text.push_str(&answered(answer)));
                }
                Status::Failed | Status::Errored => text.push_str(&self.failed(result, problems)),
                Status::Passed | Status::Skipped => {}
            }
        }
        let passed = results.iter().filter(|result| result.status == Status::Passed).count();
        // Errors outside all scenarios are one more result, which is not a test.
        let all = results.iter().filter(|result| !result.loose).count();
        let verdict =
            if passed == all && problems.is_empty() { self.paint("32", "ok  ") } else { self.paint("31", "FAIL") };
        let _ = writeln!(text, "{verdict} {} ({passed} of {all} passed)", one_line(file));
        text
    }

    fn failed(&mut self, result: &TestResult, problems: &[Diagnostic]) -> String {
        let word = if result.status == Status::Failed { "FAIL" } else { "ERROR" };
        let mut text = format!("{} {}\n", self.paint("1;31", word), test_name(result));
        // No test of a file with errors is run, so its results only repeat these errors.
        let is_shown = |_: &Failure| !problems.is_empty();
        let mut first = None;
        for (at, failure) in result.failures.iter().enumerate() {
            let next = result.failures.get(at + 1);
            let last = next.is_none_or(|next| next.events != failure.events || next.asking != failure.asking);
            first.get_or_insert_with(|| failure.diagnostic.message.clone());
            // An error of the file was printed above, once for all its tests.
            if !is_shown(failure) {
                let _ = writeln!(text, "\n{}", self.failure(failure, last).trim_end());
            }
        }
        if !result.failures.iter().all(is_shown) {
            let _ = writeln!(text);
        }
        let why = first.map(|why| format!(": {}", one_line(&why))).unwrap_or_default();
        let more = result.failures.len().saturating_sub(1);
        let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
        self.again.push(format!("{} {}{why}{more}", self.paint("1;31", word), test_name(result)));
        text
    }

    /// Returns a failure; only the `last` one at a pause shows the events and the question there.
    pub(super) fn failure(&self, failure: &Failure, last: bool) -> String {
        let mut text = Renderer { colour: self.colour }.render(&failure.diagnostic);
        let boards = failure.expected_board.as_ref().zip(failure.actual_board.as_ref());
        if let (Some(expected), Some(actual), None) = (&failure.expected, &failure.actual, boards) {
            let _ = write!(text, "{}", aligned("expected", &self.paint("32", &printable(expected))));
            let _ = write!(text, "{}", aligned("actual", &self.paint("31", &printable(actual))));
        } else if let (None, Some(actual)) = (&failure.expected, &failure.actual) {
            let _ = write!(text, "{}", aligned("actual", &printable(actual)));
        }
        let lines = match (boards, &failure.actual_board) {
            (Some((expected, actual)), _) => {
                side_by_side(("expected board:", expected), ("board reached:", actual), self.colour)
            }
            (None, Some(actual)) if last || is_marked(actual) => {
                std::iter::once("board:".to_owned()).chain(draw(actual, self.colour)).collect()
            }
            _ => Vec::new(),
        };
        for line in lines {
            let _ = writeln!(text, "{}", format!("  {line}").trim_end());
        }
        text.push_str(&witness(failure.witness.as_deref()));
        if !last {
            return text;
        }
        if !failure.events.is_empty() {
            let _ = writeln!(text, "  events since {}:", failure.events_since);
            for event in &failure.events {
                let _ = writeln!(text, "    > {}", one_line(event));
            }
            if failure.more_events > 0 {
                let _ = writeln!(text, "    … and {} more", failure.more_events);
            }
        }
        if let Some(asking) = &failure.asking {
            let place = asking.place.as_ref().map(|label| {
                let at = label.source.position(label.span.start);
                format!(" ({}:{}:{})", one_line(label.source.name()), at.line, at.column)
            });
            let _ = writeln!(text, "  the rules now ask: {}{}", one_line(&asking.text), place.unwrap_or_default());
        }
        if let Some(ended) = &failure.ended {
            let _ = writeln!(text, "  the game is over: {}", one_line(&ended.to_string()));
        }
        text
    }

    /// Returns the list of all failures, and the counts.
    #[must_use]
    pub fn summary(&self) -> String {
        self.summary_with("")
    }

    /// Returns the list of all failures, and the counts with a remark after them.
    #[must_use]
    pub fn summary_with(&self, remark: &str) -> String {
        let mut text = String::new();
        if !self.again.is_empty() {
            let _ = writeln!(text, "\nfailures:");
            for line in &self.again {
                let _ = writeln!(text, "  {line}");
            }
            let _ = writeln!(text);
        }
        let colour = if self.counts.are_good() { "1;32" } else { "1;31" };
        let _ = writeln!(text, "{}", self.paint(colour, &format!("{}{remark}", self.counts)));
        text
    }
}

/// Returns the result of a search for a question, with the line of play that shows it.
fn answered(answer: &Answered) -> String {
    let Answered { line, question, bytes, .. } = answer;
    let (finding, states) = (answer.finding.word(), counted(answer.states, "state"));
    let text = format!("  line {line}: {question}: {finding}, {states} in {bytes} bytes");
    format!("{}\n{}", one_line(&text), witness(answer.witness.as_deref()))
}

/// Returns a line of play under a heading; an empty text for none.
fn witness(scenario: Option<&str>) -> String {
    let Some(scenario) = scenario else { return String::new() };
    let lines: String =
        scenario.lines().map(|line| format!("    {}", printable(line)).trim_end().to_owned() + "\n").collect();
    format!("  the line of play, as a scenario:\n{lines}")
}

fn is_marked(drawing: &Drawing) -> bool {
    drawing.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.marked)
}

/// Returns a value after its name; aligns the lines of a longer value.
fn aligned(name: &str, value: &str) -> String {
    let mut text = String::new();
    for (at, line) in value.lines().enumerate() {
        let name = if at == 0 { format!("{name}:") } else { String::new() };
        let _ = writeln!(text, "  {name:10}{line}");
    }
    text
}
