//! Coverage as JSON.

use serde::Serialize;

use super::untaken;
use crate::report::json::line;
use crate::scenario::{self, Coverage, FileCoverage, GameCoverage, Share};

#[derive(Serialize)]
struct Report<'c> {
    version: u32,
    games: Vec<Game<'c>>,
}

#[derive(Serialize)]
struct Game<'c> {
    game: &'c str,
    bundled: bool,
    tests: Vec<&'c str>,
    clauses: Counted,
    functions: Counted,
    lines: Counted,
    branches: Counted,
    by_clause: Vec<Clause<'c>>,
    unapplied: Vec<Unapplied<'c>>,
    scripts: Vec<Script<'c>>,
    unused: Vec<Unused<'c>>,
}

#[derive(Serialize)]
struct Counted {
    covered: usize,
    all: usize,
}

#[derive(Serialize)]
struct Clause<'c> {
    clause: &'c str,
    tests: Vec<&'c str>,
}

#[derive(Serialize)]
struct Unapplied<'c> {
    clause: &'c str,
    test: Option<&'c str>,
    place: &'c str,
}

#[derive(Serialize)]
struct Script<'c> {
    file: &'c str,
    functions: Vec<Function<'c>>,
    lines: Vec<(usize, u64)>,
    branches: Vec<BranchCounts>,
    idle_marks: Vec<usize>,
}

#[derive(Serialize)]
struct Function<'c> {
    function: &'c str,
    line: usize,
    calls: u64,
}

#[derive(Serialize)]
struct BranchCounts {
    line: usize,
    column: usize,
    if_untaken: &'static str,
    taken: u64,
}

#[derive(Serialize)]
struct Unused<'c> {
    what: &'c str,
    name: &'c str,
}

/// Returns coverage as JSON: `{"version":1,"games":[…]}`. `names` are those of all tests.
#[must_use]
pub fn coverage_json(coverage: &Coverage, names: &[String]) -> String {
    line(&Report { version: 1, games: coverage.games.iter().map(|game| of_game(game, names)).collect() })
}

const fn counted(share: Share) -> Counted {
    Counted { covered: share.covered, all: share.all }
}

fn of_game<'c>(game: &'c GameCoverage, names: &'c [String]) -> Game<'c> {
    let unapplied = |claim: &'c scenario::Unapplied| Unapplied {
        clause: &claim.clause,
        test: names.get(claim.test).map(String::as_str),
        place: &claim.place,
    };
    let named = |tests: &[usize]| tests.iter().filter_map(|test| names.get(*test)).map(String::as_str).collect();
    Game {
        game: &game.schema().id,
        bundled: game.game.is_built_in(),
        tests: named(&game.tests),
        clauses: counted(game.clause_share()),
        functions: counted(game.share(FileCoverage::function_share)),
        lines: counted(game.share(FileCoverage::line_share)),
        branches: counted(game.share(FileCoverage::branch_share)),
        by_clause: game.clauses.iter().map(|(clause, tests)| Clause { clause, tests: named(tests) }).collect(),
        unapplied: game.unapplied.iter().map(unapplied).collect(),
        scripts: game.files.iter().map(script).collect(),
        unused: game.unused.iter().map(|unused| Unused { what: unused.what, name: &unused.name }).collect(),
    }
}

fn script(file: &FileCoverage) -> Script<'_> {
    let branch = |branch: crate::scenario::Branch| BranchCounts {
        line: branch.at.line,
        column: branch.at.column,
        if_untaken: untaken(&branch.kind),
        taken: branch.taken,
    };
    Script {
        file: file.source.name(),
        functions: file.functions().map(|(line, function, calls)| Function { function, line, calls }).collect(),
        lines: file.lines().into_iter().collect(),
        branches: file.branches().into_iter().map(branch).collect(),
        idle_marks: file.idle_marks().iter().map(|mark| mark.written).collect(),
    }
}
