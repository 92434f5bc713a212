//! Tracks: one row of cells, numbered from 1, drawn as a serpentine from the bottom left.

use super::{Board, BoardError, Heading, Laid};

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
