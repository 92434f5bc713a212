//! Checks for functions whose names are almost those of functions that the program calls.

use super::needed::{is_used, other_parameters};
use crate::layers::{Layers, is_internal};
use crate::script::Script;
use referee_diagnostic::{Diagnostic, nearest};
use referee_table::Schema;

/// The functions that rules may leave out, each with the number of its parameters, and whether only rules that list
/// moves have it.
const HOOKS: [(&str, usize, bool); 4] =
    [("why_not", 2, false), ("setup", 0, false), ("agreed", 0, false), ("stuck", 1, true)];

/// Returns how a function that rules may leave out is written.
fn form(hook: &str) -> &'static str {
    match hook {
        "why_not" => "fn why_not(me, action) { … }",
        "setup" => "fn setup() { … }",
        "agreed" => "fn agreed() { … }",
        _ => "fn stuck(me) { … }",
    }
}

/// Returns an error for each function that has the name of one that the program would call, and other parameters. The
/// rules may have both, if they call the other one themselves.
pub(super) fn of_other_parameters(layers: &Layers, script: &Script, schema: &Schema) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    for (hook, wanted, lists) in HOOKS {
        if lists && layers.built_in.is_none() || !layers.lacks(hook, wanted) && is_used(hook, script, schema) {
            continue;
        }
        for other in layers.arities(hook).filter(|arity| *arity != wanted) {
            let function = script.function(hook, other);
            wrong.extend(function.and_then(|one| other_parameters(layers, one, hook, wanted, form(hook))));
        }
    }
    wrong
}

/// Returns an error for each function of the rules that nothing calls, if its name is nearly that of a function that
/// the program would call, and the rules do not have that one.
pub(super) fn check(layers: &Layers, script: &Script, schema: &Schema) -> Vec<Diagnostic> {
    let hooks = || {
        HOOKS
            .into_iter()
            .filter(move |(name, count, lists)| layers.lacks(name, *count) && (!lists || layers.built_in.is_some()))
    };
    let own = script.functions.iter().filter(|function| function.layer == 0 && !is_internal(&function.name));
    own.filter_map(|function| {
        let (name, count) = function.key();
        let alike = hooks().filter(|(_, wanted, _)| *wanted == count).map(|(hook, ..)| hook);
        let hook = nearest(name, alike).filter(|_| !is_used(&function.name, script, schema))?;
        let label = layers.label_of(name, count)?;
        let message = format!("nothing calls the function `{name}`");
        let help = format!("did you mean `{hook}`? It is called by itself; or choose a name that is less like it");
        Some(Diagnostic::new("unknown_function", &label.source, label.span, message).help(help))
    })
    .collect()
}
