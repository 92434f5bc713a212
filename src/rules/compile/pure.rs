//! Finds functions whose results can be remembered: they depend only on the arguments, the constants and the table.

use super::calls::FIXED;
use super::lower::Lowered;
use super::tree::{AssignTarget, Callee, Chain, Node, Root, Step, What};
use crate::table::Schema;

/// Native functions, besides the fixed ones, that depend only on their arguments and the table, and change at most a list
/// that is their first argument.
const PURE: [&str; 21] = [
    "..",
    "..=",
    "abs",
    "after",
    "around",
    "arrow",
    "cell_named",
    "column",
    "contains",
    "direction_to",
    "in_order",
    "index_of",
    "max",
    "min",
    "nth",
    "one",
    "outside",
    "push",
    "row",
    "shift",
    "step",
];

/// Returns whether the results of a function are remembered. Only functions with a loop are worth it.
///
/// Two things do not show here, and the machine does not remember such a run: a property that is read or set by its name
/// in brackets, and a function under a name of a map that is called like a native one.
pub(crate) fn is_remembered(function: &mut Lowered, schema: &Schema) -> bool {
    // `len` could be a property of the game.
    let named = schema.property("len").is_some() || schema.printed.iter().any(|name| name == "len");
    let Lowered { body, this, boxed, .. } = function;
    !named && !*this && boxed.is_empty() && loops(body) && is_pure(body)
}

fn loops(node: &mut Node) -> bool {
    let mut found = matches!(node, Node::Loop { .. } | Node::For(_));
    node.for_each_part(&mut |part| found = found || loops(part));
    found
}

fn is_pure(node: &mut Node) -> bool {
    let pure = match node {
        Node::Constant(_)
        | Node::Local(_)
        | Node::Let { boxed: false, .. }
        | Node::Block(_)
        | Node::If(_)
        | Node::Loop { .. }
        | Node::Break(_)
        | Node::Continue
        | Node::Return(_)
        | Node::Logic { .. }
        | Node::Coalesce(_)
        | Node::List(..)
        | Node::Unary(..)
        | Node::Binary(..)
        | Node::Switch(_)
        | Node::Inlined(_)
        | Node::Fault(..) => true,
        Node::For(parts) => !parts.boxed && parts.counter.is_none_or(|(_, boxed)| !boxed),
        Node::Native(invoke) => is_pure_native(&invoke.name),
        Node::Chain(chain) => is_pure_chain(chain),
        Node::Assign(assign) => match &assign.to {
            AssignTarget::Local(_) | AssignTarget::Fault(_) => true,
            AssignTarget::Chain(chain) => is_pure_chain(chain),
            AssignTarget::This(_) | AssignTarget::Boxed(_) => false,
        },
        _ => false,
    };
    let mut all = pure;
    node.for_each_part(&mut |part| all = all && is_pure(part));
    all
}

fn is_pure_chain(chain: &Chain) -> bool {
    let step = |step: &Step| match &step.what {
        // The name could be that of a property, except for the length of a list.
        What::Field(name) => name == "len",
        What::Index(_) => true,
        What::Method(method) => matches!(method.callee, Callee::Native { .. }) && is_pure_native(&method.name),
    };
    matches!(chain.root, Root::Local(_) | Root::Constant(..) | Root::Value(_)) && chain.steps.iter().all(step)
}

fn is_pure_native(name: &str) -> bool {
    FIXED.contains(&name) || PURE.contains(&name)
}
