//! Several moves as one value, and the game itself as a value.

use std::borrow::Cow;
use std::sync::Arc;

use rhai::Dynamic;

use referee_table::Move;

/// Several moves, passed on without a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves(Arc<Vec<Move>>);

impl Moves {
    /// Returns these moves as one value.
    #[must_use]
    pub fn new(moves: Vec<Move>) -> Self {
        Self(Arc::new(moves))
    }

    pub(crate) const fn shared(moves: Arc<Vec<Move>>) -> Self {
        Self(moves)
    }

    /// Returns the moves of a list; `None` if the list has other values too.
    pub(crate) fn listed(list: &[Dynamic]) -> Option<Self> {
        list.iter()
            .map(|value| value.read_lock::<Move>().map(|made| made.clone()))
            .collect::<Option<_>>()
            .map(Self::new)
    }

    /// Returns the moves in the order in which they were made.
    #[must_use]
    pub const fn all(&self) -> &Arc<Vec<Move>> {
        &self.0
    }

    /// Returns the moves in the order of their cells, without duplicates.
    pub(crate) fn distinct(&self) -> Cow<'_, [Move]> {
        let next = |pair: &[Move]| matches!(pair, [one, other] if one < other);
        if self.0.windows(2).all(next) {
            return Cow::Borrowed(&self.0);
        }
        let mut moves = self.0.to_vec();
        moves.sort_unstable();
        moves.dedup();
        Cow::Owned(moves)
    }
}

impl IntoIterator for Moves {
    type Item = Move;
    type IntoIter = std::vec::IntoIter<Move>;

    fn into_iter(self) -> Self::IntoIter {
        Arc::unwrap_or_clone(self.0).into_iter()
    }
}

/// The game itself, as the owner of properties that belong to no player or piece: `game.round`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GameItself;
