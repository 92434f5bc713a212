//! Whether two expressions are the same, and whether one does nothing but have a value.

use crate::natives::{self, Does};
use crate::script::{Node, Target, What};

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
                let only_tells = natives::functions(&call.name).iter().all(|form| form.only_tells() && !form.calls());
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
