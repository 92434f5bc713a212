//! Phases: functions that `then` and `choose_then` name, in quotes, and the values that they get.

use super::arguments::WRONG_VALUES;
use super::calls::WRONG_ARITY;
use super::calls::arguments;
use super::check::{Check, Snippet, Walk};
use super::linter::Linter;
use super::values::Written;
use crate::layers::author_name;
use crate::script::{Call, Node, Target};

pub(super) static CHECK: Check = Check {
    name: "phases",
    finds: &[&WRONG_VALUES, &WRONG_ARITY],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (
            &WRONG_VALUES,
            Snippet::Rules(
                r"fn turn(me) { then(«next», me); }
fn next(me) { me.score += 1; }",
            ),
        ),
        (
            &WRONG_ARITY,
            Snippet::Rules(
                r#"fn turn(me) { then(«"next"», me, 3); }
fn next(me) { me.score += 1; }"#,
            ),
        ),
        (
            &WRONG_ARITY,
            Snippet::Rules(
                r#"fn turn(me) { choose_then(me, "hop", around(cells(frog(me))), «"next"»); }
fn next(me) { me.score += 1; }"#,
            ),
        ),
    ],
    right: &[
        Snippet::Rules(
            r#"fn turn(me) { then("next", me); }
fn next(me) { me.score += 1; }"#,
        ),
        Snippet::Rules(
            r#"fn turn(me) { then("next", me); then("next", me, 3); }
fn next(me) { me.score += 1; }
fn next(me, far) { me.score += far; }"#,
        ),
        Snippet::Rules(
            r#"fn turn(me) { choose_then(me, "hop", around(cells(frog(me))), "next"); }
fn next(me, to) { place(frog(me), to); }"#,
        ),
    ],
};

/// Reports a function of the rules in place of its name in quotes, and one that takes another number of values.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let Some(call) = node.call() else { return };
    let at = match (call.name.as_str(), call.method) {
        ("then", false) => 0,
        ("choose_then", _) => 3,
        _ => return,
    };
    let Some(value) = call.args.get(at) else { return };
    if call.target == Target::Native {
        l.texts_of(value).iter().for_each(|text| phase(l, call, text));
    }
    let Some(name) = value.function_value().filter(|name| l.is_own(name)) else { return };
    l.unquoted.push(value.at);
    let name = author_name(name);
    let message = format!("`{}` takes the name of a function in quotes", call.name);
    l.report(&WRONG_VALUES, value.at, message, format!("write `\"{name}\"`"));
}

/// Reports a function that runs as a phase with another number of values than it takes.
pub(super) fn phase(l: &mut Linter<'_>, call: &Call, phase: &Written) {
    let given = match (call.name.as_str(), call.method) {
        ("then", false) => call.args.len() - 1,
        ("choose_then", _) => 2,
        _ => return,
    };
    let counts: Vec<usize> = l.layers.arities(&phase.text).collect();
    if counts.is_empty() || counts.contains(&given) {
        return;
    }
    let name = author_name(&phase.text);
    let wanted = arguments(&counts);
    let (message, help) = match call.name.as_str() {
        "then" => {
            let values = if counts == [0] { "no values".to_owned() } else { wanted.replace("argument", "value") };
            (format!("`{name}` takes {wanted}, got {given}"), format!("write {values} after the name `\"{name}\"`"))
        }
        _ => (
            format!("`{name}` takes {wanted}, but `choose_then` passes the player and the choice"),
            format!("give it two parameters: `fn {name}(me, chosen) {{ … }}`"),
        ),
    };
    l.report_written(&WRONG_ARITY, &Written { text: name.into(), ..phase.clone() }, message, help);
}
