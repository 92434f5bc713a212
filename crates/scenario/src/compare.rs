//! Compares the results of a game's scenarios under two readings of its rules.

use std::path::Path;

use crate::judge::observe;
use crate::loader::Loader;
use crate::plan::file::plan_as;
use crate::plan::reading::Reading;
use crate::plan::suite::{PlannedTest, Suite};
use crate::readings::{Difference, difference};
use crate::run::scenes::Course;
use crate::set_up::SetUp;
use referee_play::Chance;
use referee_table::{Drawing, Schema};
use referee_trace::{Scene, Status, TestResult};

/// Returns the reading of a set-up: its options and house rules. Options that the game does not have are those of house
/// rules.
#[must_use]
pub fn reading(schema: &Schema, set_up: &SetUp) -> Reading {
    let settings = set_up.options.iter().filter_map(|(name, value)| {
        let id = schema.option(name)?;
        let option = schema.options.get(id.index())?;
        Some((id, option.choice.setting(value)?))
    });
    let of_houses = set_up.options.iter().filter(|(name, _)| schema.option(name).is_none());
    Reading { settings: settings.collect(), of_houses: of_houses.cloned().collect(), houses: set_up.houses.clone() }
}

/// The chosen tests of a file under the first reading.
#[derive(Debug)]
pub struct Observed {
    suite: Suite,
    /// Each with its index in the file.
    tests: Vec<(usize, TestResult, Course)>,
}

impl Observed {
    /// Runs these tests of a file under a reading.
    pub fn of(loader: &mut Loader<'_>, file: &Path, tests: &[usize], reading: &Reading) -> Self {
        let suite = plan_as(loader, file, reading);
        let observed = tests.iter().map(|index| {
            let (result, course) = observe(loader, &suite, *index);
            (*index, result, course)
        });
        let tests = observed.collect();
        Self { suite, tests }
    }

    /// Returns the number of tests.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.tests.len()
    }

    /// Runs the tests under another reading, and compares.
    pub fn compare(&self, loader: &mut Loader<'_>, file: &Path, reading: &Reading) -> Vec<Compared> {
        let after = plan_as(loader, file, reading);
        let compared = self.tests.iter().filter_map(|(index, result, course)| {
            let (one, other) = (self.suite.tests.get(*index)?, after.tests.get(*index)?);
            let is_fixed = has_same_rules(one, other);
            let again = (!is_fixed).then(|| observe(loader, &after, *index));
            let (found, other_course) = again.as_ref().map_or((result, course), |(result, course)| (result, course));
            Some(Compared {
                file: self.suite.file.to_string(),
                line: one.line,
                title: one.title(),
                is_fixed,
                before: Outcome::of(result, course),
                after: Outcome::of(found, other_course),
                chances: changed_chances(course, other_course),
            })
        });
        compared.collect()
    }
}

/// A scenario under two readings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The file.
    pub file: String,
    /// The line of the scenario, row or branch, counted from 1.
    pub line: usize,
    /// Its title, with row and branch.
    pub title: String,
    /// Whether both readings are the same for it, because it sets the options and house rules itself.
    pub is_fixed: bool,
    /// The result under the first reading.
    pub before: Outcome,
    /// The result under the second reading.
    pub after: Outcome,
    /// The chances that its lines ask for, if they differ.
    pub chances: Vec<ChanceChange>,
}

/// The result of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether it passes.
    pub status: Status,
    /// The first failure.
    pub failure: Option<Difference>,
    /// The position in which play ends or stops; `None` if nothing was played.
    pub last: Option<Scene>,
}

/// A chance under two readings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChanceChange {
    /// The line that asks for it, counted from 1.
    pub line: usize,
    /// The condition, in the words of the line.
    pub condition: String,
    /// The chance under the first reading.
    pub before: Chance,
    /// The chance under the second reading.
    pub after: Chance,
}

/// The last positions of a scenario, as far as they differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionChange {
    /// The boards with the differing cells highlighted, if they differ.
    pub boards: Option<(Drawing, Drawing)>,
    /// The facts that are true only in the first position, as lines of a scenario.
    pub only_before: Vec<String>,
    /// The facts that are true only in the second position.
    pub only_after: Vec<String>,
}

