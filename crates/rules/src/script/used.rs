//! Which forms of the rules API scripts use.

use std::collections::BTreeSet;

use super::tree::{Function, Node, Target, What};
use crate::natives::{Form, Named};
use crate::values::Kind;

/// Returns the functions, properties and operators of the rules API that these functions use, as the reference writes them.
/// Where the kinds of the values allow several forms, all of them are meant.
pub(super) fn used(functions: &[Function]) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for function in functions {
        function.body.walk(&mut |node| used.extend(used_by(node).into_iter().map(Form::written)));
    }
    used
}

fn used_by(node: &Node) -> Vec<&'static Form> {
    let kinds = |nodes: &[Node]| nodes.iter().map(|node| node.kind.clone()).collect::<Vec<Kind>>();
    match &node.what {
        What::Call(call) if call.target == Target::Native => fitting(call.natives, &kinds(&call.args)),
        What::Operator(sign, parts) => fitting(Named::of(sign), &kinds(parts)),
        What::Assign(assign) => match assign.sign {
            Some(sign) => {
                let sign = sign.strip_suffix('=').unwrap_or(sign);
                fitting(Named::of(sign), &[assign.to.kind.clone(), assign.value.kind.clone()])
            }
            None => Vec::new(),
        },
        What::Field { of, name, .. } => fitting(Named::properties(name), std::slice::from_ref(&of.kind)),
        _ => Vec::new(),
    }
}

/// Returns those of the forms that take values of these kinds and are listed in the reference: if some are sure to take
/// them, only these.
fn fitting(forms: Named, kinds: &[Kind]) -> Vec<&'static Form> {
    let taking: Vec<&Form> = forms.iter().filter(|form| form.takes(kinds)).collect();
    let is_sure = |form: &&Form| {
        form.parameters.iter().zip(kinds).all(|(parameter, kind)| {
            !kind.is_never() && kind.without_nothing().sorts().all(|sort| parameter.kind.may_be(sort.plain()))
        })
    };
    let sure: Vec<&Form> = taking.iter().copied().filter(is_sure).collect();
    let all = if sure.is_empty() { taking } else { sure };
    all.into_iter().filter(|form| !form.subject().is_empty()).collect()
}
