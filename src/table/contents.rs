//! The contents of a state: pieces, cards and values. States, their keys and the history share this type.

use super::{Cell, Cells, Faces, Value, Zone};

/// The pieces, cards and values of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Contents {
    /// The cell of each single piece on the board; `None` for pieces with `many`.
    pub(super) places: Vec<Option<Cell>>,
    /// All cells of each piece with `many`; empty for single pieces.
    pub(super) many: Vec<Cells>,
    pub(super) zones: Vec<Zone>,
    /// The face-down cards on the board.
    pub(super) faces: Faces,
    /// The values of each property, one for each owner.
    pub(super) values: Vec<Vec<Value>>,
}
