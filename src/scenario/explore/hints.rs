//! Hints: possible holes.

use crate::diagnostic::Diagnostic;
use crate::scenario::stage::Stage;
use crate::source::Span;
use crate::table::{Clause, ClauseId};

/// Returns a hint for each clause of the rulebook that the set-up does not apply, in order: that no play applied it.
#[must_use]
pub fn clause_hints(stage: &Stage) -> Vec<(ClauseId, Diagnostic)> {
    let clauses = stage.schema().clauses.iter().enumerate().map(|(at, clause)| (ClauseId::at(at), clause));
    let played = clauses.filter(|(id, _)| !stage.plan.set_up.contains(id));
    played.map(|(id, clause)| (id, unreached(stage, clause))).collect()
}

fn unreached(stage: &Stage, clause: &Clause) -> Diagnostic {
    let plan = &stage.plan;
    let message = format!("no play applied clause `{}`", clause.id);
    let help = "play more games, set other options, or begin at a scenario that leads there";
    let call = format!("clause(\"{}\")", clause.id);
    let houses = plan.houses.iter().rev().map(|house| &house.source);
    let found = houses.chain([&plan.game.rules]).chain(&stage.schema().scripts).find_map(|source| {
        let at = source.text().find(&call)?;
        Some(Diagnostic::new("unreached_clause", source, Span::new(at..at + call.len()), message.clone()))
    });
    found.unwrap_or_else(|| Diagnostic::general("unreached_clause", message)).help(help)
}
