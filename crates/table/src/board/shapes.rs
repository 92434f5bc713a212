//! The shapes of boards.
//!
//! - Grids of squares: `a1` at the bottom left, letters for columns, numbers for rows.
//! - Hexagons of hexagons: rows are horizontal and lettered from the bottom; cells are numbered from the left in each row.
//!   Coordinates are axial: one step east is (1, 0), one step north-east (0, 1); the centre is (0, 0).
//! - Tracks: one row of cells, numbered from 1, drawn as a serpentine from the bottom left.
//! - Open boards: squares without an edge, named by their coordinates. A board is a list of cells, so an open board is a
//!   wide square around `(0,0)`. No piece may be on its outermost ring. So every occupied cell has all its neighbours, and no
//!   rule meets the edge. To place a piece further out is an error.

use super::{Board, BoardError, Heading, Laid, MAX_SIDE, letters, turned};
use crate::{Cell, Cells, Shape};

/// The eight headings of squares, clockwise from north.
const SQUARES: [Heading; 8] = [
    Heading { name: "N", long: "north", dx: 0, dy: 1 },
    Heading { name: "NE", long: "north-east", dx: 1, dy: 1 },
    Heading { name: "E", long: "east", dx: 1, dy: 0 },
    Heading { name: "SE", long: "south-east", dx: 1, dy: -1 },
    Heading { name: "S", long: "south", dx: 0, dy: -1 },
    Heading { name: "SW", long: "south-west", dx: -1, dy: -1 },
    Heading { name: "W", long: "west", dx: -1, dy: 0 },
    Heading { name: "NW", long: "north-west", dx: -1, dy: 1 },
];

/// Returns rows of cells from the bottom, with letters for columns and numbers for rows, and the letters. `indent` returns how many
/// half cells a row is further to the right than the lowest one.
///
/// # Errors
/// Returns an error if a side is less than 1 or more than 64.
fn lettered((columns, rows): (i64, i64), indent: fn(usize) -> usize) -> Result<(Vec<Laid>, Vec<String>), BoardError> {
    if !(1..=MAX_SIDE).contains(&columns) || !(1..=MAX_SIDE).contains(&rows) {
        return Err(BoardError::Size);
    }
    let (Ok(wide), Ok(high)) = (i32::try_from(columns), i32::try_from(rows)) else { return Err(BoardError::Size) };
    let names: Vec<String> = (0..wide).map(letters).collect();
    let row = |(above, y): (usize, i32)| {
        let label = (y + 1).to_string();
        let cells = (0..).zip(&names).map(|(x, name)| ((x, y), [name.as_str(), &label].concat())).collect();
        Laid { label, indent: indent(above), cells }
    };
    let laid = (0..).zip(0..high).map(row).collect();
    Ok((laid, names))
}

impl Board {
    /// Returns a grid of squares.
    ///
    /// # Errors
    /// Returns an error if a side is less than 1 or more than 64.
    pub fn grid(columns: i64, rows: i64, headings: Vec<Heading>) -> Result<Self, BoardError> {
        let (rows_laid, names) = lettered((columns, rows), |_| 0)?;
        Ok(Self::build(format!("{columns}x{rows}"), headings, rows_laid, names))
    }

    /// Returns a grid of squares with a margin: `margin` more columns and rows on each side. The names of cells count
    /// from the corner of the whole grid.
    ///
    /// # Errors
    /// Returns an error if a side is less than 1 or, with the margins, more than 64, or if the margin is less than 1.
    pub fn framed((columns, rows): (i64, i64), margin: i64, headings: Vec<Heading>) -> Result<Self, BoardError> {
        if columns < 1 || rows < 1 || !(1..MAX_SIDE).contains(&margin) {
            return Err(BoardError::Size);
        }
        let whole = |side: i64| margin.saturating_mul(2).saturating_add(side);
        let board = Self::grid(whole(columns), whole(rows), headings)?;
        let is_inside = |at: i32, side: i64| (margin..margin + side).contains(&i64::from(at));
        let cells = board.cells().filter(|cell| {
            let (x, y) = board.spot(*cell);
            is_inside(x, columns) && is_inside(y, rows)
        });
        let inside = Cells::of(board.size(), cells);
        Ok(Self { inside, words: format!("{columns}x{rows} margin {margin}"), ..board })
    }

