//! Reads a scenario file and resolves it against its games.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;

use crate::loader::Loader;
use crate::plan::builder::{Found, MAX_LINES, Planning, unused_position};
use crate::plan::collected::{Taker, Tests};
use crate::plan::reading::Reading;
use crate::plan::suite::{PlannedTest, Suite};
use crate::plan::{blocks, idle, markdown, parts};
use crate::snapshots::{Snapshots, accepted_path};
use referee_diagnostic::{Code, Diagnostic, MAX_PROBLEMS};
use referee_source::{Source, Span};
use referee_syntax::ast::File;
use referee_syntax::{FileKind, parse};

/// Returns an error for each test with the name of an earlier one: the values of a table may make two titles equal.
fn same_names(source: &Arc<Source>, tests: &[PlannedTest]) -> Vec<Diagnostic> {
    let mut names = BTreeSet::new();
    let mut wrong = Vec::new();
    // `blocks::sort` reports titles that are equal without a table.
    for test in tests.iter().filter(|test| test.branch.is_some() && test.row.is_some()) {
        if !names.insert(test.name()) && wrong.len() < MAX_PROBLEMS {
            let message = format!("two tests of this file have the title \"{}\"", test.title());
            let twice = Diagnostic::new(Code::DuplicateName, source, source.line_span(test.line), message);
            wrong.push(twice.help("make the titles of branches differ by more than the values of a row"));
        }
    }
    wrong
}

/// Returns the errors of the games that no scenario plays: no scenario follows their `use` lines.
fn unplayed_games(
    loader: &mut Loader<'_>,
    file: &Path,
    source: &Arc<Source>,
    blocks: &blocks::Blocks<'_>,
) -> Vec<Diagnostic> {
    let played: HashSet<Span> = blocks.scenarios.iter().filter_map(|block| Some(block.used?.game)).collect();
    let mut wrong = Vec::new();
    for used in blocks.uses.iter().filter(|used| !played.contains(&used.game)) {
        if wrong.len() >= MAX_PROBLEMS {
            break;
        }
        let name = source.word(used.game).text;
        let asked = Diagnostic::new(Code::UnknownGame, source, used.game, format!("unknown game `{name}`"));
        wrong.extend(loader.game(file, name, &asked).err().into_iter().flatten());
    }
    wrong
}

/// Sorts the errors by their locations, those of other files last, and drops all after the first `MAX_PROBLEMS`.
fn sort_and_limit(problems: &mut Vec<Diagnostic>, source: &Arc<Source>) {
    problems.sort_by_key(|problem| {
        problem.labels.first().map_or((false, 0), |label| (!Arc::ptr_eq(&label.source, source), label.span.start))
    });
    if problems.len() >= MAX_PROBLEMS {
        problems.truncate(MAX_PROBLEMS);
        let message = format!("only the first {MAX_PROBLEMS} errors are shown; the rest of this file was not read");
        problems.push(Diagnostic::general(Code::TooManyMistakes, message).help("check that this is the right file"));
    }
}

/// Reads a scenario file and resolves it against its games.
pub fn plan(loader: &mut Loader<'_>, file: &Path) -> Suite {
    plan_as(loader, file, &Reading::default())
}

/// Reads a scenario file and resolves it against its games, under a reading of their rules.
pub fn plan_as(loader: &mut Loader<'_>, file: &Path, reading: &Reading) -> Suite {
    planned(loader, file, reading, false)
}

/// Reads a scenario file like [`plan`], but keeps no plans, or [some](Loader::keeping_plans): others are made again when their
/// tests are judged. Much less memory is needed, and twice the time for planning.
pub fn plan_lean(loader: &mut Loader<'_>, file: &Path) -> Suite {
    planned(loader, file, &Reading::default(), true)
}

