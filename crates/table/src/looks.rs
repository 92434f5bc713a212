//! What is noted of a state that is looked at without being played.

use std::sync::Arc;

use super::mixed::Mixed;
use super::stamps::Stamps;
use super::zones::{Arrival, Shuffles};
use super::{Cell, Faces, Loose, Move, PieceId, PlayerId, Value, Zone, ZoneId};

/// The moves of a player, as computed by the rules with the number `by`.
#[derive(Clone, Debug)]
pub(super) struct Listed<T> {
    pub(super) by: u64,
    pub(super) table: Arc<T>,
    pub(super) player: PlayerId,
    pub(super) moves: Arc<Vec<Move>>,
}

/// A change of the pieces on the board or of a value.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// The place of a word among the bytes, and what it was.
    Word(usize, u64),
    /// The number of a value, and what it was if it did not fit into a word.
    Large(u32, Option<Value>),
}

/// What a state was before a look. The pieces and the values are noted as they change, cards before their first change.
#[derive(Clone, Debug)]
pub(super) struct Look<T, U> {
    /// The number of changes of pieces and values that were noted before.
    pub(super) noted: usize,
    pub(super) held: u64,
    pub(super) next_turn: Option<PlayerId>,
    pub(super) turns: U,
    pub(super) listed: Option<Listed<T>>,
    pub(super) changes: u64,
    pub(super) stamps: Stamps,
    /// The zones that have changed since, each as it was.
    pub(super) zones: Vec<(ZoneId, Zone)>,
    /// The stacks that have changed since, each as it was; `None` where there was none.
    pub(super) stacks: Vec<(Cell, Option<Vec<PieceId>>)>,
    /// What else there is about cards, if any of it has changed since.
    pub(super) cards: Option<Box<Cards>>,
}

/// What a state has about cards, besides its zones.
#[derive(Clone, Debug)]
pub(super) struct Cards {
    pub(super) faces: Faces,
    pub(super) shuffles: Shuffles,
    pub(super) loose: Vec<Loose>,
    pub(super) mixed: Mixed,
    pub(super) arrival: Option<Arrival>,
}
