//! Checks statements: values that nothing uses.

use rhai::{AST, ASTNode, Expr, FnCallExpr, Position, Stmt};

use super::checker::Checker;
use super::sorts::Sort;
use crate::rules::layers::{Definition, walk_all};
use crate::rules::natives;

const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

impl Checker<'_> {
    /// Reports values in the body of a function that nothing uses. Its last statement is its result.
    pub(super) fn unused_values(&mut self, def: &Definition) {
        self.unused_but_last(def.statements());
    }

    /// Reports statements of an expression outside the script that set a value of the game, and values before its last
    /// statement.
    pub(super) fn statements_alone(&mut self, statements: &[Stmt]) {
        match statements {
            [Stmt::Block(block)] => return self.statements_alone(block.statements()),
            [Stmt::Expr(value)] if let Expr::Stmt(block) = &**value => {
                return self.statements_alone(block.statements());
            }
            _ => {}
        }
        for statement in statements {
            if let Stmt::Assignment(assignment) = statement
                && let Expr::Dot(..) = &assignment.1.lhs
                && !assignment.0.is_op_assignment()
            {
                let example = self.schema.example_comparison();
                let help = example.replace("write a comparison, such as", "write `==` to compare, as in");
                let message = "an expression cannot set a value of the game".to_owned();
                self.report("wrong_expression", assignment.0.position(), message, Some(help));
            }
        }
        self.unused_but_last(statements);
    }

    /// Reports values in blocks below a node that nothing uses. The last statement of a block may be its
    /// value, but a loop has no value of its own.
    pub(super) fn unused_in_blocks(&mut self, node: &ASTNode<'_>) {
        let ASTNode::Stmt(statement) = node else { return };
        match statement {
            Stmt::If(flow, _) | Stmt::TryCatch(flow, _) => {
                self.unused_but_last(flow.body.statements());
                self.unused_but_last(flow.branch.statements());
            }
            Stmt::While(flow, _) | Stmt::Do(flow, ..) => self.unused_among(flow.body.statements()),
            Stmt::For(parts, _) => self.unused_among(parts.2.body.statements()),
            Stmt::Block(block) => self.unused_but_last(block.statements()),
            _ => {}
        }
    }

    /// Reports an expression outside the script that looks at nothing, so that it always has the same truth.
    pub(super) fn always_the_same(&mut self, ast: &AST) {
        let mut looks = false;
        let mut first = None;
        walk_all(ast, &mut |node| {
            let ASTNode::Expr(expr) = node else { return };
            looks |= match expr {
                Expr::FnCall(call, _) => call.op_token.is_none(),
                Expr::BoolConstant(..) | Expr::IntegerConstant(..) | Expr::StringConstant(..) => {
                    first.get_or_insert(expr.position());
                    false
                }
                Expr::And(..) | Expr::Or(..) | Expr::Stmt(..) | Expr::Unit(..) => false,
                // A column of a table, or a variable of the expression.
                Expr::Variable(var, ..) if self.locals.contains(var.1.as_str()) => {
                    first.get_or_insert(expr.position());
                    false
                }
                _ => true,
            };
        });
        if let (false, Some(position), true) = (looks, first, self.is_truth(ast.statements())) {
            let message = "this does not look at the game, so it is always the same".to_owned();
            self.report("nothing_checked", position, message, Some(self.schema.example_comparison()));
        }
    }

    /// Returns whether the value of these statements is known to be a boolean.
    fn is_truth(&self, statements: &[Stmt]) -> bool {
        match statements.last() {
            Some(Stmt::Block(block)) => self.is_truth(block.statements()),
            Some(Stmt::Expr(value)) => match &**value {
                Expr::Stmt(block) => self.is_truth(block.statements()),
                value => self.sort_of(value) == Some(Sort::Truth),
            },
            Some(Stmt::FnCall(call, at)) => self.sort_of(&Expr::FnCall(call.clone(), *at)) == Some(Sort::Truth),
            _ => false,
        }
    }

    /// Reports the names of functions where their result is needed: in calculations and conditions.
    pub(super) fn conditions(&mut self, node: &ASTNode<'_>) {
        let values = match node {
            ASTNode::Stmt(Stmt::If(flow, _) | Stmt::While(flow, _) | Stmt::Do(flow, ..)) => {
                std::slice::from_ref(&flow.expr)
            }
            ASTNode::Expr(Expr::And(parts, ..) | Expr::Or(parts, ..)) => parts.as_slice(),
            ASTNode::Expr(Expr::FnCall(call, _)) if call.op_token.is_some() => call.args.as_slice(),
            _ => return,
        };
        for value in values {
            self.function_name(value);
        }
    }

    fn unused_among(&mut self, statements: &[Stmt]) {
        self.unused_variables(statements);
        statements.iter().for_each(|statement| self.unused_value(statement));
    }

    fn unused_but_last(&mut self, statements: &[Stmt]) {
        self.unused_variables(statements);
        if let Some((last, before)) = statements.split_last() {
            before.iter().for_each(|statement| self.unused_value(statement));
            self.uncalled(last);
        }
    }

    /// Reports a statement that is only the name of a function, also as the last one of a block.
    fn uncalled(&mut self, statement: &Stmt) {
        if let Stmt::Expr(value) = statement {
            self.function_name(value);
        }
    }

    /// Reports the name of a function where its result is needed. Returns `false` for anything else.
    pub(super) fn function_name(&mut self, value: &Expr) -> bool {
        let Expr::Variable(var, short, position) = value else { return false };
        let name = var.1.as_str();
        let is_local = var.0.is_some() || short.is_some() || self.locals.contains(name);
        let of_rules = self.layers.arities(name).next();
        let native = self.natives.get(name).and_then(|forms| forms.first()?.counts().next());
        let Some(count) = of_rules.or(native).filter(|_| !is_local && !self.is_component(name)) else { return false };
        let turn = (self.alone && name == "turn")
            .then(|| "to expect the turn of a player write `expect turn PLAYER`".to_owned());
        let help =
            turn.or_else(|| self.with_quotes(name)).or_else(|| self.in_place_of_variable(name)).unwrap_or_else(|| {
                match count {
                    0 => format!("write brackets to call it: `{name}()`"),
                    _ => format!("write brackets to call it: `{name}(…)`"),
                }
            });
        self.unquoted.push(*position);
        self.report("not_called", *position, format!("`{name}` is a function, and this does not call it"), Some(help));
        true
    }

    /// Reports a statement whose value nothing uses. The blocks of an `if` are looked at elsewhere, but for their last
    /// statements.
    fn unused_value(&mut self, statement: &Stmt) {
        let value = match statement {
            Stmt::If(flow, _) => {
                let ends = [flow.body.statements().last(), flow.branch.statements().last()];
                return ends.into_iter().flatten().for_each(|last| self.unused_value(last));
            }
            Stmt::FnCall(call, position) => return self.unused_result(call, *position, false),
            Stmt::Expr(value) => &**value,
            _ => return,
        };
        if self.function_name(value) {
            return;
        }
        match value {
            Expr::FnCall(call, position) => self.unused_result(call, *position, false),
            Expr::Dot(parts, ..) => match last_of(&parts.rhs) {
                Expr::MethodCall(call, at) => self.unused_result(call, *at, true),
                Expr::Property(_, at) => self.unused(*at, "this value", "set it with `=`, or remove the line"),
                _ => {}
            },
            Expr::Variable(_, _, at)
            | Expr::IntegerConstant(_, at)
            | Expr::StringConstant(_, at)
            | Expr::Array(_, at) => {
                self.unused(*at, "this value", "use it in a call or a condition, or remove the line")
            }
            _ => {}
        }
    }

    fn unused(&mut self, position: Position, what: &str, help: &str) {
        self.report("unused_value", position, format!("nothing uses {what}"), Some(help.to_owned()));
    }

    /// Reports a call without effect.
    fn unused_result(&mut self, call: &FnCallExpr, position: Position, method: bool) {
        let name = call.name.as_str();
        if call.op_token.is_none() {
            let natives = self.natives.get(name).filter(|forms| !forms.iter().any(|form| form.form.tells_and_does()));
            let returns = natives.is_some_and(|forms| forms.iter().all(|form| form.form.returns()));
            // A map may have a function of this name, and `list.reverse()` is another function than `reverse(direction)`.
            let of_library = natives::is_of_library(name);
            let tells = |form: &&natives::Form| form.only_tells() && !form.calls();
            let mut library = natives::functions(name).iter().filter(|form| form.is_of_library());
            let only_returns = if of_library { library.all(tells) && !self.keys.contains(name) } else { returns };
            if !self.layers.has_function(name) && only_returns && (natives.is_none() || !of_library || !method) {
                let help = format!("keep it in a variable: `let found = {name}(…);`, or remove it");
                self.unused(position, &format!("the result of `{name}`"), &help);
            }
            return;
        }
        let can_be_set = matches!(call.args.first(), Some(Expr::Dot(..) | Expr::Variable(..)));
        let help = match name {
            _ if self.alone => "join conditions with `&&`: `{ … && … }`".to_owned(),
            "==" if can_be_set => "write `=` to set the value, or `if … { … }` to do something in this case".to_owned(),
            "!" | "==" | "!=" | "<" | "<=" | ">" | ">=" => {
                "write `if … { … }` to do something in this case, or remove it".to_owned()
            }
            "+" | "-" | "*" | "/" | "%" if can_be_set && call.args.len() == 2 => {
                format!("write `{name}=` to change the value")
            }
            _ => "keep it in a variable, or remove it".to_owned(),
        };
        let code = if COMPARISONS.contains(&name) { "unused_comparison" } else { "unused_value" };
        self.report(code, position, format!("nothing uses the result of this `{name}`"), Some(help));
    }
}

/// Returns the last property or call of a chain.
fn last_of(after_dot: &Expr) -> &Expr {
    match after_dot {
        Expr::Dot(parts, ..) => last_of(&parts.rhs),
        last => last,
    }
}
