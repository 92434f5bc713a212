//! Checks statements: comparisons whose result nothing uses.

use rhai::{ASTNode, Expr, FnCallExpr, Position, Stmt};

use super::checker::Checker;
use crate::diagnostic::Label;
use crate::rules::layers::{Definition, rules_place};

const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

impl Checker<'_> {
    /// Reports comparisons in the body of a function whose result nothing uses. Its last statement is its result.
    pub(super) fn unused_comparisons(&mut self, def: &Definition) {
        self.unused_but_last(def.statements());
    }

    /// Reports statements of an expression outside the script that set a value of the game, and comparisons before its
    /// last statement.
    pub(super) fn statements_alone(&mut self, statements: &[Stmt]) {
        for statement in statements {
            if let Stmt::Assignment(assignment) = statement
                && let Expr::Dot(..) = &assignment.1.lhs
                && !assignment.0.is_op_assignment()
            {
                let help = "write `==` to compare: `{ anna.score == 3 }` for a player `anna`".to_owned();
                let message = "an expression cannot set a value of the game".to_owned();
                self.report("wrong_expression", assignment.0.position(), message, Some(help));
            }
        }
        self.unused_but_last(statements);
    }

    /// Reports comparisons in blocks below a node whose result nothing uses. The last statement of a block may be its
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

    fn unused_among(&mut self, statements: &[Stmt]) {
        statements.iter().for_each(|statement| self.unused_comparison(statement));
    }

    fn unused_but_last(&mut self, statements: &[Stmt]) {
        let before = statements.len().saturating_sub(1);
        statements.iter().take(before).for_each(|statement| self.unused_comparison(statement));
    }

    /// Reports a comparison that is a statement whose result nothing uses. The blocks of an `if` are looked at elsewhere, but
    /// for their last statements.
    fn unused_comparison(&mut self, statement: &Stmt) {
        let (call, position): (&FnCallExpr, Position) = match statement {
            Stmt::If(flow, _) => {
                let ends = [flow.body.statements().last(), flow.branch.statements().last()];
                return ends.into_iter().flatten().for_each(|last| self.unused_comparison(last));
            }
            Stmt::FnCall(call, position) => (call, *position),
            Stmt::Expr(expr) => match &**expr {
                Expr::FnCall(call, position) => (call, *position),
                _ => return,
            },
            _ => return,
        };
        if call.op_token.is_none() || !COMPARISONS.contains(&call.name.as_str()) || self.is_condition(call) {
            return;
        }
        let can_be_set = matches!(call.args.first(), Some(Expr::Dot(..) | Expr::Variable(..)));
        let help = match call.name.as_str() {
            _ if self.alone => "join conditions with `&&`: `{ anna.score == 3 && boris.score == 2 }`",
            "==" if can_be_set => "write `=` to set the value, or `if … { … }` to do something in this case",
            _ => "write `if … { … }` to do something in this case, or remove it",
        };
        let message = format!("nothing uses the result of this `{}`", call.name);
        self.report("unused_comparison", position, message, Some(help.to_owned()));
    }

    /// Returns whether a comparison is the condition of an `if`. Rhai leaves only the condition of one without statements.
    fn is_condition(&self, call: &FnCallExpr) -> bool {
        let Some(first) = call.args.first() else { return true };
        let Some(Label { source, span, .. }) = self.texts.label(rules_place(first.start_position())) else {
            return true;
        };
        let before = source.text().get(..span.range().start).unwrap_or_default();
        let before = before.trim_end_matches(|letter: char| letter.is_whitespace() || letter == '(');
        ["if", "while", "until", "switch"].iter().any(|word| before.ends_with(word))
    }
}
