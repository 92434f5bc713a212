//! The hexagon of side 4 on which Squish is compared, and the pieces round its rim.

/// The cells of the rim, once round: rows are lettered from the bottom, cells numbered from the left.
pub(crate) const RIM: [&str; 18] =
    ["a1", "a2", "a3", "a4", "b5", "c6", "d7", "e6", "f5", "g4", "g3", "g2", "g1", "f1", "e1", "d1", "c1", "b1"];

/// The places of a row of the paper on which the cells lie: seven cells at most, and one to spare.
pub(crate) const ROW: usize = 8;

/// The place of a cell: each row is set in so that north-east is one row up.
pub(crate) fn place(cell: &str) -> usize {
    let mut signs = cell.bytes().map(usize::from);
    let (Some(letter), Some(digit)) = (signs.next(), signs.next()) else { unreachable!("cells have two signs") };
    let row = letter - usize::from(b'a');
    row * ROW + digit - usize::from(b'1') + 3_usize.saturating_sub(row)
}

/// Whether a place is a cell of the hexagon.
pub(crate) fn is_cell(place: usize) -> bool {
    place % ROW < 7 && place / ROW < 7 && (3..=9).contains(&(place % ROW + place / ROW))
}

/// How far a step leads, the shortest way down first; so the goals of a piece come in the order of their places.
pub(crate) const STEPS: [i32; 6] = [-8, -7, -1, 1, 7, 8];
