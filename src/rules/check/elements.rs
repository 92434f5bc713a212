//! The kinds of the elements of lists.

use rhai::{ASTNode, Expr, FnCallExpr, ImmutableString, Stmt};

use super::checker::Checker;
use super::sorts::Sort;
use crate::rules::natives;

/// Returns whether a function with this name leaves the elements of its first argument as they are. One of the rules may
/// change them.
fn leaves_elements(name: &str) -> bool {
    !natives::functions(name).is_empty() && !natives::fills(name)
}

/// Returns the name under which the kind of a variable's elements is kept. No variable has this name.
pub(super) fn elements_of(name: &str) -> ImmutableString {
    format!("{name}[]").into()
}

/// Returns the variable whose element or part is assigned.
pub(super) fn first_name(target: &Expr) -> Option<&ImmutableString> {
    match target {
        Expr::Index(parts, ..) | Expr::Dot(parts, ..) => match &parts.lhs {
            Expr::Variable(var, ..) => Some(&var.1),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the variable to which a node adds an element with `push`, and the element.
pub(super) fn pushed<'d>(node: &ASTNode<'d>) -> Option<(&'d ImmutableString, &'d Expr)> {
    match node {
        ASTNode::Expr(Expr::Dot(parts, ..)) => match (&parts.lhs, &parts.rhs) {
            (Expr::Variable(var, ..), Expr::MethodCall(call, _)) if call.name == "push" && call.args.len() == 1 => {
                Some((&var.1, call.args.first()?))
            }
            _ => None,
        },
        ASTNode::Stmt(Stmt::FnCall(call, _)) | ASTNode::Expr(Expr::FnCall(call, _)) if call.name == "push" => {
            match call.args.as_slice() {
                [Expr::Variable(var, ..), element] => Some((&var.1, element)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the variable whose elements a node may change.
pub(super) fn changed<'d>(node: &ASTNode<'d>) -> Option<&'d ImmutableString> {
    match node {
        ASTNode::Expr(Expr::Dot(parts, ..)) => match (&parts.lhs, &parts.rhs) {
            (Expr::Variable(var, ..), Expr::MethodCall(call, _)) if !leaves_elements(&call.name) => Some(&var.1),
            (Expr::Variable(var, ..), Expr::Dot(..) | Expr::Index(..)) => Some(&var.1),
            _ => None,
        },
        // Functions of Rhai's library change their first argument.
        ASTNode::Stmt(Stmt::FnCall(call, _)) | ASTNode::Expr(Expr::FnCall(call, _))
            if !call.is_operator_call() && !leaves_elements(&call.name) =>
        {
            match call.args.first() {
                Some(Expr::Variable(var, ..)) => Some(&var.1),
                _ => None,
            }
        }
        _ => None,
    }
}

impl Checker<'_> {
    /// Returns the kind of the elements of a value, if it is known.
    pub(super) fn element_of(&self, value: &Expr) -> Option<Sort> {
        let sort = self.sort_of(value)?;
        if sort != Sort::List {
            return sort.of_element();
        }
        match value {
            // What is pushed later tells the kind.
            Expr::Array(values, _) if values.is_empty() => Some(Sort::Open),
            Expr::Array(values, _) => {
                let mut sorts = values.iter().map(|value| self.sort_of(value));
                sorts.try_fold(Sort::Nothing, |all, sort| all.joined(sort?))
            }
            Expr::Variable(var, ..) => self.sorts.get(&elements_of(&var.1)).copied().flatten(),
            Expr::FnCall(call, _) => self.element_of_result(call, false),
            Expr::Dot(parts, ..) => match &parts.rhs {
                Expr::MethodCall(call, _) if self.returns_some(call) => {
                    self.element_of(&parts.lhs).filter(|_| self.sort_of(&parts.lhs) == Some(Sort::List))
                }
                Expr::MethodCall(call, _) => self.element_of_result(call, true),
                Expr::Property(names, _) if self.sort_of(&parts.lhs) != Some(Sort::Map) => {
                    self.element_of_property(&names.2)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns whether a function after a dot returns a list of some of the elements before it.
    pub(super) fn returns_some(&self, call: &FnCallExpr) -> bool {
        natives::functions(&call.name).iter().any(|form| form.returns_elements())
            && !self.layers.has_function(&call.name)
    }

    /// Returns the kind of what a function after a dot takes from a list: an element, or a list of some.
    pub(super) fn taken_from(&self, list: &Expr, after_dot: &Expr) -> Option<Sort> {
        let Expr::MethodCall(call, _) = after_dot else { return None };
        if self.returns_some(call) {
            return self.sort_of(list).filter(|sort| *sort == Sort::List);
        }
        let is_taken = natives::functions(&call.name).iter().any(|form| form.returns_element())
            && !self.layers.has_function(&call.name);
        let sort = self.sort_of(list).filter(|sort| is_taken && *sort == Sort::List)?;
        self.element_of(list).filter(|_| sort == Sort::List)
    }
}
