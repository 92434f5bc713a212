//! Pieces that were met already.

use std::collections::BTreeSet;

use smallvec::SmallVec;

use super::PieceId;

/// The number of pieces that are compared one by one.
const FEW: usize = 16;

/// A set of pieces, soonest for a few.
#[derive(Debug, Default)]
pub struct Met {
    few: SmallVec<[PieceId; FEW]>,
    more: BTreeSet<PieceId>,
}

impl Met {
    /// Adds a piece. Returns whether it is met for the first time.
    #[inline]
    pub fn is_new(&mut self, piece: PieceId) -> bool {
        if self.few.contains(&piece) {
            return false;
        }
        if self.few.len() < FEW {
            self.few.push(piece);
            return true;
        }
        self.more.insert(piece)
    }
}
