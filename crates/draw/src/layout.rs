//! Where the cells of a board are in a picture, in whole pixels: no rounding makes two runs differ.

use std::collections::BTreeMap;

use referee_table::{Cell, Drawing, DrawnCell, PlaceKind, Shape};

/// The width of a cell.
pub(super) const UNIT: i32 = 40;
/// Half of it.
pub(super) const HALF: i32 = UNIT / 2;
/// The gap beside a margin, and the edge of the picture.
const GAP: i32 = 8;
/// The height of a row of hexagons above the next one, and the corners of a hexagon about its centre.
const HEX_ROW: i32 = 35;
const HEX: [(i32, i32); 6] = [(0, -23), (20, -12), (20, 12), (0, 23), (-20, 12), (-20, -12)];

/// Returns the cells of a picture of this board, rows from the top, and then its places of a second kind.
#[must_use]
pub fn spots(board: &Drawing) -> Vec<Spot<'_>> {
    let Layout { spots, seconds, .. } = Layout::of(board);
    let seconds = seconds.into_iter().map(|second| Spot { x: second.at.0, y: second.at.1, cell: second.cell });
    spots.into_iter().filter(|spot| spot.cell.cell.is_some()).chain(seconds).collect()
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
    /// The places of a second kind.
    pub(super) seconds: Vec<Second<'d>>,
    /// The lines between the cells of rings and graphs, as parts of a path.
    pub(super) ways: Vec<String>,
    centres: BTreeMap<Cell, (i32, i32)>,
}

/// Returns a length as a coordinate; a board is never as long as a number may be.
pub(super) fn size(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX / 1024)
}

