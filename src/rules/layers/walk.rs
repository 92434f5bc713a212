//! The functions of scripts, and walks over Rhai's syntax trees.

use std::cell::OnceCell;
use std::ops::Deref;
use std::rc::Rc;

use rhai::{
    AST, ASTNode, BinaryExpr, Expr, FnCallExpr, FnPtr, ImmutableString, Module, RangeCase, ScriptFuncDef, Shared, Stmt,
    SwitchCasesCollection,
};

/// A function that a script defines.
#[derive(Clone)]
pub(crate) struct Definition {
    def: Shared<ScriptFuncDef>,
    known: Rc<Known>,
}

/// What is known about a function once it was needed.
#[derive(Default)]
struct Known {
    /// A copy of the body. Rhai shows the body itself only to its own walk, which is slow and lends no statement.
    statements: OnceCell<Vec<Stmt>>,
    mentions: OnceCell<Mentions>,
}

/// The names in a function, each once, in alphabetical order.
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
    fn add(&mut self, node: &ASTNode<'_>) {
        match node {
            ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) => {
                self.called.push(call.name.clone());
                self.values.extend(named_by_call(call));
            }
            ASTNode::Expr(Expr::Variable(var, ..)) => self.values.push(var.1.clone()),
            ASTNode::Expr(Expr::StringConstant(text, _)) => self.texts.push(text.clone()),
            ASTNode::Expr(Expr::DynamicConstant(value, _)) => {
                let function = value.read_lock::<FnPtr>();
                self.values.extend(function.map(|function| function.fn_name().into()));
            }
            _ => {}
        }
    }

    fn sorted(mut self) -> Self {
        for names in [&mut self.called, &mut self.values, &mut self.texts] {
            names.sort_unstable_by(|one, other| one.as_str().cmp(other.as_str()));
            names.dedup();
        }
        self
    }

    /// Returns whether it calls a function of this name.
    pub(crate) fn calls(&self, name: &str) -> bool {
        self.called.binary_search_by(|called| called.as_str().cmp(name)).is_ok()
    }

    /// Returns all names, those in strings included.
    pub(crate) fn names(&self) -> impl Iterator<Item = &ImmutableString> {
        [&self.called, &self.values, &self.texts].into_iter().flatten()
    }
}

impl Definition {
    pub(crate) fn of(def: Shared<ScriptFuncDef>) -> Self {
        Self { def, known: Rc::default() }
    }

    /// Returns the names in the function.
    pub(crate) fn mentions(&self) -> &Mentions {
        self.known.mentions.get_or_init(|| {
            let mut mentions = Mentions::default();
            walk(self, |node| mentions.add(node));
            mentions.sorted()
        })
    }

    /// Returns Rhai's definition.
    pub(crate) fn shared(&self) -> Shared<ScriptFuncDef> {
        Shared::clone(&self.def)
    }

