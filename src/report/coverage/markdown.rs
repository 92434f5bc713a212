//! The clauses of a rulebook with their examples, as a table in Markdown.

use std::fmt::Write;

use crate::diagnostic::in_markdown;
use crate::scenario::Coverage;

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
