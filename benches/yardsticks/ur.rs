//! The Royal Game of Ur with seven stones each, in plain Rust.

use super::{Chance, Played};

const STONES: usize = 7;
/// The squares of each player's path, of 24 in three rows of eight.
const PATHS: [[usize; 14]; 2] =
    [[3, 2, 1, 0, 8, 9, 10, 11, 12, 13, 14, 15, 7, 6], [19, 18, 17, 16, 8, 9, 10, 11, 12, 13, 14, 15, 23, 22]];
const ROSETTES: [usize; 5] = [0, 6, 11, 16, 22];
const SAFE: usize = 11;

#[derive(Default)]
struct Ur {
    /// Whose stone lies on each square.
    board: [Option<usize>; 24],
    waiting: [usize; 2],
    home: [usize; 2],
}

impl Ur {
    fn is_open(&self, me: usize, to: usize) -> bool {
        let Some(square) = PATHS[me].get(to) else { return to == PATHS[me].len() };
        match self.board[*square] {
            None => true,
            Some(other) => other != me && *square != SAFE,
        }
    }

    /// Where on the path the stones are that can move; nothing for one that waits.
    fn options(&self, me: usize, far: usize) -> Vec<Option<usize>> {
        let mut options = Vec::new();
        if far == 0 {
            return options;
        }
        if self.waiting[me] > 0 && self.is_open(me, far - 1) {
            options.push(None);
        }
        for (at, square) in PATHS[me].iter().enumerate() {
            if self.board[*square] == Some(me) && self.is_open(me, at + far) {
                options.push(Some(at));
            }
        }
        options
    }

    /// Whether there is another throw.
    fn make(&mut self, me: usize, from: Option<usize>, far: usize) -> bool {
        let to = match from {
            None => {
                self.waiting[me] -= 1;
                far - 1
            }
            Some(at) => {
                self.board[PATHS[me][at]] = None;
                at + far
            }
        };
        let Some(square) = PATHS[me].get(to) else {
            self.home[me] += 1;
            return false;
        };
        if let Some(other) = self.board[*square].replace(me) {
            self.waiting[other] += 1;
        }
        ROSETTES.contains(square)
    }
}

pub(crate) fn play(chance: &mut impl Chance) -> Played {
    let mut game = Ur { waiting: [STONES; 2], ..Ur::default() };
    let mut played = Played { moves: 1, ..Played::default() };
    loop {
        let me = (played.moves - 1) % 2;
        let far = (0..4).map(|_| chance.below(2)).sum();
        let options = game.options(me, far);
        let again = !options.is_empty() && game.make(me, options[chance.below(options.len())], far);
        if game.home[me] == STONES {
            played.winner = Some(me);
            return played;
        }
        played.moves += usize::from(!again);
    }
}
