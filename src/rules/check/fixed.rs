//! Variables that keep their first value.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTNode, Expr, Stmt};

use crate::rules::layers::{Definition, walk};

/// Returns the variables that are declared once in a function and never assigned to, each with its value.
pub(super) fn fixed(def: &Definition) -> BTreeMap<String, Expr> {
    let mut values: BTreeMap<String, Expr> = BTreeMap::new();
    let mut changed: BTreeSet<String> = def.params.iter().map(ToString::to_string).collect();
    walk(def, |node| match node {
        ASTNode::Stmt(Stmt::Var(var, ..)) => {
            let again = values.insert(var.0.name.to_string(), var.1.clone()).is_some();
            changed.extend(again.then(|| var.0.name.to_string()));
        }
        ASTNode::Stmt(Stmt::For(parts, _)) => {
            changed.extend(std::iter::once(&parts.0).chain(parts.1.as_ref()).map(|name| name.name.to_string()));
        }
        ASTNode::Stmt(Stmt::Assignment(assignment)) => {
            if let Expr::Variable(var, ..) = &assignment.1.lhs {
                changed.insert(var.1.to_string());
            }
        }
        _ => {}
    });
    values.retain(|name, _| !changed.contains(name));
    values
}
