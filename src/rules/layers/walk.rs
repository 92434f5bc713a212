//! The functions of scripts, and walks over Rhai's syntax trees.

use std::cell::OnceCell;
use std::ops::Deref;
use std::rc::Rc;

use rhai::{AST, ASTNode, Expr, FnPtr, ImmutableString, Module, ScriptFuncDef, Shared, Stmt};

/// A function that a script defines.
#[derive(Clone)]
pub(crate) struct Definition {
    def: Shared<ScriptFuncDef>,
    /// A library with only this function. Rhai shows the body of a function only through a library.
    alone: Rc<AST>,
    mentions: Rc<OnceCell<Mentions>>,
}

/// The names in a function, each once.
#[derive(Default)]
pub(crate) struct Mentions {
    /// The functions and operators that it calls.
    pub(crate) called: Vec<ImmutableString>,
    /// Its variables, and the functions that it uses as values.
    pub(crate) values: Vec<ImmutableString>,
    /// Its strings.
    pub(crate) texts: Vec<ImmutableString>,
}

impl Mentions {
    /// Returns the names in a script and its functions.
    pub(crate) fn of(ast: &AST) -> Self {
        let mut mentions = Self::default();
        walk_all(ast, &mut |node| match node {
            ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) => {
                mentions.called.push(call.name.clone());
            }
            ASTNode::Expr(Expr::Variable(var, ..)) => mentions.values.push(var.1.clone()),
            ASTNode::Expr(Expr::StringConstant(text, _)) => mentions.texts.push(text.clone()),
            ASTNode::Expr(Expr::DynamicConstant(value, _)) => {
                let function = value.read_lock::<FnPtr>();
                mentions.values.extend(function.map(|function| function.fn_name().into()));
            }
            _ => {}
        });
        for names in [&mut mentions.called, &mut mentions.values, &mut mentions.texts] {
            names.sort_unstable();
            names.dedup();
        }
        mentions
    }

    /// Returns whether it calls a function of this name.
    pub(crate) fn calls(&self, name: &str) -> bool {
        self.called.iter().any(|called| called == name)
    }

    /// Returns all names, those in strings included.
    pub(crate) fn names(&self) -> impl Iterator<Item = &ImmutableString> {
        [&self.called, &self.values, &self.texts].into_iter().flatten()
    }
}

impl Definition {
    pub(crate) fn of(def: Shared<ScriptFuncDef>) -> Self {
        let mut alone = Module::new();
        alone.set_script_fn(Shared::clone(&def));
        Self { def, alone: Rc::new(AST::new_from_module(alone)), mentions: Rc::default() }
    }

    /// Returns the names in the function.
    pub(crate) fn mentions(&self) -> &Mentions {
        self.mentions.get_or_init(|| Mentions::of(&self.alone))
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
