//! Records the indices of the functions of the rules and of the prelude.

use super::lower::Unit;
use crate::script::{Node, What};
use crate::vm::Places;

impl Places {
    /// Records a function.
    pub(crate) fn add(&mut self, unit: &Unit<'_>, function: usize, prelude: bool) {
        self.forget_values();
        let all = match (prelude, unit.this) {
            (false, _) => &mut self.functions,
            (true, true) => &mut self.prelude,
            (true, false) => &mut self.plain,
        };
        all.entry(unit.name.to_string()).or_default().push((unit.params.len(), function));
        if unit.this && changes_this(unit.body) {
            self.changing.insert(function);
        }
    }
}

/// Returns whether a function assigns to `this`, or calls a method of it that may change it.
fn changes_this(body: &Node) -> bool {
    let mut changes = false;
    let is_this = |node: &Node| matches!(node.root().what, What::This);
    body.walk_own(&mut |node| match &node.what {
        What::Assign(assign) => changes |= is_this(&assign.to),
        What::Call(call) => {
            let (natives, count) = (call.natives, call.args.len());
            let of_this = match call.method {
                true => is_this(node) && (natives.may_change(count) || !natives.are_of_library_with(count)),
                false => matches!(call.args.first(), Some(Node { what: What::This, .. })) && natives.may_change(count),
            };
            changes |= of_this;
        }
        _ => {}
    });
    changes
}
