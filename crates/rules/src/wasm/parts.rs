//! Values whose parts are variables of a function, and no value in the memory.

/// A value whose parts are variables of the function.
#[derive(Clone, Debug)]
pub(super) enum Apart {
    Dirs(Sets),
    Steps(Steps),
}

/// For each direction the variable with its set; `None` where there are no cells.
pub(super) type Sets = Vec<Option<u32>>;

/// A step from each cell of each set.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    pub(super) sets: Sets,
    /// The variable with the cells that are occupied, and that with the number of steps.
    pub(super) occupied: u32,
    pub(super) count: u32,
}
