//! Where a function declares its variables.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTNode, Expr, Position, Stmt};

use crate::rules::layers::{Definition, walk};

/// Where a function declares its variables.
#[derive(Default)]
pub(super) struct Declared<'d> {
    /// The variables with the positions of their declarations. Parameters have none.
    pub(super) places: BTreeMap<&'d str, Vec<Position>>,
    /// The variables that closures capture. Rhai resolves them in its own way.
    pub(super) captured: BTreeSet<&'d str>,
}

/// Returns where a function declares its variables.
pub(super) fn declared(def: &Definition) -> Declared<'_> {
    let mut found = Declared::default();
    let mut places: Vec<(&str, Position)> = Vec::new();
    walk(def, |node| match node {
        ASTNode::Stmt(Stmt::Var(var, _, position)) => {
            let at = if var.0.pos.is_none() { *position } else { var.0.pos };
            places.push((var.0.name.as_str(), at));
        }
        ASTNode::Stmt(Stmt::For(parts, position)) => {
            for name in std::iter::once(&parts.0).chain(parts.1.as_ref()) {
                places.push((name.name.as_str(), if name.pos.is_none() { *position } else { name.pos }));
            }
        }
        ASTNode::Stmt(Stmt::TryCatch(flow, position)) => {
            if let Expr::Variable(var, ..) = &flow.expr {
                places.push((var.1.as_str(), *position));
            }
        }
        ASTNode::Stmt(Stmt::Share(names)) => found.captured.extend(names.iter().map(|(name, _)| name.name.as_str())),
        _ => {}
    });
    for (name, position) in places.into_iter().filter(|(name, _)| def.params.iter().all(|param| param != name)) {
        found.places.entry(name).or_default().push(position);
    }
    found
}
