//! Whether two expressions are the same, and whether one does nothing but have a value.

use std::collections::BTreeSet;

use crate::natives::{self, Does, Form, Special};
use crate::script::{Call, LocalId, Name, Node, Target, What};
use crate::values::Sort;

/// Returns whether two expressions are the same and have the same value: they call nothing that asks or that the rules
/// define.
pub(super) fn is_same(one: &Node, other: &Node) -> bool {
    let all = |one: &[Node], other: &[Node]| {
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
    };
    match (&one.what, &other.what) {
        (What::Nothing, What::Nothing) | (What::This, What::This) => true,
        (What::Name(one), What::Name(other)) => one == other,
        (What::Number(one), What::Number(other)) => one == other,
        (What::Truth(one), What::Truth(other)) => one == other,
        (What::Letter(one), What::Letter(other)) => one == other,
        (What::Text(one), What::Text(other)) => one == other,
        (What::Operator(sign, one), What::Operator(other_sign, other)) => sign == other_sign && all(one, other),
        (What::And(one), What::And(other)) | (What::Or(one), What::Or(other)) => all(one, other),
        (What::Field { of, name, .. }, What::Field { of: other, name: too, .. }) => name == too && is_same(of, other),
        (What::Index { of, index, .. }, What::Index { of: other, index: too, .. }) => {
            is_same(of, other) && is_same(index, too)
        }
        (What::Call(one), What::Call(other)) => {
            let does = natives::functions(&one.name).iter().any(|form| form.tells_and_does());
            one.name == other.name && one.target == Target::Native && !does && all(&one.args, &other.args)
        }
        _ => false,
    }
}

/// Returns whether an expression only has a value: it calls nothing of the rules, nothing that asks or changes something,
/// and leaves nothing.
pub(super) fn is_pure(node: &Node) -> bool {
    let mut is_pure = true;
    node.walk(&mut |part| {
        is_pure &= match &part.what {
            What::Nothing
            | What::Number(_)
            | What::Truth(_)
            | What::Letter(_)
            | What::Text(_)
            | What::Constant(_)
            | What::Name(_)
            | What::This
            | What::Interpolated(_)
            | What::Block(_)
            | What::List(_)
            | What::Map(_)
            | What::And(_)
            | What::Or(_)
            | What::Coalesce(_)
            | What::Operator(..)
            | What::Field { .. }
            | What::Index { .. } => true,
            What::Call(call) => {
                let only_tells = call.natives.iter().all(|form| form.only_tells() && !form.calls());
                call.target == Target::Native && only_tells
            }
            _ => false,
        }
    });
    is_pure
}

/// Returns whether a native function changes nothing in the game and in its arguments: it tells something, or it reports it.
pub(super) fn only_reports(name: &str) -> bool {
    natives::functions(name).iter().all(|form| form.only_tells() && !form.calls() || form.entry.does == Does::Reports)
}

/// Returns the forms of the functions that a call may call.
pub(super) fn forms(call: &Call) -> Vec<&'static Form> {
    let all = call.natives.iter();
    all.filter(|form| form.counts().contains(&call.args.len())).collect()
}

/// Returns whether a native function that only has a value, such as `filter`, gets functions that only have a value.
pub(super) fn passes_silent(call: &Call, own: &dyn Fn(&str, usize) -> bool) -> bool {
    let is_value = matches!(call.natives.special(), Some(Special::Call | Special::Curry));
    !is_value
        && call.args.iter().skip(1).all(|value| match &value.what {
            What::Closure(_) => is_silent(value, 0, own),
            What::Name(Name::Function(name)) => (0..=3).any(|count| own(name, count)),
            _ => !value.kind.may_be(Sort::Function) && value.text().is_none(),
        })
}

/// Returns whether what a node does ends with it: it changes only variables that are declared in it and the first `parameters`
/// ones, asks and reports nothing, and does not stop the rules. `own` knows the functions of the rules of which this is true.
pub(super) fn is_silent(node: &Node, parameters: usize, own: &dyn Fn(&str, usize) -> bool) -> bool {
    let mut inside: BTreeSet<LocalId> = (0..parameters).collect();
    node.walk(&mut |part| match &part.what {
        What::Let { local, .. } => _ = inside.insert(*local),
        What::For(parts) => _ = inside.insert(parts.local),
        What::Closure(closure) => inside.extend(&closure.params),
        _ => {}
    });
    let is_inside = |target: &Node| {
        let is_own = target.root().local().is_some_and(|local| inside.contains(&local));
        let is_component = |node: &Node| Sort::OWNERS.iter().any(|sort| node.kind.may_be(*sort));
        let mut changes_component = false;
        target.walk(&mut |part| {
            if let What::Field { of, .. } | What::Index { of, .. } = &part.what {
                changes_component |= is_component(of);
            }
        });
        is_own && !changes_component
    };
    let mut is_silent = true;
    node.walk(&mut |part| {
        is_silent &= match &part.what {
            What::Throw(_) | What::Try(_) | What::Strange(_) | What::This => false,
            What::Assign(assign) => is_inside(&assign.to),
            What::Call(call) => match call.target {
                Target::Script => !call.method && own(&call.name, call.args.len()),
                Target::Native => {
                    let forms = forms(call);
                    let changes = forms.iter().any(|form| matches!(form.entry.does, Does::ChangesFirst | Does::Fills));
                    let quiet =
                        |form: &&Form| matches!(form.entry.does, Does::Nothing | Does::ChangesFirst | Does::Fills);
                    let calls = forms.iter().any(|form| form.calls());
                    forms.iter().all(quiet)
                        && (!changes || call.args.first().is_some_and(is_inside))
                        && (!calls || passes_silent(call, own))
                }
                _ => false,
            },
            _ => true,
        };
    });
    is_silent
}
