//! Records the indices of the functions of the rules and of the prelude.

use rhai::{ASTNode, Expr, Stmt};

use super::lower::Survey;
use crate::rules::layers::{Definition, walk};
use crate::rules::vm::{Places, library};

impl Places {
    /// Records a function.
    pub(crate) fn add(&mut self, def: &Definition, survey: &Survey, function: usize, prelude: bool) {
        self.forget_values();
        let all = match (prelude, survey.uses_this()) {
            (false, _) => &mut self.functions,
            (true, true) => &mut self.prelude,
            (true, false) => &mut self.plain,
        };
        all.entry(def.name.to_string()).or_default().push((def.params.len(), function));
        if survey.uses_this() && changes_this(def) {
            self.changing.insert(function);
        }
    }
}

/// Returns whether a function assigns to `this`, or calls a method of it that may change it.
fn changes_this(def: &Definition) -> bool {
    let mut changes = false;
    let rooted = |expr: &Expr| match expr {
        Expr::ThisPtr(_) => true,
        Expr::Dot(pair, ..) | Expr::Index(pair, ..) => matches!(pair.lhs, Expr::ThisPtr(_)),
        _ => false,
    };
    walk(def, |node| match node {
        ASTNode::Stmt(Stmt::Assignment(parts)) => changes |= rooted(&parts.1.lhs),
        ASTNode::Expr(expr @ (Expr::Dot(pair, ..) | Expr::Index(pair, ..))) if rooted(expr) => {
            changes |= calls(&pair.rhs);
        }
        ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) => {
            changes |=
                matches!(call.args.first(), Some(Expr::ThisPtr(_))) && library::may_change(&call.name, call.args.len());
        }
        _ => {}
    });
    changes
}

/// Returns whether a chain calls a method that may change what it is called on.
fn calls(chain: &Expr) -> bool {
    match chain {
        Expr::MethodCall(call, _) => {
            library::may_change(&call.name, call.args.len() + 1) || !library::known(&call.name, call.args.len() + 1)
        }
        Expr::Dot(pair, ..) | Expr::Index(pair, ..) => calls(&pair.lhs) || calls(&pair.rhs),
        _ => false,
    }
}
