//! The runs of the places in one script.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use referee_rules::{Mark, MarkKind, Point, PointKind, marks};
use referee_source::{Position, Source};

/// How many of all are covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// The number covered.
    pub covered: usize,
    /// The number of all.
    pub all: usize,
}

impl Share {
    /// Returns the share of these that are covered.
    pub fn of(covered: impl IntoIterator<Item = bool>) -> Self {
        covered.into_iter().fold(Self::default(), Self::and)
    }

    fn and(self, covered: bool) -> Self {
        Self { covered: self.covered + usize::from(covered), all: self.all + 1 }
    }

    /// Returns the sum of two shares.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self { covered: self.covered + other.covered, all: self.all + other.all }
    }

    /// Returns the share in percent, rounded down, so that 100 means all; 100 of none.
    #[must_use]
    pub const fn percent(self) -> usize {
        match (self.covered * 100).checked_div(self.all) {
            Some(percent) => percent,
            None => 100,
        }
    }
}

/// One of the branches of the rules at a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The place.
    pub at: Position,
    /// The way.
    pub kind: PointKind,
    /// How often it was taken.
    pub taken: u64,
    /// Whether the place was reached at all.
    pub reached: bool,
}

/// A script with the runs of its places.
#[derive(Clone, Debug)]
pub struct FileCoverage {
    /// The script.
    pub source: Arc<Source>,
    /// The number of runs of each place.
    points: BTreeMap<(Position, PointKind), u64>,
    /// The remarks `not covered` in it.
    marks: Vec<Mark>,
}

impl FileCoverage {
    pub(crate) fn new(source: &Arc<Source>) -> Self {
        let mut marks = marks(source);
        marks.retain(|mark| mark.kind == MarkKind::NotCovered);
        Self { source: Arc::clone(source), points: BTreeMap::new(), marks }
    }

    pub(crate) fn add(&mut self, point: &Point, runs: u64) {
        *self.points.entry((point.at, point.kind.clone())).or_default() += runs;
    }

    /// Returns the lines on which a statement begins, each with its runs: those of the statement on it that ran least.
    /// Lines that the author has marked as `not covered`, and that did not run, are left out.
    #[must_use]
    pub fn lines(&self) -> BTreeMap<usize, u64> {
        let mut lines = self.all_lines();
        lines.retain(|line, runs| *runs > 0 || !self.is_marked(*line));
        lines
    }

    fn all_lines(&self) -> BTreeMap<usize, u64> {
        let mut lines: BTreeMap<usize, u64> = BTreeMap::new();
        for ((at, kind), runs) in &self.points {
            if matches!(kind, PointKind::Statement | PointKind::Case) {
                lines.entry(at.line).and_modify(|least| *least = (*least).min(*runs)).or_insert(*runs);
            }
        }
        lines
    }

    /// Returns the column of the first statement on a line that never ran, if another statement on it did.
    #[must_use]
    pub fn first_idle(&self, line: usize) -> Option<usize> {
        let begins = |((at, kind), _): &(&(Position, PointKind), &u64)| {
            at.line == line && matches!(kind, PointKind::Statement | PointKind::Case)
        };
        let points = || self.points.iter().filter(begins);
        let idle = points().find(|(_, runs)| **runs == 0).map(|((at, _), _)| at.column);
        idle.filter(|_| points().any(|(_, runs)| *runs > 0))
    }

    /// Returns the functions by the lines on which they begin, each with its calls.
    pub fn functions(&self) -> impl Iterator<Item = (usize, &str, u64)> {
        self.points.iter().filter_map(|((at, kind), runs)| match kind {
            PointKind::Function(name) => Some((at.line, name.as_str(), *runs)),
            _ => None,
        })
    }

    /// Returns the function that a line belongs to, with its first line and its calls.
    #[must_use]
    pub fn function_of(&self, line: usize) -> Option<(usize, &str, u64)> {
        self.functions().take_while(|(begins, ..)| *begins <= line).last()
    }

    /// Returns the branches, except those on lines marked as `not covered` that were not taken.
    #[must_use]
    pub fn branches(&self) -> Vec<Branch> {
        let of = |at: Position, kind: PointKind| self.points.get(&(at, kind)).copied().unwrap_or_default();
        let mut branches = Vec::new();
        for ((at, kind), taken) in &self.points {
            let reached = match kind {
                PointKind::Condition(truth) => *taken > 0 || of(*at, PointKind::Condition(!truth)) > 0,
                PointKind::Round | PointKind::LoopEnd => {
                    of(*at, PointKind::Round) > 0 || of(*at, PointKind::LoopEnd) > 0
                }
                // The statement is reached if its own line is.
                PointKind::Case | PointKind::NoCase => *taken > 0 || self.ran_before(*at),
                PointKind::Function(_) | PointKind::Statement => continue,
            };
            if *taken > 0 || !self.is_marked(at.line) {
                branches.push(Branch { at: *at, kind: kind.clone(), taken: *taken, reached });
            }
        }
        branches
    }

    /// Returns whether the last statement that begins before a place ran.
    pub(crate) fn ran_before(&self, at: Position) -> bool {
        let earlier = self.points.range(..=(at, PointKind::Statement)).rev();
        let mut statements = earlier.filter(|((_, kind), _)| *kind == PointKind::Statement);
        statements.next().is_some_and(|(_, runs)| *runs > 0)
    }

    /// Returns whether a remark with a reason says that the line is not covered.
    pub(crate) fn is_marked(&self, line: usize) -> bool {
        self.marks.iter().any(|mark| mark.line == line && !mark.reason.is_empty())
    }

    /// Returns the remarks that say nothing: those without a reason, and those on lines of which everything was run.
    #[must_use]
    pub fn idle_marks(&self) -> Vec<&Mark> {
        let lines = self.all_lines();
        let missing = |mark: &Mark| {
            let branches = self
                .points
                .iter()
                .filter(|((at, kind), _)| at.line == mark.line && !matches!(kind, PointKind::Function(_)));
            lines.get(&mark.line).is_some_and(|runs| *runs == 0) || branches.into_iter().any(|(_, runs)| *runs == 0)
        };
        self.marks.iter().filter(|mark| mark.reason.is_empty() || !missing(mark)).collect()
    }

    /// Returns how many lines were run.
    #[must_use]
    pub fn line_share(&self) -> Share {
        Share::of(self.lines().values().map(|runs| *runs > 0))
    }

    /// Returns how many functions were called.
    #[must_use]
    pub fn function_share(&self) -> Share {
        Share::of(
            self.functions().filter(|(line, _, runs)| *runs > 0 || !self.is_marked(*line)).map(|(.., runs)| runs > 0),
        )
    }

    /// Returns how many branches were taken.
    #[must_use]
    pub fn branch_share(&self) -> Share {
        Share::of(self.branches().iter().map(|branch| branch.taken > 0))
    }
}
