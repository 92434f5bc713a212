//! What a function uses a parameter as.

use rhai::{ASTNode, Expr, Stmt};

use crate::rules::host::Role;
use crate::rules::layers::walk_statements;

/// What a string is used as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// A name of this sort; see `Checker::names`.
    Name(Role),
    Cell,
    Direction,
    /// One of the words of a property or of a form.
    Word {
        of: String,
        words: Vec<String>,
    },
}

/// What a parameter is used as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Uses {
    /// As this and as nothing else.
    As {
        want: Want,
        /// Whether that depends on a condition, so that another value may be right.
        unsure: bool,
    },
    /// In several ways, or the function looks at its value: not every value gets everywhere.
    Several,
}

impl Uses {
    /// Returns the use of a parameter that is used in both ways.
    pub(super) fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::As { want, unsure }, Self::As { want: same, unsure: too }) if want == same => {
                Self::As { want, unsure: unsure && too }
            }
            _ => Self::Several,
        }
    }
}

/// Returns whether a part of a statement is carried out only under a condition.
pub(super) fn branches(statement: &Stmt) -> bool {
    contains(statement, |node| match node {
        ASTNode::Stmt(inner) => matches!(
            inner,
            Stmt::If(..)
                | Stmt::Switch(..)
                | Stmt::While(..)
                | Stmt::Do(..)
                | Stmt::For(..)
                | Stmt::TryCatch(..)
                | Stmt::Block(..)
        ),
        ASTNode::Expr(inner) => {
            matches!(inner, Expr::And(..) | Expr::Or(..) | Expr::Coalesce(..) | Expr::Stmt(..))
        }
        _ => false,
    })
}

/// Returns whether the statements after a statement may not be carried out.
pub(super) fn leaves(statement: &Stmt) -> bool {
    contains(statement, |node| matches!(node, ASTNode::Stmt(Stmt::Return(..) | Stmt::BreakLoop(..))))
}

fn contains(statement: &Stmt, is: impl Fn(&ASTNode<'_>) -> bool) -> bool {
    let mut found = false;
    walk_statements(std::slice::from_ref(statement), |node| found |= is(node));
    found
}
