//! Turns assignments into operations.

use super::emit::{Emit, Emitter};
use super::tree::{Assign, AssignTarget, Node};
use crate::vm::Op;

impl Emitter<'_> {
    /// Emits an assignment.
    pub(crate) fn assign(&mut self, assign: &Assign) -> Emit {
        self.freeing(|emitter| {
            if let (AssignTarget::Local(slot), None, Node::Binary(..) | Node::Unary(..) | Node::Constant(_)) =
                (&assign.to, assign.operator, &assign.value)
            {
                return emitter.value(&assign.value, emitter.register(*slot));
            }
            let value = match (&assign.value, assign.operator) {
                (Node::Local(slot), Some(_)) => emitter.register(*slot),
                (value, _) => {
                    let to = emitter.temporary()?;
                    emitter.owned(value, to)?;
                    to
                }
            };
            emitter.at = assign.at;
            let to = match &assign.to {
                AssignTarget::This(at) => {
                    emitter.this(*at);
                    emitter.at = assign.at;
                    &AssignTarget::Local(0)
                }
                to => to,
            };
            match (to, assign.operator) {
                (AssignTarget::This(_), _) => {}
                (AssignTarget::Local(slot), None) => {
                    emitter.push(Op::Move { to: emitter.register(*slot), from: value });
                }
                (AssignTarget::Local(slot), Some(operator)) => {
                    emitter.push(Op::Change { operator, at: emitter.register(*slot), by: value });
                }
                (AssignTarget::Boxed(slot), None) => {
                    emitter.push(Op::SetBox { at: emitter.register(*slot), from: value });
                }
                (AssignTarget::Boxed(slot), Some(operator)) => {
                    let (changed, at) = (emitter.temporary()?, emitter.register(*slot));
                    emitter.push(Op::Unbox { to: changed, from: at });
                    emitter.push(Op::Change { operator, at: changed, by: value });
                    emitter.push(Op::SetBox { at, from: changed });
                }
                (AssignTarget::Chain(chain), operator) => emitter.set(chain, value, operator, assign.at)?,
                (AssignTarget::Fault(fault), _) => emitter.fault(fault)?,
            }
            Ok(())
        })
    }
}
