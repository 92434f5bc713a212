//! Yardsticks: the same game written in Rust by hand, to compare the scripted rules with. Nothing in `src` uses them.
//!
//! The game is Squish on the hexagon of side 4, nine pieces a side in turn round the rim. A piece steps to a next cell
//! without an own piece if an own piece lies further on that way; whose pieces are one group wins, the mover first; who
//! cannot move has lost.
//!
//! Everybody who plays lists the moves in the same order, cell by cell, and picks by the same numbers, so that equal seeds
//! give equal games.

use referee::play::Random;

pub(crate) mod bitboards;
pub(crate) mod plain;

/// The most moves of a game.
pub(crate) const MOST: usize = 500;

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

/// A game of two sides that lists moves.
pub(crate) trait Yardstick {
    /// Begin again.
    fn reset(&mut self);
    /// List the moves of the side to move; how many there are.
    fn list(&mut self) -> usize;
    /// Make the move with this number; where it leads from and to.
    fn make(&mut self, number: usize) -> (usize, usize);
    /// The side that has won, if one has.
    fn winner(&mut self) -> Option<usize>;
}

/// What is compared of a game: how many moves it had, and all of them in one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Played {
    pub(crate) moves: usize,
    pub(crate) hash: u64,
    pub(crate) winner: Option<usize>,
}

impl Played {
    pub(crate) fn note(&mut self, from: usize, to: usize) {
        self.moves += 1;
        let mixed = self.hash.rotate_left(5) ^ (from * 64 + to) as u64;
        self.hash = mixed.wrapping_mul(0x517C_C1B7_2722_0A95);
    }
}

/// One game at random.
pub(crate) fn playout(game: &mut impl Yardstick, mut chance: Random) -> Played {
    let mut played = Played::default();
    game.reset();
    while played.moves < MOST {
        let count = game.list();
        if count == 0 {
            played.winner = Some((played.moves + 1) % 2);
            break;
        }
        let (from, to) = game.make(chance.place(count));
        played.note(from, to);
        played.winner = game.winner();
        if played.winner.is_some() {
            break;
        }
    }
    played
}
