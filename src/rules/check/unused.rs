//! Checks variables beside a parameter, and private functions, that nothing uses.

use rhai::{ASTNode, Expr, FnAccess, Stmt};

use super::checker::{Checker, is_closure};
use crate::diagnostic::Diagnostic;
use crate::rules::layers::{Definition, Function, Layers, author_name, is_house, walk_statements};

impl Checker<'_> {
    /// Reports variables of a block that nothing after them uses, and that are computed from a parameter of the same name:
    /// the parameter should change. Others do no harm.
    pub(super) fn unused_variables(&mut self, statements: &[Stmt]) {
        for (at, statement) in statements.iter().enumerate() {
            let Stmt::Var(var, _, position) = statement else { continue };
            let name = var.0.name.as_str();
            let rest = statements.get(at + 1..).unwrap_or_default();
            let is_parameter = self.parameters.iter().any(|parameter| *parameter == name);
            if !is_parameter || is_used(rest, name) || !is_used(std::slice::from_ref(statement), name) {
                continue;
            }
            let place = if var.0.pos.is_none() { *position } else { var.0.pos };
            let message =
                format!("nothing uses this `{name}`: `let` makes a variable beside the `{name}` of the function");
            let help = format!("write `{name} = …` without `let` to change the other one");
            self.report("unused_value", place, message, Some(help));
        }
    }
}

/// Returns whether statements name a variable.
fn is_used(statements: &[Stmt], name: &str) -> bool {
    let mut used = false;
    walk_statements(statements, |node| {
        used |= match node {
            ASTNode::Expr(Expr::Variable(var, ..)) => var.1 == name,
            ASTNode::Stmt(Stmt::Share(captured)) => captured.iter().any(|(captured, _)| captured.name == name),
            _ => false,
        };
    });
    used
}

/// Returns the errors for private functions of house rules that nothing in their file names.
pub(super) fn private_functions(layers: &Layers) -> Vec<Diagnostic> {
    let own = |function: &&Function| {
        is_house(function.layer) && function.def.access == FnAccess::Private && !is_closure(&function.def.name)
    };
    let unused = layers.functions.values().filter(own).filter(|function| !is_named(layers, function));
    let wrong = |function: &Function| {
        let label = layers.name_of(&function.def)?;
        let message = format!("nothing calls the private function `{}`", author_name(&function.def.name));
        let help = "call it in a function of this house rule, or remove it";
        Some(Diagnostic::new("house_function", &label.source, label.span, message).help(help))
    };
    unused.filter_map(wrong).collect()
}

/// Returns whether another function of the same file names a function.
fn is_named(layers: &Layers, function: &Function) -> bool {
    let name = author_name(&function.def.name);
    let names = |def: &Definition| def.mentions().names().any(|named| author_name(named) == name);
    let others = layers.functions.values().filter(|other| other.layer == function.layer);
    others.filter(|other| !std::ptr::eq(*other, function)).any(|other| names(&other.def))
}
