//! The functions of scripts, as Rhai reads them.

use std::cell::OnceCell;
use std::ops::Deref;
use std::rc::Rc;

use rhai::{AST, ASTNode, Expr, FnCallExpr, Module, ScriptFuncDef, Shared, Stmt};

/// A function that a script defines.
#[derive(Clone)]
pub(crate) struct Definition {
    def: Shared<ScriptFuncDef>,
    /// A copy of the body, once it was needed. Rhai shows the body itself only to its own walk, which is slow and lends no
    /// statement.
    statements: Rc<OnceCell<Vec<Stmt>>>,
}

impl Definition {
    pub(crate) fn of(def: Shared<ScriptFuncDef>) -> Self {
        Self { def, statements: Rc::default() }
    }

    /// Returns Rhai's definition.
    pub(crate) fn shared(&self) -> Shared<ScriptFuncDef> {
        Shared::clone(&self.def)
    }

    /// Returns the statements of the body.
    pub(crate) fn statements(&self) -> &[Stmt] {
        self.statements.get_or_init(|| {
            let mut alone = Module::new();
            alone.set_script_fn(self.shared());
            let mut statements: Vec<Stmt> = Vec::new();
            AST::new_from_module(alone).walk(&mut |path: &[ASTNode<'_>]| {
                if let [ASTNode::Stmt(statement)] = path {
                    statements.push((*statement).clone());
                }
                true
            });
            statements
        })
    }
}

impl Deref for Definition {
    type Target = ScriptFuncDef;

    fn deref(&self) -> &ScriptFuncDef {
        &self.def
    }
}

/// Returns the call that makes a closure from these statements: Rhai writes one that captures variables as a block, which
/// shares the variables and binds them to the function, the first argument.
pub(crate) fn closure_call(statements: &[Stmt]) -> Option<&FnCallExpr> {
    match statements {
        [Stmt::Share(_), Stmt::FnCall(call, _)] => Some(call),
        [Stmt::Share(_), Stmt::Expr(expr)] => match &**expr {
            Expr::FnCall(call, _) => Some(call),
            _ => None,
        },
        _ => None,
    }
}
