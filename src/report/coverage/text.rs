//! Coverage as text: by default only the missing parts.

use std::fmt::Write;

use super::untaken;
use crate::diagnostic::{counted, one_line};
use crate::report::tables::columns;
use crate::scenario::{Coverage, FileCoverage, GameCoverage, Share};

/// Writes coverage as text.
#[derive(Clone, Copy, Debug)]
pub struct CoverageReport<'r> {
    /// The names of all tests.
    pub names: &'r [String],
    /// Whether to list all clauses with their tests, and the shares of each script.
    pub details: bool,
}

impl CoverageReport<'_> {
    /// Returns the text for all games.
    #[must_use]
    pub fn text(self, coverage: &Coverage) -> String {
        coverage.games.iter().map(|game| self.game(game)).collect::<Vec<_>>().join("\n")
    }

    fn game(self, game: &GameCoverage) -> String {
        let tests = game.tests.len();
        let mut text = format!("{}: {}\n", game.schema().id, counted(tests, "test"));
        let share = |name: &str, share: Share| {
            [name.to_owned(), format!("{} of {}", share.covered, share.all), format!("{} %", share.percent())]
        };
        text.push_str(&indented(&columns([
            share("clauses", game.clause_share()),
            share("functions", game.share(FileCoverage::function_share)),
            share("lines", game.share(FileCoverage::line_share)),
            share("branches", game.share(FileCoverage::branch_share)),
        ])));
        if self.details {
            text.push_str(&self.details(game));
        }
        let missing = missing(game, self.names);
        if !missing.is_empty() {
            text.push_str("missing:\n");
            text.push_str(&indented(&columns(missing)));
        }
        for file in &game.files {
            for mark in file.idle_marks() {
                let why = if mark.reason.is_empty() { "the reason is missing" } else { "this line is covered" };
                let place = format!("{}:{}", file.source.name(), mark.written);
                let _ = writeln!(text, "{}: remove `not covered`: {why}", one_line(&place));
            }
        }
        text
    }

    /// Returns all clauses with their tests, and the shares of each script.
    fn details(self, game: &GameCoverage) -> String {
        let mut text = String::from("clauses:\n");
        for (clause, tests) in &game.clauses {
            let _ = writeln!(text, "  {clause}: {}", tests.len());
            for name in tests.iter().filter_map(|test| self.names.get(*test)) {
                let _ = writeln!(text, "    {name}");
            }
        }
        text.push_str("scripts:\n");
        let of = |share: Share| format!("{} of {}", share.covered, share.all);
        text.push_str(&indented(&columns(game.files.iter().map(|file| {
            [
                one_line(file.source.name()),
                format!("functions {}", of(file.function_share())),
                format!("lines {}", of(file.line_share())),
                format!("branches {}", of(file.branch_share())),
            ]
        }))));
        text
    }
}

/// Returns these lines, moved to the right.
fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("  {line}\n")).collect()
}

/// Returns the parts that no test exercises: the name or location, the reason, and the line.
fn missing(game: &GameCoverage, names: &[String]) -> Vec<[String; 3]> {
    let mut rows = Vec::new();
    for (clause, tests) in &game.clauses {
        if tests.is_empty() {
            rows.push([format!("clause {clause}"), "never applied".to_owned(), String::new()]);
        }
    }
    for claim in &game.unapplied {
        let test = names.get(claim.test).cloned().unwrap_or_default();
        rows.push([claim.place.clone(), format!("`covers {}`, but it is not applied", claim.clause), test]);
    }
    game.files.iter().for_each(|file| rows.extend(missing_places(file)));
    rows.extend(
        game.unused
            .iter()
            .map(|unused| [format!("{} {}", unused.what, unused.name), "never used".to_owned(), String::new()]),
    );
    rows.into_iter().map(|row| row.map(|word| one_line(&word))).collect()
}

fn missing_places(file: &FileCoverage) -> Vec<[String; 3]> {
    let text_from = |line: usize, column: usize| {
        let text = file.source.slice(file.source.line_span(line));
        text.chars().skip(column.saturating_sub(1)).collect::<String>().trim().to_owned()
    };
    // The lines of a function that is never called are not listed one by one.
    let is_called = |line: usize| file.function_of(line).is_none_or(|(_, _, calls)| calls > 0);
    let mut places: Vec<((usize, usize), String, String)> = Vec::new();
    for (line, name, calls) in file.functions() {
        if calls == 0 {
            places.push(((line, 0), format!("`{name}` is never called"), text_from(line, 0)));
        }
    }
    let lines = file.lines();
    for line in lines.iter().filter(|(line, runs)| **runs == 0 && is_called(**line)).map(|(line, _)| *line) {
        // Of a line that ran, only the part that did not is shown.
        let column = file.first_idle(line).unwrap_or(0);
        places.push(((line, column), "never run".to_owned(), text_from(line, column)));
    }
    for branch in file.branches() {
        if branch.taken == 0 && branch.reached && is_called(branch.at.line) && lines.get(&branch.at.line) != Some(&0) {
            let at = (branch.at.line, branch.at.column);
            places.push((at, untaken(&branch.kind).to_owned(), text_from(at.0, 0)));
        }
    }
    places.sort();
    let shown = |((line, column), why, text): ((usize, usize), String, String)| {
        let column = if column == 0 { String::new() } else { format!(":{column}") };
        [format!("{}:{line}{column}", file.source.name()), why, text]
    };
    places.into_iter().map(shown).collect()
}
