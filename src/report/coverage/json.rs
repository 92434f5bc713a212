//! Coverage as JSON.

use serde::Serialize;

use super::untaken;
use crate::report::object::{line, object};
use crate::scenario::{Coverage, FileCoverage, GameCoverage};

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
