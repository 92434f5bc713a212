//! Conditions that are no booleans.

use super::linter::Linter;
use crate::script::{Node, What};
use crate::values::Sort;

/// Reports a condition that is no boolean: that of an `if` or a loop, or a part of `&&` and `||`.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    match &node.what {
        What::If(parts) => parts.first().into_iter().for_each(|value| condition(l, value)),
        What::While { condition: Some(value), .. } | What::Do { condition: value, .. } => condition(l, value),
        What::And(parts) | What::Or(parts) => parts.iter().for_each(|part| condition(l, part)),
        What::Switch(switch) => {
            switch.ways.iter().filter_map(|way| way.condition.as_ref()).for_each(|value| condition(l, value));
        }
        _ => {}
    }
}

fn condition(l: &mut Linter<'_>, value: &Node) {
    if value.kind.may_be(Sort::Truth) || value.kind.is_never() {
        return;
    }
    let kind = if value.kind.is(Sort::Nothing) { value.kind.clone() } else { value.kind.without_nothing() };
    let message = format!("a condition is a boolean, found {}", kind.words());
    let help = as_condition(l, value, "").unwrap_or_else(|| "compare it, with `==` or `>`".to_owned());
    l.report_once("wrong_condition", value.start(), message, help);
}

/// Returns help for a value in place of a condition, or after `!`.
pub(super) fn as_condition(l: &Linter<'_>, value: &Node, sign: &str) -> Option<String> {
    let name = l.written_or(value, "…");
    let is_negated = sign == "!";
    let not = if is_negated { "" } else { "!" };
    Some(match value.kind.sort()? {
        Sort::Cells | Sort::Moves | Sort::Zone | Sort::List | Sort::Text => format!("write `{not}{name}.is_empty()`"),
        Sort::Dirs => format!("write `{not}in_any({name}).is_empty()`"),
        Sort::Number => format!("compare it: `{name} {} 0`", if is_negated { "==" } else { "!=" }),
        Sort::Player | Sort::Piece | Sort::Men | Sort::Cell | Sort::Move => {
            format!("compare it: `{name} {} ()`", if is_negated { "==" } else { "!=" })
        }
        _ => return None,
    })
}
