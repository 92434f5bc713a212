//! Yardsticks: the same games written by hand, in Rust and in Python, to compare the scripted rules with. Nothing in `src`
//! uses them.
//!
//! They are written plainly, as a programmer writes a game first: lists of cells, tables of neighbours, a new list of moves
//! each time. Only `bitboards` shows what is possible.
//!
//! All list the moves in the order in which the rules list them, and draw the same numbers, so that equal seeds give equal
//! games.
//!
//! Squish is played on the hexagon of side 4, nine pieces a side in turn round the rim. A piece steps to a next cell
//! without an own piece if an own piece lies further on that way; whose pieces are one group wins, the mover first; who
//! cannot move has lost.

use referee::play::Random;

pub(crate) mod bitboards;
pub(crate) mod breakthrough;
pub(crate) mod draughts;
pub(crate) mod hexagons;
pub(crate) mod odds;
pub(crate) mod pig;
pub(crate) mod python;
pub(crate) mod rim;
pub(crate) mod ur;

/// The most moves of a game of Squish or Breakthrough.
pub(crate) const MOST: usize = 500;

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

/// What is compared of a game: how many moves or turns it had, all moves in one number, and who has won.
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

/// What a game with dice draws from.
pub(crate) trait Chance {
    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize;
}

impl Chance for Random {
    fn below(&mut self, bound: usize) -> usize {
        self.place(bound)
    }
}

/// What was drawn in a game, and each time of how many; a game that is played again draws it once more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tape {
    pub(crate) draws: Vec<(usize, usize)>,
    next: usize,
}

impl Tape {
    pub(crate) const fn new(draws: Vec<(usize, usize)>) -> Self {
        Self { draws, next: 0 }
    }

    /// Whether all of it was drawn.
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