    /// Returns the statements of the body.
    pub(crate) fn statements(&self) -> &[Stmt] {
        self.known.statements.get_or_init(|| {
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

/// Visits every node of a function, in the order of [`walk_all`].
pub(crate) fn walk<'d>(def: &'d Definition, mut visit: impl FnMut(&ASTNode<'d>)) {
    statements(def.statements(), &mut visit);
}

/// Returns the name of the function that an expression is: `Fn("name")`, a closure, or a function's name.
pub(crate) fn function_value(expr: &Expr) -> Option<ImmutableString> {
    match expr {
        Expr::DynamicConstant(value, _) => Some(value.read_lock::<FnPtr>()?.fn_name().into()),
        Expr::FnCall(call, _) => named_by_call(call),
        _ => None,
    }
}

fn named_by_call(call: &FnCallExpr) -> Option<ImmutableString> {
    match call.args.as_slice() {
        [Expr::StringConstant(name, _)] if call.name == "Fn" => Some(name.clone()),
        _ => None,
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

/// Visits every node in statements.
pub(crate) fn walk_statements<'d>(all: &'d [Stmt], mut visit: impl FnMut(&ASTNode<'d>)) {
    statements(all, &mut visit);
}

fn statements<'d>(all: &'d [Stmt], visit: &mut dyn FnMut(&ASTNode<'d>)) {
    all.iter().for_each(|one| statement(one, visit));
}

fn expressions<'d>(all: &'d [Expr], visit: &mut dyn FnMut(&ASTNode<'d>)) {
    all.iter().for_each(|one| expression(one, visit));
}

/// Visits a statement and every node in it.
fn statement<'d>(one: &'d Stmt, visit: &mut dyn FnMut(&ASTNode<'d>)) {
    visit(&ASTNode::Stmt(one));
    match one {
        Stmt::Var(parts, ..) => expression(&parts.1, visit),
        Stmt::If(flow, _) => {
            expression(&flow.expr, visit);
            statements(flow.body.statements(), visit);
            statements(flow.branch.statements(), visit);
        }
        Stmt::Switch(parts, _) => switch(&parts.0, &parts.1, visit),
        Stmt::While(flow, _) | Stmt::Do(flow, ..) => {
            expression(&flow.expr, visit);
            statements(flow.body.statements(), visit);
        }
        Stmt::For(parts, _) => {
            expression(&parts.2.expr, visit);
            statements(parts.2.body.statements(), visit);
        }
        Stmt::Assignment(parts) => both(&parts.1, visit),
        Stmt::FnCall(call, _) => expressions(&call.args, visit),
        Stmt::Block(block) => statements(block.statements(), visit),
        Stmt::TryCatch(flow, _) => {
            statements(flow.body.statements(), visit);
            statements(flow.branch.statements(), visit);
        }
        Stmt::Expr(value) => expression(value, visit),
        Stmt::BreakLoop(value, ..) | Stmt::Return(value, ..) => {
            value.iter().for_each(|value| expression(value, visit));
        }
        _ => {}
    }
}

/// Visits the value of a `switch`, and its branches once for each of their cases.
fn switch<'d>(value: &'d Expr, ways: &'d SwitchCasesCollection, visit: &mut dyn FnMut(&ASTNode<'d>)) {
    expression(value, visit);
    let cases = ways.cases.values().flat_map(|case| case.blocks.iter().copied());
    for way in cases.chain(ways.ranges.iter().map(RangeCase::index)).chain(ways.def_case) {
        ways.expressions.get(way).into_iter().for_each(|way| both(way, visit));
    }
}

fn both<'d>(pair: &'d BinaryExpr, visit: &mut dyn FnMut(&ASTNode<'d>)) {
    expression(&pair.lhs, visit);
    expression(&pair.rhs, visit);
}

/// Visits an expression and every node in it.
fn expression<'d>(one: &'d Expr, visit: &mut dyn FnMut(&ASTNode<'d>)) {
    visit(&ASTNode::Expr(one));
    match one {
        Expr::Stmt(block) => statements(block.statements(), visit),
        Expr::InterpolatedString(parts, ..) | Expr::Array(parts, ..) => expressions(parts, visit),
        Expr::Map(pairs, ..) => pairs.0.iter().for_each(|(_, value)| expression(value, visit)),
        Expr::Index(pair, ..) | Expr::Dot(pair, ..) => both(pair, visit),
        Expr::And(parts, ..) | Expr::Or(parts, ..) | Expr::Coalesce(parts, ..) => expressions(parts, visit),
        Expr::FnCall(call, ..) | Expr::MethodCall(call, ..) => expressions(&call.args, visit),
        _ => {}
    }
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

#[cfg(test)]
mod tests {
    use rhai::{Engine, OptimizationLevel, Shared};

    use super::{AST, Definition, Module, walk, walk_all};

    /// Statements and expressions of every kind, with a `break` in a value of another.
    const SCRIPT: &str = r##"
        fn f(a, b) {
            let x = [1, a, #{ k: b, l: "t" }];
            const Y = `text ${a + b} ${{ let z = 1; z }}`;
            if a == 1 && b || !a { x[0] = 2; } else if b { return x.len; } else { f(1, 2); }
            switch a { 1 | 2 if b => x, 3 => { b }, 4..7 => a.len(), 8..=9 => 0, _ => a ?? b }
            let w = while a < 3 { a += 1; if a == 2 { break loop { break [a, { b }]; }; } else { continue; } };
            do { b -= 1; } until b in [0, 1];
            for (item, at) in x { item.k[at] = a?.n; item.k.m(at); }
            try { throw a; } catch (error) { error; }
            let g = |y| { y + a };
            { g.call(this); }
            loop { break; }
            this.t = -b;
            return;
        }
    "##;

    #[test]
    fn a_function_is_walked_as_rhai_does() {
        let mut engine = Engine::new();
        engine.set_optimization_level(OptimizationLevel::None).set_max_expr_depths(0, 0);
        let Ok(ast) = engine.compile(SCRIPT) else { unreachable!("the script is right") };
        for (.., def) in ast.shared_lib().iter_script_fn_info() {
            let mut alone = Module::new();
            alone.set_script_fn(Shared::clone(def));
            let (mut wanted, mut found) = (Vec::new(), Vec::new());
            walk_all(&AST::new_from_module(alone), &mut |node| wanted.push(format!("{node:?}")));
            walk(&Definition::of(Shared::clone(def)), |node| found.push(format!("{node:?}")));
            assert_eq!(found, wanted);
        }
    }
}
