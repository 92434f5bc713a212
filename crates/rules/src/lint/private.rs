//! Private functions of house rules that nothing in their file names.

use crate::layers::{Layers, author_name, is_house};
use crate::script::{Function, Script};
use referee_diagnostic::Diagnostic;

/// Returns the errors for private functions of house rules that nothing in their file names.
pub(super) fn check(layers: &Layers, script: &Script) -> Vec<Diagnostic> {
    let own = |function: &&Function| is_house(function.layer) && layers.is_private(&function.name, function.parameters);
    let unused = script.functions.iter().filter(own).filter(|function| !is_named(script, function));
    let wrong = |function: &Function| {
        let label = layers.label_of(&function.name, function.parameters)?;
        let message = format!("nothing calls the private function `{}`", author_name(&function.name));
        let help = "call it in a function of this house rule, or remove it";
        Some(Diagnostic::new("house_function", &label.source, label.span, message).help(help))
    };
    unused.filter_map(wrong).collect()
}

/// Returns whether another function of the same file names a function.
fn is_named(script: &Script, function: &Function) -> bool {
    let name = author_name(&function.name);
    let others = script.functions.iter().filter(|other| other.layer == function.layer && other.key() != function.key());
    let mut others = others.into_iter();
    others.any(|other| other.mentions().iter().any(|named| author_name(named) == name))
}
