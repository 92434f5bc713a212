//! Computes the chance of a graph's ends: exact within a budget of work, otherwise between bounds.

use super::chance::Chance;
use super::graph::{Graph, Node};
use super::{bounds, exact};
use referee_diagnostic::MustBe as _;

impl Graph {
    /// Returns the chance to reach an end of a wanted class. Endless play reaches no end.
    #[must_use]
    pub fn chance(&self, wanted: impl Fn(usize) -> bool) -> Chance {
        let decided = self.nodes.iter().any(|node| matches!(node, Node::Most(_) | Node::Least(_)));
        // For decisions, the bounds provide the initial strategies.
        let hint = decided.then(|| bounds::bounds(self, &wanted));
        let lows = hint.as_ref().map(|(lows, _)| lows.as_slice());
        if let Some(value) = exact::exact(self, &wanted, lows).and_then(|mut values| values.swap_remove(self.start)) {
            return Chance { low: value.clone(), high: value };
        }
        let (lows, highs) = hint.unwrap_or_else(|| bounds::bounds(self, &wanted));
        let at = |values: &[u64]| {
            bounds::fraction(values.get(self.start).copied().or_missing("the bound of the first node", 0))
        };
        Chance { low: at(&lows), high: at(&highs) }
    }
}
