//! Checks that the scripts have the functions that cards name in their data files, with the same parameters.

use super::calls::{UNKNOWN_FUNCTION, WRONG_ARITY};
use super::check::{Check, Snippet, Walk};
use super::linter::Linter;
use crate::layers::is_internal;
use referee_diagnostic::{Diagnostic, did_you_mean};
use referee_table::CardFunction;

pub(super) static CHECK: Check = Check {
    name: "cards",
    finds: &[&UNKNOWN_FUNCTION, &WRONG_ARITY],
    walks: &[Walk::Scripts(check)],
    wrong: &[
        (
            &UNKNOWN_FUNCTION,
            Snippet::Cards(
                r"printed: {bite: FUNCTION(me)}
cards:
  - {name: carp, bite: «snap»}
",
                "fn turn(me) { me.score += 1; }",
            ),
        ),
        (
            &WRONG_ARITY,
            Snippet::Cards(
                r"printed: {bite: FUNCTION(me)}
cards:
  - {name: carp, bite: «snap»}
",
                r"fn turn(me) { me.score += 1; }
fn snap(me, card) { place(card, cell(log)); me.score += 1; }",
            ),
        ),
    ],
    right: &[Snippet::Cards(
        r"printed: {bite: FUNCTION(me)}
cards:
  - {name: carp, bite: snap}
",
        r#"fn turn(me) { Fn(piece("carp").bite).call(me); }
fn snap(me) { me.score += 1; }"#,
    )],
};

/// Reports each function of a card that no script has with these parameters.
pub(super) fn check(l: &mut Linter<'_>) {
    let script = l.script;
    let public = || script.functions.iter().map(|function| function.key()).filter(|(name, _)| !is_internal(name));
    l.wrong.extend(l.schema.functions.iter().filter_map(|named| wrong_function(named, public)));
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
        return Some(UNKNOWN_FUNCTION.at(source, *span, message).help(help));
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
    Some(WRONG_ARITY.at(source, *span, message).help(help))
}
