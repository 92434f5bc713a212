//! Parts of a file without effect: scenarios without lines, titles without words, the same clause twice.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::plan::blocks::{Block, Blocks};
use referee_diagnostic::{Code, Diagnostic, MAX_PROBLEMS};
use referee_source::{Source, Span};
use referee_syntax::ast::{Expect, Line, LineKind, position_line};

/// Returns the errors of a file, all of whose lines could be read: another line may be one that belongs here.
pub(crate) fn idle(source: &Arc<Source>, lines: &[Line], blocks: &Blocks<'_>) -> Vec<Diagnostic> {
    // A source of the program itself, such as the set-up of a command, is not a test.
    if !source.is_file() {
        return Vec::new();
    }
    let mut wrong: Vec<Diagnostic> =
        lines.iter().filter_map(|line| no_words(source, line)).take(MAX_PROBLEMS).collect();
    wrong.extend(lines.iter().filter_map(|line| no_rows(source, line)).take(MAX_PROBLEMS));
    for block in &blocks.scenarios {
        if wrong.len() > 2 * MAX_PROBLEMS {
            break;
        }
        wrong.extend(no_lines(source, block));
        wrong.extend(twice(source, &block.lines));
        wrong.extend(block.branches.iter().flat_map(|branch| twice(source, &branch.lines)));
    }
    wrong
}

/// Returns the error for `scenario ""` and the like.
fn no_words(source: &Arc<Source>, line: &Line) -> Option<Diagnostic> {
    let (title, what) = match line.kind {
        LineKind::Scenario(title) => (title, "the title of this scenario"),
        LineKind::Branch(title) => (title, "the title of this branch"),
        LineKind::Position(title) => (title, "the name of this position"),
        LineKind::Cites(place) => (place, "the place in the rulebook"),
        _ => return None,
    };
    let message = format!("{what} is empty");
    let help = match line.kind {
        LineKind::Cites(_) => "say where the rulebook has the example: `cites \"Page 3\"`, or remove this line",
        _ => "write between the quotes what it is about",
    };
    let empty = source.word(title).text.trim().is_empty();
    empty.then(|| Diagnostic::new(Code::MissingValue, source, title, message).help(help))
}

/// Returns the error for `expect events` without rows, which is true whatever happens.
fn no_rows(source: &Arc<Source>, line: &Line) -> Option<Diagnostic> {
    let LineKind::Expect(Expect::Events { exactly: false, rows }) = &line.kind else { return None };
    let message = "this line expects no event: there are no rows below it";
    let help = "write the events in rows that begin with `>`; \
                `expect events exactly` without rows expects that nothing happened";
    rows.is_empty().then(|| Diagnostic::new(Code::NothingChecked, source, line.span, message).help(help))
}

/// Returns the errors for scenarios and branches without lines of their own.
fn no_lines(source: &Arc<Source>, block: &Block<'_>) -> Vec<Diagnostic> {
    nothing_in(source, block, |line| matches!(line.kind, LineKind::Cites(_)))
}

/// Returns the errors for scenarios that play and expect nothing, although they have lines.
pub(crate) fn unplayed(source: &Arc<Source>, blocks: &Blocks<'_>) -> Vec<Diagnostic> {
    let prepares = |line: &Line| {
        matches!(line.kind, position_line!() | LineKind::Cites(_) | LineKind::With { .. } | LineKind::WithHouse(_))
    };
    // A branch may only change the position in which the lines of the scenario are played.
    let alone = blocks.scenarios.iter().filter(|block| block.lines.iter().all(|line| prepares(line)));
    alone
        .filter(|_| source.is_file())
        .flat_map(|block| nothing_in(source, block, prepares))
        .take(MAX_PROBLEMS)
        .collect()
}

/// Returns the errors for a scenario and its branches that have only lines of a kind that checks nothing.
fn nothing_in(source: &Arc<Source>, block: &Block<'_>, is_idle: impl Fn(&Line) -> bool) -> Vec<Diagnostic> {
    let says_nothing = |lines: &[&Line]| lines.iter().all(|line| is_idle(line));
    let report = |head: Span, what: &str| {
        let message = format!("this {what} has nothing to check");
        let help = "write below it what is played and what is expected, or remove it";
        Diagnostic::new(Code::NothingChecked, source, head, message).help(help)
    };
    let branches = block.branches.iter().filter(|branch| says_nothing(&branch.lines));
    let mut wrong: Vec<Diagnostic> = branches.map(|branch| report(branch.head.span, "branch")).collect();
    if block.branches.is_empty() && says_nothing(&block.lines) {
        wrong.push(report(block.head.span, "scenario"));
    }
    wrong
}

/// Returns the errors for clauses that the lines claim twice.
fn twice(source: &Arc<Source>, lines: &[&Line]) -> Vec<Diagnostic> {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    let mut wrong = Vec::new();
    let claimed = lines.iter().filter_map(|line| match &line.kind {
        LineKind::Covers(clauses) => Some(clauses),
        _ => None,
    });
    for span in claimed.flatten() {
        let clause = source.word(*span).text;
        if let Some(first) = seen.insert(clause, *span).filter(|_| !clause.starts_with('{')) {
            let message = format!("the clause `{clause}` is named twice");
            let twice = Diagnostic::new(Code::ListedTwice, source, *span, message);
            wrong.push(twice.also(source, first, "the first one").help("remove one of them, or name another clause"));
        }
    }
    wrong
}
