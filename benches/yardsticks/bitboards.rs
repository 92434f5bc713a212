//! Squish on hexagons with bitboards: a bit for each place of the paper, so that all pieces step at once. The practical limit.

use super::Yardstick;
use super::rim::{RIM, ROW, STEPS, is_cell, place};

/// The game.
pub(crate) struct Bitboards {
    cells: u64,
    start: [u64; 2],
    sides: [u64; 2],
    turn: usize,
    /// For each direction the pieces that may step that way.
    movers: [u64; 6],
}

/// All bits moved on by so many places.
#[inline(always)]
const fn moved(set: u64, by: i32) -> u64 {
    if by > 0 { set << by } else { set >> -by }
}

/// `set` and all that lies behind it, step by step, up to the edge: seven steps at most.
#[inline(always)]
const fn filled(set: u64, cells: u64, by: i32) -> u64 {
    let set = set | (cells & moved(set, by));
    let way = cells & moved(cells, by);
    let set = set | (way & moved(set, 2 * by));
    let way = way & moved(way, 2 * by);
    set | (way & moved(set, 4 * by))
}

/// Whether a set is one group.
#[inline(always)]
const fn connected(set: u64) -> bool {
    let mut reached = set & set.wrapping_neg();
    loop {
        let level = reached << 1 | reached >> 1;
        let next = (reached | level | reached << 8 | reached >> 8 | reached << 7 | reached >> 7) & set;
        if next == reached {
            return set != 0 && reached == set;
        }
        reached = next;
    }
}

impl Bitboards {
    pub(crate) fn new() -> Self {
        let cells = (0..ROW * ROW).filter(|place| is_cell(*place)).fold(0, |cells, place| cells | 1 << place);
        let mut start = [0; 2];
        for (number, cell) in RIM.iter().enumerate() {
            start[number % 2] |= 1 << place(cell);
        }
        Self { cells, start, sides: start, turn: 0, movers: [0; 6] }
    }
}

impl Yardstick for Bitboards {
    fn reset(&mut self) {
        self.sides = self.start;
        self.turn = 0;
    }

    #[inline(always)]
    fn list(&mut self) -> usize {
        let own = self.sides[self.turn];
        let mut count = 0;
        for (movers, by) in self.movers.iter_mut().zip(STEPS) {
            let beside = moved(own, -by) & self.cells;
            *movers = own & filled(beside, self.cells, -by) & !beside;
            count += movers.count_ones();
        }
        count as usize
    }

    /// Cell by cell, as the others list the moves.
    #[inline(always)]
    fn make(&mut self, mut number: usize) -> (usize, usize) {
        let mut from = self.movers.iter().fold(0, |all, movers| all | movers);
        loop {
            let cell = from & from.wrapping_neg();
            for (movers, by) in self.movers.iter().zip(STEPS) {
                if movers & cell == 0 {
                    continue;
                }
                if number == 0 {
                    let to = moved(cell, by);
                    self.sides[self.turn] ^= cell | to;
                    self.turn ^= 1;
                    self.sides[self.turn] &= !to;
                    return (cell.trailing_zeros() as usize, to.trailing_zeros() as usize);
                }
                number -= 1;
            }
            from ^= cell;
        }
    }

    #[inline(always)]
    fn winner(&mut self) -> Option<usize> {
        let mover = self.turn ^ 1;
        [mover, self.turn].into_iter().find(|side| connected(self.sides[*side]))
    }
}
