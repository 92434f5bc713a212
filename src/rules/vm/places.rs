//! Where the functions of the rules and of the prelude stand.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTNode, Expr, ScriptFuncDef, Shared, Stmt};

use super::library;
use super::lower::Survey;
use crate::rules::check::walk;

/// The numbers of functions, by name and number of parameters.
#[derive(Debug, Default)]
pub(super) struct Places {
    functions: BTreeMap<String, Vec<(usize, usize)>>,
    /// Methods of lists and maps that call functions.
    prelude: BTreeMap<String, Vec<(usize, usize)>>,
    /// Natives of the game that call functions.
    plain: BTreeMap<String, Vec<(usize, usize)>>,
    /// The functions that may change their `this`.
    changing: BTreeSet<usize>,
}

fn found(all: &BTreeMap<String, Vec<(usize, usize)>>, name: &str, count: usize) -> Option<usize> {
    all.get(name)?.iter().find(|(takes, _)| *takes == count).map(|(_, function)| *function)
}

impl Places {
    /// Note a function.
    pub(super) fn add(&mut self, def: &Shared<ScriptFuncDef>, function: usize, prelude: bool) {
        let all = match (prelude, Survey::of_function(def).uses_this()) {
            (false, _) => &mut self.functions,
            (true, true) => &mut self.prelude,
            (true, false) => &mut self.plain,
        };
        all.entry(def.name.to_string()).or_default().push((def.params.len(), function));
        if changes_this(def) {
            self.changing.insert(function);
        }
    }

    /// Forget the functions from this one on.
    pub(super) fn forget(&mut self, from: usize) {
        self.functions.retain(|_, all| {
            all.retain(|(_, function)| *function < from);
            !all.is_empty()
        });
    }

    /// The function of the rules with this name and number of parameters.
    pub(super) fn function(&self, name: &str, count: usize) -> Option<usize> {
        found(&self.functions, name, count)
    }

    /// The function of the prelude.
    pub(super) fn prelude(&self, name: &str, count: usize) -> Option<usize> {
        found(&self.prelude, name, count)
    }

    /// The function of the prelude that is no method.
    pub(super) fn plain(&self, name: &str, count: usize) -> Option<usize> {
        found(&self.plain, name, count)
    }

    /// Whether the rules have a function of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    /// Whether a function may change its `this`.
    pub(super) fn changes_this(&self, function: usize) -> bool {
        self.changing.contains(&function)
    }
}

/// Whether a function assigns to `this`, or calls a method of it that may change it.
fn changes_this(def: &Shared<ScriptFuncDef>) -> bool {
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

/// Whether a chain calls a method that may change what it is called on.
fn calls(chain: &Expr) -> bool {
    match chain {
        Expr::MethodCall(call, _) => {
            library::may_change(&call.name, call.args.len() + 1) || !library::known(&call.name, call.args.len() + 1)
        }
        Expr::Dot(pair, ..) | Expr::Index(pair, ..) => calls(&pair.lhs) || calls(&pair.rhs),
        _ => false,
    }
}
