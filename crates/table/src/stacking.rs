//! On which cells of a game pieces stack.

/// The cells of a game on which pieces stack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Stacking {
    /// A cell has one piece at most.
    #[default]
    Nowhere,
    /// On all cells.
    Everywhere,
    /// On the cells with these names; a board of another size need not have all of them.
    On(Vec<String>),
}
