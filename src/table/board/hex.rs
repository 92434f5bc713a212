//! Hexagons of hexagons: rows are horizontal and lettered from the bottom; cells are numbered from the left in each
//! row.
//!
//! Coordinates are axial: one step east is (1, 0), one step north-east (0, 1); the centre is (0, 0).

use super::{Board, BoardError, Heading, Laid, letters, turned};
use crate::table::Shape;

/// The allowed sides of a hexagon, in cells.
const SIDES: std::ops::RangeInclusive<i64> = 2..=11;

/// The six headings of hexagons with horizontal rows, clockwise from north-east.
const COMPASS: [Heading; 6] = [
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
        turned(COMPASS.to_vec(), clockwise, from)
    }
}
