//! All positions of a small board.

use super::hex_bits::{Bits, Set, is_on_four};
use super::hex_oracle::Hex;

/// All positions of a small board in which the game goes on, up to the twelve symmetries of the board. Exchanging the
/// players changes nothing, because a position is what the player to move sees.
pub(super) struct Everywhere<'b> {
    bits: &'b Bits,
    /// Whether positions on cycles of four moves are counted.
    pub(super) counts_four: bool,
    /// For each symmetry and set, what the set becomes.
    images: Vec<Vec<u32>>,
    /// For each set, the symmetry by which it becomes the least.
    least: Vec<u8>,
    is_one: Vec<bool>,
    /// For each set, the number with a digit 1 to base three for each hexagon.
    digits: Vec<u32>,
    /// For each position: 0, new; 1, on the line that is followed; 2, done.
    known: Vec<u8>,
}

/// What a search has found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) positions: usize,
    /// Positions in which the player to move has no move.
    pub(super) stuck: usize,
    pub(super) is_cycle: bool,
    /// Positions to which play can come back in four moves.
    pub(super) on_four: usize,
}

/// A position of the line that is followed.
struct Frame {
    seen: (u32, u32),
    rest: Vec<(u32, u32)>,
}

impl<'b> Everywhere<'b> {
    pub(super) fn of(bits: &'b Bits) -> Self {
        let sets = 1 << bits.board.len();
        let number = |hex: Hex| bits.board.iter().position(|other| *other == hex).unwrap();
        let mirrored = |(q, r): Hex| (q + r, -r);
        let turned = |(q, r): Hex| (-r, q + r);
        let map = |turns: usize, mirror: bool| {
            let start = move |hex: Hex| if mirror { mirrored(hex) } else { hex };
            let to = |hex: Hex| (0..turns).fold(start(hex), |hex, _| turned(hex));
            let to: Vec<u32> = bits.board.iter().map(|hex| 1 << number(to(*hex))).collect();
            sums(sets, &to)
        };
        let images: Vec<Vec<u32>> = (0..12).map(|at| map(at / 2, at % 2 == 1)).collect();
        let least = |set: usize| (0_u8..12).min_by_key(|by| images[usize::from(*by)][set]).unwrap();
        let powers: Vec<u32> = (0..bits.board.len()).map(|at| 3_u32.pow(u32::try_from(at).unwrap())).collect();
        Self {
            least: (0..sets).map(least).collect(),
            is_one: (0..sets).map(|set| bits.is_one(Set::try_from(set).unwrap())).collect(),
            digits: sums(sets, &powers),
            known: vec![0; 3_usize.pow(u32::try_from(bits.board.len()).unwrap())],
            images,
            counts_four: false,
            bits,
        }
    }

    fn least(&self, (own, other): (u32, u32)) -> (u32, u32) {
        let image = &self.images[usize::from(self.least[at(own)])];
        (image[at(own)], image[at(other)])
    }

    fn place(&self, (own, other): (u32, u32)) -> usize {
        at(self.digits[at(own)]) + 2 * at(self.digits[at(other)])
    }

    /// Searches all positions with so many pieces of each side, either side to move.
    pub(super) fn search(&mut self, pieces: (u32, u32)) -> Found {
        let mut found = Found::default();
        let sets = u32::try_from(self.is_one.len()).unwrap();
        let with = |all: &Self, count: u32, is_least: bool| -> Vec<u32> {
            let is = |set: &u32| set.count_ones() == count && !all.is_one[at(*set)];
            (0..sets)
                .filter(|set| is(set) && !(is_least && all.images[at(all.least[at(*set)].into())][at(*set)] < *set))
                .collect()
        };
        for (mine, theirs) in [pieces, (pieces.1, pieces.0)] {
            let others = with(self, theirs, false);
            for own in with(self, mine, true) {
                for other in others.iter().filter(|other| own & **other == 0) {
                    if self.known[self.place((own, *other))] == 0 {
                        self.follow((own, *other), &mut found);
                    }
                }
            }
        }
        found
    }

    /// Follows all lines of play without captures from a position.
    fn follow(&mut self, start: (u32, u32), found: &mut Found) {
        let mut line = vec![self.frame(start, found)];
        while let Some(frame) = line.last_mut() {
            if let Some(next) = frame.rest.pop() {
                match self.known[self.place(next)] {
                    0 => line.push(self.frame(next, found)),
                    known => found.is_cycle |= known == 1,
                }
            } else {
                let place = self.place(frame.seen);
                self.known[place] = 2;
                line.pop();
            }
        }
    }

    fn frame(&mut self, seen: (u32, u32), found: &mut Found) -> Frame {
        let place = self.place(seen);
        self.known[place] = 1;
        let wide = (Set::from(seen.0), Set::from(seen.1));
        let mut made = Vec::new();
        self.bits.moves(wide, &mut made);
        found.positions += 1;
        found.stuck += usize::from(made.is_empty());
        found.on_four += usize::from(self.counts_four && is_on_four(self.bits, wide));
        let after = made.into_iter().filter_map(|(from, to)| {
            let own = seen.0 & !(1 << from) | 1 << to;
            (seen.1 >> to & 1 == 0 && !self.is_one[at(own)]).then(|| self.least((seen.1, own)))
        });
        Frame { seen, rest: after.collect() }
    }
}

fn at(number: u32) -> usize {
    usize::try_from(number).unwrap()
}

/// Returns for each set the sum of what stands for its hexagons.
fn sums(sets: usize, of: &[u32]) -> Vec<u32> {
    let mut sums = vec![0; sets];
    for set in 1..sets {
        sums[set] = sums[set & (set - 1)] + of[at(set.trailing_zeros())];
    }
    sums
}
