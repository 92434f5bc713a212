//! Amounts of what is no resource.

use super::check::{Check, Snippet, Walk};
use super::linter::Linter;
use super::texts::UNKNOWN_COMPONENT;
use super::uses::form_of;
use crate::host::unknown_resource;
use crate::natives::takes_amounts;
use crate::script::{LocalId, Node, Target, What};
use crate::values::Sort;
use referee_table::{Form, Kind};

pub(super) static CHECK: Check = Check {
    name: "amounts",
    finds: &[&UNKNOWN_COMPONENT],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&UNKNOWN_COMPONENT, Snippet::Game(GAME, "fn turn(me) { gain(me, #{ ore: 1, «wol»: 2 }); }")),
        (&UNKNOWN_COMPONENT, Snippet::Game(GAME, "fn turn(me) { if can_pay(me, #{ «oer»: 1 }) { win(me); } }")),
        (
            &UNKNOWN_COMPONENT,
            Snippet::Game(
                GAME,
                "fn turn(me) { trade(me, #{ ore: 1 }, after(me), plus(#{ wool: 1 }, #{ «gold»: 1 })); }",
            ),
        ),
        (
            &UNKNOWN_COMPONENT,
            Snippet::Game(
                GAME,
                r#"fn turn(me) { choose(me, "pay", [may("pay", #{ «oer»: 1 })]); event("pay", #{}); }"#,
            ),
        ),
        (
            &UNKNOWN_COMPONENT,
            Snippet::Game(GAME, r#"fn turn(me) { choose(me, "pay", [#{}, #{ «oer»: 1 }]); event("pay", #{}); }"#),
        ),
        (&UNKNOWN_COMPONENT, Snippet::Game(GAME, "fn turn(me) { let cost = #{ ore: 1, oer: 2 }; gain(me, «cost»); }")),
        (
            &UNKNOWN_COMPONENT,
            Snippet::Game(
                GAME,
                "fn turn(me) { let cost = #{ ore: 1 }; cost.wol = 2; if can_pay(me, «cost») { win(me); } }",
            ),
        ),
    ],
    right: &[
        Snippet::Game(GAME, "fn turn(me) { gain(me, #{ ore: 1, wool: 2 }); if total(#{ ore: 1 }) == 1 { win(me); } }"),
        Snippet::Game(
            GAME,
            r#"fn turn(me) { let cost = #{ ore: 1 }; for name in ["wool"] { cost[name] = 1; } gain(me, cost); }"#,
        ),
        Snippet::Game(GAME, r#"fn turn(me) { let cost = #{ gold: 1 }; cost.remove("gold"); gain(me, cost); }"#),
        Snippet::Game(GAME, "fn turn(me) { let cost = #{ gold: 1 }; cost = #{ ore: 1 }; gain(me, cost); }"),
        Snippet::Game(GAME, r#"fn turn(me) { let made = #{ gold: 1 }; if made.gold == me.ore { win(me); } }"#),
    ],
};

const GAME: &str = "resource ore, wool for each player\nask pay AMOUNT\nevent pay AMOUNT";

/// Reports keys of written amounts that are no resources.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let Some(call) = node.call().filter(|call| call.target == Target::Native) else { return };
    match (call.name.as_str(), call.args.as_slice()) {
        ("event" | "may", [verb, values @ ..]) if !call.method => {
            let Some(form) = verb.text().and_then(|verb| form_of(l.schema, &call.name, verb)) else { return };
            let kinds = form.kinds();
            kinds
                .iter()
                .zip(values)
                .filter(|((kind, _), _)| **kind == Kind::Amount)
                .for_each(|(_, value)| amount(l, value));
        }
        ("choose" | "choose_then", [_, verb, options, ..]) if !call.method => {
            let form = verb.text().and_then(|verb| form_of(l.schema, "may", verb));
            if let (true, What::List(items)) = (form.is_some_and(takes_an_amount), &options.what) {
                items.iter().for_each(|item| amount(l, item));
            }
        }
        (name, values) if takes_amounts(name) => values.iter().for_each(|value| amount(l, value)),
        _ => {}
    }
}

/// Returns whether an amount alone is an option of an ask.
fn takes_an_amount(form: &Form) -> bool {
    matches!(form.kinds().as_slice(), [(Kind::Amount, _)])
}

fn amount(l: &mut Linter<'_>, value: &Node) {
    let What::Map(pairs) = &value.what else { return named(l, value) };
    for (key, _) in pairs {
        if l.schema.resources.iter().all(|resource| *resource.name != *key.name) {
            let wrong = unknown_resource(l.schema, &key.name);
            l.report(&UNKNOWN_COMPONENT, key.at, wrong.message, wrong.help.unwrap_or_default());
        }
    }
}

/// Reports what is no resource in an amount that has a name, where all its keys are known.
fn named(l: &mut Linter<'_>, value: &Node) {
    if value.local().is_none_or(|local| loses_keys(l, local)) {
        return;
    }
    let Some(fields) = value.kind.fields().filter(|_| value.kind.is(Sort::Map)) else { return };
    let Some(key) = fields.keys().find(|key| l.schema.resources.iter().all(|resource| *resource.name != ***key)) else {
        return;
    };
    let wrong = unknown_resource(l.schema, key);
    let message = format!("{} in this amount", wrong.message);
    l.report(&UNKNOWN_COMPONENT, value.start(), message, wrong.help.unwrap_or_default());
}

/// Returns whether the map in a variable may lose keys: by a function of its own, or for another map.
fn loses_keys(l: &Linter<'_>, local: LocalId) -> bool {
    let mut loses = false;
    l.function.body.walk(&mut |node| {
        loses |= match &node.what {
            What::Call(call) => call.method && call.args.first().and_then(Node::local) == Some(local),
            What::Assign(assign) => assign.to.local() == Some(local),
            _ => false,
        };
    });
    loses
}
