//! The registers of a function.

use std::ops::{Index, IndexMut};

use crate::values::Val;
use referee_diagnostic::MustBe as _;

/// The index of a register of a function.
pub(crate) type Register = u8;

/// The maximum number of registers of a function.
pub(crate) const WINDOW: usize = 256;

/// The registers of a function.
pub(crate) struct Window<'w>(&'w mut [Val; WINDOW]);

impl<'w> Window<'w> {
    /// Returns the registers that begin at `base`, if the stack is large enough.
    pub(crate) fn of(stack: &'w mut [Val], base: usize) -> Option<Self> {
        stack.get_mut(base..base + WINDOW)?.try_into().ok().map(Self)
    }

    /// Returns the same registers. Who passes them on so keeps their place in a register of the processor.
    #[inline(always)]
    pub(crate) const fn again(&mut self) -> Window<'_> {
        Window(self.0)
    }

    /// Returns `count` registers from `from` on.
    pub(crate) fn row(&self, from: Register, count: u8) -> &[Val] {
        let from = usize::from(from);
        self.0.get(from..from + usize::from(count)).or_missing("a row of registers", &[])
    }

    /// Returns the register with this index below [`WINDOW`].
    #[expect(clippy::indexing_slicing, reason = "the remainder is the index of a register")]
    pub(crate) fn at(&mut self, register: usize) -> &mut Val {
        &mut self.0[register % WINDOW]
    }

    /// Returns the registers from this one on.
    pub(crate) fn rest(&mut self, from: Register) -> &mut [Val] {
        self.0.get_mut(usize::from(from)..).or_missing("a row of registers", &mut [])
    }
}

#[expect(clippy::indexing_slicing, reason = "there are as many registers as numbers of registers")]
impl Index<Register> for Window<'_> {
    type Output = Val;

    #[inline]
    fn index(&self, register: Register) -> &Val {
        &self.0[usize::from(register)]
    }
}

#[expect(clippy::indexing_slicing, reason = "there are as many registers as numbers of registers")]
impl IndexMut<Register> for Window<'_> {
    #[inline]
    fn index_mut(&mut self, register: Register) -> &mut Val {
        &mut self.0[usize::from(register)]
    }
}
