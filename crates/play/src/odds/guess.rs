//! Approximate chances of a component in which only chance decides: bounds begin next to them.
//!
//! A walk orders the nodes so that each comes after those to which it leads. Edges that lead back are left, to few nodes where
//! turns return to a position: every other chance follows from those of these nodes, which are solved for.

/// The maximum number of nodes to which edges lead back.
const MOST_BACK: usize = 8;

/// Where the nodes of a component are in an order of it.
pub(super) struct Places(Vec<u32>);

/// A node of another component, one that the walk has not met yet, and one that it has met.
const ELSEWHERE: u32 = u32::MAX;
const OPEN: u32 = u32::MAX - 1;
const MET: u32 = u32::MAX - 2;

#[expect(clippy::indexing_slicing, reason = "there is a place for each node of the graph")]
impl Places {
    /// Returns the places for a graph with so many nodes: none is known yet.
    pub(super) fn new(count: usize) -> Self {
        Self(vec![ELSEWHERE; count])
    }

    /// Returns the place of a node in the component that was ordered last.
    pub(super) fn of(&self, id: usize) -> Option<usize> {
        self.0.get(id).filter(|place| **place != ELSEWHERE).map(|place| *place as usize)
    }

    /// Orders the nodes of a component. `to` returns the edges of a node.
    pub(super) fn order<'g>(&mut self, nodes: &[usize], to: impl Fn(usize) -> &'g [(usize, u64)]) -> Vec<usize> {
        let mut order = Vec::with_capacity(nodes.len());
        let mut path: Vec<(usize, std::slice::Iter<'g, (usize, u64)>)> = Vec::new();
        nodes.iter().for_each(|id| self.0[*id] = OPEN);
        for root in nodes {
            if self.0[*root] != OPEN {
                continue;
            }
            self.0[*root] = MET;
            path.push((*root, to(*root).iter()));
            while let Some((id, rest)) = path.last_mut() {
                match rest.next() {
                    Some((next, _)) if self.0[*next] == OPEN => {
                        self.0[*next] = MET;
                        path.push((*next, to(*next).iter()));
                    }
                    Some(_) => {}
                    None => {
                        self.0[*id] = u32::try_from(order.len()).unwrap_or(ELSEWHERE);
                        order.push(*id);
                        path.pop();
                    }
                }
            }
        }
        order
    }

    /// Forgets the component.
    pub(super) fn forget(&mut self, nodes: &[usize]) {
        nodes.iter().for_each(|id| self.0[*id] = ELSEWHERE);
    }
}

/// The equations of a component, one for each node in its order: the sum of the values of other nodes with their shares, and of
/// what comes from elsewhere.
#[derive(Default)]
pub(super) struct Equations {
    shares: Vec<(usize, f64)>,
    /// Where the shares of each end.
    ends: Vec<usize>,
    added: Vec<f64>,
}

impl Equations {
    /// Adds the share of a node to the next equation, by its place.
    pub(super) fn share(&mut self, place: usize, share: f64) {
        self.shares.push((place, share));
    }

    /// Ends an equation.
    pub(super) fn end(&mut self, added: f64) {
        self.ends.push(self.shares.len());
        self.added.push(added);
    }

    fn shares_of(&self, row: usize) -> &[(usize, f64)] {
        let end = |row: usize| self.ends.get(row).copied().unwrap_or_default();
        self.shares.get(row.checked_sub(1).map_or(0, end)..end(row)).unwrap_or_default()
    }

    /// Returns about what solves them; `None` if too many refer to later ones. The shares of each must sum to at most 1, and not
    /// all that are reached from one to 1.
    #[expect(clippy::indexing_slicing, reason = "each share is of one of the equations, which is checked first")]
    pub(super) fn solved(&self) -> Option<Vec<f64>> {
        let count = self.added.len();
        let mut back = Vec::new();
        for row in 0..count {
            for (place, _) in self.shares_of(row) {
                if *place >= count {
                    return None;
                }
                if *place >= row && !back.contains(place) {
                    back.push(*place);
                    if back.len() > MOST_BACK {
                        return None;
                    }
                }
            }
        }
        // Each value as a constant, and a multiple of each of those.
        let width = back.len() + 1;
        let mut terms = vec![0.0; count * width];
        for row in 0..count {
            let mut own = [0.0; MOST_BACK + 1];
            own[0] = self.added[row];
            for (place, share) in self.shares_of(row) {
                match back.iter().position(|other| other == place) {
                    Some(at) => own[at + 1] += share,
                    None => (0..width).for_each(|at| own[at] += share * terms[place * width + at]),
                }
            }
            terms[row * width..(row + 1) * width].copy_from_slice(&own[..width]);
        }
        let mut known = Vec::with_capacity(back.len());
        for (at, place) in back.iter().enumerate() {
            let mut row: Vec<f64> = terms[place * width..(place + 1) * width].iter().map(|term| -term).collect();
            row[at + 1] += 1.0;
            row[0] = -row[0];
            known.push(row);
        }
        let known = eliminated(known)?;
        let value = |row: usize| {
            let of = |(at, known): (usize, &f64)| known * terms[row * width + at + 1];
            terms[row * width] + known.iter().enumerate().map(of).sum::<f64>()
        };
        Some((0..count).map(value).collect())
    }
}

/// Solves linear equations, each a constant and the coefficients whose sum of products it is; `None` if they have no solution.
#[expect(clippy::indexing_slicing, reason = "each equation has as many coefficients as there are equations")]
fn eliminated(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let count = rows.len();
    for at in 0..count {
        let pivot = (at..count).max_by(|one, other| rows[*one][at + 1].abs().total_cmp(&rows[*other][at + 1].abs()))?;
        rows.swap(at, pivot);
        let own = rows[at].clone();
        if own[at + 1].abs() < f64::EPSILON {
            return None;
        }
        for (other, row) in rows.iter_mut().enumerate() {
            let times = row[at + 1] / own[at + 1];
            if other != at {
                row.iter_mut().zip(&own).for_each(|(term, own)| *term -= times * own);
            }
        }
    }
    Some(rows.iter().enumerate().map(|(at, row)| row[0] / row[at + 1]).collect())
}
