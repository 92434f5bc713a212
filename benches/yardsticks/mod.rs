//! Baselines: the same games written by hand in Rust and in Python, for comparison with the scripted rules. `src` does
//! not use them.
//!
//! They are straightforward first versions: lists of cells, tables of neighbours, a new list of moves each time. Only
//! `bitboards` shows what is possible.
//!
//! All baselines list moves in the same order as the rules and draw the same numbers, so that equal seeds give equal
//! games.
//!
//! Squish is played on the hexagon of side 4, with nine pieces of each side alternating around the rim. A piece steps
//! to an adjacent cell without an own piece if there is an own piece further on in that direction. A player whose
//! pieces are one group wins; if both have one group, the mover wins. A player who cannot move loses.

use referee_play::Random;

pub(crate) mod bitboards;
pub(crate) mod breakthrough;
pub(crate) mod draughts;
pub(crate) mod hexagons;
pub(crate) mod odds;
pub(crate) mod pig;
pub(crate) mod python;
pub(crate) mod rim;
pub(crate) mod ur;

/// The maximum number of moves in a game of Squish or Breakthrough.
pub(crate) const MOST: usize = 500;

/// A game for two players that lists moves.
pub(crate) trait Yardstick {
    /// Resets the game.
    fn reset(&mut self);
    /// Lists the moves of the player to move, and returns their number.
    fn list(&mut self) -> usize;
    /// Makes the move with this number, and returns its start and target.
    fn make(&mut self, number: usize) -> (usize, usize);
    /// Returns the winner, if there is one.
    fn winner(&mut self) -> Option<usize>;
}

/// The summary of a game for comparison: its number of moves or turns, a hash of all moves, and the winner.
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

/// Plays a game at random.
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

/// A source of random numbers for a game with dice.
pub(crate) trait Chance {
    /// Returns a number below `bound`.
    fn below(&mut self, bound: usize) -> usize;
}

impl Chance for Random {
    fn below(&mut self, bound: usize) -> usize {
        self.place(bound)
    }
}

/// The recorded random numbers of a game, each with its bound. A replayed game draws them again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tape {
    pub(crate) draws: Vec<(usize, usize)>,
    next: usize,
}

impl Tape {
    pub(crate) const fn new(draws: Vec<(usize, usize)>) -> Self {
        Self { draws, next: 0 }
    }

    /// Returns whether all numbers were drawn.
    pub(crate) fn is_over(&self) -> bool {
        self.next == self.draws.len()
    }
}

impl Chance for Tape {
    fn below(&mut self, bound: usize) -> usize {
        let (known, drawn) = self.draws[self.next];
        assert_eq!(known, bound, "draw {} of the game", self.next);
        self.next += 1;
        drawn
    }
}