    /// Returns 4 or 8 headings of squares, clockwise or not, beginning with `from`.
    ///
    /// # Errors
    /// Returns an error if `count` is another number, or `from` is not one of the headings.
    pub fn square_headings(count: i64, clockwise: bool, from: &str) -> Result<Vec<Heading>, BoardError> {
        let stride = match count {
            4 => 2,
            8 => 1,
            _ => return Err(BoardError::DirectionCount),
        };
        turned(SQUARES.iter().step_by(stride).cloned().collect(), clockwise, from)
    }
}

/// The allowed sides of a hexagon, in cells.
const SIDES: std::ops::RangeInclusive<i64> = 2..=11;

/// The six headings of hexagons with horizontal rows, clockwise from north-east.
const HEXAGONS: [Heading; 6] = [
    Heading { name: "NE", long: "north-east", dx: 0, dy: 1 },
    Heading { name: "E", long: "east", dx: 1, dy: 0 },
    Heading { name: "SE", long: "south-east", dx: 1, dy: -1 },
    Heading { name: "SW", long: "south-west", dx: 0, dy: -1 },
    Heading { name: "W", long: "west", dx: -1, dy: 0 },
    Heading { name: "NW", long: "north-west", dx: -1, dy: 1 },
];

impl Board {
    /// Returns a hexagon with `side` cells on each side.
    ///
    /// # Errors
    /// Returns an error if `side` is less than 2 or more than 11.
    pub fn hex(side: i64, headings: Vec<Heading>) -> Result<Self, BoardError> {
        if !SIDES.contains(&side) {
            return Err(BoardError::Size);
        }
        let most = i32::try_from(side).map_err(|_| BoardError::Size)? - 1;
        let row = |r: i32| {
            let label = letters(r + most);
            let columns = (-most).max(-most - r)..=most.min(most - r);
            let cells = columns.zip(1..).map(|(q, number)| ((q, r), format!("{label}{number}"))).collect();
            Laid { indent: usize::try_from(r.abs()).unwrap_or(0), label, cells }
        };
        let board = Self::build(format!("hex {side}"), headings, (-most..=most).map(row).collect(), Vec::new());
        Ok(Self { shape: Shape::Hexagons, ..board })
    }

    /// Returns the six headings of hexagons, clockwise or not, beginning with `from`.
    ///
    /// # Errors
    /// Returns an error if `count` is not 6, or `from` is not one of the headings.
    pub fn hex_headings(count: i64, clockwise: bool, from: &str) -> Result<Vec<Heading>, BoardError> {
        if count != 6 {
            return Err(BoardError::DirectionCount);
        }
        turned(HEXAGONS.to_vec(), clockwise, from)
    }
}

impl Board {
    /// Returns a rhombus of hexagons, as in the game Hex: letters for columns, numbers for rows, each row half a cell further to
    /// the right than the one below it.
    ///
    /// # Errors
    /// Returns an error if a side is less than 1 or more than 64.
    pub fn rhombus((columns, rows): (i64, i64), headings: Vec<Heading>) -> Result<Self, BoardError> {
        let (rows_laid, names) = lettered((columns, rows), |y| y)?;
        let board = Self::build(format!("rhombus {columns}x{rows}"), headings, rows_laid, names);
        Ok(Self { shape: Shape::Hexagons, ..board })
    }

    /// Returns a triangle of hexagons that stands on a row of `side` cells. Its rows are lettered from the bottom, and the cells
    /// of a row are numbered from the left.
    ///
    /// # Errors
    /// Returns an error if `side` is less than 2 or more than 64.
    pub fn triangle(side: i64, headings: Vec<Heading>) -> Result<Self, BoardError> {
        if !(2..=MAX_SIDE).contains(&side) {
            return Err(BoardError::Size);
        }
        let side = i32::try_from(side).map_err(|_| BoardError::Size)?;
        let row = |y: i32| {
            let label = letters(y);
            let cells = (0..side - y).map(|x| ((x, y), format!("{label}{}", x + 1))).collect();
            Laid { indent: usize::try_from(y).unwrap_or(0), label, cells }
        };
        let board = Self::build(format!("triangle {side}"), headings, (0..side).map(row).collect(), Vec::new());
        Ok(Self { shape: Shape::Hexagons, ..board })
    }

    /// Returns a board of squares or hexagons without these cells; names of cells that it does not have count for nothing.
    #[must_use]
    pub fn without(&self, holes: &[String]) -> Self {
        let row = |row: &super::Row| {
            let named = |cell: &Cell| {
                let name = self.name(*cell);
                (self.spot(*cell), if holes.iter().any(|hole| hole == name) { String::new() } else { name.to_owned() })
            };
            Laid { label: row.label.clone(), indent: row.indent, cells: row.cells.iter().map(named).collect() }
        };
        let rows = self.rows.iter().rev().map(row).collect();
        let words = format!("{} without {}", self.words, holes.join(" "));
        let board = Self::build(words, self.headings.clone(), rows, self.columns.clone());
        let inside = self.inside.intersection(&board.all);
        Self { inside, shape: self.shape, ..board }
    }
}

