//! Coverage in the format of LCOV tracefiles (geninfo(1), LCOV 2), which editors can show.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::diagnostic::one_line;
use crate::rules::PointKind;
use crate::scenario::{Branch, Coverage, FileCoverage};

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