impl<'d> Layout<'d> {
    /// Lays out a board.
    pub(super) fn of(drawing: &'d Drawing) -> Self {
        match drawing.shape {
            Shape::Rings => return rings(drawing),
            Shape::Graph => return graph(drawing),
            Shape::Squares | Shape::Hexagons | Shape::Track => {}
        }
        let (row_height, above) = match drawing.shape {
            Shape::Hexagons => (HEX_ROW, GAP + 23),
            _ => (UNIT, GAP + HALF),
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
        let mut layout = Self {
            shape: drawing.shape,
            spots,
            labels,
            width: right + GAP,
            height,
            seconds: Vec::new(),
            ways: Vec::new(),
            centres,
        };
        layout.add_seconds(drawing);
        layout
    }

    /// Adds the sides and corners of squares or hexagons.
    fn add_seconds(&mut self, drawing: &'d Drawing) {
        for place in &drawing.places {
            let (beside, (dx, dy)) = place.beside;
            let Some((x, y)) = self.centres.get(&beside).copied() else { continue };
            let (dx, dy) = match self.shape {
                // Six steps lead from hexagon to hexagon, the second coordinate up and to the right.
                Shape::Hexagons => ((2 * dx + dy) * UNIT / 12, -dy * HEX_ROW / 6),
                _ => (dx * HALF, -dy * HALF),
            };
            // A side lies across the way from the middle of its cell.
            let half = match (place.kind, self.shape) {
                (PlaceKind::Side, Shape::Hexagons) => (-dy * 5 / 12, dx * 5 / 12),
                (PlaceKind::Side, _) => (-dy * 3 / 4, dx * 3 / 4),
                _ => (0, 0),
            };
            self.seconds.push(Second { at: (x + dx, y + dy), half, cell: &place.cell });
            self.centres.extend(place.cell.cell.map(|cell| (cell, (x + dx, y + dy))));
        }
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
            Shape::Rings | Shape::Graph => circle((x, y), RADIUS - by),
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

/// The radius of a cell of a ring or a graph, and of what is on a corner.
const RADIUS: i32 = 17;
const SMALL: i32 = 8;
/// The way between two cells of a ring, at least, and the most that a graph is wide or high.
const APART: i32 = 48;
/// The same for the places of a graph, which have longer names.
const SPREAD: i32 = 72;
const WIDEST: i64 = 1600;

/// A place of a second kind in a picture: its middle, the way from there to its ends, and what is on it.
pub(super) struct Second<'d> {
    pub(super) at: (i32, i32),
    half: (i32, i32),
    pub(super) cell: &'d DrawnCell,
}

impl Second<'_> {
    /// Returns the outline of what is on it: a bar along a side or a link, a disc on a corner.
    pub(super) fn outline(&self) -> String {
        let ((x, y), (dx, dy)) = (self.at, self.half);
        if (dx, dy) == (0, 0) {
            return circle((x, y), SMALL);
        }
        // Across the bar, half as wide as it is to be.
        let length = length((dx, dy)).max(1);
        let (ax, ay) = (-dy * 5 / length, dx * 5 / length);
        let corners = [(dx + ax, dy + ay), (dx - ax, dy - ay), (-dx - ax, -dy - ay), (-dx + ax, -dy + ay)];
        let points = corners.map(|(dx, dy)| format!("{} {}", x + dx, y + dy));
        format!("M{}z", points.join("L"))
    }
}

/// Returns a circle as a path.
fn circle((x, y): (i32, i32), radius: i32) -> String {
    let wide = 2 * radius;
    format!("M{} {y}a{radius} {radius} 0 1 0 {wide} 0a{radius} {radius} 0 1 0 -{wide} 0z", x - radius)
}

/// Returns the length of a way in whole pixels.
fn length((dx, dy): (i32, i32)) -> i32 {
    let square = i64::from(dx) * i64::from(dx) + i64::from(dy) * i64::from(dy);
    i32::try_from(square.isqrt()).unwrap_or(i32::MAX)
}

/// Returns the point at a part of a circle about (0, 0), clockwise from its top. The sums of products are the same on every
/// system, which functions of the library for angles need not be.
fn on_circle(radius: i32, part: usize, of: usize) -> (i32, i32) {
    let sine = |quarter_turns: f64| {
        // Between -1 and 1 quarter turns, where few terms are enough.
        let mut turns = quarter_turns % 4.0;
        turns = if turns > 3.0 {
            turns - 4.0
        } else if turns > 1.0 {
            2.0 - turns
        } else {
            turns
        };
        let angle = turns * std::f64::consts::FRAC_PI_2;
        let (mut term, mut sum) = (angle, angle);
        for n in 1..8 {
            let n = f64::from(2 * n);
            term = -term * angle * angle / (n * (n + 1.0));
            sum += term;
        }
        sum
    };
    let turns = 4.0 * part as f64 / of.max(1) as f64;
    let radius = f64::from(radius);
    ((radius * sine(turns)).round() as i32, -(radius * sine(turns + 1.0)).round() as i32)
}

/// Lays out concentric rings, the first cell of each at the top.
fn rings(drawing: &Drawing) -> Layout<'_> {
    let rows = drawing.rows.len();
    let cells = drawing.rows.first().map_or(0, |row| row.cells.len());
    // Two pi is 44 sevenths.
    let inner = (APART * size(cells) * 7 / 44).max(APART);
    let outer = inner + APART * (size(rows) - 1).max(0);
    let middle = GAP + RADIUS + outer;
    let mut spots = Vec::new();
    let mut ways = Vec::new();
    for (at, row) in drawing.rows.iter().enumerate() {
        let radius = outer - APART * size(at);
        ways.push(circle((middle, middle), radius));
        for (number, cell) in row.cells.iter().enumerate() {
            let (x, y) = on_circle(radius, number, row.cells.len());
            spots.push(Spot { x: middle + x, y: middle + y, cell });
        }
    }
    for number in 0..if rows > 1 { cells } else { 0 } {
        let [(x, y), (to_x, to_y)] = [inner, outer].map(|radius| on_circle(radius, number, cells));
        ways.push(format!("M{} {}L{} {}", middle + x, middle + y, middle + to_x, middle + to_y));
    }
    let side = 2 * middle;
    placed(drawing, (spots, ways), (side, side + 12))
}

