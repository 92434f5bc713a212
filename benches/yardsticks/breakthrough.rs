//! Breakthrough on 8x8, in plain Rust.

use super::Yardstick;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Man {
    White,
    Black,
}

use Man::{Black, White};

const SIDE: usize = 8;

/// The game. Cells are numbered from a1, row by row.
pub(crate) struct Breakthrough {
    /// For each side and cell the cells ahead: left, straight on and right.
    ahead: [Vec<[Option<usize>; 3]>; 2],
    board: Vec<Option<Man>>,
    turn: Man,
    moves: Vec<(usize, usize)>,
    last: usize,
}

impl Breakthrough {
    pub(crate) fn new() -> Self {
        let cell = |column: usize, row: usize| (column < SIDE && row < SIDE).then(|| row * SIDE + column);
        let ahead = |forward: bool| {
            let around = |at: usize| {
                let row = if forward { at / SIDE + 1 } else { (at / SIDE).wrapping_sub(1) };
                let column = at % SIDE;
                [cell(column.wrapping_sub(1), row), cell(column, row), cell(column + 1, row)]
            };
            (0..SIDE * SIDE).map(around).collect()
        };
        let ahead = [ahead(true), ahead(false)];
        Self { ahead, board: Vec::new(), turn: White, moves: Vec::new(), last: 0 }
    }

    fn legal_moves(&self) -> Vec<(usize, usize)> {
        let own = Some(self.turn);
        let mut moves = Vec::new();
        for from in 0..self.board.len() {
            if self.board[from] != own {
                continue;
            }
            let [left, straight, right] = self.ahead[self.turn as usize][from];
            if let Some(to) = left.filter(|to| self.board[*to] != own) {
                moves.push((from, to));
            }
            if let Some(to) = straight.filter(|to| self.board[*to].is_none()) {
                moves.push((from, to));
            }
            if let Some(to) = right.filter(|to| self.board[*to] != own) {
                moves.push((from, to));
            }
        }
        moves
    }
}

impl Yardstick for Breakthrough {
    fn reset(&mut self) {
        let man = |at| match at / SIDE {
            0 | 1 => Some(White),
            6 | 7 => Some(Black),
            _ => None,
        };
        self.board = (0..SIDE * SIDE).map(man).collect();
        self.turn = White;
    }

    fn list(&mut self) -> usize {
        self.moves = self.legal_moves();
        self.moves.len()
    }

    fn make(&mut self, number: usize) -> (usize, usize) {
        let (from, to) = self.moves[number];
        self.board[to] = self.board[from].take();
        self.turn = if self.turn == White { Black } else { White };
        self.last = to;
        // The rules' board has a place to spare in each row.
        let place = |cell: usize| cell / SIDE * (SIDE + 1) + cell % SIDE;
        (place(from), place(to))
    }

    fn winner(&mut self) -> Option<usize> {
        let mover = if self.turn == White { Black } else { White };
        let row = if mover == White { SIDE - 1 } else { 0 };
        (self.last / SIDE == row || !self.board.contains(&Some(self.turn))).then_some(mover as usize)
    }
}
