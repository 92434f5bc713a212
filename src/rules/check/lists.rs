//! Checks functions of lists that newcomers take for others: those that change the list and return nothing, and
//! `for_each`, which passes positions.

use rhai::{ASTNode, Expr, FnCallExpr, Stmt};

use super::checker::{Call, Checker};
use super::predicates::closure_of;
use super::sorts::Sort;
use crate::rules::layers::{closure_call, walk};
use crate::rules::natives;

impl Checker<'_> {
    /// Reports the use of what a function returns that changes a list: `let sorted = list.sort();`.
    pub(super) fn used_changes(&mut self, node: &ASTNode<'_>) {
        match node {
            ASTNode::Stmt(Stmt::Var(var, ..)) => self.used_change(&var.1),
            ASTNode::Stmt(Stmt::Assignment(assignment)) => self.used_change(&assignment.1.rhs),
            ASTNode::Stmt(Stmt::For(parts, _)) => self.used_change(&parts.2.expr),
            ASTNode::Expr(Expr::Index(parts, ..)) => self.used_change(&parts.lhs),
            ASTNode::Expr(Expr::FnCall(call, _)) => call.args.iter().for_each(|value| self.used_change(value)),
            ASTNode::Expr(Expr::Dot(parts, ..)) => {
                if let Expr::Dot(rest, ..) = &parts.rhs {
                    self.change_in_chain(&parts.lhs, &rest.lhs);
                }
            }
            _ => {}
        }
    }

    fn used_change(&mut self, value: &Expr) {
        if let Expr::Dot(parts, ..) = value {
            self.change_in_chain(&parts.lhs, &parts.rhs);
        }
    }

    /// Reports a change of `of` whose value is used.
    fn change_in_chain(&mut self, of: &Expr, method: &Expr) {
        let Expr::MethodCall(call, position) = method else { return };
        let name = call.name.as_str();
        let of_others = self.layers.has_function(name) || self.natives.contains_key(name);
        let is_list = self.sort_of(of) == Some(Sort::List);
        if !natives::only_changes_lists(name) || of_others && !is_list {
            return;
        }
        let list = if let Expr::Variable(var, ..) = of { var.1.as_str() } else { "list" };
        let message = format!("`{name}` changes the list itself and returns nothing");
        let help = format!("write `{list}.{name}(…);` on a line of its own, and use `{list}` after it");
        let help = if call.args.is_empty() { help.replace("(…)", "()") } else { help };
        self.report("wrong_values", *position, message, Some(help));
    }

    /// Reports a function of `for_each` that takes the positions of the elements for the elements.
    pub(super) fn positions(&mut self, call: &Call<'_>) {
        let called: &FnCallExpr = call.call;
        if called.name != "for_each" || self.layers.has_function("for_each") {
            return;
        }
        let Some(closure) = called.args.iter().find_map(closure_of) else { return };
        let Some(def) = self.closure(&closure) else { return };
        let mut uses_this = false;
        walk(def, |node| uses_this |= matches!(node, ASTNode::Expr(Expr::ThisPtr(_))));
        let captured = called.args.iter().find_map(captured).unwrap_or(0);
        if uses_this || def.params.len() <= captured {
            return;
        }
        let name = def.params.last().map_or("x", |name| name.as_str());
        let message = format!("`for_each` passes `{name}` the position of each element, from 0, not the element");
        let help = format!("write a loop: `for {name} in list {{ … }}`");
        self.report("wrong_values", call.position, message, Some(help));
    }
}

/// Returns the number of variables that a closure captures.
fn captured(given: &Expr) -> Option<usize> {
    let Expr::Stmt(block) = given else { return None };
    Some(closure_call(block.statements())?.args.len().saturating_sub(1))
}
