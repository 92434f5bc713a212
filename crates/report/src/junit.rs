//! Results as JUnit XML, which most systems that run tests can read.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::titles::{UniqueNames, first_message, in_full, title};
use referee_diagnostic::one_line;
use referee_trace::{Status, TestResult};

/// The beginning of the root of a report, by which a later run knows it.
pub const JUNIT_ROOT: &str = "<testsuites name=\"referee\"";

/// Returns the results as JUnit XML: a suite for each file, without times, so that equal results are equal bytes.
///
/// # Errors
/// Returns an error if the XML cannot be made.
pub fn junit<'r>(files: impl IntoIterator<Item = (&'r str, &'r [TestResult])>) -> Result<String, String> {
    let mut report = Report::new("referee");
    for (file, results) in files {
        let mut suite = TestSuite::new(one_line(file));
        // A file is a class, so names need to differ only within it.
        let mut names = UniqueNames::of(results.iter().map(name));
        suite.add_test_cases(results.iter().map(|result| case(result, names.give(name(result), result.line))));
        report.add_test_suite(suite);
    }
    report.to_string().map_err(|error| error.to_string())
}

fn name(result: &TestResult) -> String {
    one_line(&title(result))
}

fn case(result: &TestResult, name: String) -> TestCase {
    let mut case = TestCase::new(name, status(result));
    case.set_classname(one_line(&result.file));
    case.extra.insert("file".into(), one_line(&result.file).into());
    case.extra.insert("line".into(), result.line.to_string().into());
    case
}

fn status(result: &TestResult) -> TestCaseStatus {
    let kind = match result.status {
        Status::Passed => return TestCaseStatus::success(),
        Status::Skipped => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(one_line(first_message(result)));
            return status;
        }
        Status::Failed => NonSuccessKind::Failure,
        Status::Errored => NonSuccessKind::Error,
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(one_line(first_message(result))).set_description(in_full(result));
    if let Some(failure) = result.failures.first() {
        status.set_type(format!("referee::{}", failure.diagnostic.code));
    }
    status
}
