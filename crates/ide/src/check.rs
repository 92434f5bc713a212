//! The errors of a file while it is edited.

use std::path::Path;

use super::goes_on::{GoesOn, goes_on};
use super::project::{Project, Role};
use referee_diagnostic::Diagnostic;
use referee_scenario::{Loader, PlannedTest};
use referee_syntax::{FileKind, parse};
use referee_table::Symbol;
use referee_trace::{Drawing, Scene, TestResult};

/// A test that was run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its title, with row and branch.
    pub title: String,
    /// The number of its first line, from 1.
    pub line: usize,
    /// The result.
    pub result: TestResult,
    /// The positions at its start and after each line that is played.
    pub scenes: Vec<Scene>,
}

/// Returns the errors of a file that is being edited: those of its scenarios, or those of its game, with the house rule
/// if the file is one. Errors in other house rules, and errors that only play shows, take longer: see
/// [`game_problems`].
pub fn edited_problems(project: &mut Project<'_>, path: &Path) -> Vec<Diagnostic> {
    found(project, path, |loader, game, path| {
        // `house/NAME.rhai`, or a file in the folder `house/NAME`.
        let in_house = |path: &&Path| path.parent().is_some_and(|folder| folder.ends_with("house"));
        let alone = Some(path).filter(in_house).and_then(Path::file_stem);
        let house = alone.or_else(|| path.parent().filter(in_house).and_then(Path::file_name));
        referee_scenario::check_program(loader, game, house.and_then(|name| name.to_str()))
    })
}

/// Returns the errors of a file that can be found without playing: those of its scenarios, or those of its game with
/// all house rules.
pub fn problems(project: &mut Project<'_>, path: &Path) -> Vec<Diagnostic> {
    found(project, path, |loader, game, _| referee_scenario::check_unplayed(loader, game))
}

fn found(
    project: &mut Project<'_>,
    path: &Path,
    check: impl Fn(&mut Loader<'_>, &Path, &Path) -> Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    project.refresh();
    let path = project.overlay.shown(path);
    match Role::of(&path) {
        None => Vec::new(),
        Some(Role::Scenario | Role::Markdown) => project.suite(&path).problems.clone(),
        Some(Role::Game | Role::House | Role::Script | Role::Data) => of_game(project, &path, check),
    }
}

/// Returns all errors of the game that a file belongs to, which takes longer: games are played. A file of scenarios
/// belongs to none.
pub fn game_problems(project: &mut Project<'_>, path: &Path) -> Vec<Diagnostic> {
    project.refresh();
    let path = project.overlay.shown(path);
    match Role::of(&path) {
        None | Some(Role::Scenario) => Vec::new(),
        Some(Role::Game | Role::House | Role::Script | Role::Data | Role::Markdown) => {
            of_game(project, &path, |loader, game, _| referee_scenario::check_game(loader, game))
        }
    }
}

/// Returns the notes on the game that a file belongs to: what is right as it is written, and probably not meant. A game
/// with errors has none.
pub fn game_notes(project: &mut Project<'_>, path: &Path) -> Vec<Diagnostic> {
    project.refresh();
    let path = project.overlay.shown(path);
    match Role::of(&path) {
        Some(Role::Game | Role::House | Role::Script | Role::Data) => {}
        Some(Role::Scenario | Role::Markdown) | None => return Vec::new(),
    }
    project.game_file(&path).map(|game| referee_scenario::notes(&project.loader, &game)).unwrap_or_default()
}

fn of_game(
    project: &mut Project<'_>,
    path: &Path,
    check: impl Fn(&mut Loader<'_>, &Path, &Path) -> Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let game = project.game_file(path);
    game.map(|game| check(&mut project.loader, &game, path)).unwrap_or_default()
}

/// Runs the tests of a file one after the other, each that `wanted` accepts by its place in the file. Stops as soon as
/// `goes_on` returns false. A file with errors has no tests to run.
pub fn run(
    project: &mut Project<'_>,
    path: &Path,
    wanted: &dyn Fn(usize, &PlannedTest) -> bool,
    goes_on: &dyn Fn() -> bool,
) -> Vec<Run> {
    project.refresh();
    let path = project.overlay.shown(path);
    if !matches!(Role::of(&path), Some(Role::Scenario | Role::Markdown)) {
        return Vec::new();
    }
    let suite = project.suite(&path);
    if !suite.problems.is_empty() {
        return Vec::new();
    }
    let mut runs = Vec::new();
    for (at, test) in suite.tests.iter().enumerate().filter(|(at, test)| wanted(*at, test)) {
        if !goes_on() {
            break;
        }
        let judged = referee_scenario::judge_watched(&mut project.loader, &suite, at);
        let (title, line) = (test.title(), test.line);
        runs.push(Run { title, line, result: judged.result, scenes: judged.scenes });
    }
    runs
}

/// Returns the tests that a line of a file belongs to, by their places in the file.
pub fn tests_at(project: &mut Project<'_>, path: &Path, line: usize) -> Vec<usize> {
    let path = project.overlay.shown(path);
    let suite = project.suite(&path);
    let at = suite.tests_at(line);
    at.iter().enumerate().filter(|(_, meant)| **meant).map(|(at, _)| at).collect()
}

/// The position that play has reached at a line.
#[derive(Clone, Debug)]
pub struct Reached {
    /// The title of the test, with row and branch.
    pub title: String,
    /// The position.
    pub scene: Scene,
    /// What a diagram of the test may have.
    pub symbols: Vec<Symbol>,
    /// The diagram that is expected at the line, if one is.
    pub expected: Option<Drawing>,
    /// Where the example goes on below the line.
    pub goes_on: GoesOn,
}

/// Returns the position that play has reached before or on a line, counted from 1. Returns `None` outside all
/// scenarios, and in a scenario with errors.
pub fn position(project: &mut Project<'_>, path: &Path, line: usize) -> Option<Reached> {
    project.refresh();
    let path = project.overlay.shown(path);
    if !matches!(Role::of(&path), Some(Role::Scenario | Role::Markdown)) {
        return None;
    }
    let suite = project.suite(&path);
    let source = suite.source()?;
    let goes_on = goes_on(source, &parse(source, FileKind::Scenario).0.lines, line)?;
    let meant = suite.tests_at(line);
    let (at, test) = suite.tests.iter().enumerate().find(|(at, _)| meant.get(*at) == Some(&true))?;
    let scenes = referee_scenario::positions(&mut project.loader, &suite, at);
    let reached = scenes.iter().rposition(|scene| scene.line.is_none_or(|number| number <= line)).unwrap_or(0);
    let symbols = referee_scenario::palette(&mut project.loader, &suite, at);
    let expected = referee_scenario::expected_board(&mut project.loader, &suite, at, line);
    Some(Reached { title: test.title(), scene: scenes.into_iter().nth(reached)?, symbols, expected, goes_on })
}
