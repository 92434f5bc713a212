//! The content of a picture.

use referee_table::{Drawing, DrawnMove, DrawnZone};

/// The content of a picture.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'p> {
    /// A name that no other picture of the page has, of letters, digits and `-`.
    pub id: &'p str,
    /// Its title, for readers who do not see it.
    pub title: &'p str,
    /// The board; no rows in a game without one.
    pub board: &'p Drawing,
    /// The names of the game's players, which choose their colours.
    pub players: &'p [String],
    /// The cards beside the board.
    pub zones: &'p [DrawnZone],
    /// The pieces that have moved.
    pub moves: &'p [DrawnMove],
    /// The names of the pieces off the board.
    pub off: &'p [String],
}
