//! Grids of squares: `a1` at the bottom left, letters for columns, numbers for rows.

use super::{Board, BoardError, Heading, Laid, MAX_SIDE, letters, turned};
use crate::table::Cells;

/// The eight headings of squares, clockwise from north.
const COMPASS: [Heading; 8] = [
    Heading { name: "N", long: "north", dx: 0, dy: 1 },
    Heading { name: "NE", long: "north-east", dx: 1, dy: 1 },
    Heading { name: "E", long: "east", dx: 1, dy: 0 },
    Heading { name: "SE", long: "south-east", dx: 1, dy: -1 },
    Heading { name: "S", long: "south", dx: 0, dy: -1 },
    Heading { name: "SW", long: "south-west", dx: -1, dy: -1 },
    Heading { name: "W", long: "west", dx: -1, dy: 0 },
    Heading { name: "NW", long: "north-west", dx: -1, dy: 1 },
];

impl Board {
    /// Returns a grid of squares.
    ///
    /// # Errors
    /// Returns an error if a side is less than 1 or more than 64.
    pub fn grid(columns: i64, rows: i64, headings: Vec<Heading>) -> Result<Self, BoardError> {
        if !(1..=MAX_SIDE).contains(&columns) || !(1..=MAX_SIDE).contains(&rows) {
            return Err(BoardError::Size);
        }
        let (Ok(wide), Ok(high)) = (i32::try_from(columns), i32::try_from(rows)) else { return Err(BoardError::Size) };
        let names: Vec<String> = (0..wide).map(letters).collect();
        let row = |y: i32| {
            let label = (y + 1).to_string();
            let cells = (0..).zip(&names).map(|(x, name)| ((x, y), [name.as_str(), &label].concat())).collect();
            Laid { label, indent: 0, cells }
        };
        Ok(Self::build(format!("{columns}x{rows}"), headings, (0..high).map(row).collect(), names))
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
        turned(COMPASS.iter().step_by(stride).cloned().collect(), clockwise, from)
    }
}
