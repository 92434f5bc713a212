//! Functions of lists that newcomers take for others: those that change the list and return nothing, `for_each`, which
//! passes positions, and those whose function must return a boolean.

use rhai::Position;

use super::arguments::WRONG_VALUES;
use super::check::{Check, Snippet, Walk};
use super::linter::{Linter, known};
use crate::natives::Form;
use crate::script::{Call, Node, Target, What};
use crate::values::Sort;

pub(super) static CHECK: Check = Check {
    name: "lists",
    finds: &[&WRONG_VALUES],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&WRONG_VALUES, Snippet::Turn("let all = [3, 1]; let sorted = all.«sort»(); if sorted == all { win(me); }")),
        (&WRONG_VALUES, Snippet::Turn("for n in [1, 2].«reverse»() { me.score += n; }")),
        (&WRONG_VALUES, Snippet::Turn("[3, 1].«for_each»(|n| me.score += n);")),
        (&WRONG_VALUES, Snippet::Turn("me.score = [3, 1].filter(|n| «n»).len;")),
        (&WRONG_VALUES, Snippet::Turn("let best = 3; me.score = [3, 1].filter(|n| n «=» best).len;")),
    ],
    right: &[
        Snippet::Turn("let all = [3, 1]; all.sort(); me.score = all[0];"),
        Snippet::Turn("let all = [3, 1]; let last = all.pop(); me.score = last;"),
        Snippet::Turn("for n in [3, 1] { me.score += n; }"),
        Snippet::Turn("me.score = [3, 1].filter(|n| n > 1).len;"),
    ],
};

/// Reports uses of functions of lists for what they do not do.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    match &node.what {
        What::Let { value, .. } => used_change(l, value),
        What::Assign(assign) => used_change(l, &assign.value),
        What::For(parts) => used_change(l, &parts.over),
        What::Index { of, .. } | What::Field { of, .. } => used_change(l, of),
        What::Operator(_, parts) => parts.iter().for_each(|part| used_change(l, part)),
        What::Call(call) => {
            call.args.iter().for_each(|value| used_change(l, value));
            if call.target == Target::Native {
                positions(l, call, node.at);
                predicate(l, call);
            }
        }
        _ => {}
    }
}

/// Reports the use of what a function returns that changes a list: `let sorted = list.sort();`.
fn used_change(l: &mut Linter<'_>, value: &Node) {
    let Some(call) = value.call().filter(|call| call.method && call.target == Target::Native) else { return };
    let Some(of) = call.args.first() else { return };
    let name = call.name.as_str();
    let is_list = of.kind.is_or_nothing(Sort::List);
    if !call.natives.only_change_lists() || l.is_native(name) && !is_list || !of.kind.may_be(Sort::List) {
        return;
    }
    let list = match &of.what {
        What::Name(_) => l.written_or(of, "list"),
        _ => "list".to_owned(),
    };
    let message = format!("`{name}` changes the list itself and returns nothing");
    let help = format!("write `{list}.{name}(…);` on a line of its own, and use `{list}` after it");
    let help = if call.in_brackets().is_empty() { help.replace("(…)", "()") } else { help };
    l.report(&WRONG_VALUES, value.at, message, help);
}

/// Reports a function of `for_each` that takes the positions of the elements for the elements.
fn positions(l: &mut Linter<'_>, call: &Call, at: Position) {
    if call.name != "for_each" {
        return;
    }
    let closure = call.args.iter().find_map(|arg| match &arg.what {
        What::Closure(closure) => Some(closure),
        _ => None,
    });
    let Some(param) = closure.filter(|closure| !closure.this).and_then(|closure| closure.params.last()) else { return };
    let name = l.local(*param);
    let message = format!("`for_each` passes `{name}` the position of each element, from 0, not the element");
    l.report(&WRONG_VALUES, at, message, format!("write a loop: `for {name} in list {{ … }}`"));
}

/// Reports a closure that never returns a boolean, though the function that it is given to needs one.
fn predicate(l: &mut Linter<'_>, call: &Call) {
    let name = call.name.as_str();
    if !l.forms(call).any(Form::takes_predicate) {
        return;
    }
    let closures = call.args.iter().filter_map(|arg| match &arg.what {
        What::Closure(closure) => Some(closure),
        _ => None,
    });
    let Some(closure) = closures.into_iter().next() else { return };
    let Some(last) = closure.body.statements().last() else { return };
    if let What::Assign(_) = last.what {
        let message = format!("the function of `{name}` sets a value here, but must return a boolean");
        return l.report(&WRONG_VALUES, last.at, message, "write `==` to compare".to_owned());
    }
    let Some(found) = known(&closure.result).filter(|result| !result.may_be(Sort::Truth)) else { return };
    let found = match &last.what {
        What::Operator(..) => "the result of a calculation".to_owned(),
        _ => found.without_nothing().words(),
    };
    let message = format!("the function of `{name}` must return a boolean, found {found}");
    let help = "compare the value: with `> 0` or `== 0` for a number, with `!= ()` for anything else".to_owned();
    l.report(&WRONG_VALUES, last.at, message, help);
}
