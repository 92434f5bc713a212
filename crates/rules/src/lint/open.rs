//! Asks for any values: without a function that refuses them, of a form that cannot be judged, and beside listed options.

use super::arguments::WRONG_VALUES;
use super::calls::UNKNOWN_FUNCTION;
use super::check::{Check, Snippet, Walk};
use super::linter::Linter;
use super::uses::form_of;
use crate::host::never_open;
use crate::natives::ANY_VALUES;
use crate::script::{Call, Node, What};

pub(super) static CHECK: Check = Check {
    name: "open",
    finds: &[&UNKNOWN_FUNCTION, &WRONG_VALUES],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&UNKNOWN_FUNCTION, Snippet::Turn(r#"choose(me, "eat", [«may_any»("eat"), may("rest")]);"#)),
        (
            &WRONG_VALUES,
            Snippet::Rules(
                r#"fn turn(me) { choose(me, "rest", [may_any(«"rest"»)]); }
fn why_not(_me, _action) { }"#,
            ),
        ),
        (
            &WRONG_VALUES,
            Snippet::Rules(
                r#"fn turn(me) { choose(me, "eat", [may_any("eat"), may(«"eat"», log, 3)]); }
fn why_not(_me, _action) { }"#,
            ),
        ),
        (
            &WRONG_VALUES,
            Snippet::Rules(
                r#"fn turn(me) { choose_all([red, blue], "eat", |_player| [«may_any»("eat")]); }
fn why_not(_me, _action) { }"#,
            ),
        ),
    ],
    right: &[
        Snippet::Rules(
            r#"fn turn(me) { choose(me, "eat", [may_any("eat", []), may("rest")]); }
fn why_not(_me, action) { if action.verb == "eat" && action.values[1] > 3 { "too much" } }"#,
        ),
        Snippet::Rules(
            r#"fn turn(me) { choose(me, "eat", [may_any("eat", [may("eat", log, 3)]), may("rest")]); }
fn why_not(_me, _action) { }"#,
        ),
    ],
};

pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let Some(call) = node.call().filter(|call| !call.method && l.is_native(&call.name)) else { return };
    match (call.name.as_str(), call.args.as_slice()) {
        (ANY_VALUES, [verb, ..]) => one(l, node, verb),
        ("choose" | "choose_then", [_, _, options, ..]) => beside(l, options),
        ("choose_all", [_, _, options]) => at_once(l, options),
        _ => {}
    }
}

/// Reports an ask for any values that nothing judges.
fn one(l: &mut Linter<'_>, node: &Node, verb: &Node) {
    let Some(form) = verb.text().and_then(|verb| form_of(l.schema, "may", verb)) else { return };
    if let Some(why) = never_open(form) {
        let (message, help) = why.split_once(": ").unwrap_or((&why, "list the options"));
        return l.report_value(&WRONG_VALUES, verb, message.to_owned(), help.to_owned());
    }
    // One with other parameters is reported where it is.
    if l.layers.arities("why_not").next().is_none() {
        let verb = &form.verb;
        let message = format!("`{verb}` takes any values, but the rules have no function `why_not` that refuses some");
        let help = format!(
            "write one: `fn why_not(me, action) {{ if action.verb == \"{verb}\" && … {{ \"the reason\" }} }}`. Without a reason the \
             values are taken"
        );
        l.report(&UNKNOWN_FUNCTION, node.at, message, help);
    }
}

/// Returns the verb of a call of this function.
fn verb_of<'n>(node: &'n Node, function: &str) -> Option<&'n Node> {
    node.call().filter(|call: &&Call| !call.method && call.name == function)?.args.first()
}

/// Reports options of an ask that also takes any values.
fn beside(l: &mut Linter<'_>, options: &Node) {
    let What::List(items) = &options.what else { return };
    let open: Vec<_> = items.iter().filter_map(|item| verb_of(item, ANY_VALUES)?.text()).collect();
    let listed = items.iter().filter_map(|item| verb_of(item, "may"));
    let both: Vec<&Node> = listed.filter(|verb| verb.text().is_some_and(|text| open.contains(&text))).collect();
    for verb in both {
        let Some(text) = verb.text() else { continue };
        let message = format!("`{text}` is offered with any values, and this one is listed besides");
        let help = format!("suggest it, `may_any(\"{text}\", [may(\"{text}\", …)])`, or list all of them");
        l.report_value(&WRONG_VALUES, verb, message, help);
    }
}

/// Reports any values where several players are asked at once.
fn at_once(l: &mut Linter<'_>, options: &Node) {
    let mut found = None;
    options.walk(&mut |node| {
        if verb_of(node, ANY_VALUES).is_some() {
            found = found.or(Some(node.at));
        }
    });
    if let Some(at) = found {
        let message = "`choose_all` takes options that are listed, and `may_any` lists none".to_owned();
        l.report(&WRONG_VALUES, at, message, "ask the players one after the other, with `choose`".to_owned());
    }
}
