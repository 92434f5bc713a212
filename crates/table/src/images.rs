//! Which image of a state under the symmetries of its game is the least, by their sketches. Where a set has one word, the images of
//! a set under all symmetries are found at once.

use std::cmp::Ordering;

use smallvec::SmallVec;

use super::{Board, PieceId, State, Symmetry};
use referee_diagnostic::MustBe as _;

/// The symmetries under which states are one, with those that undo them. Their numbers begin with 1; 0 stands for no change.
#[derive(Clone, Debug, Default)]
pub struct Images {
    pairs: Vec<(Symmetry, Symmetry)>,
    /// For each four slots of a board of one word, and each of their sets, the images under all numbers; nothing for a larger board.
    sets: Vec<u64>,
}

/// The numbers of some symmetries.
type Numbers = SmallVec<[u8; 16]>;

impl Images {
    /// Returns the images under these symmetries of a board: at most 255.
    #[must_use]
    pub fn new(board: &Board, symmetries: &[Symmetry]) -> Self {
        let pairs: Vec<_> = symmetries.iter().map(|one| (one.clone(), one.inverse())).collect();
        let mut sets = Vec::new();
        let fours = if board.size() <= u64::BITS as usize { board.size().div_ceil(4) } else { 0 };
        for (four, set) in (0..fours).flat_map(|four| (0..16).map(move |set| (four, set))) {
            sets.push((set as u64) << (4 * four));
            let image = |by: &Symmetry| u64::try_from(by.set_of_four(four, set)).unwrap_or_default();
            sets.extend(pairs.iter().map(|(by, _)| image(by)));
        }
        Self { pairs, sets }
    }

    /// Returns whether each state is one for itself.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Returns how many symmetries there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Returns the symmetry with a number, and that which undoes it; `None` for 0.
    #[must_use]
    pub fn pair(&self, number: u8) -> Option<&(Symmetry, Symmetry)> {
        self.pairs.get(usize::from(number).checked_sub(1)?)
    }

    /// Returns the numbers of the symmetries by which a state gets the least sketch, the least number apart.
    #[must_use]
    pub fn least(&self, state: &State) -> (u8, SmallVec<[u8; 4]>) {
        if self.pairs.is_empty() {
            return (0, SmallVec::new());
        }
        if self.sets.is_empty() {
            return self.least_of_sketches(state);
        }
        let least = self.least_of_words(state);
        debug_assert_eq!(least, self.least_of_sketches(state), "the least image");
        least
    }

    /// Looks at one piece after the other until only one image is left.
    fn least_of_words(&self, state: &State) -> (u8, SmallVec<[u8; 4]>) {
        let most = u8::try_from(self.pairs.len()).unwrap_or(u8::MAX);
        let mut left: Numbers = (0..=most).collect();
        if let Some(turn) = state.turn {
            let turned = |number| self.pair(number).map_or(turn, |(by, _)| by.player(turn));
            let least = left.iter().map(|number| turned(*number)).min();
            left.retain(|number| Some(turned(*number)) == least);
        }
        let mut images: SmallVec<[u64; 16]> = SmallVec::from_elem(0, self.pairs.len() + 1);
        let mut image: SmallVec<[u64; 16]> = SmallVec::new();
        for at in (0..state.schema().pieces.len()).map(PieceId::at) {
            if left.len() == 1 {
                break;
            }
            let mut of = None;
            image.clear();
            for number in &left {
                let from = self.pair(*number).map_or(at, |(_, back)| back.piece(at));
                if of != Some(from) {
                    self.turn(state.sketched(from), &mut images);
                    of = Some(from);
                }
                image.push(images.get(usize::from(*number)).copied().unwrap_or_default());
            }
            let least = image.iter().copied().min().unwrap_or_default();
            let mut of_left = image.iter();
            left.retain(|_| of_left.next() == Some(&least));
        }
        let (first, others) = left.split_first().or_missing("the least image", (&0, &[]));
        (*first, others.iter().copied().collect())
    }

    /// Puts the images of a set under all numbers into a list that is as long.
    fn turn(&self, set: u64, images: &mut [u64]) {
        images.fill(0);
        let mut rest = set;
        for of_slots in self.sets.chunks_exact(16 * images.len()) {
            if rest == 0 {
                break;
            }
            let of_set = of_slots.get((rest & 15) as usize * images.len()..).unwrap_or_default();
            images.iter_mut().zip(of_set).for_each(|(image, bits)| *image |= bits);
            rest >>= 4;
        }
    }

    /// The same for any board.
    fn least_of_sketches(&self, state: &State) -> (u8, SmallVec<[u8; 4]>) {
        let (mut first, mut others) = (0, SmallVec::new());
        let own = state.sketch();
        let mut least = own.clone();
        for (number, (by, back)) in (1..=u8::MAX).zip(&self.pairs) {
            match own.compare_turned(by, back, &mut least) {
                Ordering::Less => {
                    first = number;
                    others.clear();
                }
                Ordering::Equal => others.push(number),
                Ordering::Greater => {}
            }
        }
        (first, others)
    }
}
