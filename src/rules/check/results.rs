//! The kinds of what functions of the rules return, and of what loops run over.

use rhai::{ASTNode, Expr, FnCallExpr, ImmutableString, Stmt};

use super::checker::Checker;
use super::sorts::Sort;
use crate::rules::layers::Function;

/// A function, and the nodes of it that tell the kinds of variables.
pub(super) struct Telling<'c> {
    pub(super) key: &'c (String, usize),
    pub(super) function: &'c Function,
    /// The statements that give variables their values.
    pub(super) statements: Vec<&'c Stmt>,
    /// The calls of functions of the rules, also those that run later as phases.
    pub(super) calls: Vec<&'c FnCallExpr>,
    /// The values that it returns before its end; `None` for a return without a value.
    pub(super) returns: Vec<Option<&'c Expr>>,
    /// The variables whose kind a called function may change, or that a condition looks at.
    pub(super) loose: Vec<&'c ImmutableString>,
    /// The variables whose elements something may change.
    pub(super) grown: Vec<&'c ImmutableString>,
    /// The variables to which elements are added, and these elements.
    pub(super) pushed: Vec<(&'c ImmutableString, &'c Expr)>,
}

impl Checker<'_> {
    /// Returns the kind of what a function returns, with its present variables; `None` if it is unknown.
    pub(super) fn result_of(&self, one: &Telling<'_>) -> Option<Sort> {
        let returned = one.returns.iter().map(|value| value.map_or(Some(Sort::Nothing), |value| self.sort_of(value)));
        let last = std::iter::once(self.sort_of_last(one.function.def.statements()));
        returned.chain(last).try_fold(Sort::Open, |all, sort| all.joined(sort?))
    }

    /// Returns the kind of the value of these statements; `Open` if they never come to their end.
    fn sort_of_last(&self, statements: &[Stmt]) -> Option<Sort> {
        let Some(last) = statements.last() else { return Some(Sort::Nothing) };
        match last {
            Stmt::Expr(value) => self.sort_of(value),
            Stmt::FnCall(call, position) => self.sort_of(&Expr::FnCall(call.clone(), *position)),
            Stmt::Block(block) => self.sort_of_last(block.statements()),
            Stmt::If(flow, _) => {
                let branch = self.sort_of_last(flow.branch.statements())?;
                self.sort_of_last(flow.body.statements())?.joined(branch)
            }
            Stmt::Switch(parts, _) => {
                let cases = parts.1.expressions.iter().map(|case| self.sort_of(&case.rhs));
                cases.into_iter().try_fold(Sort::Nothing, |all, sort| all.joined(sort?))
            }
            Stmt::Var(..) | Stmt::Assignment(..) | Stmt::Noop(..) => Some(Sort::Nothing),
            Stmt::Return(..) => Some(Sort::Open),
            _ => None,
        }
    }

    /// Returns whether this is a kind of pieces of which any number may be on the board.
    pub(super) fn is_many_kind(&self, name: &str) -> bool {
        let kind = self.schema.kinds.iter().position(|kind| kind.name == name);
        kind.is_some_and(|kind| self.schema.pieces.iter().any(|piece| piece.many && piece.kind.index() == kind))
    }
}

impl Sort {
    /// Returns the kind of the elements over which a loop runs; `None` if it is unknown.
    pub(super) const fn of_element(self) -> Option<Self> {
        match self {
            Self::Range => Some(Self::Number),
            Self::Cells => Some(Self::Cell),
            Self::Moves => Some(Self::Move),
            Self::Open => Some(Self::Open),
            _ => None,
        }
    }
}

/// Returns the variables that a statement declares.
pub(super) fn declared(statement: &Stmt) -> Vec<&ImmutableString> {
    match statement {
        Stmt::Var(var, ..) => vec![&var.0.name],
        Stmt::For(parts, _) => std::iter::once(&parts.0).chain(parts.1.as_ref()).map(|name| &name.name).collect(),
        Stmt::TryCatch(flow, _) => match &flow.expr {
            Expr::Variable(var, ..) => vec![&var.1],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Returns the variables in a node whose kind may be another one than that of the values they were given: a function that
/// is called as their method may set `this`, and rules that ask for a type know of several.
pub(super) fn loosened<'d>(node: &ASTNode<'d>, is_own: impl Fn(&str) -> bool) -> Option<&'d ImmutableString> {
    let (value, called) = match node {
        ASTNode::Expr(Expr::Dot(parts, ..)) => {
            let after = match &parts.rhs {
                Expr::Dot(rest, ..) | Expr::Index(rest, ..) => &rest.lhs,
                last => last,
            };
            let Expr::MethodCall(call, _) = after else { return None };
            (&parts.lhs, call.name.as_str())
        }
        ASTNode::Expr(Expr::FnCall(call, _)) if call.name == "type_of" => (call.args.first()?, "type_of"),
        _ => return None,
    };
    match value {
        Expr::Variable(var, ..) if matches!(called, "call" | "type_of") || is_own(called) => Some(&var.1),
        _ => None,
    }
}