/// The maximum length of a track, in cells.
pub(crate) const LONGEST: i64 = 1000;
/// The maximum number of cells in a row of the diagram.
const WIDEST: i64 = 12;

const ALONG: [Heading; 2] =
    [Heading { name: "F", long: "forward", dx: 1, dy: 0 }, Heading { name: "B", long: "back", dx: -1, dy: 0 }];

impl Board {
    /// Returns a track of `cells` cells. Direction 1 leads forward, direction 2 back.
    ///
    /// # Errors
    /// Returns an error if there are fewer than 1 or more than 1000 cells.
    pub fn track(cells: i64) -> Result<Self, BoardError> {
        if !(1..=LONGEST).contains(&cells) {
            return Err(BoardError::Size);
        }
        let wide = width(cells);
        let cell = |at: i64| i32::try_from(at).map(|x| ((x, 0), (at + 1).to_string())).map_err(|_| BoardError::Size);
        let row = |row: i64| {
            let numbers = row * wide..((row + 1) * wide).min(cells);
            let mut laid: Vec<_> = numbers.map(cell).collect::<Result<_, _>>()?;
            let mut indent = 0;
            if row % 2 == 1 {
                laid.reverse();
                // The last row begins at the right, above the end of the row below.
                indent = usize::try_from(2 * (wide - i64::try_from(laid.len()).unwrap_or(wide))).unwrap_or(0);
            }
            Ok(Laid { label: String::new(), indent, cells: laid })
        };
        let rows = (0..(cells + wide - 1) / wide).map(row).collect::<Result<_, _>>()?;
        Ok(Self::build(format!("a track of {cells}"), ALONG.to_vec(), rows, Vec::new()).numbered())
    }

    /// Returns the two headings of a track.
    #[must_use]
    pub fn track_headings() -> Vec<Heading> {
        ALONG.to_vec()
    }
}

/// Returns the number of cells in a row of the diagram: all cells of a short track; otherwise a number that makes the
/// diagram about square, with full rows if possible.
fn width(cells: i64) -> i64 {
    if cells <= WIDEST {
        return cells;
    }
    let square = (1..=WIDEST).find(|wide| wide * wide >= cells).unwrap_or(WIDEST);
    (square..=WIDEST).find(|wide| cells % wide == 0).unwrap_or(square)
}

/// The distance of the outermost ring of an open board from `(0,0)`, in both directions.
pub(crate) const REACH: i32 = 31;

impl Board {
    /// Returns a board without an edge.
    #[must_use]
    pub fn open(headings: Vec<Heading>) -> Self {
        let cell = |x: i32, y: i32| ((x, y), format!("({x},{y})"));
        let row =
            |y: i32| Laid { label: y.to_string(), indent: 0, cells: (-REACH..=REACH).map(|x| cell(x, y)).collect() };
        let columns = (-REACH..=REACH).map(|x| x.to_string()).collect();
        Self { is_open: true, ..Self::build("open".to_owned(), headings, (-REACH..=REACH).map(row).collect(), columns) }
    }

    /// Returns whether it has no edge.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.is_open
    }

    /// Returns whether a cell of an open board is too far out for a piece.
    #[must_use]
    pub fn is_too_far(&self, cell: Cell) -> bool {
        self.is_open && {
            let (x, y) = self.spot(cell);
            x.abs() >= REACH || y.abs() >= REACH
        }
    }

    /// Returns the cell with these coordinates, which count from `a1` on a grid and from the centre on hexagons.
    #[must_use]
    pub fn cell_at(&self, x: i64, y: i64) -> Option<Cell> {
        self.at((i32::try_from(x).ok()?, i32::try_from(y).ok()?))
    }

    /// Returns the cells that can be reached from the edge of the board by steps outside a set: all cells outside the
    /// set except those that it encloses.
    #[must_use]
    pub fn outside(&self, cells: &Cells) -> (Cells, usize) {
        let free = self.all().difference(cells);
        let directions = (1..=self.headings().len()).map(crate::Direction::at);
        let edge = directions
            .map(|direction| self.leaving(direction))
            .fold(Cells::none(self.size()), |all, edge| all.union(&edge));
        self.flood(&edge, &free)
    }
}
