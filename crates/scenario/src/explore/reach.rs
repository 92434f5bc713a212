//! The parts of the rules that were not run.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::coverage::FileCoverage;
use referee_diagnostic::Diagnostic;
use referee_rules::Point;

/// The parts of a script that were not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The script.
    pub file: String,
    /// The functions that were not called, with the lines on which they begin.
    pub functions: Vec<(usize, String)>,
    /// The lines of other functions that were not run: runs of lines between which no line was run.
    pub lines: Vec<RangeInclusive<usize>>,
}

/// Returns the parts of each script that were not run, given the number of runs of each point. Leaves out scripts of
/// which everything was run, and lines that are marked as `not covered`.
#[must_use]
pub fn unreached(points: &[Point], runs: &[u64]) -> Vec<Unreached> {
    let missing = files(points, runs).into_iter().map(|(name, file)| {
        let marked = |line: usize| file.is_marked(line);
        let uncalled = file.functions().filter(|(line, _, runs)| *runs == 0 && !marked(*line));
        let functions = uncalled.map(|(line, name, _)| (line, name.to_owned())).collect();
        Unreached { file: name.to_owned(), functions, lines: lines(&file) }
    });
    missing.filter(|file| !file.functions.is_empty() || !file.lines.is_empty()).collect()
}

/// Returns whether the statement at the place of a message was run.
#[must_use]
pub fn was_run(points: &[Point], runs: &[u64], message: &Diagnostic) -> bool {
    message.labels.first().is_some_and(|label| {
        let files = files(points, runs);
        let file = files.get(label.source.name());
        file.is_some_and(|file| file.ran_before(label.source.position(label.span.start)))
    })
}

fn files<'p>(points: &'p [Point], runs: &[u64]) -> BTreeMap<&'p str, FileCoverage> {
    let mut files: BTreeMap<&str, FileCoverage> = BTreeMap::new();
    for (point, runs) in points.iter().zip(runs) {
        let file = files.entry(point.source.name()).or_insert_with(|| FileCoverage::new(&point.source));
        file.add(point, *runs);
    }
    files
}

/// Returns the lines of called functions that were not run.
fn lines(file: &FileCoverage) -> Vec<RangeInclusive<usize>> {
    let mut ranges: Vec<RangeInclusive<usize>> = Vec::new();
    // Whether the line before was not run either.
    let mut goes_on = false;
    for (line, runs) in file.lines() {
        let called = file.function_of(line).is_none_or(|(.., calls)| calls > 0);
        let missed = runs == 0 && called;
        match ranges.last_mut().filter(|_| missed && goes_on) {
            Some(range) => *range = *range.start()..=line,
            None if missed => ranges.push(line..=line),
            None => {}
        }
        goes_on = missed;
    }
    ranges
}
