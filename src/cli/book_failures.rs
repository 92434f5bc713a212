//! The errors and failures that prevent the page of a rulebook.

use super::Exit;
use super::output::remark;
use referee_report::Human;
use referee_scenario::Suite;
use referee_trace::{Status, TestResult};

/// Prints everything that does not pass to standard error, because the page goes to standard output; returns the exit
/// code if there is anything.
pub(super) fn failed<'r>(ran: impl Iterator<Item = (&'r Suite, &'r Vec<TestResult>)>) -> Option<Exit> {
    let mut human = Human::new(false, false);
    let (mut exit, mut failures) = (None, String::new());
    for (suite, results) in ran.filter(|(suite, results)| !results.is_empty() || !suite.problems.is_empty()) {
        let any = |status: Status| results.iter().any(|result| result.status == status);
        let own = if !suite.problems.is_empty() || any(Status::Errored) {
            Some(Exit::Invalid)
        } else {
            any(Status::Failed).then_some(Exit::Failed)
        };
        let text = human.file(&suite.file, &suite.problems, results);
        if own.is_some() {
            failures.push_str(&text);
        }
        exit = exit.max(own);
    }
    exit?;
    remark(format!("{failures}{}", human.summary()).trim_end());
    exit
}
