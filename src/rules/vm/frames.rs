//! Frames: functions that run, errors that leave them, and where those are caught.

use std::hash::{Hash, Hasher};

use rhai::{Dynamic, EvalAltResult, Position};

use super::machine::{Machine, Window, Wrong};
use super::op::{Function, Register, Site, WINDOW};
use crate::rules::values::{Arena, CALL_LEVELS, Mark, Val, failure};

/// A function while it runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    function: u32,
    /// The operation to be done next.
    next: u32,
    /// Where its registers begin.
    base: u32,
    /// Which register of the caller gets what it returns.
    to: Register,
    /// Which register of the caller gets its `this` back.
    back: Option<Register>,
    /// Where it was called.
    pub(crate) position: Position,
}

/// Where an error is caught: in the frame with this number, at an operation, in a register; and how many listings of moves
/// were open there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handler {
    pub(crate) frame: usize,
    pub(crate) to: u32,
    pub(crate) at: Register,
    pub(crate) listings: (usize, usize),
}

/// What a machine keeps while a phase runs: nothing but plain data.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) arena: Arena,
    pub(crate) stack: Vec<Val>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) handlers: Vec<Handler>,
    /// How many functions of the rules are open.
    level: usize,
}

/// The memory of a machine that has paused, without the constants of the rules.
#[derive(Clone, Debug)]
pub(crate) struct Paused {
    /// How far the constants reach, which are left out.
    pub(crate) constants: Mark,
    pub(crate) arena: Arena,
    pub(crate) stack: Vec<Val>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) handlers: Vec<Handler>,
    level: usize,
}

impl Paused {
    /// Returns about how much room it takes, in bytes.
    pub(crate) const fn bytes(&self) -> usize {
        size_of::<Self>() + size_of::<Val>() * self.stack.len() + self.arena.bytes()
    }
}

impl Frame {
    /// Hashes what decides how the function goes on.
    pub(crate) fn hash_to(&self, hasher: &mut impl Hasher) {
        (self.function, self.next, self.base, self.to, self.back).hash(hasher);
    }
}

impl Memory {
    /// Returns a memory that holds the constants of the rules.
    pub(crate) fn of(arena: Arena) -> Self {
        Self { arena, ..Self::default() }
    }

    /// Takes away what a paused machine needs to go on. The constants end at `mark`.
    pub(crate) fn pause(&mut self, mark: Mark) -> Paused {
        Paused {
            constants: mark,
            arena: self.arena.split_off(mark),
            stack: self.stack.clone(),
            frames: std::mem::take(&mut self.frames),
            handlers: std::mem::take(&mut self.handlers),
            level: self.level,
        }
    }

    /// Puts back what was taken away at a pause.
    fn restore(&mut self, paused: &Paused) {
        self.arena.lay_again(&paused.arena);
        self.stack.clear();
        self.stack.extend_from_slice(&paused.stack);
        self.frames.clone_from(&paused.frames);
        self.handlers.clone_from(&paused.handlers);
        self.level = paused.level;
        // The frame on top may use all registers again.
        let base = self.frames.last().map_or(0, |frame| frame.base as usize);
        self.stack.resize(base + WINDOW, Val::Nothing);
    }

    /// Forgets what lies in registers.
    pub(crate) fn clear_registers(&mut self) {
        self.stack.clear();
    }

    /// Forgets everything but the constants, which end at `mark`.
    pub(crate) fn empty(&mut self, mark: Mark) {
        self.arena.empty(mark);
        self.frames.clear();
        self.handlers.clear();
    }

    /// Returns the arena.
    pub(crate) const fn arena_mut(&mut self) -> &mut Arena {
        &mut self.arena
    }
}

/// What comes of running operations of one frame.
enum Flow {
    /// Another frame is on top.
    Other,
    /// The first function returned.
    Done(Val),
}

/// What comes of the operations of a frame.
pub(crate) enum Step {
    Call(Called),
    Return(Val, Val),
}

/// A function to begin; its values lie in its registers already.
pub(crate) struct Called {
    function: u32,
    /// The first of its registers, as a register of the caller.
    top: Register,
    to: Register,
    back: Option<Register>,
    position: Position,
}

/// Which register of the caller gets what a function returns, and which one its `this`.
#[derive(Clone, Copy)]
pub(crate) struct Results {
    pub(crate) to: Register,
    pub(crate) back: Option<Register>,
}

