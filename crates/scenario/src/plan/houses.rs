//! Errors of scenarios about house rules: those that do not go together, and names that one not in use declares.

use std::sync::Arc;

use crate::loader::Loader;
use referee_diagnostic::{Code, Diagnostic, Label};
use referee_game::{Game, House};
use referee_source::{Source, quoted, shell_word};
use referee_table::{DeclaredKind, Schema};

/// Returns an error of house rules that are right alone, at the line that brings the last of them to the others.
pub(crate) fn apart(wrong: Diagnostic, last: &str, others: &[&str], place: Option<Label>) -> Diagnostic {
    let others: Vec<String> = others.iter().map(|other| format!("`{other}`")).collect();
    let message = format!("the house rule `{last}` does not go with {}: {}", others.join(" and "), wrong.message);
    let help = format!("use only one of them, or {}", wrong.help.as_deref().unwrap_or("change one of the two"));
    let labels = place.into_iter().chain(wrong.labels.iter().cloned());
    Diagnostic::general(Code::HouseConflict, message).labelled(labels).help(help)
}

/// Gives errors about unknown names of a scenario the help that a house rule declares the name, if it is none of those in
/// `use`.
pub(crate) fn hint(
    loader: &Loader<'_>,
    (game, used): (&Arc<Game>, &[&str]),
    wrong: &mut [Diagnostic],
    (source, flag): (&Arc<Source>, Option<&str>),
) {
    let is_here = |wrong: &Diagnostic| wrong.labels.first().is_some_and(|label| Arc::ptr_eq(&label.source, source));
    if !wrong.iter().any(is_here) {
        return;
    }
    let base = game.base();
    // What is unknown may be declared by one that cannot be read.
    let houses = loader.houses(base).unwrap_or_default();
    let declaring = houses.iter().filter(|house| house.declared.is_some() && !used.contains(&house.name.as_str()));
    let housed = declaring.filter_map(|house| Some((house, loader.housed(base, std::slice::from_ref(house)).ok()?)));
    let housed: Vec<(&House, Arc<Game>)> = housed.collect();
    for wrong in wrong.iter_mut().filter(|wrong| is_here(wrong)) {
        let Some(label) = wrong.labels.first() else { continue };
        let written = label.source.slice(label.span);
        let found = housed
            .iter()
            .find_map(|(house, extended)| Some((house, declared(&base.schema, &extended.schema, written)?)));
        if let Some((house, name)) = found {
            let write = match flag {
                Some(flag) => format!("add `{flag} {}`", shell_word(&house.name)),
                None => format!("write `with house {}`", quoted(&house.name)),
            };
            wrong.help = Some(format!("`{name}` is declared by the house rule {}: {write}", house.name));
        }
    }
}

/// Returns the name among the written words that a game has only with a house rule.
fn declared(base: &Schema, extended: &Schema, written: &str) -> Option<String> {
    // The faces of dice and the values of options belong to those.
    let of_house = extended.declarations.iter().filter(|declared| {
        declared.kind != DeclaredKind::Value && base.declaration(declared.kind, &declared.name).is_none()
    });
    let new: Vec<&str> = of_house.map(|declared| declared.name.as_str()).collect();
    let words = written.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '-'));
    let whole = std::iter::once(written.trim_matches('"'));
    whole.chain(words).filter(|word| !word.is_empty()).find_map(|word| {
        let is_declared = new.contains(&word);
        let is_clause = extended.clause(word).is_some() && base.clause(word).is_none();
        let is_card = extended.piece(word).is_some() && base.piece(word).is_none();
        (is_declared || is_clause || is_card).then(|| word.to_owned())
    })
}
