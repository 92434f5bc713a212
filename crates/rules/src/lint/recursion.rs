//! Functions of house rules that call themselves for ever.

use referee_diagnostic::Code;
use std::collections::BTreeSet;

use rhai::{ImmutableString, Position};

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use crate::layers::{base_name, is_house};
use crate::natives::{Does, Form};
use crate::script::{Call, Function, LocalId, Name, Node, What};

pub(super) static CHECK: Check = Check {
    name: "recursion",
    finds: &[&CALLS_ITSELF],
    walks: &[Walk::Functions(check)],
    wrong: &[
        (&CALLS_ITSELF, Snippet::House("fn steps(me, far) { «steps»(me, far) + 1 }")),
        (&CALLS_ITSELF, Snippet::House("fn steps(me, far) { if me.score > 3 { return 0; } «steps»(me, far) }")),
    ],
    right: &[
        Snippet::House("fn steps(me, far) { base_steps(me, far) + 1 }"),
        Snippet::House("fn steps(me, far) { if far < 1 { return 0; } steps(me, far - 1) + 1 }"),
        Snippet::Rules(
            r"fn turn(me) { me.score = sum_to(3); }
fn sum_to(n) { if n == 0 { 0 } else { n + sum_to(n - 1) } }",
        ),
    ],
};

pub(super) static CALLS_ITSELF: Entry = Entry {
    code: Code::CallsItself,
    text: r"
A function of a house rule calls itself instead of the function that it redefines, so it never ends.

To call the function of the rules, write `base_` before its name: in `fn may_rest(me)` write `base_may_rest(me)`. A
helper may call itself if it is a `private fn` with a name of its own.
",
};

/// Reports a function of a house rule that calls itself instead of the function that it redefines. With the same
/// arguments and the same game it comes to the same call again.
pub(super) fn check(l: &mut Linter<'_>) {
    let function = l.function;
    let (name, arity) = function.key();
    let redefines = is_house(function.layer) && l.script.function(&base_name(function.layer, name), arity).is_some();
    if !redefines || l.askers.contains(name) || changes_parameters(l, function) {
        return;
    }
    let mut itself: Vec<Position> = Vec::new();
    function.body.walk(&mut |node| {
        let Some(call) = node.call() else { return };
        let args = call.in_brackets();
        let same = args.iter().enumerate().all(|(at, value)| value.local() == Some(at));
        if call.name == name && args.len() == arity && same {
            itself.push(node.at);
        }
    });
    if itself.is_empty() || changes_the_game(l, name) {
        return;
    }
    for at in itself {
        let message = format!("`{name}` calls itself with the same arguments");
        l.report(&CALLS_ITSELF, at, message, format!("write `base_{name}` to call the function that it redefines"));
    }
}

/// Returns whether a function of the rules may change the game, itself or by its calls.
fn changes_the_game(l: &Linter<'_>, name: &str) -> bool {
    let mut seen: BTreeSet<ImmutableString> = BTreeSet::new();
    let mut open: Vec<ImmutableString> = vec![name.into()];
    while let Some(name) = open.pop() {
        let quiet = |form: &&Form| form.only_tells() || form.entry.does == Does::Reports;
        if !l.of_api(&name).iter().all(quiet) {
            return true;
        }
        for function in l.script.functions.iter().filter(|function| function.name == name) {
            if assigns_in_the_game(function) {
                return true;
            }
            function.body.walk(&mut |node| {
                let called = match &node.what {
                    What::Call(call) => &call.name,
                    What::Name(Name::Function(name)) => name,
                    _ => return,
                };
                if seen.insert(called.clone()) {
                    open.push(called.clone());
                }
            });
        }
    }
    false
}

/// Returns whether a function may give one of its parameters another value.
fn changes_parameters(l: &Linter<'_>, function: &Function) -> bool {
    let is_parameter = |node: &Node| node.root().local().is_some_and(|local| local < function.parameters);
    let mut changes = false;
    function.body.walk(&mut |node| match &node.what {
        What::Assign(assign) => changes |= is_parameter(&assign.to),
        What::Call(call) if call.method => changes |= is_parameter(node) && may_change(l, call),
        _ => {}
    });
    changes
}

/// Returns whether a method may change its object. Native functions of the rules API never do.
fn may_change(l: &Linter<'_>, call: &Call) -> bool {
    let count = call.args.len();
    let known = call.natives.are_of_library_with(count) || l.is_native(&call.name);
    !known || call.natives.may_change(count)
}

/// Returns whether a function sets a property of something that it has not made itself.
fn assigns_in_the_game(function: &Function) -> bool {
    let mut own: BTreeSet<LocalId> = BTreeSet::new();
    let mut set: Vec<Option<LocalId>> = Vec::new();
    function.body.walk(&mut |node| match &node.what {
        What::Let { local, value } if matches!(value.what, What::List(_) | What::Map(_) | What::Constant(_)) => {
            own.insert(*local);
        }
        What::Assign(assign) if !matches!(assign.to.what, What::Name(_)) => set.push(assign.to.root().local()),
        _ => {}
    });
    set.iter().any(|root| root.is_none_or(|root| !own.contains(&root)))
}
