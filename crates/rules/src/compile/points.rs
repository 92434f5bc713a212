//! The points of the rules whose runs are counted, for coverage. Without counts, nothing of this is in the tree.

use rhai::{ImmutableString, Position};

use super::tree::Node;
use crate::layers::author_name;
use crate::script::{self, What, is_closure};
use crate::vm::{PointKind, Points};

/// The points of the function that is lowered; `None` if its runs are not counted.
pub(crate) struct Counting(pub(crate) Option<Points>);

impl Counting {
    /// Returns a new point, if runs are counted.
    pub(crate) fn point(&mut self, kind: PointKind, at: Position) -> Option<u32> {
        Some(self.0.as_mut()?.add(kind, at))
    }

    /// Returns the point for calls of a function whose body begins at a position; `None` for a closure.
    pub(crate) fn call_point(&mut self, function: &ImmutableString, at: Position) -> Option<u32> {
        if is_closure(function) {
            return None;
        }
        let name = author_name(function);
        // A redefined function keeps the name that it has in its script.
        let own = name.strip_prefix("base_").filter(|_| function.starts_with("_base"));
        let own = own.unwrap_or(&name).to_owned();
        self.point(PointKind::Function(own), at)
    }

    /// Returns the point for runs of a statement; `None` for a block, whose statements have their own points.
    pub(crate) fn statement_point(&mut self, statement: &script::Node) -> Option<u32> {
        match &statement.what {
            What::Block(_) => None,
            _ => self.point(PointKind::Statement, statement.start()),
        }
    }

    /// Returns a condition whose results are counted. It begins at a position.
    pub(crate) fn counted(&mut self, node: Node, at: Position) -> Node {
        match (self.point(PointKind::Condition(true), at), self.point(PointKind::Condition(false), at)) {
            (Some(point), Some(_)) => Node::Outcome(point, Box::new(node)),
            _ => node,
        }
    }
}

/// Returns a node that counts a run first.
pub(crate) fn after(point: Option<u32>, node: Node) -> Node {
    match point {
        Some(point) => Node::Block(vec![Node::Cover(point), node]),
        None => node,
    }
}