/// Lays out a graph by the coordinates of its places.
fn graph(drawing: &Drawing) -> Layout<'_> {
    let points: Vec<(i64, i64)> = drawing.points.values().map(|(x, y)| (i64::from(*x), i64::from(*y))).collect();
    let range = |of: fn(&(i64, i64)) -> i64| {
        (points.iter().map(of).min().unwrap_or(0), points.iter().map(of).max().unwrap_or(0))
    };
    let ((left, right), (bottom, top)) = (range(|point| point.0), range(|point| point.1));
    let pairs =
        points.iter().enumerate().flat_map(|(at, one)| points.iter().skip(at + 1).map(move |other| (one, other)));
    let squares = pairs.map(|((x, y), (to_x, to_y))| (x - to_x) * (x - to_x) + (y - to_y) * (y - to_y));
    let nearest = squares.filter(|square| *square > 0).min().unwrap_or(1).isqrt().max(1);
    let extent = (right - left).max(top - bottom).max(1);
    // How many pixels are between two places: so many that the nearest do not touch, as long as the picture is not too large.
    let pixels = |along: i64| (along * i64::from(SPREAD) / nearest).min(along * WIDEST / extent);
    let edge = GAP + RADIUS + 22;
    let pixel = |(x, y): (i32, i32)| {
        let at = |along: i64| edge + i32::try_from(pixels(along)).unwrap_or(0);
        (at(i64::from(x) - left), at(top - i64::from(y)))
    };
    let mut spots = Vec::new();
    for cell in drawing.rows.iter().flat_map(|row| &row.cells) {
        let Some(point) = cell.cell.and_then(|cell| drawing.points.get(&cell)) else { continue };
        let (x, y) = pixel(*point);
        spots.push(Spot { x, y, cell });
    }
    let [wide, high] = [right - left, top - bottom].map(|along| i32::try_from(pixels(along)).unwrap_or(0));
    let mut layout = placed(drawing, (spots, Vec::new()), (wide + 2 * edge, high + 2 * edge));
    for place in &drawing.places {
        let Some(link) = place.link else { continue };
        let [Some(from), Some(to)] = link.ends.map(|end| layout.centres.get(&end).copied()) else { continue };
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let long = length((dx, dy)).max(1);
        // Links of the same places lie side by side, on the same side whichever way each leads.
        let turned = if link.ends[0] > link.ends[1] { -1 } else { 1 };
        let aside = turned * (2 * size(link.of.0) - size(link.of.1) + 1) * 6;
        let moved = |(x, y): (i32, i32)| (x - dy * aside / long, y + dx * aside / long);
        let (from, to) = (moved(from), moved(to));
        let middle = (from.0.midpoint(to.0), from.1.midpoint(to.1));
        layout.ways.push(format!("M{} {}L{} {}", from.0, from.1, to.0, to.1));
        if link.one_way {
            // The head of an arrow, before the edge of the place to which it leads.
            let tip = (to.0 - dx * (RADIUS + 2) / long, to.1 - dy * (RADIUS + 2) / long);
            let neck = (tip.0 - dx * 9 / long, tip.1 - dy * 9 / long);
            let side = |by: i32| format!("{} {}", neck.0 - dy * by / long, neck.1 + dx * by / long);
            layout.ways.push(format!("M{}L{} {}L{}", side(5), tip.0, tip.1, side(-5)));
        }
        let half = (dx * 2 / 7, dy * 2 / 7);
        layout.seconds.push(Second { at: middle, half, cell: &place.cell });
        layout.centres.extend(place.cell.cell.map(|cell| (cell, middle)));
    }
    layout
}

fn placed<'d>(
    drawing: &'d Drawing,
    (spots, ways): (Vec<Spot<'d>>, Vec<String>),
    (width, height): (i32, i32),
) -> Layout<'d> {
    let centres = spots.iter().filter_map(|spot| Some((spot.cell.cell?, (spot.x, spot.y)))).collect();
    Layout { shape: drawing.shape, spots, labels: Vec::new(), width, height, seconds: Vec::new(), ways, centres }
}
