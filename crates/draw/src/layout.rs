//! Where the cells of a board are in a picture, in whole pixels: no rounding makes two runs differ.

use std::collections::BTreeMap;

use referee_table::{Cell, Drawing, DrawnCell, Shape};

/// The width of a cell.
pub(super) const UNIT: i32 = 40;
/// Half of it.
pub(super) const HALF: i32 = UNIT / 2;
/// The gap beside a margin, and the edge of the picture.
const GAP: i32 = 8;
/// The height of a row of hexagons above the next one, and the corners of a hexagon about its centre.
const HEX_ROW: i32 = 35;
const HEX: [(i32, i32); 6] = [(0, -23), (20, -12), (20, 12), (0, 23), (-20, 12), (-20, -12)];

/// Returns the cells of a picture of this board, rows from the top.
#[must_use]
pub fn spots(board: &Drawing) -> Vec<Spot<'_>> {
    Layout::of(board).spots.into_iter().filter(|spot| spot.cell.cell.is_some()).collect()
}

/// A cell of a picture, and its centre in pixels from the left upper corner.
pub struct Spot<'d> {
    /// From the left.
    pub x: i32,
    /// From the top.
    pub y: i32,
    /// The cell.
    pub cell: &'d DrawnCell,
}

/// A name at the edge of the board.
pub(super) struct Label<'d> {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) text: &'d str,
}

/// A board in a picture.
pub(super) struct Layout<'d> {
    pub(super) shape: Shape,
    /// The cells, rows from the top.
    pub(super) spots: Vec<Spot<'d>>,
    pub(super) labels: Vec<Label<'d>>,
    pub(super) width: i32,
    pub(super) height: i32,
    centres: BTreeMap<Cell, (i32, i32)>,
}

/// Returns a length as a coordinate; a board is never as long as a number may be.
pub(super) fn size(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX / 1024)
}

impl<'d> Layout<'d> {
    /// Lays out a board.
    pub(super) fn of(drawing: &'d Drawing) -> Self {
        let (row_height, above) = match drawing.shape {
            Shape::Hexagons => (HEX_ROW, GAP + 23),
            Shape::Squares | Shape::Track => (UNIT, GAP + HALF),
        };
        let widest = drawing.rows.iter().map(|row| row.label.chars().count()).max().unwrap_or(0);
        let left = if widest == 0 { GAP } else { GAP + 10 + 8 * size(widest) };
        let (mut spots, mut labels, mut y, mut right) = (Vec::new(), Vec::new(), above, left);
        for (at, row) in drawing.rows.iter().enumerate() {
            y += if at > 0 { row_height } else { 0 } + if row.apart { GAP } else { 0 };
            let mut x = left + HALF * size(row.indent) - HALF;
            let start = x;
            for cell in &row.cells {
                x += UNIT + if cell.apart { GAP } else { 0 };
                spots.push(Spot { x, y, cell });
            }
            right = right.max(x + HALF);
            let beside = if drawing.shape == Shape::Hexagons { start - 2 } else { left - HALF + 4 };
            labels.push(Label { x: beside.max(GAP + 4), y, text: &row.label });
        }
        let bottom = y + if drawing.shape == Shape::Hexagons { 23 } else { HALF };
        let lowest = drawing.rows.last().map(|row| row.cells.len()).unwrap_or(0);
        let columns = spots.iter().skip(spots.len() - lowest).zip(&drawing.columns);
        labels.extend(columns.map(|(spot, name)| Label { x: spot.x, y: bottom + 12, text: name }));
        labels.retain(|label| !label.text.is_empty());
        let below = if drawing.columns.is_empty() { GAP } else { 24 };
        let centres = spots.iter().filter_map(|spot| Some((spot.cell.cell?, (spot.x, spot.y)))).collect();
        let height = if spots.is_empty() { 0 } else { bottom + below };
        Self { shape: drawing.shape, spots, labels, width: right + GAP, height, centres }
    }

    /// Returns the middle of these cells, as far as they are drawn.
    pub(super) fn middle(&self, cells: &[Cell]) -> Option<(i32, i32)> {
        let drawn: Vec<(i32, i32)> = cells.iter().filter_map(|cell| self.centres.get(cell).copied()).collect();
        let count = size(drawn.len());
        (count > 0).then(|| {
            (drawn.iter().map(|(x, _)| x).sum::<i32>() / count, drawn.iter().map(|(_, y)| y).sum::<i32>() / count)
        })
    }

    /// Returns the path of a cell's edge, moved inwards by `by`.
    pub(super) fn outline(&self, (x, y): (i32, i32), by: i32) -> String {
        match self.shape {
            Shape::Hexagons => {
                let inward = |at: i32| at - by * at.signum();
                let corners = HEX.map(|(dx, dy)| format!("{} {}", x + inward(dx), y + inward(dy)));
                format!("M{}z", corners.join("L"))
            }
            Shape::Squares | Shape::Track => {
                let side = UNIT - 2 * by;
                format!("M{} {}h{side}v{side}h-{side}z", x - HALF + by, y - HALF + by)
            }
        }
    }

    /// Returns the cells of a track in their order, as a path through their centres.
    pub(super) fn way(&self) -> String {
        let numbered = self.spots.iter().filter_map(|spot| Some((spot.cell.name.parse::<usize>().ok()?, spot)));
        let ordered: BTreeMap<usize, &Spot<'_>> = numbered.collect();
        let points: Vec<String> = ordered.values().map(|spot| format!("{} {}", spot.x, spot.y)).collect();
        format!("M{}", points.join("L"))
    }
}
