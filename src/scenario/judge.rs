//! What is done with a planned test: it is judged, shown, counted and asked for odds.

use crate::diagnostic::Diagnostic;
use crate::play::divide;
use crate::scenario::loader::Loader;
use crate::scenario::moves::{self, Standing};
use crate::scenario::odds::request::{self, Odds, OddsRequest};
use crate::scenario::plan::model::Plan;
use crate::scenario::plan::suite::{PlannedTest, Suite};
use crate::scenario::run::runner::{self, End};
use crate::trace::{Failure, Scene, Status, TestResult};

/// The most mistakes that the tests of a file repeat, all together: what all rows of a long table share is told by each.
const MOST_TOLD: usize = 50_000;

/// The ways in which play can go on from the end of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// How many sequences begin with each answer.
    pub counts: Vec<(String, u64)>,
    /// How play came to where they begin; none are counted if it stopped before.
    pub end: End,
}

/// Returns the sequences of `depth` answers that can follow the end of a test, split by the first; and how play
/// came to that end.
///
/// # Errors
/// The test cannot be run, or the rules go wrong behind its end.
pub fn perft(loader: &mut Loader<'_>, suite: &Suite, index: usize, depth: usize) -> Result<Counted, Vec<Diagnostic>> {
    let plan = planned(suite, index).map_err(|wrong| vec![wrong])?;
    let program = loader.program(&plan.game, &plan.houses)?;
    runner::play(plan, &program, |machine, end| {
        // From a pause in the middle other numbers would come than from the end.
        let counts = if end.broken { Ok(Vec::new()) } else { divide(machine, depth) };
        counts.map(|counts| Counted { counts, end }).map_err(|wrong| vec![*wrong])
    })
}

/// Returns the odds at the end of a test, where play comes so far; and how it came there.
///
/// # Errors
/// The test cannot be run, the request cannot be read, a decision is not settled, or there are too many states.
pub fn odds(
    loader: &mut Loader<'_>,
    suite: &Suite,
    index: usize,
    request: &OddsRequest,
) -> Result<(Option<Odds>, End), Vec<Diagnostic>> {
    let plan = planned(suite, index).map_err(|wrong| vec![wrong])?;
    let program = loader.program(&plan.game, &plan.houses)?;
    runner::play(plan, &program, |machine, end| match end.broken {
        true => Ok((None, end)),
        false => request::odds(&program, machine, request).map(|odds| (Some(odds), end)),
    })
}

/// Runs a test of a suite and judges it; nothing is run of a file that has mistakes.
pub fn judge(loader: &mut Loader<'_>, suite: &Suite, index: usize) -> TestResult {
    let Some(test) = suite.tests.get(index) else {
        return result(suite, None, Status::Errored, Vec::new());
    };
    if !suite.problems.is_empty() {
        return not_run(suite, test);
    }
    let Some(plan) = &test.plan else { return result(suite, Some(test), Status::Skipped, Vec::new()) };
    match loader.program(&plan.game, &plan.houses) {
        Ok(program) => {
            let given = runner::Run { watched: false, name: test.name(), accepted: Some(&suite.snapshots) };
            let outcome = runner::run(plan, &program, &given);
            let result = result(suite, Some(test), outcome.status, outcome.failures);
            TestResult { snapshots: outcome.snapshots, ..result }
        }
        Err(wrong) => result(suite, Some(test), Status::Errored, wrong.into_iter().map(Failure::plain).collect()),
    }
}

/// Returns the positions on the way through a test: the start, and each pause; nothing for a test that cannot be
/// run. And how play came out.
pub fn scenes(loader: &mut Loader<'_>, suite: &Suite, index: usize) -> (Vec<Scene>, End) {
    let plan = suite.tests.get(index).filter(|_| suite.problems.is_empty()).and_then(|test| test.plan.as_ref());
    let program = plan.and_then(|plan| Some((plan, loader.program(&plan.game, &plan.houses).ok()?)));
    program.map(|(plan, program)| runner::scenes(plan, &program)).unwrap_or_default()
}

/// What may be done at the end of a test, or whether one action may; `words` is that action, or empty.
///
/// # Errors
/// The words name no action, or the test cannot be run.
pub fn moves(loader: &mut Loader<'_>, suite: &Suite, index: usize, words: &str) -> Result<Standing, Box<Diagnostic>> {
    let plan = planned(suite, index).map_err(Box::new)?;
    match loader.program(&plan.game, &plan.houses) {
        Ok(program) => moves::standing(plan, &program, words),
        Err(mut wrong) => Err(Box::new(wrong.swap_remove(0))),
    }
}

fn not_run(suite: &Suite, test: &PlannedTest) -> TestResult {
    let most = (MOST_TOLD / suite.tests.len().max(1)).max(1);
    let own: Vec<Failure> = suite.problems_in(test).take(most).cloned().map(Failure::plain).collect();
    let status = if own.is_empty() { Status::Skipped } else { Status::Errored };
    result(suite, Some(test), status, own)
}

fn result(suite: &Suite, test: Option<&PlannedTest>, status: Status, failures: Vec<Failure>) -> TestResult {
    TestResult {
        file: suite.file.clone(),
        scenario: test.map(|test| test.scenario.clone()).unwrap_or_default(),
        row: test.and_then(|test| test.row),
        branch: test.and_then(|test| test.branch.clone()),
        line: test.map_or(1, |test| test.line),
        loose: false,
        status,
        snapshots: Vec::new(),
        failures,
    }
}

/// Returns what a test does.
fn planned(suite: &Suite, index: usize) -> Result<&Plan, Diagnostic> {
    let plan = suite.tests.get(index).and_then(|test| test.plan.as_ref());
    plan.ok_or_else(|| Diagnostic::general("not_run", "this scenario cannot be run"))
}
