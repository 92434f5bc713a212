//! Comparisons of an expression outside of scripts whose two sides are the same.

use super::linter::Linter;
use crate::natives;
use crate::script::{Node, Target, What};

/// Reports a comparison in an expectation whose two sides are the same.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let What::Operator(sign, parts) = &node.what else { return };
    let ([one, other], "==" | "!=", true) = (parts.as_slice(), sign.as_str(), l.alone) else { return };
    if is_same(one, other) {
        let message = format!("both sides are the same, so this is always {}", sign == "==");
        l.report("always_the_same", node.at, message, "compare with another value".to_owned());
    }
}

/// Returns whether two expressions are the same and have the same value: they call nothing that asks or that the rules
/// define.
fn is_same(one: &Node, other: &Node) -> bool {
    match (&one.what, &other.what) {
        (What::Name(one), What::Name(other)) => one == other,
        (What::Number(one), What::Number(other)) => one == other,
        (What::Text(one), What::Text(other)) => one == other,
        (What::Field { of, name, .. }, What::Field { of: other, name: too, .. }) => name == too && is_same(of, other),
        (What::Index { of, index, .. }, What::Index { of: other, index: too, .. }) => {
            is_same(of, other) && is_same(index, too)
        }
        (What::Call(one), What::Call(other)) => {
            let does = natives::functions(&one.name).iter().any(|form| form.tells_and_does());
            one.name == other.name
                && one.target == Target::Native
                && !does
                && one.args.len() == other.args.len()
                && one.args.iter().zip(&other.args).all(|(one, other)| is_same(one, other))
        }
        _ => false,
    }
}
