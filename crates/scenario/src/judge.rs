//! Entry points for a planned test: judges it, shows its positions and options, counts sequences and computes odds.

use std::rc::Rc;
use std::sync::Arc;

use crate::coverage::Exercised;
use crate::loader::Loader;
use crate::moves::{self, AnswerLine, EndOfScenario};
use crate::odds::request::{self, Odds, OddsRequest, UnknownOdds};
use crate::plan::model::{Check, Plan, Present, Step, StepKind};
use crate::plan::parts::plan_of;
use crate::plan::suite::{PlannedTest, Suite};
use crate::run::open::only_deals;
use crate::run::runner::{self, End, Outcome};
use crate::run::scenes::Course;
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_play::divide;
use referee_rules::Program;
use referee_table::{Drawing, Symbol, draw_tokens};
use referee_trace::{Failure, Scene, Status, TestResult};

/// The most errors that all tests of a file report together: each row of a table repeats those that all rows share.
const MAX_REPORTED: usize = 50_000;

/// The sequences of answers that can follow the end of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The number of sequences that begin with each answer.
    pub counts: Vec<(String, u64)>,
    /// The state of play at the end of the test; nothing is counted if play stopped before.
    pub end: End,
}

/// Counts the sequences of `depth` answers that can follow the end of a test, for each first answer.
///
/// # Errors
/// Returns an error if the test cannot be run, or if the rules fail after its end.
pub fn perft(loader: &mut Loader<'_>, suite: &Suite, index: usize, depth: usize) -> Result<Counted, Vec<Diagnostic>> {
    let plan = planned(loader, suite, index).map_err(|wrong| vec![wrong])?;
    let plan = &*plan;
    let program = loader.program(&plan.game, &plan.houses)?;
    runner::play(plan, &program, |machine, end| {
        // Play stopped at another pause, from which the numbers would be different.
        if let Some(open) = end.owed.as_deref().cloned().or_else(|| only_deals(machine, plan)) {
            return Err(vec![open]);
        }
        let counts = if end.broken { Ok(Vec::new()) } else { divide(machine, depth) };
        counts.map(|counts| Counted { counts, end }).map_err(|wrong| vec![*wrong])
    })
}

/// Returns the odds at the end of a test, or `None` if play stops before; and how play came there.
///
/// # Errors
/// Returns an error if the test cannot be run, the request cannot be read, a decision has no policy, or there are too
/// many states.
pub fn odds(
    loader: &mut Loader<'_>,
    suite: &Suite,
    index: usize,
    request: &OddsRequest,
) -> Result<(Option<Odds>, End), UnknownOdds> {
    let plan = planned(loader, suite, index).map_err(|wrong| vec![wrong])?;
    let plan = &*plan;
    let program = loader.program(&plan.game, &plan.houses)?;
    runner::play(plan, &program, |machine, end| {
        if end.broken {
            return Ok((None, end));
        }
        let owed = end.owed.as_deref().cloned();
        let open = || only_deals(machine, plan).filter(|_| request.chance.is_none());
        match owed.or_else(open) {
            Some(wrong) => Err(vec![wrong].into()),
            None => request::odds(&program, machine, request).map(|odds| (Some(odds), end)),
        }
    })
}

/// Runs a test of a suite and judges it. Does not run tests of a file with errors.
pub fn judge(loader: &mut Loader<'_>, suite: &Suite, index: usize) -> TestResult {
    judge_counted(loader, suite, index).0
}

/// Runs a test like [`judge`], and also returns its coverage; `None` if it was not run. Runs of points in the rules are
/// counted only by a loader with [`LoaderOptions::counts`](super::LoaderOptions).
pub fn judge_counted(loader: &mut Loader<'_>, suite: &Suite, index: usize) -> (TestResult, Option<Exercised>) {
    let Judged { result, exercised, .. } = judge_all(loader, suite, index, false);
    (result, exercised)
}

/// A judged test, with its coverage and its positions.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The result.
    pub result: TestResult,
    /// Its coverage; `None` if it was not run.
    pub exercised: Option<Exercised>,
    /// The positions at the start and after each line that is played, if they are recorded.
    pub scenes: Vec<Scene>,
}

/// Runs a test like [`judge`], and also returns its coverage and its positions line by line. The positions come from a
/// second run, because pauses between lines could change the verdicts.
pub fn judge_watched(loader: &mut Loader<'_>, suite: &Suite, index: usize) -> Judged {
    judge_all(loader, suite, index, true)
}

