//! Variables that keep their first value, and those whose values are written as strings.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTNode, Dynamic, Expr, ImmutableString, Position, Stmt};

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

/// Returns the variables that can only be strings of the script, each with the string, the list of strings, or the
/// condition that decides: `let name = "score";` and `for name in ["score", "falls"]`. A variable that is looked at
/// otherwise may not have all of its values where it is used, so it is left out; and so are all in a function that
/// catches errors. `takes_names` says whether a
/// function is one of the rules API that takes names.
pub(super) fn written(def: &Definition, takes_names: impl Fn(&str) -> bool) -> BTreeMap<&str, &Expr> {
    let mut catches = false;
    let mut values: BTreeMap<&str, &Expr> = BTreeMap::new();
    let mut other: BTreeSet<&str> = def.params.iter().map(ImmutableString::as_str).collect();
    walk(def, |node| match node {
        ASTNode::Stmt(Stmt::Var(var, ..)) => declare(&mut values, &mut other, var.0.name.as_str(), &var.1),
        ASTNode::Stmt(Stmt::For(parts, _)) => {
            declare(&mut values, &mut other, parts.0.name.as_str(), &parts.2.expr);
            if let Some(counter) = &parts.1 {
                other.extend([parts.0.name.as_str(), counter.name.as_str()]);
            }
        }
        ASTNode::Stmt(Stmt::Assignment(assignment)) => other.extend(variable(&assignment.1.lhs)),
        ASTNode::Stmt(Stmt::Switch(parts, _)) => other.extend(variable(&parts.0)),
        ASTNode::Stmt(Stmt::Share(captured)) => other.extend(captured.iter().map(|(name, _)| name.name.as_str())),
        // A method may change its string.
        ASTNode::Expr(Expr::Dot(parts, ..)) if matches!(parts.rhs, Expr::MethodCall(..)) => {
            other.extend(variable(&parts.lhs));
        }
        ASTNode::Expr(Expr::FnCall(call, _)) if call.op_token.is_some() || !takes_names(&call.name) => {
            other.extend(call.args.iter().filter_map(variable));
        }
        ASTNode::Stmt(Stmt::TryCatch(..)) => catches = true,
        _ => {}
    });
    values.retain(|name, value| {
        !catches
            && !other.contains(name)
            && matches!(
                value,
                Expr::StringConstant(..)
                    | Expr::Array(..)
                    | Expr::DynamicConstant(..)
                    | Expr::Variable(..)
                    | Expr::Index(..)
                    | Expr::Stmt(..)
            )
    });
    values
}

fn declare<'d>(
    values: &mut BTreeMap<&'d str, &'d Expr>,
    other: &mut BTreeSet<&'d str>,
    name: &'d str,
    value: &'d Expr,
) {
    if values.insert(name, value).is_some() {
        other.insert(name);
    }
}

fn variable(value: &Expr) -> Option<&str> {
    match value {
        Expr::Variable(var, ..) => Some(var.1.as_str()),
        _ => None,
    }
}

/// Returns the strings of a list, each with its position: in a list of constants that of the list, and `false`.
pub(super) fn texts_of_list(list: &Expr) -> Vec<(ImmutableString, Position, bool)> {
    match list {
        Expr::Array(items, _) => items
            .iter()
            .filter_map(|item| match item {
                Expr::StringConstant(text, position) => Some((text.clone(), *position, true)),
                _ => None,
            })
            .collect(),
        Expr::DynamicConstant(value, position) => {
            let items = value.read_lock::<rhai::Array>();
            let text =
                |item: &Dynamic| item.read_lock::<ImmutableString>().map(|text| (text.clone(), *position, false));
            items.iter().flat_map(|items| items.iter()).filter_map(text).collect()
        }
        _ => Vec::new(),
    }
}
