//! Finds functions of house rules that call themselves for ever.

use std::collections::BTreeSet;

use rhai::{ASTNode, Expr, ImmutableString, Position, Stmt};

use super::checker::{Checker, call_of};
use crate::rules::layers::{Definition, base_name, is_house, walk};
use crate::rules::natives::{self, Does, Form};

impl Checker<'_> {
    /// Reports a function of a house rule that calls itself instead of the function that it redefines. With the same
    /// arguments and the same game it comes to the same call again.
    pub(super) fn calls_itself(&mut self, (name, arity): (&str, usize), layer: usize, def: &Definition) {
        let redefines = is_house(layer) && self.layers.functions.contains_key(&(base_name(layer, name), arity));
        if !redefines || self.askers.contains(name) || self.changes_parameters(def) {
            return;
        }
        let mut itself: Vec<Position> = Vec::new();
        walk(def, |node| {
            let Some(call) = call_of(node) else { return };
            let same =
                |(value, param): (&Expr, &ImmutableString)| matches!(value, Expr::Variable(var, ..) if var.1 == *param);
            let args = &call.call.args;
            if call.call.name == name && args.len() == arity && args.iter().zip(&def.params).all(same) {
                itself.push(call.position);
            }
        });
        if itself.is_empty() || self.changes_the_game(name) {
            return;
        }
        for position in itself {
            let message = format!("`{name}` calls itself with the same arguments");
            let help = format!("write `base_{name}` to call the function that it redefines");
            self.report("calls_itself", position, message, Some(help));
        }
    }

    /// Returns whether a function of the rules may change the game, itself or by its calls.
    fn changes_the_game(&self, name: &str) -> bool {
        let mut seen: BTreeSet<ImmutableString> = BTreeSet::new();
        let mut open: Vec<ImmutableString> = vec![name.into()];
        while let Some(name) = open.pop() {
            let quiet = |form: &Form| form.only_tells() || form.entry.does == Does::Reports;
            let natives = self.natives.get(name.as_str()).map(Vec::as_slice).unwrap_or_default();
            if natives.iter().any(|native| !quiet(native.form)) {
                return true;
            }
            for ((_, _), function) in self.layers.functions.iter().filter(|((own, _), _)| *own == name.as_str()) {
                if assigns_in_the_game(&function.def) {
                    return true;
                }
                let mentions = function.def.mentions();
                let called = mentions.called.iter().chain(&mentions.values);
                open.extend(called.filter(|called| seen.insert((*called).clone())).cloned());
            }
        }
        false
    }

    /// Returns whether a function may give one of its parameters another value.
    fn changes_parameters(&self, def: &Definition) -> bool {
        let is_parameter = |name: &str| def.params.iter().any(|param| param == name);
        let mut changes = false;
        walk(def, |node| match node {
            ASTNode::Stmt(Stmt::Var(var, ..)) => changes |= is_parameter(&var.0.name),
            ASTNode::Stmt(Stmt::For(parts, _)) => {
                changes |= std::iter::once(&parts.0).chain(parts.1.as_ref()).any(|name| is_parameter(&name.name));
            }
            ASTNode::Stmt(Stmt::Assignment(assignment)) => {
                changes |= root(&assignment.1.lhs).is_some_and(is_parameter);
            }
            ASTNode::Expr(Expr::Dot(parts, ..)) => {
                let Expr::MethodCall(call, _) = &parts.rhs else { return };
                changes |=
                    root(&parts.lhs).is_some_and(is_parameter) && self.may_change(&call.name, call.args.len() + 1);
            }
            _ => {}
        });
        changes
    }

    /// Returns whether a method may change its object. Native functions of the rules API never do.
    fn may_change(&self, name: &str, count: usize) -> bool {
        let known = natives::is_of_library_with(name, count) || self.natives.contains_key(name);
        !known || natives::may_change(name, count)
    }
}

/// Returns the variable with which a chain begins.
fn root(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Dot(parts, ..) | Expr::Index(parts, ..) => root(&parts.lhs),
        Expr::Variable(var, ..) => Some(var.1.as_str()),
        _ => None,
    }
}

/// Returns whether a function sets a property of something that it has not made itself.
fn assigns_in_the_game(def: &Definition) -> bool {
    let mut own: BTreeSet<String> = BTreeSet::new();
    let mut set: Vec<Option<String>> = Vec::new();
    walk(def, |node| match node {
        ASTNode::Stmt(Stmt::Var(var, ..))
            if matches!(var.1, Expr::Array(..) | Expr::Map(..) | Expr::DynamicConstant(..)) =>
        {
            own.insert(var.0.name.to_string());
        }
        ASTNode::Stmt(Stmt::Assignment(assignment)) if !matches!(assignment.1.lhs, Expr::Variable(..)) => {
            set.push(root(&assignment.1.lhs).map(str::to_owned));
        }
        _ => {}
    });
    set.iter().any(|root| root.as_ref().is_none_or(|root| !own.contains(root)))
}
