//! The strongly connected components of a graph (Tarjan 1972), without recursion.

use referee_diagnostic::note_missing;

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
    // No node beyond the last one is met, so each that is met has its place in the list.
    let to = |node: usize| {
        to(node).filter(move |next| {
            let is_there = *next < count;
            if !is_there {
                note_missing("a node that an edge leads to");
            }
            is_there
        })
    };
    let mut search =
        Search { nodes: vec![Met { order: None, low: 0, is_open: false }; count], stack: Vec::new(), met: 0 };
    for root in 0..count {
        if search.is_new(root) {
            search.from(root, &to, &mut found);
        }
    }
}

struct Search {
    nodes: Vec<Met>,
    /// The nodes whose components are open.
    stack: Vec<usize>,
    /// The number of nodes that were visited.
    met: usize,
}

/// What the search knows of a node.
#[derive(Clone, Copy)]
struct Met {
    /// When it was visited; `None` if it was not yet.
    order: Option<usize>,
    /// The order of the earliest node known to be reachable from it.
    low: usize,
    /// Whether its component is still open.
    is_open: bool,
}

#[expect(clippy::indexing_slicing, reason = "`each_component` passes only numbers of nodes")]
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
                Some(next) if self.is_new(next) => {
                    self.meet(next);
                    path.push((next, to(next)));
                }
                Some(next) => {
                    if let Met { order: Some(order), is_open: true, .. } = self.nodes[next] {
                        self.lower(node, order);
                    }
                }
                None => {
                    path.pop();
                    let low = self.nodes[node].low;
                    if let Some((before, _)) = path.last() {
                        self.lower(*before, low);
                    }
                    if self.nodes[node].order == Some(low) {
                        self.close(node, found);
                    }
                }
            }
        }
    }

    fn is_new(&self, node: usize) -> bool {
        self.nodes[node].order.is_none()
    }

    fn meet(&mut self, node: usize) {
        self.nodes[node] = Met { order: Some(self.met), low: self.met, is_open: true };
        self.met += 1;
        self.stack.push(node);
    }

    fn lower(&mut self, node: usize, low: usize) {
        let node = &mut self.nodes[node];
        node.low = node.low.min(low);
    }

    /// Closes the component that consists of the stack from `node` to the top.
    fn close(&mut self, node: usize, found: &mut impl FnMut(&[usize])) {
        let mut start = self.stack.len();
        while start > 0 && self.nodes[node].is_open {
            start -= 1;
            self.nodes[self.stack[start]].is_open = false;
        }
        found(&self.stack[start..]);
        self.stack.truncate(start);
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::indexing_slicing, reason = "a test that fails may panic")]

    use super::components;
    use referee_diagnostic::noted_missing;

    #[test]
    fn a_component_comes_after_those_that_it_leads_to() {
        let edges = [vec![1], vec![2, 0], vec![3, 4], vec![2], vec![4], vec![0, 5]];
        let found = components(edges.len(), |node| edges[node].clone());
        let sorted: Vec<Vec<usize>> = found
            .into_iter()
            .map(|mut component| {
                component.sort_unstable();
                component
            })
            .collect();
        assert_eq!(sorted, [vec![4], vec![2, 3], vec![0, 1], vec![5]]);
    }

    #[test]
    fn an_edge_to_no_node_is_noted() {
        assert_eq!(components(2, |node| vec![node + 1]), [[1], [0]]);
        assert!(noted_missing().iter().any(|wrong| wrong.message.contains("a node that an edge leads to")));
    }
}
