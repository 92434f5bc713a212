//! Compares how the scenarios of a game come out under two readings of its rules.

use std::path::Path;

use crate::play::Chance;
use crate::scenario::judge::observe;
use crate::scenario::loader::Loader;
use crate::scenario::plan::file::plan_as;
use crate::scenario::plan::reading::Reading;
use crate::scenario::plan::suite::PlannedTest;
use crate::scenario::run::scenes::Course;
use crate::trace::{Scene, Status, TestResult};

/// A scenario under two readings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The file.
    pub file: String,
    /// The line of the scenario, row or branch, counted from 1.
    pub line: usize,
    /// Its title, with row and branch.
    pub title: String,
    /// Whether the readings are the same for it, because it sets the options and house rules itself.
    pub is_fixed: bool,
    /// How it comes out under the first reading.
    pub before: Outcome,
    /// How it comes out under the second reading.
    pub after: Outcome,
    /// The chances that its lines ask for, where they differ.
    pub chances: Vec<ChanceChange>,
}

/// How a scenario comes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether it passes.
    pub status: Status,
    /// The first failure: its line and message.
    pub failure: Option<(usize, String)>,
    /// The position in which play ends or stops.
    pub last: Option<Scene>,
}

/// A chance under two readings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChanceChange {
    /// The line that asks for it.
    pub line: usize,
    /// The condition, in the words of the line.
    pub condition: String,
    /// The chance under the first reading.
    pub before: Chance,
    /// The chance under the second reading.
    pub after: Chance,
}

impl Compared {
    /// Returns whether the verdict changes.
    #[must_use]
    pub fn changes_verdict(&self) -> bool {
        self.before.status != self.after.status
    }

    /// Returns whether the final position changes.
    #[must_use]
    pub fn changes_position(&self) -> bool {
        let shown = |outcome: &Outcome| {
            let last = outcome.last.clone();
            // Which cells the last step changed, and how play came there, is not part of the position.
            last.map(|scene| (scene.board.plain(), scene.off, scene.values, scene.turn, scene.standing))
        };
        shown(&self.before) != shown(&self.after)
    }

    /// Returns whether anything changes.
    #[must_use]
    pub fn changes(&self) -> bool {
        self.changes_verdict() || self.changes_position() || !self.chances.is_empty()
    }
}

/// Runs the chosen tests of a file under each reading, and compares all later ones with the first: for each of these a
/// list with one entry for each test.
pub fn compare(loader: &mut Loader<'_>, file: &Path, chosen: &[usize], readings: &[Reading]) -> Vec<Vec<Compared>> {
    let Some((first, others)) = readings.split_first() else { return Vec::new() };
    let before = plan_as(loader, file, first);
    let known: Vec<(TestResult, Course)> = chosen.iter().map(|index| observe(loader, &before, *index)).collect();
    let mut all = Vec::new();
    for reading in others {
        let after = plan_as(loader, file, reading);
        let tests = chosen.iter().zip(&known).filter_map(|(index, known)| {
            let (one, other) = (before.tests.get(*index)?, after.tests.get(*index)?);
            let is_fixed = same_rules(one, other);
            let found = if is_fixed { known.clone() } else { observe(loader, &after, *index) };
            Some(Compared {
                file: before.file.clone(),
                line: one.line,
                title: one.title(),
                is_fixed,
                before: outcome(known),
                after: outcome(&found),
                chances: chances(&known.1, &found.1),
            })
        });
        all.push(tests.collect());
    }
    all
}

/// Returns whether two plans of a test have the same rules.
fn same_rules(one: &PlannedTest, other: &PlannedTest) -> bool {
    one.plan
        .as_ref()
        .zip(other.plan.as_ref())
        .is_some_and(|(one, other)| one.houses == other.houses && one.start.table.options == other.start.table.options)
}

fn outcome((result, course): &(TestResult, Course)) -> Outcome {
    let failure = result.failures.first().map(|failure| {
        let here = failure.diagnostic.labels.iter().find(|label| label.source.name() == result.file);
        let line = here.map_or(result.line, |label| label.source.line(label.span.start));
        (line, failure.diagnostic.message.clone())
    });
    Outcome { status: result.status, failure, last: course.scenes.last().cloned() }
}

/// Returns the chances that both runs found and that differ.
fn chances(before: &Course, after: &Course) -> Vec<ChanceChange> {
    let changed = before.chances.iter().filter_map(|one| {
        let other = after.chances.iter().find(|other| other.line == one.line && other.condition == one.condition)?;
        let (line, condition) = (one.line, one.condition.clone());
        let change = ChanceChange { line, condition, before: one.chance.clone(), after: other.chance.clone() };
        (one.chance != other.chance).then_some(change)
    });
    changed.collect()
}
