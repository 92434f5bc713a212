//! English draughts in plain Rust, to count with: sequences of moves, a whole turn being one.
//!
//! The draw after eighty turns without a capture or a man's move is left out: nobody counts so far.

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Black,
    White,
}

use Side::{Black, White};

#[derive(Clone, Copy)]
struct Piece {
    side: Side,
    king: bool,
}

/// A move: the cells on which the piece comes to rest, with the first, and the cells of the pieces that it captures.
#[derive(Clone)]
struct Move {
    path: Vec<usize>,
    captured: Vec<usize>,
}

const SIDE: usize = 8;

/// The four ways to step, white's forward ones first.
const STEPS: [(isize, isize); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// What stays the same: the neighbours of each cell.
pub(crate) struct Draughts {
    next: Vec<[Option<usize>; 4]>,
}

#[derive(Clone)]
pub(crate) struct Position {
    board: Vec<Option<Piece>>,
    turn: Side,
}

impl Draughts {
    pub(crate) fn new() -> Self {
        let step = |from: usize, (right, up): (isize, isize)| {
            let column = (from % SIDE).checked_add_signed(right).filter(|column| *column < SIDE)?;
            let row = (from / SIDE).checked_add_signed(up).filter(|row| *row < SIDE)?;
            Some(row * SIDE + column)
        };
        Self { next: (0..SIDE * SIDE).map(|from| STEPS.map(|by| step(from, by))).collect() }
    }

    /// The set-up: a1 is dark, and black has the lower rows.
    pub(crate) fn start() -> Position {
        let man = |at: usize| {
            let side = match at / SIDE {
                0..=2 => Black,
                5..=7 => White,
                _ => return None,
            };
            (at / SIDE % 2 == at % SIDE % 2).then_some(Piece { side, king: false })
        };
        Position { board: (0..SIDE * SIDE).map(man).collect(), turn: Black }
    }

    /// The sequences of so many moves; the last are listed and not made.
    pub(crate) fn perft(&self, position: &Position, depth: usize) -> u64 {
        let moves = self.legal_moves(position);
        if depth <= 1 {
            return moves.len() as u64;
        }
        moves.iter().map(|made| self.perft(&after(position, made), depth - 1)).sum()
    }

    fn legal_moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        for (from, piece) in own(position) {
            self.jumps(position, piece, Move { path: vec![from], captured: Vec::new() }, &mut moves);
        }
        if !moves.is_empty() {
            return moves;
        }
        for (from, piece) in own(position) {
            for to in self.ways(piece, from).into_iter().flatten() {
                if position.board[to].is_none() {
                    moves.push(Move { path: vec![from, to], captured: Vec::new() });
                }
            }
        }
        moves
    }

    /// The neighbours to which a piece may go.
    fn ways(&self, piece: Piece, from: usize) -> [Option<usize>; 4] {
        let [down_left, down_right, up_left, up_right] = self.next[from];
        match piece {
            Piece { king: true, .. } => self.next[from],
            Piece { side: Black, .. } => [None, None, up_left, up_right],
            Piece { side: White, .. } => [down_left, down_right, None, None],
        }
    }

    /// All jumps that go on from the end of `made`; if there are none, `made` itself is a move as soon as it captures.
    fn jumps(&self, position: &Position, piece: Piece, made: Move, found: &mut Vec<Move>) {
        let (start, here) = (made.path[0], made.path[made.path.len() - 1]);
        let mut ends = true;
        if !crowns(piece, here) {
            for (way, over) in self.ways(piece, here).into_iter().enumerate() {
                let Some(over) = over else { continue };
                let enemy = position.board[over].is_some_and(|other| other.side != piece.side);
                if !enemy || made.captured.contains(&over) {
                    continue;
                }
                let Some(to) = self.next[over][way] else { continue };
                if position.board[to].is_none() || to == start {
                    let mut longer = made.clone();
                    longer.path.push(to);
                    longer.captured.push(over);
                    self.jumps(position, piece, longer, found);
                    ends = false;
                }
            }
        }
        if ends && !made.captured.is_empty() {
            found.push(made);
        }
    }
}

fn own(position: &Position) -> impl Iterator<Item = (usize, Piece)> {
    let pieces = position.board.iter().enumerate().filter_map(|(at, piece)| Some((at, (*piece)?)));
    pieces.filter(|(_, piece)| piece.side == position.turn)
}

/// Whether a piece is a man on its last row.
fn crowns(piece: Piece, at: usize) -> bool {
    !piece.king && at / SIDE == if piece.side == Black { SIDE - 1 } else { 0 }
}

fn after(position: &Position, made: &Move) -> Position {
    let mut next = position.clone();
    let to = made.path[made.path.len() - 1];
    let piece = next.board[made.path[0]].take();
    for cell in &made.captured {
        next.board[*cell] = None;
    }
    next.board[to] = piece.map(|piece| Piece { king: piece.king || crowns(piece, to), ..piece });
    next.turn = if position.turn == Black { White } else { Black };
    next
}
