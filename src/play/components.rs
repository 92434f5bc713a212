//! The strongly connected components of a graph (Tarjan 1972), without recursion.

use crate::diagnostic::MustBe as _;

/// The order of a node that was not visited yet.
const UNSEEN: usize = usize::MAX;

/// Returns the components in reverse topological order: a component comes after those that it leads to. `to` returns
/// the successors of a node.
pub(super) fn components(count: usize, to: impl Fn(usize) -> Vec<usize>) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    each_component(count, |node| to(node).into_iter().rev(), |component| found.push(component.to_vec()));
    found
}

/// Calls `found` for each component, in the same order.
pub(super) fn each_component<I: Iterator<Item = usize>>(
    count: usize,
    to: impl Fn(usize) -> I,
    mut found: impl FnMut(&[usize]),
) {
    let mut search = Search {
        order: vec![UNSEEN; count],
        low: vec![UNSEEN; count],
        open: vec![false; count],
        stack: Vec::new(),
        met: 0,
    };
    for root in 0..count {
        if search.order.get(root) == Some(&UNSEEN) {
            search.from(root, &to, &mut found);
        }
    }
}

struct Search {
    /// The order in which nodes were visited.
    order: Vec<usize>,
    /// For each node the order of the earliest node known to be reachable from it.
    low: Vec<usize>,
    /// For each node whether its component is still open.
    open: Vec<bool>,
    stack: Vec<usize>,
    met: usize,
}

impl Search {
    fn from<I: Iterator<Item = usize>>(
        &mut self,
        root: usize,
        to: &impl Fn(usize) -> I,
        found: &mut impl FnMut(&[usize]),
    ) {
        self.meet(root);
        let mut path = vec![(root, to(root))];
        while let Some((node, rest)) = path.last_mut() {
            let node = *node;
            match rest.next() {
                Some(next) if self.order.get(next) == Some(&UNSEEN) => {
                    self.meet(next);
                    path.push((next, to(next)));
                }
                Some(next) => {
                    if self.open.get(next) == Some(&true) {
                        let order = self.order.get(next).copied();
                        self.lower(node, order);
                    }
                }
                None => {
                    path.pop();
                    let low = self.low.get(node).copied();
                    if let Some((before, _)) = path.last() {
                        let before = *before;
                        self.lower(before, low);
                    }
                    if low == self.order.get(node).copied() {
                        self.close(node, found);
                    }
                }
            }
        }
    }

    fn meet(&mut self, node: usize) {
        for list in [&mut self.order, &mut self.low] {
            if let Some(slot) = list.get_mut(node) {
                *slot = self.met;
            }
        }
        self.met += 1;
        self.set_open(node, true);
        self.stack.push(node);
    }

    fn set_open(&mut self, node: usize, open: bool) {
        if let Some(slot) = self.open.get_mut(node) {
            *slot = open;
        }
    }

    fn lower(&mut self, node: usize, low: Option<usize>) {
        if let (Some(slot), Some(low)) = (self.low.get_mut(node), low) {
            *slot = low.min(*slot);
        }
    }

    /// Closes the component that consists of the stack from `node` to the top.
    fn close(&mut self, node: usize, found: &mut impl FnMut(&[usize])) {
        let start = self.stack.iter().rposition(|other| *other == node).or_missing("a node of a component", 0);
        let component = self.stack.split_off(start);
        for member in &component {
            self.set_open(*member, false);
        }
        found(&component);
    }
}
