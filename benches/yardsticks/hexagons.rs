//! Squish on hexagons written plainly: a list of cells with or without a piece, neighbours in tables, moves in a new list each
//! time. What a programmer writes first.

use super::Yardstick;
use super::rim::{RIM, ROW, STEPS, is_cell, place};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    White,
    Black,
}

use Piece::{Black, White};

/// The game.
pub(crate) struct Hexagons {
    /// The place of each cell.
    places: Vec<usize>,
    /// The neighbours of each cell, in the order of the directions.
    next: Vec<Vec<Option<usize>>>,
    board: Vec<Option<Piece>>,
    start: Vec<Option<Piece>>,
    turn: Piece,
    moves: Vec<(usize, usize)>,
}

impl Hexagons {
    pub(crate) fn new() -> Self {
        let places: Vec<usize> = (0..ROW * ROW).filter(|place| is_cell(*place)).collect();
        let cell = |wanted: i32| places.iter().position(|place| i32::try_from(*place) == Ok(wanted));
        let step = |from: usize, by: i32| cell(i32::try_from(from).ok()? + by);
        let next = places.iter().map(|from| STEPS.iter().map(|by| step(*from, *by)).collect()).collect();
        let mut start = vec![None; places.len()];
        for (name, piece) in RIM.iter().zip([White, Black].into_iter().cycle()) {
            if let Some(cell) = places.iter().position(|known| *known == place(name)) {
                start[cell] = Some(piece);
            }
        }
        Self { places, next, board: start.clone(), start, turn: White, moves: Vec::new() }
    }

    fn legal_moves(&self) -> Vec<(usize, usize)> {
        let own = Some(self.turn);
        let mut moves = Vec::new();
        for from in 0..self.board.len() {
            if self.board[from] != own {
                continue;
            }
            for direction in 0..STEPS.len() {
                let Some(to) = self.next[from][direction] else { continue };
                if self.board[to] == own {
                    continue;
                }
                let mut beyond = self.next[to][direction];
                while let Some(cell) = beyond {
                    if self.board[cell] == own {
                        moves.push((from, to));
                        break;
                    }
                    beyond = self.next[cell][direction];
                }
            }
        }
        moves
    }

    fn one_group(&self, piece: Piece) -> bool {
        let cells: Vec<usize> = (0..self.board.len()).filter(|cell| self.board[*cell] == Some(piece)).collect();
        let Some(first) = cells.first() else { return false };
        let mut seen = vec![false; self.board.len()];
        seen[*first] = true;
        let mut waiting = vec![*first];
        let mut reached = 0;
        while let Some(cell) = waiting.pop() {
            reached += 1;
            for next in self.next[cell].iter().flatten() {
                if self.board[*next] == Some(piece) && !seen[*next] {
                    seen[*next] = true;
                    waiting.push(*next);
                }
            }
        }
        reached == cells.len()
    }
}

impl Yardstick for Hexagons {
    fn reset(&mut self) {
        self.board.clone_from(&self.start);
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
        (self.places[from], self.places[to])
    }

    fn winner(&mut self) -> Option<usize> {
        let mover = if self.turn == White { Black } else { White };
        [mover, self.turn].into_iter().find(|piece| self.one_group(*piece)).map(|piece| usize::from(piece == Black))
    }
}