fn planned(loader: &mut Loader<'_>, file: &Path, reading: &Reading, lean: bool) -> Suite {
    let name = file.to_string_lossy().replace('\\', "/");
    let text = match loader.host.read(file) {
        Ok(text) => text,
        Err(error) => {
            return Suite::unreadable(name, &error);
        }
    };
    let is_markdown = file.extension().is_some_and(|extension| extension == "md");
    let (source, wrong) = if is_markdown {
        markdown::source(&name, text)
    } else {
        (Arc::new(Source::new(name.clone(), text)), Vec::new())
    };
    let parts = if lean && wrong.is_empty() { parts::tests(loader, file, &source) } else { None };
    let mut suite = match parts {
        Some((tests, parts)) => {
            let mut problems = Vec::new();
            let snapshots = accepted(loader, file, &source, &mut problems);
            Suite { file: name.as_str().into(), source: Some(source), problems, snapshots, tests, parts: Some(parts) }
        }
        None => plan_text(loader, file, source, wrong, reading),
    };
    // Tests of a file with errors are not run.
    if lean && !suite.problems.is_empty() {
        suite.tests.iter_mut().for_each(|test| test.plan = None);
    }
    let is_empty = suite.tests.is_empty() && suite.problems.is_empty();
    if let Some(source) = suite.source.as_ref().filter(|_| is_empty && !is_markdown && !suite.has_only_comments()) {
        suite.problems.push(no_scenario(source));
    }
    suite
}

/// Returns the error for a file that is empty, saved too early, or has only `use` lines.
fn no_scenario(source: &Arc<Source>) -> Diagnostic {
    Diagnostic::new(Code::NoScenario, source, source.line_span(1), "this file has no scenario")
        .help("write a line `scenario \"TITLE\"` with lines below it, or remove the file")
}

/// Resolves the text of a scenario file against its games; `blocks_wrong` contains the errors that are already known.
pub fn plan_text(
    loader: &mut Loader<'_>,
    file: &Path,
    source: Arc<Source>,
    blocks_wrong: Vec<Diagnostic>,
    reading: &Reading,
) -> Suite {
    let (ast, mut problems) = parse(&source, FileKind::Scenario);
    problems.extend(blocks_wrong);
    plan_file(loader, file, &ast, problems, (reading, None))
}

/// Resolves the lines of a scenario file against its games; `problems` are the errors that are already known.
pub(crate) fn plan_file(
    loader: &mut Loader<'_>,
    file: &Path,
    ast: &File,
    mut problems: Vec<Diagnostic>,
    (reading, house_flag): (&Reading, Option<&'static str>),
) -> Suite {
    let source = Arc::clone(&ast.source);
    let name = source.name().to_owned();
    let blocks = blocks::sort(ast, &problems);
    let read = !blocks.unread;
    problems.extend(blocks.wrong.iter().cloned());
    if read {
        problems.extend(idle::idle(&source, &ast.lines, &blocks));
    }
    let mut tests = Tests::new(&source, problems, u64::MAX);
    let mut missing = BTreeSet::new();
    let mut misnamed = false;
    let mut lines = MAX_LINES;
    for block in &blocks.scenarios {
        if tests.is_over() {
            tests.end_at(block.head.span);
            break;
        }
        let room = tests.room();
        let found = Found { missing: &mut missing, misnamed: &mut misnamed, lines: &mut lines };
        Planning { loader, ast, file, blocks: &blocks, block, found, room, table: None, reading, house_flag }
            .tests(&mut tests);
    }
    let twice = same_names(&source, &tests.list);
    tests.problems.extend(twice);
    // Another line may be one that plays or expects something.
    if tests.problems.is_empty() {
        tests.problems.extend(idle::unplayed(&source, &blocks));
    }
    // A line that could not be read may use the position.
    for shared in blocks.unused(&source).filter(|_| read && !misnamed) {
        let wrong = unused_position(loader, ast, file, shared);
        wrong.into_iter().for_each(|wrong| tests.add(wrong));
    }
    let Tests { list: tests, mut problems, .. } = tests;
    problems.extend(unplayed_games(loader, file, &source, &blocks));
    sort_and_limit(&mut problems, &source);
    let snapshots = accepted(loader, file, &source, &mut problems);
    Suite { file: name.into(), source: Some(source), problems, snapshots, tests, parts: None }
}

/// Returns the accepted snapshots of a file. Words of the command line have none.
fn accepted(loader: &Loader<'_>, file: &Path, source: &Source, problems: &mut Vec<Diagnostic>) -> Snapshots {
    if !source.is_file() {
        return Snapshots::default();
    }
    Snapshots::load(loader.host, &accepted_path(file)).unwrap_or_else(|wrong| {
        problems.extend(wrong);
        Snapshots::default()
    })
}
