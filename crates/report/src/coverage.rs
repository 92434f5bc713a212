//! Coverage as text, by default only the missing parts; as JSON, as LCOV (geninfo(1), LCOV 2), which editors can show, and
//! as a table for a rulebook.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use super::object::{line, object};
use super::tables::columns;
use referee_diagnostic::{counted, in_markdown, one_line};
use referee_rules::PointKind;
use referee_scenario::{Branch, Coverage, FileCoverage, GameCoverage, Share};

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

/// Returns a description of an untaken branch.
const fn untaken(kind: &PointKind) -> &'static str {
    match kind {
        PointKind::Condition(true) => "never true",
        PointKind::Condition(false) => "never false",
        PointKind::Case => "case never chosen",
        PointKind::NoCase => "never without a case",
        PointKind::Round => "never with a round",
        PointKind::LoopEnd => "never runs to its end",
        PointKind::Function(_) | PointKind::Statement => "never run",
    }
}

/// Returns coverage as JSON: `{"version":1,"games":[…]}`. `names` are those of all tests.
#[must_use]
pub fn coverage_json(coverage: &Coverage, names: &[String]) -> String {
    line(&object().with("version", 1).list("games", coverage.games.iter().map(|game| of_game(game, names))))
}

fn of_game<'c>(game: &'c GameCoverage, names: &'c [String]) -> impl Serialize {
    let named = |tests: &[usize]| tests.iter().filter_map(|test| names.get(*test)).collect::<Vec<_>>();
    let by_clause =
        game.clauses.iter().map(|(clause, tests)| object().with("clause", clause).with("tests", named(tests)));
    let unapplied = game.unapplied.iter().map(|claim| {
        object().with("clause", &claim.clause).with("test", names.get(claim.test)).with("place", &claim.place)
    });
    object()
        .with("game", &game.schema().id)
        .with("bundled", game.game.is_built_in())
        .with("tests", named(&game.tests))
        .with("clauses", game.clause_share())
        .with("functions", game.share(FileCoverage::function_share))
        .with("lines", game.share(FileCoverage::line_share))
        .with("branches", game.share(FileCoverage::branch_share))
        .list("by_clause", by_clause)
        .list("unapplied", unapplied)
        .list("scripts", game.files.iter().map(script))
        .with("unused", &game.unused)
}

fn script(file: &FileCoverage) -> impl Serialize {
    let functions = file.functions();
    let functions = functions
        .map(|(line, function, calls)| object().with("function", function).with("line", line).with("calls", calls));
    let branches = file.branches().into_iter().map(|branch| {
        object()
            .with("line", branch.at.line)
            .with("column", branch.at.column)
            .with("if_untaken", untaken(&branch.kind))
            .with("taken", branch.taken)
    });
    object()
        .with("file", file.source.name())
        .list("functions", functions)
        .list("lines", file.lines())
        .list("branches", branches)
        .list("idle_marks", file.idle_marks().iter().map(|mark| mark.written))
}

/// Returns coverage in the format of LCOV. Bundled games are left out: their scripts are no files on disk. The paths
/// are those of the other reports, relative to the working folder where the scripts are below it.
#[must_use]
pub fn coverage_lcov(coverage: &Coverage) -> String {
    let games = coverage.games.iter().filter(|game| !game.game.is_built_in());
    games.flat_map(|game| &game.files).map(record).collect()
}

fn record(file: &FileCoverage) -> String {
    let mut text = format!("TN:\nSF:{}\n", one_line(file.source.name()));
    for (line, name, _) in file.functions() {
        let _ = writeln!(text, "FN:{line},{name}");
    }
    for (_, name, calls) in file.functions() {
        let _ = writeln!(text, "FNDA:{calls},{name}");
    }
    let functions = file.function_share();
    let _ = writeln!(text, "FNF:{}\nFNH:{}", functions.all, functions.covered);
    let branches = file.branches();
    let mut by_place: BTreeMap<(usize, usize, u8), Vec<&Branch>> = BTreeMap::new();
    for branch in &branches {
        by_place.entry((branch.at.line, branch.at.column, group(&branch.kind))).or_default().push(branch);
    }
    for (block, ((line, ..), ways)) in by_place.iter().enumerate() {
        for (way, branch) in ways.iter().enumerate() {
            // A place that was never reached has `-`.
            let taken = if branch.reached { branch.taken.to_string() } else { "-".to_owned() };
            let _ = writeln!(text, "BRDA:{line},{block},{way},{taken}");
        }
    }
    let shares = file.branch_share();
    let _ = writeln!(text, "BRF:{}\nBRH:{}", shares.all, shares.covered);
    for (line, runs) in file.lines() {
        let _ = writeln!(text, "DA:{line},{runs}");
    }
    let lines = file.line_share();
    let _ = writeln!(text, "LF:{}\nLH:{}\nend_of_record", lines.all, lines.covered);
    text
}

/// Returns a number that is the same for the ways at one place.
const fn group(kind: &PointKind) -> u8 {
    match kind {
        PointKind::Condition(_) => 0,
        PointKind::Round | PointKind::LoopEnd => 1,
        PointKind::Case | PointKind::NoCase => 2,
        PointKind::Function(_) | PointKind::Statement => 3,
    }
}

/// The most tests that are named in a cell.
const NAMED: usize = 3;

/// Returns a table for each game: its clauses, how many tests apply each, and the first of them. `names` are those of
/// all tests.
#[must_use]
pub fn coverage_markdown(coverage: &Coverage, names: &[String]) -> String {
    let mut text = String::new();
    for game in &coverage.games {
        let gap = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(text, "{gap}### {}: clauses and examples\n", in_markdown(&game.schema().title));
        let _ = writeln!(text, "| clause | examples | which |\n|---|--:|---|");
        for (clause, tests) in &game.clauses {
            let some = tests.iter().filter_map(|test| names.get(*test)).take(NAMED).map(|name| in_markdown(name));
            let more = tests.len().saturating_sub(NAMED);
            let more = (more > 0).then(|| format!("{more} more"));
            let which: Vec<String> = some.chain(more).collect();
            let _ = writeln!(text, "| {} | {} | {} |", in_markdown(clause), tests.len(), which.join("<br>"));
        }
        if !game.unapplied.is_empty() {
            text.push_str("\nClaimed by `covers`, but not applied:\n\n");
        }
        for claim in &game.unapplied {
            let test = names.get(claim.test).map_or("", String::as_str);
            let _ = writeln!(
                text,
                "- {}: {}, in {}",
                in_markdown(&claim.clause),
                in_markdown(&claim.place),
                in_markdown(test)
            );
        }
    }
    text
}
