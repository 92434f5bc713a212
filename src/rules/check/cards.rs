//! The functions that cards name in their data files: whether the scripts have them, and with these parameters.

use super::is_closure;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::rules::layers::{Layers, is_internal};
use crate::table::{CardFunction, Schema};

/// Returns the functions that cards name and that no script has, or has with other parameters.
pub(super) fn check(layers: &Layers, schema: &Schema) -> Vec<Diagnostic> {
    let public = || layers.functions.keys().filter(|(name, _)| !is_closure(name) && !is_internal(name));
    schema.functions.iter().filter_map(|named| wrong_function(named, public)).collect()
}

/// What is wrong with a function that a card names, among functions with names and numbers of parameters.
fn wrong_function<'l, F: Iterator<Item = &'l (String, usize)>>(
    named: &CardFunction,
    public: impl Fn() -> F,
) -> Option<Diagnostic> {
    let CardFunction { name, parameters, source, span } = named;
    let taken: Vec<usize> = public().filter(|(other, _)| other == name).map(|(_, count)| *count).collect();
    let wanted = parameters.as_ref().map_or_else(|| "…".to_owned(), |parameters| parameters.join(", "));
    if taken.is_empty() {
        let help = did_you_mean(name, public().map(|(name, _)| name.as_str())).unwrap_or_else(|| {
            format!(
                "write `fn {name}({wanted}) {{ … }}` in the rules, or in the script that the data file names under `rules`"
            )
        });
        let message = format!("there is no function `{name}`");
        return Some(Diagnostic::new("unknown_function", source, *span, message).help(help));
    }
    let count = parameters.as_ref()?.len();
    if taken.contains(&count) {
        return None;
    }
    let message = match taken.as_slice() {
        [1] => format!("`{name}` takes 1 value, and is called here with {count}"),
        [other] => format!("`{name}` takes {other} values, and is called here with {count}"),
        _ => format!("`{name}` is called here with {count} values, and takes others"),
    };
    let help = format!("write `fn {name}({wanted}) {{ … }}`");
    Some(Diagnostic::new("wrong_arity", source, *span, message).help(help))
}
