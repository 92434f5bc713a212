//! The memory of a machine: its frames, its registers and its arena, as plain data that can be copied.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rhai::Position;

use super::memos::Remembering;
use super::window::{Register, WINDOW};
use crate::values::{Arena, Mark, Val};

/// A running function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(super) function: u32,
    /// The index of the next operation.
    pub(super) next: u32,
    /// The index of its first register in the stack.
    pub(super) base: u32,
    /// The register of the caller that gets the result.
    pub(super) to: Register,
    /// The register of the caller that gets `this` back.
    pub(super) back: Option<Register>,
    /// The position of the call.
    pub(crate) position: Position,
}

/// A handler of errors: the frame, the operation to continue with, the register for the error, and the numbers of open
/// listings of moves and of looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handler {
    pub(crate) frame: usize,
    pub(crate) to: u32,
    pub(crate) at: Register,
    pub(crate) listings: [usize; 3],
}

/// The memory of a machine while a phase runs, as plain data.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) arena: Arena,
    pub(crate) stack: Vec<Val>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) handlers: Vec<Handler>,
    /// The number of running functions of the rules.
    pub(super) level: usize,
    /// The running function whose result is to be remembered. It calls no other; if it does, its result is not remembered.
    pub(super) remembering: Option<Remembering>,
    /// The constants of the rules, for pauses, once there was one.
    constants: Option<Rc<Arena>>,
}

/// The memory of a paused machine.
#[derive(Clone, Debug)]
pub(crate) struct PausedMachine {
    /// The constants of the rules, which all pauses share, and their end.
    pub(crate) constants: Rc<Arena>,
    pub(crate) mark: Mark,
    /// What is behind the constants.
    pub(crate) arena: Arena,
    pub(crate) stack: Vec<Val>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) handlers: Vec<Handler>,
    pub(super) level: usize,
}

/// How the operations of a frame end: another function is the top frame now, or this one returns its result and `this`.
pub(crate) enum Step {
    Entered,
    Return(Val, Val),
}

/// The registers of the caller that get the result and `this`.
#[derive(Clone, Copy)]
pub(crate) struct Results {
    pub(crate) to: Register,
    pub(crate) back: Option<Register>,
}

impl PausedMachine {
    /// Returns the approximate size in bytes.
    pub(crate) const fn bytes(&self) -> usize {
        size_of::<Self>() + size_of::<Val>() * self.stack.len() + self.arena.bytes()
    }
}

impl Frame {
    /// Returns the frame of a function that goes on at an operation, with its registers from `base` on, and the register of the caller
    /// that gets its result.
    pub(crate) const fn paused(function: u32, next: u32, base: u32, to: Register) -> Self {
        Self { function, next, base, to, back: None, position: Position::NONE }
    }

    /// Hashes everything that decides how the function goes on.
    pub(crate) fn hash_to(&self, hasher: &mut impl Hasher) {
        (self.function, self.next, self.base, self.to, self.back).hash(hasher);
    }
}

impl Memory {
    /// Returns a memory with only the constants of the rules.
    pub(crate) fn of(arena: Arena) -> Self {
        Self { arena, ..Self::default() }
    }

    /// Removes and returns the data of a paused machine. The constants end at `mark`.
    pub(crate) fn pause(&mut self, mark: &Mark) -> PausedMachine {
        let arena = self.arena.split_off(mark);
        let constants = self.constants.get_or_insert_with(|| Rc::new(self.arena.clone()));
        PausedMachine {
            constants: Rc::clone(constants),
            mark: *mark,
            arena,
            stack: self.stack.clone(),
            frames: std::mem::take(&mut self.frames),
            handlers: std::mem::take(&mut self.handlers),
            level: self.level,
        }
    }

    /// Restores the data of a paused machine.
    pub(super) fn restore(&mut self, paused: &PausedMachine) {
        self.arena.lay_again(&paused.arena);
        self.stack.clear();
        self.stack.extend_from_slice(&paused.stack);
        self.frames.clone_from(&paused.frames);
        self.handlers.clone_from(&paused.handlers);
        self.level = paused.level;
        // The top frame needs all its registers.
        let base = self.frames.last().map_or(0, |frame| frame.base as usize);
        self.stack.resize(base + WINDOW, Val::Nothing);
    }

    /// Clears the registers.
    pub(crate) fn clear_registers(&mut self) {
        self.stack.clear();
    }

    /// Drops everything but the constants, which end at `mark`.
    pub(crate) fn empty(&mut self, mark: &Mark) {
        self.arena.empty(mark);
        self.frames.clear();
        self.handlers.clear();
        self.remembering = None;
    }

    /// Returns the arena.
    pub(crate) const fn arena_mut(&mut self) -> &mut Arena {
        &mut self.arena
    }
}