fn judge_all(loader: &mut Loader<'_>, suite: &Suite, index: usize, watched: bool) -> Judged {
    let plain = |result: TestResult| Judged { result, exercised: None, scenes: Vec::new() };
    let Some(test) = suite.tests.get(index) else {
        return plain(result(suite, None, Status::Errored, Vec::new()));
    };
    if !suite.problems.is_empty() {
        return plain(not_run(suite, test));
    }
    let Some(plan) = plan_of(loader, suite, index) else {
        return plain(result(suite, Some(test), Status::Skipped, Vec::new()));
    };
    let plan = &*plan;
    match loader.program(&plan.game, &plan.houses) {
        Ok(program) => {
            let before = program.spent();
            let outcome = judged(loader, suite, (test, plan), &program, false);
            let exercised = Exercised::of(plan, &program, &outcome, program.spent().wrapping_sub(before));
            let result = result(suite, Some(test), outcome.status, outcome.failures);
            let result = TestResult { snapshots: outcome.snapshots, answers: outcome.answers, ..result };
            let scenes = if watched { runner::line_by_line(plan, &program, None) } else { Vec::new() };
            // The second run does not count.
            drop(program.take_counts());
            Judged { result, exercised: Some(exercised), scenes }
        }
        Err(wrong) => {
            let wrong = wrong.into_iter().map(Failure::plain).collect();
            plain(result(suite, Some(test), Status::Errored, wrong))
        }
    }
}

/// Runs a test like [`judge`], with at most this many operations. Also returns whether it was stopped at this limit.
pub fn judge_within(loader: &mut Loader<'_>, suite: &Suite, index: usize, operations: u64) -> (TestResult, bool) {
    let program = playable(loader, suite, index).map(|(_, program)| program);
    program.iter().for_each(|program| program.allow(operations));
    let result = judge(loader, suite, index);
    (result, program.is_some_and(|program| program.is_over()))
}

/// Runs the plan of a test by these rules.
fn judged(
    loader: &Loader<'_>,
    suite: &Suite,
    (test, plan): (&PlannedTest, &Plan),
    program: &Program,
    watched: bool,
) -> Outcome {
    let accepted = Some(&suite.snapshots);
    let given = runner::Run { watched, by_line: false, name: test.name(), accepted, crew: loader.crew(), viewer: None };
    runner::run(plan, program, &given)
}

/// Runs a test of a suite, judges it and records its course. Runs it even if other tests of the file have errors.
pub fn observe(loader: &mut Loader<'_>, suite: &Suite, index: usize) -> (TestResult, Course) {
    let Some(test) = suite.tests.get(index) else {
        return (result(suite, None, Status::Errored, Vec::new()), Course::default());
    };
    let Some(plan) = plan_of(loader, suite, index) else { return (not_run(suite, test), Course::default()) };
    let plan = &*plan;
    match loader.program(&plan.game, &plan.houses) {
        Ok(program) => {
            let outcome = judged(loader, suite, (test, plan), &program, true);
            (result(suite, Some(test), outcome.status, outcome.failures), outcome.course)
        }
        Err(wrong) => {
            let wrong = wrong.into_iter().map(Failure::plain).collect();
            (result(suite, Some(test), Status::Errored, wrong), Course::default())
        }
    }
}

/// Returns the positions of a test, the start and each pause, and how play came to its end. Returns no positions for a
/// test that cannot be run.
pub fn scenes(loader: &mut Loader<'_>, suite: &Suite, index: usize) -> (Vec<Scene>, End) {
    let playable = playable(loader, suite, index).filter(|_| suite.problems.is_empty());
    playable.map(|(plan, program)| runner::scenes(&plan, &program)).unwrap_or_default()
}

/// Returns the positions of a test line by line, even if other tests of the file have errors. Returns no positions for
/// a test that has errors itself.
pub fn positions(loader: &mut Loader<'_>, suite: &Suite, index: usize) -> Vec<Scene> {
    playable(loader, suite, index)
        .map(|(plan, program)| runner::line_by_line(&plan, &program, None))
        .unwrap_or_default()
}