impl Outcome {
    fn of(result: &TestResult, course: &Course) -> Self {
        let failure = result.failures.first().map(|failure| difference(result, failure));
        Self { status: result.status, failure, last: course.scenes.last().cloned() }
    }
}

impl Compared {
    /// Returns whether the verdict changes.
    #[must_use]
    pub fn changes_verdict(&self) -> bool {
        self.before.status != self.after.status
    }

    /// Returns whether the scenario fails under both readings, but not at the same line or with the same message.
    #[must_use]
    pub fn changes_failure(&self) -> bool {
        !self.changes_verdict() && self.before.failure != self.after.failure
    }

    /// Returns how the position changes in which play ends or stops; `None` if it does not.
    #[must_use]
    pub fn position(&self) -> Option<PositionChange> {
        let (before, after) = (self.before.last.as_ref(), self.after.last.as_ref());
        let none = Vec::new();
        let facts = |scene: Option<&Scene>| scene.map_or(none.clone(), facts);
        let (one, other) = (facts(before), facts(after));
        let only = |these: &[String], those: &[String]| {
            these.iter().filter(|fact| !those.contains(fact)).cloned().collect::<Vec<_>>()
        };
        let boards = before.zip(after).map(|(one, other)| (&one.board, &other.board));
        let boards = boards.map(|(one, other)| (marked(one, other), marked(other, one)));
        let change = PositionChange {
            boards: boards.filter(|(one, other)| one != other),
            only_before: only(&one, &other),
            only_after: only(&other, &one),
        };
        let is_same = change.boards.is_none() && change.only_before.is_empty() && change.only_after.is_empty();
        (!is_same && before.is_some() && after.is_some()).then_some(change)
    }

    /// Returns whether anything changes.
    #[must_use]
    pub fn changes(&self) -> bool {
        self.changes_verdict() || self.changes_failure() || self.position().is_some() || !self.chances.is_empty()
    }
}

/// Returns the facts of a position other than its board, as lines of a scenario, and the ask of the rules.
fn facts(scene: &Scene) -> Vec<String> {
    let off = scene.off.iter().map(|piece| format!("{piece} off"));
    let turn = scene.turn.iter().map(|player| format!("turn {player}"));
    off.chain(scene.values.iter().chain(&scene.cards).cloned()).chain(turn).chain([scene.standing.clone()]).collect()
}

/// Returns a board with the cells highlighted that differ from those of another board.
fn marked(board: &Drawing, other: &Drawing) -> Drawing {
    let mut board = board.clone();
    let shape = |board: &Drawing| board.rows.iter().map(|row| (row.label.clone(), row.cells.len())).collect::<Vec<_>>();
    let is_alike = shape(&board) == shape(other) && (&board.columns, &board.origin) == (&other.columns, &other.origin);
    for (at, row) in board.rows.iter_mut().enumerate() {
        for (place, cell) in row.cells.iter_mut().enumerate() {
            let there = other.rows.get(at).and_then(|row| row.cells.get(place));
            // Cells of boards with different shapes do not correspond.
            cell.marked = is_alike && there.is_some_and(|there| there.text != cell.text);
        }
    }
    board
}

/// Returns whether two plans of a test have the same rules.
fn has_same_rules(one: &PlannedTest, other: &PlannedTest) -> bool {
    one.plan
        .as_ref()
        .zip(other.plan.as_ref())
        .is_some_and(|(one, other)| one.houses == other.houses && one.start.table.options == other.start.table.options)
}

/// Returns the chances that both runs found and that differ.
fn changed_chances(before: &Course, after: &Course) -> Vec<ChanceChange> {
    let changed = before.chances.iter().filter_map(|one| {
        let other = after.chances.iter().find(|other| other.line == one.line && other.condition == one.condition)?;
        let (line, condition) = (one.line, one.condition.clone());
        let change = ChanceChange { line, condition, before: one.chance.clone(), after: other.chance.clone() };
        (one.chance != other.chance).then_some(change)
    });
    changed.collect()
}
