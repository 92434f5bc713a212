//! Cells at a distance, and complete lines from edge to edge.

use super::Board;
use super::lines::Way;
use crate::cells::Step;
use crate::{Cell, Cells, Direction};

impl Board {
    /// Returns the cell `distance` steps ahead; `None` beyond the edge.
    #[must_use]
    pub fn beyond(&self, cell: Cell, direction: Direction, distance: usize) -> Option<Cell> {
        if self.goes_round(direction) {
            return (0..distance % self.ring_cells()).try_fold(cell, |cell, _| self.step(cell, direction));
        }
        if distance > self.longest_line() {
            return None;
        }
        (0..distance).try_fold(cell, |cell, _| self.step(cell, direction))
    }

    /// Returns the cells from which one of `cells` is `distance` steps ahead in a direction.
    #[must_use]
    pub fn at_distance(&self, cells: &Cells, direction: Direction, distance: usize) -> Cells {
        let mut far = cells.clone();
        let distance = if self.goes_round(direction) { distance % self.ring_cells() } else { distance };
        for _ in 0..distance {
            if far.is_empty() {
                break;
            }
            far = self.shift_back(&far, direction);
        }
        far
    }

    /// Returns the cells from which one of `cells` is 1 to `distance` steps ahead in a direction.
    #[must_use]
    pub fn within_distance(&self, cells: &Cells, direction: Direction, distance: usize) -> Cells {
        let mut near = Cells::none(self.size());
        let mut far = cells.clone();
        let distance = if self.goes_round(direction) { distance.min(self.ring_cells()) } else { distance };
        for _ in 0..distance {
            far = self.shift_back(&far, direction);
            if far.is_empty() {
                break;
            }
            near.add(&far);
        }
        near
    }

    /// Returns the complete lines of a direction, each once; computed on first use.
    pub fn lines(&self, direction: Direction) -> &[Cells] {
        let all = self.lines.whole.get_or_init(|| {
            let found = |number| self.find_lines(Direction::at(number)).collect();
            (1..=self.headings().len()).map(found).collect()
        });
        all.get(direction.index().wrapping_sub(1)).map_or(&[], Vec::as_slice)
    }

    /// Returns the cells from which a cell of the set is ahead in a direction, at any distance.
    #[must_use]
    pub fn all_back(&self, cells: &Cells, direction: Direction) -> Cells {
        if self.goes_round(direction) {
            return self.within_distance(cells, direction, self.ring_cells());
        }
        // Each step doubles the distance, for the cells whose way so far stays on the board.
        let mut ways = self.all_ways_back(direction).iter();
        let Some((by, way)) = ways.next() else { return Cells::none(self.size()) };
        let mut reached = cells.moved(*by, way);
        ways.for_each(|(by, way)| reached.add(&reached.moved(*by, way)));
        reached
    }

    /// Returns the steps back from a direction that lead to all cells of its lines, in the same way: each goes twice as far
    /// as the one before it, from what has been reached.
    pub fn ways_back(&self, direction: Direction) -> impl Iterator<Item = (i32, &Cells)> {
        self.all_ways_back(direction).iter().map(|(by, way)| (*by, way))
    }

    fn all_ways_back(&self, direction: Direction) -> &[Way] {
        let all = self.lines.back.get_or_init(|| {
            let found = |number| self.find_ways_back(Direction::at(number)).unwrap_or_default();
            (1..=self.headings().len()).map(found).collect()
        });
        all.get(direction.index().wrapping_sub(1)).map_or(&[], Vec::as_slice)
    }

    /// Returns whether steps in a direction go round a ring.
    fn goes_round(&self, direction: Direction) -> bool {
        self.wrap(direction).is_some()
    }

    fn find_ways_back(&self, direction: Direction) -> Option<Vec<Way>> {
        let Step { by, from, .. } = self.way(direction)?;
        let mut by = -by;
        let mut way = from.clone();
        let mut ways = vec![(by, way.clone())];
        while !way.is_empty() {
            let next = way.moved(by, &way);
            ways.push((by, std::mem::replace(&mut way, next)));
            by = by.checked_mul(2)?;
        }
        Some(ways)
    }

    fn find_lines(&self, direction: Direction) -> impl Iterator<Item = Cells> {
        let mut left = if self.goes_round(direction) { self.all().clone() } else { Cells::none(self.size()) };
        let rings = std::iter::from_fn(move || {
            // The whole ring, of which no cell is the last one.
            let first = Cells::of(self.size(), [left.first()?]);
            let ring = self.within_distance(&first, direction, self.ring_cells());
            left = left.difference(&ring);
            Some(ring)
        });
        // A line ends where a step leads off the board; its other cells are behind that end.
        let end = self.leaving(direction);
        let ends: Vec<Cell> = end.iter().collect();
        let lines = ends.into_iter().map(move |end| {
            let end = Cells::of(self.size(), [end]);
            self.within_distance(&end, direction, self.longest_line()).union(&end)
        });
        lines.chain(rings)
    }

    /// Returns the length of the longest line: the larger of the width and the height of the grid.
    #[must_use]
    pub fn longest_line(&self) -> usize {
        let stride = usize::try_from(self.stride).unwrap_or(1).max(1);
        stride.max(self.ranks.len() / stride)
    }
}
