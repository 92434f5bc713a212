//! Hints: possible holes.

use crate::loader::Loader;
use crate::stage::Stage;
use referee_diagnostic::{Code, Diagnostic};
use referee_game::House;
use referee_source::Span;
use referee_table::{Clause, ClauseId};

/// Returns a hint for each clause of the rulebook that the set-up does not apply, in order: that no play applied it. A
/// clause that only a house rule applies which is not in play has none.
#[must_use]
pub fn clause_hints(loader: &Loader<'_>, stage: &Stage) -> Vec<(ClauseId, Diagnostic)> {
    let others = other_houses(loader, stage);
    let clauses = stage.schema().clauses.iter().enumerate().map(|(at, clause)| (ClauseId::at(at), clause));
    let played = clauses.filter(|(id, _)| !stage.plan.set_up.contains(id));
    played.filter_map(|(id, clause)| Some((id, unreached(stage, clause, &others)?))).collect()
}

/// Returns the texts of the house rules that are not in play. One that cannot be read hides no hint.
fn other_houses(loader: &Loader<'_>, stage: &Stage) -> Vec<String> {
    let game = &stage.plan.game;
    let is_played = |name: &String| stage.plan.houses.iter().any(|house| house.name == *name);
    let names = game.house_names(&loader.search_path).unwrap_or_default();
    let asked = Diagnostic::general(Code::UnknownHouse, "unknown house rule");
    let others = names.into_iter().filter(|name| !is_played(name));
    others.filter_map(|name| loader.house(game, &name, &asked).ok()).map(text_of).collect()
}

fn text_of(house: House) -> String {
    house.source.map_or_else(String::new, |source| source.text().to_owned())
}

/// Returns the hint for a clause; `None` if only house rules that are not in play, the `others`, apply it.
fn unreached(stage: &Stage, clause: &Clause, others: &[String]) -> Option<Diagnostic> {
    let plan = &stage.plan;
    let message = format!("no play applied clause `{}`", clause.id);
    let help = "play more games, set other options, or begin at a scenario that leads there";
    let call = format!("clause(\"{}\")", clause.id);
    let houses = plan.houses.iter().rev().filter_map(|house| house.source.as_ref());
    let found = houses.chain([&plan.game.rules]).chain(&stage.schema().scripts).find_map(|source| {
        let at = source.text().find(&call)?;
        Some(Diagnostic::new(Code::UnreachedClause, source, Span::new(at..at + call.len()), message.clone()))
    });
    if found.is_none() && others.iter().any(|text| text.contains(&call)) {
        return None;
    }
    Some(found.unwrap_or_else(|| Diagnostic::general(Code::UnreachedClause, message)).help(help))
}
