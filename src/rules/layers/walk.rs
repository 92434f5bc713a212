//! The functions of scripts, and walks over Rhai's syntax trees.

use std::ops::Deref;
use std::rc::Rc;

use rhai::{AST, ASTNode, Module, ScriptFuncDef, Shared, Stmt};

/// A function that a script defines.
#[derive(Clone)]
pub(crate) struct Definition {
    def: Shared<ScriptFuncDef>,
    /// A library with only this function. Rhai shows the body of a function only through a library.
    alone: Rc<AST>,
}

impl Definition {
    pub(crate) fn of(def: Shared<ScriptFuncDef>) -> Self {
        let mut alone = Module::new();
        alone.set_script_fn(Shared::clone(&def));
        Self { def, alone: Rc::new(AST::new_from_module(alone)) }
    }

    /// Returns Rhai's definition.
    pub(crate) fn shared(&self) -> Shared<ScriptFuncDef> {
        Shared::clone(&self.def)
    }

    /// Returns the statements of the body.
    pub(crate) fn statements(&self) -> Vec<Stmt> {
        let mut statements: Vec<Stmt> = Vec::new();
        self.alone.walk(&mut |path: &[ASTNode<'_>]| {
            if let [ASTNode::Stmt(statement)] = path {
                statements.push((*statement).clone());
            }
            true
        });
        statements
    }
}

impl Deref for Definition {
    type Target = ScriptFuncDef;

    fn deref(&self) -> &ScriptFuncDef {
        &self.def
    }
}

/// Visits every node of a function.
pub(crate) fn walk(def: &Definition, mut visit: impl FnMut(&ASTNode<'_>)) {
    walk_all(&def.alone, &mut visit);
}

/// Visits every node of a script, including the value of a `break`, which Rhai's own walk skips.
pub(crate) fn walk_all(ast: &AST, visit: &mut dyn FnMut(&ASTNode<'_>)) {
    fn each(node: Option<&ASTNode<'_>>, visit: &mut dyn FnMut(&ASTNode<'_>)) {
        let Some(node) = node else { return };
        visit(node);
        if let ASTNode::Stmt(Stmt::BreakLoop(Some(value), ..)) = node {
            value.walk(&mut Vec::new(), &mut |path: &[ASTNode<'_>]| {
                each(path.last(), visit);
                true
            });
        }
    }
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        each(path.last(), visit);
        true
    });
}
