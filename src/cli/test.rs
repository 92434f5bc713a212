//! `referee test`: runs scenarios and reports the results.

use super::Exit;
use super::arguments::Format;
use super::output::print_error;
use super::test_arguments::TestArguments;
use super::test_reports::{ReportTo, replaces, twice};
use super::test_run::{is_ci, once};
use super::test_watch;

/// Runs the tests of all files.
pub(super) fn run(arguments: &TestArguments) -> Exit {
    let github = arguments.report.contains(&ReportTo::Github);
    let wrong = if arguments.accept && is_ci() {
        Some("`--accept` writes snapshots, but nothing is written if `CI` is set".to_owned())
    } else if github && arguments.format == Format::Json {
        Some(
            "`--report github` prints to standard output, where `--format json` allows one JSON object alone\n\
             remove one of them"
                .to_owned(),
        )
    } else if arguments.playground.is_some() && !arguments.report.iter().any(|to| matches!(to, ReportTo::Html(_))) {
        Some("`--playground` links pages to the playground, and none are made\nadd `--report html=DIR`".to_owned())
    } else if arguments.profile.profile && arguments.report.iter().any(|to| matches!(to, ReportTo::Html(_))) {
        Some(
            "`--report html=DIR` runs each test twice, so `--profile` cannot count it once\nremove one of them"
                .to_owned(),
        )
    } else {
        twice(&arguments.report).or_else(|| replaces(&arguments.report)).or_else(|| arguments.profile.replaces())
    };
    match wrong {
        Some(message) => {
            print_error(&message);
            Exit::Usage
        }
        None if arguments.watch => test_watch::run(arguments),
        None => once(arguments, None).0,
    }
}
