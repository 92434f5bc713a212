//! Reads a scenario file and resolves it against its games.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, MAX_PROBLEMS};
use crate::scenario::loader::Loader;
use crate::scenario::plan::builder::{Found, Planning, unused_position};
use crate::scenario::plan::reading::Reading;
use crate::scenario::plan::suite::{PlannedTest, Suite};
use crate::scenario::plan::{blocks, idle, markdown};
use crate::scenario::snapshots::{Snapshots, accepted_path};
use crate::source::{Source, Span};
use crate::syntax::ast::File;
use crate::syntax::{FileKind, parse};

/// The largest number of tests in a file.
const MAX_TESTS: usize = 100_000;

/// The identity of a diagnostic, to drop duplicates.
type Mistake = (&'static str, String, Vec<(String, Span)>);

fn key(mistake: &Diagnostic) -> Mistake {
    let places = mistake.labels.iter().map(|label| (label.source.name().to_owned(), label.span));
    (mistake.code, mistake.message.clone(), places.collect())
}

/// Returns an error for each test with the name of an earlier one: the values of a table may make two titles equal.
fn same_names(source: &Arc<Source>, tests: &[PlannedTest]) -> Vec<Diagnostic> {
    let mut names = BTreeSet::new();
    let mut wrong = Vec::new();
    // `blocks::sort` reports titles that are equal without a table.
    for test in tests.iter().filter(|test| test.branch.is_some() && test.row.is_some()) {
        if !names.insert(test.name()) && wrong.len() < MAX_PROBLEMS {
            let message = format!("two tests of this file have the title \"{}\"", test.title());
            let twice = Diagnostic::new("duplicate_name", source, source.line_span(test.line), message);
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
        let name = source.word(used.game).text;
        let asked = Diagnostic::new("unknown_game", source, used.game, format!("unknown game `{name}`"));
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
        let message = format!("only the first {MAX_PROBLEMS} errors of this file are shown");
        problems.push(Diagnostic::general("too_many_mistakes", message).help("check that this is the right file"));
    }
}

/// Reads a scenario file and resolves it against its games.
pub fn plan(loader: &mut Loader<'_>, file: &Path) -> Suite {
    plan_as(loader, file, &Reading::default())
}

/// Reads a scenario file and resolves it against its games, under a reading of their rules.
pub fn plan_as(loader: &mut Loader<'_>, file: &Path, reading: &Reading) -> Suite {
    let name = file.to_string_lossy().replace('\\', "/");
    let text = match loader.host.read(file) {
        Ok(text) => text,
        Err(error) => {
            return Suite::unreadable(name, &error);
        }
    };
    let is_markdown = file.extension().is_some_and(|extension| extension == "md");
    let (source, wrong) =
        if is_markdown { markdown::source(&name, text) } else { (Arc::new(Source::new(name, text)), Vec::new()) };
    let mut suite = plan_text(loader, file, source, wrong, reading);
    let is_empty = suite.tests.is_empty() && suite.problems.is_empty();
    if let Some(source) = suite.source.as_ref().filter(|_| is_empty && !is_markdown && !suite.has_only_comments()) {
        suite.problems.push(no_scenario(source));
    }
    suite
}

/// Returns the error for a file that is empty, saved too early, or has only `use` lines.
fn no_scenario(source: &Arc<Source>) -> Diagnostic {
    Diagnostic::new("no_scenario", source, source.line_span(1), "this file has no scenario")
        .help("write a line `scenario \"TITLE\"` with lines below it, or remove the file")
}

/// Resolves the text of a scenario file against its games; `blocks_wrong` contains the errors that are already known.
pub(crate) fn plan_text(
    loader: &mut Loader<'_>,
    file: &Path,
    source: Arc<Source>,
    blocks_wrong: Vec<Diagnostic>,
    reading: &Reading,
) -> Suite {
    let (ast, mut problems) = parse(&source, FileKind::Scenario);
    problems.extend(blocks_wrong);
    plan_file(loader, file, &ast, problems, reading)
}

/// Resolves the lines of a scenario file against its games; `problems` are the errors that are already known.
pub(crate) fn plan_file(
    loader: &mut Loader<'_>,
    file: &Path,
    ast: &File,
    mut problems: Vec<Diagnostic>,
    reading: &Reading,
) -> Suite {
    let source = Arc::clone(&ast.source);
    let name = source.name().to_owned();
    let blocks = blocks::sort(ast, &problems);
    let read = !blocks.unread;
    problems.extend(blocks.wrong.iter().cloned());
    if read {
        problems.extend(idle::idle(&source, &ast.lines, &blocks));
    }
    let mut tests = Vec::new();
    let mut missing = BTreeSet::new();
    let mut misnamed = false;
    // The rows of a table share most of their errors.
    let mut reported: HashSet<Mistake> = problems.iter().map(key).collect();
    for block in &blocks.scenarios {
        let room = MAX_TESTS.saturating_sub(tests.len());
        let found = Found { missing: &mut missing, misnamed: &mut misnamed };
        let planned = Planning { loader, ast, file, blocks: &blocks, block, found, room, table: None, reading }.tests();
        for (test, wrong) in planned {
            for diagnostic in wrong {
                if problems.len() < MAX_PROBLEMS && reported.insert(key(&diagnostic)) {
                    problems.push(diagnostic);
                }
            }
            tests.push(test);
        }
        if tests.len() >= MAX_TESTS && blocks.scenarios.last().is_some_and(|last| !std::ptr::eq(last, block)) {
            let message = format!("a file has at most {MAX_TESTS} tests: scenarios, rows of tables, branches");
            let wrong = Diagnostic::new("too_many_tests", &source, block.head.span, message);
            problems.push(wrong.help("split the scenarios into several files"));
            break;
        }
    }
    problems.extend(same_names(&source, &tests));
    // Another line may be one that plays or expects something.
    if problems.is_empty() {
        problems.extend(idle::unplayed(&source, &blocks));
    }
    // A line that could not be read may use the position.
    for shared in blocks.unused(&source).filter(|_| read && !misnamed) {
        let wrong = unused_position(loader, ast, file, shared);
        problems.extend(wrong.into_iter().filter(|wrong| reported.insert(key(wrong))));
    }
    problems.extend(unplayed_games(loader, file, &source, &blocks));
    sort_and_limit(&mut problems, &source);
    let snapshots = accepted(loader, file, &source, &mut problems);
    Suite { file: name, source: Some(source), problems, snapshots, tests }
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
