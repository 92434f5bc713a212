//! The points of the rules whose runs are counted, for coverage. Without counts, nothing of this is in the tree.

use rhai::{Expr, Position, Stmt};

use super::tree::Node;
use crate::rules::layers::{Definition, author_name};
use crate::rules::vm::{PointKind, Points};

/// The points of the function that is lowered; `None` if its runs are not counted.
pub(crate) struct Counting(pub(crate) Option<Points>);

impl Counting {
    /// Returns a new point, if runs are counted.
    pub(crate) fn point(&mut self, kind: PointKind, at: Position) -> Option<u32> {
        Some(self.0.as_mut()?.add(kind, at))
    }

    /// Returns the point for calls of a function; `None` for a closure.
    pub(crate) fn call_point(&mut self, def: &Definition) -> Option<u32> {
        if def.name.starts_with("anon$") {
            return None;
        }
        let name = author_name(&def.name);
        // A redefined function keeps the name that it has in its script.
        let own = name.strip_prefix("base_").filter(|_| def.name.starts_with("_base"));
        let own = own.unwrap_or(&name).to_owned();
        self.point(PointKind::Function(own), def.body.start_position())
    }

    /// Returns the point for runs of a statement; `None` for a block, whose statements have their own points.
    pub(crate) fn statement_point(&mut self, statement: &Stmt) -> Option<u32> {
        match statement {
            Stmt::Noop(_) | Stmt::Share(_) | Stmt::Block(_) => None,
            statement => self.point(PointKind::Statement, begin(statement)),
        }
    }

    /// Returns a condition whose results are counted.
    pub(crate) fn counted(&mut self, node: Node, expr: &Expr) -> Node {
        let at = start(expr);
        match (self.point(PointKind::Condition(true), at), self.point(PointKind::Condition(false), at)) {
            (Some(point), Some(_)) => Node::Outcome(point, Box::new(node)),
            _ => node,
        }
    }
}

/// The functions that end the game, each with its number of arguments.
const ENDS: [(&str, usize); 4] = [("win", 1), ("lose", 1), ("draw_game", 0), ("nobody_wins", 0)];

/// Returns the name and the position of the call that ends the game, if a statement is one.
pub(crate) fn end_of_the_game(statement: &Stmt) -> Option<(&str, Position)> {
    let (call, at) = match statement {
        Stmt::FnCall(call, at) => (call, at),
        Stmt::Expr(value) => match &**value {
            Expr::FnCall(call, at) => (call, at),
            _ => return None,
        },
        _ => return None,
    };
    ENDS.contains(&(call.name.as_str(), call.args.len())).then_some((call.name.as_str(), *at))
}

/// Returns whether a statement is a call that ends the game.
pub(crate) fn ends_the_game(statement: &Stmt) -> bool {
    end_of_the_game(statement).is_some()
}

/// Returns a node that counts a run first.
pub(crate) fn after(point: Option<u32>, node: Node) -> Node {
    match point {
        Some(point) => Node::Block(vec![Node::Cover(point), node]),
        None => node,
    }
}

/// Returns the position at which a statement begins. Rhai's own is sometimes that of an operator in it.
fn begin(statement: &Stmt) -> Position {
    match statement {
        Stmt::Assignment(parts) => start(&parts.1.lhs),
        Stmt::Expr(expr) => start(expr),
        Stmt::FnCall(call, at) => match call.args.first().filter(|_| call.is_operator_call()) {
            Some(first) => earlier(*at, start(first)),
            None => *at,
        },
        statement => statement.position(),
    }
}

/// Returns the position at which an expression begins.
pub(crate) fn start(expr: &Expr) -> Position {
    match expr {
        Expr::FnCall(call, at) => match call.args.first().filter(|_| call.is_operator_call()) {
            Some(first) => earlier(*at, start(first)),
            None => *at,
        },
        Expr::Dot(pair, ..) | Expr::Index(pair, ..) => start(&pair.lhs),
        Expr::And(parts, _) | Expr::Or(parts, _) | Expr::Coalesce(parts, _) => {
            parts.first().map_or_else(|| expr.position(), start)
        }
        expr => expr.start_position(),
    }
}

/// Returns the earlier of two positions: `!` is before its operand, `+` is after its first.
fn earlier(one: Position, other: Position) -> Position {
    let key = |at: Position| (at.line(), at.position());
    if key(other) < key(one) { other } else { one }
}
