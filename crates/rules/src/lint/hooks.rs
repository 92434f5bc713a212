//! Checks for functions whose names are almost those of functions that the program calls.

use super::calls::UNKNOWN_FUNCTION;
use super::check::{Check, Snippet, Walk};
use super::linter::Linter;
use super::needed::{is_used, other_parameters};
use crate::layers::{OFFERED, is_internal};
use referee_diagnostic::nearest;

pub(super) static CHECK: Check = Check {
    name: "hooks",
    finds: &[&UNKNOWN_FUNCTION],
    walks: &[Walk::Scripts(check), Walk::Scripts(of_other_parameters)],
    wrong: &[
        (
            &UNKNOWN_FUNCTION,
            Snippet::Rules(
                r#"fn turn(me) { me.score += 1; }
fn «why_nto»(me, action) { "no" }"#,
            ),
        ),
        (
            &UNKNOWN_FUNCTION,
            Snippet::Rules(
                r"fn turn(me) { me.score += 1; }
fn «setup»(me) { me.score = 3; }",
            ),
        ),
        (
            &UNKNOWN_FUNCTION,
            Snippet::Rules(
                r"fn turn(me) { me.score += 1; }
fn «agree»() { draw_game(); }",
            ),
        ),
    ],
    right: &[
        Snippet::Rules(
            r#"fn turn(me) { me.score += 1; }
fn setup() { red.score = 3; }
fn why_not(_me, _action) { "no" }"#,
        ),
        Snippet::Rules(
            r"fn turn(me) { set_up(); }
fn set_up() { red.score = 3; }",
        ),
        Snippet::Rules(
            r"fn turn(me) { setup(me); }
fn setup(me) { me.score = 3; }
fn setup() { red.score = 3; }",
        ),
    ],
};

/// The functions that rules may leave out, each with the number of its parameters, and whether only rules that list
/// moves have it.
const HOOKS: [(&str, usize, bool); 8] = [
    ("why_not", 2, false),
    ("setup", 0, false),
    ("agreed", 0, false),
    ("resigned", 1, false),
    ("round_begins", 0, false),
    ("round_ends", 0, false),
    ("stuck", 1, true),
    (OFFERED.0, OFFERED.1, false),
];

/// Returns how a function that rules may leave out is written.
fn form(hook: &str) -> &'static str {
    match hook {
        "why_not" => "fn why_not(me, action) { … }",
        "setup" => "fn setup() { … }",
        "agreed" => "fn agreed() { … }",
        "offered" => "fn offered(me, ask, options) { … }",
        "resigned" => "fn resigned(player) { … }",
        "round_begins" => "fn round_begins() { … }",
        "round_ends" => "fn round_ends() { … }",
        _ => "fn stuck(me) { … }",
    }
}

/// Reports each function that has the name of one that the program would call, and other parameters. The rules may have
/// both, if they call the other one themselves.
pub(super) fn of_other_parameters(l: &mut Linter<'_>) {
    let (layers, script, schema) = (l.layers, l.script, l.schema);
    for (hook, wanted, lists) in HOOKS {
        if lists && layers.built_in.is_none() || !layers.lacks(hook, wanted) && is_used(hook, script, schema) {
            continue;
        }
        for other in layers.arities(hook).filter(|arity| *arity != wanted) {
            let function = script.function(hook, other);
            l.wrong.extend(function.and_then(|one| other_parameters(layers, one, hook, wanted, form(hook))));
        }
    }
}

/// Reports each function of the rules that nothing calls, if its name is nearly that of a function that the program would
/// call, and the rules do not have that one.
pub(super) fn check(l: &mut Linter<'_>) {
    let (layers, script, schema) = (l.layers, l.script, l.schema);
    let hooks = || {
        HOOKS
            .into_iter()
            .filter(move |(name, count, lists)| layers.lacks(name, *count) && (!lists || layers.built_in.is_some()))
    };
    let own = script.functions.iter().filter(|function| function.layer == 0 && !is_internal(&function.name));
    let found = own.filter_map(|function| {
        let (name, count) = function.key();
        let alike = hooks().filter(|(_, wanted, _)| *wanted == count).map(|(hook, ..)| hook);
        let hook = nearest(name, alike).filter(|_| !is_used(&function.name, script, schema))?;
        let label = layers.label_of(name, count)?;
        let message = format!("nothing calls the function `{name}`");
        let help = format!("did you mean `{hook}`? It is called by itself; or choose a name that is less like it");
        Some(UNKNOWN_FUNCTION.at(&label.source, label.span, message).help(help))
    });
    l.wrong.extend(found);
}
