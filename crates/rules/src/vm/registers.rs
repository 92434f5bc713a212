//! Sets of registers, and what is in them.

use std::cell::OnceCell;

use super::window::{Register, WINDOW};
use crate::script::LocalId;

/// The bits of a word of a set of registers.
const BITS: usize = u64::BITS as usize;

/// A set of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Registers([u64; WINDOW / BITS]);

impl Registers {
    /// Returns the word and the bit of a register.
    fn place(&mut self, at: Register) -> (Option<&mut u64>, u64) {
        let at = usize::from(at);
        (self.0.get_mut(at / BITS), 1 << (at % BITS))
    }

    pub(super) fn insert(&mut self, at: Register) {
        if let (Some(word), bit) = self.place(at) {
            *word |= bit;
        }
    }

    pub(super) fn remove(&mut self, at: Register) {
        if let (Some(word), bit) = self.place(at) {
            *word &= !bit;
        }
    }

    pub(super) fn has(&self, at: usize) -> bool {
        self.0.get(at / BITS).is_some_and(|word| word >> (at % BITS) & 1 == 1)
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, more)| *word |= more);
    }
}

/// For each operation of a function, the registers that are read from there on. Found when it pauses first.
#[derive(Debug, Default)]
pub(crate) struct Alive(pub(super) OnceCell<Vec<Registers>>);

/// The variables at a place of a function, by their registers; `None` for a register without one, or with one in a box.
pub(crate) type Variables = Vec<Option<LocalId>>;
