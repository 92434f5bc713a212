//! Variables that keep their first value.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTNode, Expr, ImmutableString, Stmt};

use crate::rules::layers::{Definition, walk};

/// Returns the variables that are declared once in a function and never assigned to, each with its value.
pub(super) fn fixed(def: &Definition) -> BTreeMap<&str, &Expr> {
    let mut values: BTreeMap<&str, &Expr> = BTreeMap::new();
    let mut changed: BTreeSet<&str> = def.params.iter().map(ImmutableString::as_str).collect();
    walk(def, |node| match node {
        ASTNode::Stmt(Stmt::Var(var, ..)) => {
            let again = values.insert(var.0.name.as_str(), &var.1).is_some();
            changed.extend(again.then_some(var.0.name.as_str()));
        }
        ASTNode::Stmt(Stmt::For(parts, _)) => {
            changed.extend(std::iter::once(&parts.0).chain(parts.1.as_ref()).map(|name| name.name.as_str()));
        }
        ASTNode::Stmt(Stmt::Assignment(assignment)) => {
            if let Expr::Variable(var, ..) = &assignment.1.lhs {
                changed.insert(var.1.as_str());
            }
        }
        _ => {}
    });
    values.retain(|name, _| !changed.contains(name));
    values
}
