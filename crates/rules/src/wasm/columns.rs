//! Where the columns of pieces that stand on each other are in the memory: behind the bytes of the state.

use referee_table::State;

/// Where the columns of the cells are in the memory.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    pub(super) start: u32,
    pub(super) size: u32,
}

impl Columns {
    /// Returns where the columns are for the games of a table, if they are in the memory.
    pub(super) fn at(start: u32, state: &State) -> Option<Self> {
        let size = state.columns_size()?;
        // There may be more pieces on a cell than a column has room for.
        state.write_columns(&mut vec![0; size])?;
        let size = u32::try_from(size).ok()?;
        Some(Self { start, size })
    }

    /// Returns where they end.
    pub(super) const fn end(self) -> u32 {
        self.start + self.size
    }

    /// Returns their bytes in the memory.
    pub(super) fn part(self, bytes: &[u8]) -> Option<&[u8]> {
        bytes.get(self.start as usize..self.end() as usize)
    }

    /// Returns their bytes in the memory to change them.
    pub(super) fn part_mut(self, bytes: &mut [u8]) -> Option<&mut [u8]> {
        bytes.get_mut(self.start as usize..self.end() as usize)
    }
}
