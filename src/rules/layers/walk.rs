//! Walks over Rhai's syntax trees.

use rhai::{AST, ASTNode, Module, ScriptFuncDef, Shared, Stmt};

/// Visits every node of a function.
pub(crate) fn walk(def: &Shared<ScriptFuncDef>, mut visit: impl FnMut(&ASTNode<'_>)) {
    // Rhai shows the body of a function only through a library that holds it.
    let mut alone = Module::new();
    alone.set_script_fn(Shared::clone(def));
    walk_all(&AST::new_from_module(alone), &mut visit);
}

/// Visits every node of a script, those behind `break` included, which Rhai passes over.
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
