//! Checks for functions that are meant as one that the program calls, and have another name.

use super::checker::is_closure;
use crate::diagnostic::{Diagnostic, nearest};
use crate::rules::layers::{Function, Layers, is_internal};
use crate::table::Schema;

/// The functions that rules may leave out, each with the number of its parameters, and whether only rules that list moves
/// have it.
const HOOKS: [(&str, usize, bool); 4] =
    [("why_not", 2, false), ("setup", 0, false), ("agreed", 0, false), ("stuck", 1, true)];

/// Returns an error for each function of the rules that nothing calls, if its name is nearly that of a function that the
/// program would call, and the rules do not have that one.
pub(super) fn check(layers: &Layers, schema: &Schema) -> Vec<Diagnostic> {
    let hooks = || {
        let lacks = |name: &str, count: usize| !layers.functions.contains_key(&(name.to_owned(), count));
        HOOKS
            .into_iter()
            .filter(move |(name, count, lists)| lacks(name, *count) && (!lists || layers.built_in.is_some()))
    };
    let own = layers
        .functions
        .iter()
        .filter(|((name, _), function)| function.layer == 0 && !is_closure(name) && !is_internal(name));
    own.filter_map(|((name, count), function)| {
        let alike = hooks().filter(|(_, wanted, _)| wanted == count).map(|(hook, ..)| hook);
        let hook = nearest(name, alike).filter(|_| !is_used(name, layers, schema))?;
        let label = layers.name_of(&function.def)?;
        let message = format!("nothing calls the function `{name}`");
        let help = format!("did you mean `{hook}`? It is called by itself; or choose a name that is less like it");
        Some(Diagnostic::new("unknown_function", &label.source, label.span, message).help(help))
    })
    .collect()
}

/// Returns whether the name could be that of a function which is called: in a call, in a string, as a value, or on a card.
fn is_used(name: &str, layers: &Layers, schema: &Schema) -> bool {
    let in_rules = |function: &Function| function.def.mentions().names().any(|known| known == name);
    layers.functions.values().any(in_rules) || schema.functions.iter().any(|function| function.name == name)
}
