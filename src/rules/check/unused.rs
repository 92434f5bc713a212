//! Checks variables and private functions that nothing uses.

use rhai::{ASTNode, Expr, FnAccess, Position, Stmt};

use super::checker::{Checker, call_of, is_closure};
use super::statements::{WITH_EFFECT, WITHOUT_EFFECT};
use crate::diagnostic::Diagnostic;
use crate::rules::layers::{Definition, Function, Layers, author_name, is_house, walk_statements};
use crate::rules::values::standard;

impl Checker<'_> {
    /// Reports variables of a block that nothing after them uses. One that keeps the result of a call with effects may be
    /// there for the call.
    pub(super) fn unused_variables(&mut self, statements: &[Stmt]) {
        for (at, statement) in statements.iter().enumerate() {
            let Stmt::Var(var, _, position) = statement else { continue };
            let name = var.0.name.as_str();
            let rest = statements.get(at + 1..).unwrap_or_default();
            if name.starts_with('_') || is_used(rest, name) {
                continue;
            }
            let outer = self.parameters.iter().any(|parameter| *parameter == name);
            if !outer && !self.has_no_effect(&var.1) {
                continue;
            }
            let place = if var.0.pos.is_none() { *position } else { var.0.pos };
            self.unused_variable(name, outer, place);
        }
    }

    fn unused_variable(&mut self, name: &str, outer: bool, place: Position) {
        let (message, help) = if outer {
            let message =
                format!("nothing uses this `{name}`: `let` makes a variable beside the `{name}` of the function");
            (message, format!("write `{name} = …` without `let` to change the other one"))
        } else {
            let help = "use it, return it as the last line of the function, or remove the line";
            (format!("nothing uses the variable `{name}`"), help.to_owned())
        };
        self.report("unused_value", place, message, Some(help));
    }

    /// Returns whether a value only looks things up and computes.
    fn has_no_effect(&self, value: &Expr) -> bool {
        let statements = [Stmt::Expr(Box::new(value.clone()))];
        let mut plain = true;
        walk_statements(&statements, |node| {
            plain &= match node {
                ASTNode::Stmt(Stmt::Expr(_)) => true,
                ASTNode::Stmt(_) => false,
                node => call_of(node).is_none_or(|call| {
                    let name = call.call.name.as_str();
                    let natives = self.natives.get(name);
                    let returns = natives.is_some_and(|forms| forms.iter().all(|form| form.entry.result().is_some()));
                    let library = standard().contains_key(name) && natives.is_none();
                    call.call.op_token.is_some()
                        || !self.layers.has_function(name)
                            && !WITH_EFFECT.contains(&name)
                            && (returns || library && WITHOUT_EFFECT.contains(&name))
                }),
            };
        });
        plain
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