impl Machine<'_> {
    /// Runs a function with these values.
    ///
    /// # Errors
    /// What went wrong, with the calls that led there.
    pub(crate) fn run(
        &mut self,
        function: usize,
        level: usize,
        position: Position,
        values: &[Val],
    ) -> Result<Val, Wrong> {
        self.memory.level = level;
        let function = u32::try_from(function).unwrap_or(u32::MAX);
        if self.memory.stack.len() < WINDOW {
            self.memory.stack.resize(WINDOW, Val::Nothing);
        }
        // Nothing is `this`: an empty box stands for it.
        let this = self.code.function(function)?.this.then_some(Val::Shared(u32::MAX));
        let values = this.into_iter().chain(values.iter().copied());
        self.memory.stack.iter_mut().zip(values).for_each(|(register, value)| *register = value);
        self.enter(&Called { function, top: 0, to: 0, back: None, position }, 0)?;
        self.go()
    }

    /// Puts the values of a function into its registers.
    ///
    /// # Errors
    /// There are more values than registers.
    pub(crate) fn called(
        &self,
        function: u32,
        this: Option<Val>,
        values: &[Val],
        (site, results): (&Site, Results),
        window: &mut Window<'_>,
    ) -> Result<Step, Wrong> {
        let called = self.code.function(function)?;
        let registers = window.rest(site.top);
        let registers = match registers.split_first_mut() {
            Some((register, rest)) if called.this => {
                // Where nothing is `this`, an empty box stands for it.
                *register = this.unwrap_or(Val::Shared(u32::MAX));
                rest
            }
            _ => registers,
        };
        let Some(registers) = registers.get_mut(..values.len()) else {
            return Err(failure("the machine has no registers left for so many values"));
        };
        registers.copy_from_slice(values);
        let back = results.back.filter(|_| called.this);
        Ok(Step::Call(Called { function, top: site.top, to: results.to, back, position: site.position }))
    }

    /// Lays values down.
    pub(crate) fn values(&mut self, values: Vec<Dynamic>) -> Vec<Val> {
        values.into_iter().map(|value| self.memory.arena.of_dynamic(value)).collect()
    }

    /// Goes on from a pause: the operation that asked is carried out again.
    ///
    /// # Errors
    /// As [`Machine::run`].
    pub(crate) fn resume(&mut self, paused: &Paused) -> Result<Val, Wrong> {
        self.memory.restore(paused);
        self.go()
    }

    /// Prepares the frame on top to carry out its last operation again, and forgets the registers that nothing uses.
    fn stay(&mut self, function: &Function, next: usize) {
        let Some(top) = self.memory.frames.last_mut() else { return };
        let asked = next.saturating_sub(1);
        top.next = u32::try_from(asked).unwrap_or(u32::MAX);
        let Some((op, site)) = function.ops.get(asked).and_then(|op| Some((op, op.call_site()?))) else { return };
        let Some(site) = function.sites.get(usize::from(site)) else { return };
        let base = top.base as usize;
        self.memory.stack.truncate(base + usize::from(site.top));
        // What the operation gave before is of no use, unless a variable holds it.
        if let Some(result) = op.result()
            && usize::from(result) >= function.slots
            && !site.args.iter().any(|(at, _)| *at == result)
            && let Some(register) = self.memory.stack.get_mut(base + usize::from(result))
        {
            *register = Val::Nothing;
        }
    }

    fn go(&mut self) -> Result<Val, Wrong> {
        loop {
            let Some(frame) = self.memory.frames.last().copied() else {
                return Err(failure("the machine has nothing to run"));
            };
            let code = self.code;
            let function = code.function(frame.function)?;
            let mut next = frame.next as usize;
            let mut stack = std::mem::take(&mut self.memory.stack);
            let base = frame.base as usize;
            let done = match Window::of(&mut stack, base) {
                Some(mut window) => self.operations(function, &mut window, &mut next, &frame),
                None => Err(failure("the machine has no registers left")),
            };
            self.memory.stack = stack;
            match done {
                Ok(Step::Call(call)) => {
                    if let Some(top) = self.memory.frames.last_mut() {
                        top.next = u32::try_from(next).unwrap_or(u32::MAX);
                    }
                    // What the prelude calls is called where the prelude was.
                    let position = if function.prelude { frame.position } else { call.position };
                    if let Err(error) = self.enter(&Called { position, ..call }, base + usize::from(call.top)) {
                        self.caught(error)?;
                    }
                }
                Ok(Step::Return(value, this)) => match self.leave(value, this) {
                    Flow::Other => {}
                    Flow::Done(value) => return Ok(value),
                },
                Err(error) if self.link.is_paused() => {
                    self.stay(function, next);
                    return Err(error);
                }
                Err(mut error) => {
                    if let Some(top) = self.memory.frames.last_mut() {
                        top.next = u32::try_from(next).unwrap_or(u32::MAX);
                    }
                    let position = function.positions.get(next.saturating_sub(1)).copied().unwrap_or(Position::NONE);
                    if error.position().is_none() {
                        error.set_position(position);
                    }
                    self.caught(error)?;
                }
            }
        }
    }

    /// Begins a function whose registers begin at `base`.
    fn enter(&mut self, call: &Called, base: usize) -> Result<(), Wrong> {
        let Called { function, to, back, position, .. } = *call;
        if !self.code.function(function)?.prelude {
            if self.memory.level > CALL_LEVELS - 2 {
                return Err(Box::new(EvalAltResult::ErrorStackOverflow(position)));
            }
            self.memory.level += 1;
        }
        let stack = &mut self.memory.stack;
        if stack.len() < base + WINDOW {
            stack.resize(base + WINDOW, Val::Nothing);
        }
        let base = u32::try_from(base).unwrap_or(u32::MAX);
        self.memory.frames.push(Frame { function, next: 0, base, to, back, position });
        Ok(())
    }

    fn leave(&mut self, value: Val, this: Val) -> Flow {
        let Some(frame) = self.memory.frames.pop() else { return Flow::Done(value) };
        if !self.code.is_prelude(frame.function) {
            self.memory.level -= 1;
        }
        let depth = self.memory.frames.len();
        while self.memory.handlers.last().is_some_and(|handler| handler.frame > depth) {
            self.memory.handlers.pop();
        }
        let Some(caller) = self.memory.frames.last() else { return Flow::Done(value) };
        let base = caller.base as usize;
        if let Some(back) = frame.back
            && let Some(register) = self.memory.stack.get_mut(base + usize::from(back))
        {
            *register = this;
        }
        if let Some(register) = self.memory.stack.get_mut(base + usize::from(frame.to)) {
            *register = value;
        }
        Flow::Other
    }

    /// Goes on where an error is caught; or gives it back, with the calls that led there.
    fn caught(&mut self, error: Wrong) -> Result<(), Wrong> {
        let handler = if error.is_catchable() { self.memory.handlers.pop() } else { None };
        let kept = handler.map_or(0, |handler| handler.frame);
        let frames: Vec<Frame> = self.memory.frames.drain(kept.min(self.memory.frames.len())..).collect();
        let mut error = self.with_calls(error, &frames, kept);
        let Some(handler) = handler else { return Err(error) };
        if let Some(frame) = self.memory.frames.last() {
            error = self.with_inlined(error, frame);
        }
        self.link.close_listings(handler.listings)?;
        let open = frames.iter().filter(|frame| !self.code.is_prelude(frame.function)).count();
        self.memory.level = self.memory.level.saturating_sub(open);
        let value = super::faults::caught(error, &mut self.memory.arena);
        if let Some(frame) = self.memory.frames.last_mut() {
            frame.next = handler.to;
            let at = frame.base as usize + usize::from(handler.at);
            if let Some(register) = self.memory.stack.get_mut(at) {
                *register = value;
            }
        }
        Ok(())
    }

    /// Returns an error with the calls of the functions that are inlined where a frame is.
    fn with_inlined(&self, mut error: Wrong, frame: &Frame) -> Wrong {
        let done = frame.next.saturating_sub(1);
        let parts = self.code.function(frame.function).map(|function| function.inlined.as_slice()).unwrap_or_default();
        for part in parts.iter().filter(|part| (part.from..part.to).contains(&done)) {
            error = Box::new(EvalAltResult::ErrorInFunctionCall(part.name.clone(), String::new(), error, part.at));
        }
        error
    }

    /// Returns an error with the calls of these frames, below which there are so many others.
    fn with_calls(&self, mut error: Wrong, frames: &[Frame], below: usize) -> Wrong {
        let mut inner = true;
        for (number, frame) in frames.iter().enumerate().rev() {
            let prelude = self.code.is_prelude(frame.function);
            error = self.with_inlined(error, frame);
            if prelude && inner {
                // What goes wrong in the prelude itself goes wrong where it is called.
                error.set_position(frame.position);
                continue;
            }
            inner = false;
            // Nobody wrote the call of the first, nor what the prelude calls that is the first.
            let first = below == 0 && frames.first().is_some_and(|frame| self.code.is_prelude(frame.function));
            if below == 0 && number == 0 || number == 1 && first {
                break;
            }
            if prelude && !self.code.function(frame.function).is_ok_and(|function| function.this) {
                continue;
            }
            let name = self.code.name(frame.function);
            error = Box::new(EvalAltResult::ErrorInFunctionCall(name, String::new(), error, frame.position));
        }
        error
    }
}