/// Returns the positions of a test, the start and that after each line of play, and how play came to its end: the whole
/// positions, or as a player sees them. Returns no positions for a test that cannot be run.
///
/// # Errors
/// Returns an error if nobody of this name takes part.
pub fn steps(
    loader: &mut Loader<'_>,
    suite: &Suite,
    index: usize,
    viewer: Option<&str>,
) -> Result<(Vec<Scene>, End), Box<Diagnostic>> {
    let Some((plan, program)) = playable(loader, suite, index).filter(|_| suite.problems.is_empty()) else {
        return Ok(Default::default());
    };
    let table = &plan.start.table;
    let player = |name: &str| {
        let names = || table.players.iter().map(|player| table.schema.player_name(*player));
        let found = table.schema.player(name).filter(|player| table.players.contains(player));
        found.ok_or_else(|| {
            let wrong = Diagnostic::general(Code::UnknownPlayer, format!("`{name}` does not take part"));
            let near = did_you_mean(name, names());
            Box::new(wrong.help(near.unwrap_or_else(|| format!("the players are {}", one_of(names(), 9)))))
        })
    };
    let viewer = viewer.map(player).transpose()?;
    let end = runner::play(&plan, &program, |_, end| end);
    Ok((runner::line_by_line(&plan, &program, viewer), end))
}

/// Returns the symbols that a diagram of a test may have. Returns none for a test that has errors itself.
pub fn palette(loader: &mut Loader<'_>, suite: &Suite, index: usize) -> Vec<Symbol> {
    plan_of(loader, suite, index).map(|plan| plan.start.table.palette()).unwrap_or_default()
}

/// Returns the diagram that a test expects at a line, counted from 1, as it is written: play may reach another board.
/// Returns `None` if no diagram is expected there.
pub fn expected_board(loader: &mut Loader<'_>, suite: &Suite, index: usize, line: usize) -> Option<Drawing> {
    let plan = plan_of(loader, suite, index)?;
    let at = |step: &&Step| plan.source.line(step.span.start) <= line;
    match &plan.steps.iter().filter(at).max_by_key(|step| step.span.start)?.kind {
        StepKind::Expect(Check::Present(Present::Board(drawn))) => Some(draw_tokens(&plan.start, drawn, |_| false)),
        _ => None,
    }
}

/// Returns the lines that can answer the question at the end of a test, at most `most` of them, even if other tests of
/// the file have errors.
pub fn answers(loader: &mut Loader<'_>, suite: &Suite, index: usize, most: usize) -> Vec<AnswerLine> {
    playable(loader, suite, index).map(|(plan, program)| moves::answers(&plan, &program, most)).unwrap_or_default()
}

/// Returns the options at the end of a test; `words` is an action to check, or empty.
///
/// # Errors
/// Returns an error if the words are not an action, or if the test cannot be run.
pub fn moves(
    loader: &mut Loader<'_>,
    suite: &Suite,
    index: usize,
    words: &str,
) -> Result<EndOfScenario, Box<Diagnostic>> {
    let plan = planned(loader, suite, index).map_err(Box::new)?;
    let plan = &*plan;
    match loader.program(&plan.game, &plan.houses) {
        Ok(program) => moves::end_of_scenario(plan, &program, words),
        Err(mut wrong) => Err(Box::new(wrong.swap_remove(0))),
    }
}

fn not_run(suite: &Suite, test: &PlannedTest) -> TestResult {
    let most = (MAX_REPORTED / suite.tests.len().max(1)).max(1);
    let own: Vec<Failure> = suite.problems_in(test).take(most).cloned().map(Failure::plain).collect();
    let status = if own.is_empty() { Status::Skipped } else { Status::Errored };
    result(suite, Some(test), status, own)
}

fn result(suite: &Suite, test: Option<&PlannedTest>, status: Status, failures: Vec<Failure>) -> TestResult {
    TestResult {
        file: Arc::clone(&suite.file),
        scenario: test.map(|test| Arc::clone(&test.scenario)).unwrap_or_default(),
        row: test.and_then(|test| test.row),
        branch: test.and_then(|test| test.branch.clone()),
        line: test.map_or(1, |test| test.line),
        loose: false,
        status,
        snapshots: Vec::new(),
        answers: Vec::new(),
        failures,
    }
}

/// Returns the plan of a test and its rules; `None` if one of them has errors.
fn playable(loader: &mut Loader<'_>, suite: &Suite, index: usize) -> Option<(Arc<Plan>, Rc<Program>)> {
    let plan = plan_of(loader, suite, index)?;
    let program = loader.program(&plan.game, &plan.houses).ok()?;
    Some((plan, program))
}

/// Returns the plan of a test, or an error if it has none.
fn planned(loader: &mut Loader<'_>, suite: &Suite, index: usize) -> Result<Arc<Plan>, Diagnostic> {
    let plan = plan_of(loader, suite, index);
    plan.ok_or_else(|| Diagnostic::general(Code::NotRun, "this scenario cannot be run"))
}
