//! Checks that the scripts have the functions that cards name in their data files, with the same parameters.

use crate::layers::is_internal;
use crate::script::Script;
use referee_diagnostic::{Diagnostic, did_you_mean};
use referee_table::{CardFunction, Schema};

/// Returns an error for each function of a card that no script has with these parameters.
pub(super) fn check(script: &Script, schema: &Schema) -> Vec<Diagnostic> {
    let public = || script.functions.iter().map(|function| function.key()).filter(|(name, _)| !is_internal(name));
    schema.functions.iter().filter_map(|named| wrong_function(named, public)).collect()
}

/// Returns the error for a function that a card names, if `public` does not have it with this number of parameters.
fn wrong_function<'l, F: Iterator<Item = (&'l str, usize)>>(
    named: &CardFunction,
    public: impl Fn() -> F,
) -> Option<Diagnostic> {
    let CardFunction { name, parameters, source, span } = named;
    let taken: Vec<usize> = public().filter(|(other, _)| *other == name.as_str()).map(|(_, count)| count).collect();
    let wanted = parameters.as_ref().map_or_else(|| "…".to_owned(), |parameters| parameters.join(", "));
    if taken.is_empty() {
        let help = did_you_mean(name, public().map(|(name, _)| name)).unwrap_or_else(|| {
            format!(
                "write `fn {name}({wanted}) {{ … }}` in the rules, or in the script that the data file names under \
                 `rules`"
            )
        });
        let message = format!("unknown function `{name}`");
        return Some(Diagnostic::new("unknown_function", source, *span, message).help(help));
    }
    let count = parameters.as_ref()?.len();
    if taken.contains(&count) {
        return None;
    }
    let message = match taken.as_slice() {
        [1] => format!("`{name}` takes 1 argument, got {count}"),
        [other] => format!("`{name}` takes {other} arguments, got {count}"),
        _ if count == 1 => format!("`{name}` does not take 1 argument"),
        _ => format!("`{name}` does not take {count} arguments"),
    };
    let help = format!("write `fn {name}({wanted}) {{ … }}`");
    Some(Diagnostic::new("wrong_arity", source, *span, message).help(help))
}
