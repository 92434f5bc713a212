//! Frames: the running functions, the errors that leave them, and the handlers that catch errors.

use rhai::{Dynamic, EvalAltResult, Position};

use super::alive::Continues;
use super::machine::Machine;
use super::memory::{Frame, PausedMachine, Results, Step};
use super::op::Function;
use super::site::Site;
use super::window::WINDOW;
use super::window::Window;
use crate::values::Wrong;
use crate::values::{CALL_LEVELS, Val, failure};

/// The continuation after a function returned.
enum Flow {
    /// The caller continues.
    Other,
    /// The first function returned, with this value.
    Done(Val),
}

impl Machine<'_> {
    /// Runs a function with these arguments.
    ///
    /// # Errors
    /// Returns the error of the script, with the calls that led there.
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
        let mut registers = self.memory.stack.iter_mut();
        if self.code.function(function)?.this {
            // An empty box marks a missing `this`.
            registers.next().into_iter().for_each(|register| *register = Val::Shared(u32::MAX));
        }
        registers.zip(values).for_each(|(register, value)| *register = *value);
        self.profiled(|machine| {
            let called = machine.code.function(function)?;
            machine.enter(function, called, Results { to: 0, back: None }, position, 0)?;
            machine.go()
        })
    }

    /// Enters a function with these arguments.
    ///
    /// # Errors
    /// Returns an error if there are more arguments than registers, or too many calls in each other.
    pub(crate) fn called(
        &mut self,
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
                // An empty box marks a missing `this`.
                *register = this.unwrap_or(Val::Shared(u32::MAX));
                rest
            }
            _ => registers,
        };
        let Some(registers) = registers.get_mut(..values.len()) else {
            return Err(failure("the machine has no registers left for this many arguments"));
        };
        registers.copy_from_slice(values);
        let back = results.back.filter(|_| called.this);
        self.enter_above(function, called, Results { to: results.to, back }, site)
    }

    /// Stores values.
    pub(crate) fn values(&mut self, values: Vec<Dynamic>) -> Vec<Val> {
        values.into_iter().map(|value| self.memory.arena.of_dynamic(value)).collect()
    }

    /// Resumes after a pause: the operation that asked is repeated.
    ///
    /// # Errors
    /// Returns an error as [`Machine::run`] does.
    pub(crate) fn resume(&mut self, paused: &PausedMachine) -> Result<Val, Wrong> {
        self.memory.restore(paused);
        self.profiled(Self::go)
    }

    /// Prepares the top frame to repeat its last operation, and drops values that no frame reads any more.
    fn stay(&mut self, function: &Function, next: usize, stack: &mut Vec<Val>) {
        let asked = next.saturating_sub(1);
        let Some(top) = self.memory.frames.last_mut() else { return };
        top.next = u32::try_from(asked).unwrap_or(u32::MAX);
        let called = function.ops.get(asked).and_then(|op| function.sites.get(usize::from(op.call_site()?)));
        if let Some(site) = called {
            stack.truncate(top.base as usize + usize::from(site.top));
        }
        let mut above = None::<&Frame>;
        for frame in self.memory.frames.iter().rev() {
            let end = above.map_or(stack.len(), |above| above.base as usize);
            let continues = match above {
                Some(called) => Continues::After(frame.next as usize, [Some(called.to), called.back]),
                None => Continues::At(asked),
            };
            if let (Ok(function), Some(registers)) =
                (self.code.function(frame.function), stack.get_mut(frame.base as usize..end))
            {
                function.forget_dead(continues, registers);
            }
            above = Some(frame);
        }
    }

    fn go(&mut self) -> Result<Val, Wrong> {
        // The machine changes registers and everything else at the same time.
        let mut stack = std::mem::take(&mut self.memory.stack);
        let done = self.frames(&mut stack);
        self.memory.stack = stack;
        done
    }

    /// Runs the open frames to their end.
    fn frames(&mut self, stack: &mut Vec<Val>) -> Result<Val, Wrong> {
        let code = self.code;
        loop {
            let Some(&Frame { function, next, base, position, .. }) = self.memory.frames.last() else {
                return Err(failure("internal error: no function to run"));
            };
            let function = code.function(function)?;
            let base = base as usize;
            if stack.len() < base + WINDOW {
                stack.resize(base + WINDOW, Val::Nothing);
            }
            let Some(mut window) = Window::of(stack, base) else {
                return Err(failure("internal error: no registers left"));
            };
            let place = if function.prelude { Some(position) } else { None };
            let mut next = next as usize;
            match self.operations(&mut next, function, &mut window, place) {
                Ok(Step::Entered) => self.entered(next, place),
                Ok(Step::Return(value, this)) => match self.leave(value, this, stack)? {
                    Flow::Other => {}
                    Flow::Done(value) => return Ok(value),
                },
                Err(error) => self.failed(error, function, next, stack)?,
            }
        }
    }

    /// Completes the frame of a called function and that of its caller, which goes on at `next`. `place` is the position
    /// of the call, if it is not that of the call site: a call from the prelude has that of the call of the prelude.
    #[inline(always)]
    fn entered(&mut self, next: usize, place: Option<Position>) {
        if let [.., caller, called] = self.memory.frames.as_mut_slice() {
            caller.next = u32::try_from(next).unwrap_or(u32::MAX);
            called.position = place.unwrap_or(called.position);
        }
    }

    /// Continues at the handler of an error of the top frame, or leaves everything as it is for a pause.
    #[cold]
    fn failed(
        &mut self,
        mut error: Wrong,
        function: &Function,
        next: usize,
        stack: &mut Vec<Val>,
    ) -> Result<(), Wrong> {
        if self.link.is_paused() {
            self.stay(function, next, stack);
            return Err(error);
        }
        if let Some(top) = self.memory.frames.last_mut() {
            top.next = u32::try_from(next).unwrap_or(u32::MAX);
        }
        let position = function.positions.get(next.saturating_sub(1)).copied().unwrap_or(Position::NONE);
        if error.position().is_none() {
            error.set_position(position);
        }
        self.caught(error, stack)
    }

    /// Enters a function whose registers begin at the first free one of the call site.
    ///
    /// # Errors
    /// Returns an error if there are too many calls in each other.
    #[inline]
    pub(crate) fn enter_above(
        &mut self,
        number: u32,
        called: &Function,
        results: Results,
        site: &Site,
    ) -> Result<Step, Wrong> {
        let base = self.memory.frames.last().map_or(0, |frame| frame.base) + u32::from(site.top);
        self.enter(number, called, results, site.position, base)?;
        Ok(Step::Entered)
    }

    /// Enters a function whose registers begin at `base`.
    #[inline]
    fn enter(
        &mut self,
        function: u32,
        called: &Function,
        results: Results,
        position: Position,
        base: u32,
    ) -> Result<(), Wrong> {
        if let Some(remembering) = &mut self.memory.remembering {
            remembering.topics = remembering.topics.and(called.reads);
        }
        if called.work > 0 {
            self.link.meter.work(called.work.into());
        }
        if !called.prelude {
            if self.memory.level > CALL_LEVELS - 2 {
                return Err(self.too_deep(position));
            }
            self.memory.level += 1;
        }
        let Results { to, back } = results;
        self.memory.frames.push(Frame { function, next: 0, base, to, back, position });
        Ok(())
    }

    /// Returns the error for too many calls in each other. A call from the prelude has the position of the call of the
    /// prelude.
    #[cold]
    fn too_deep(&self, position: Position) -> Wrong {
        let caller = self.memory.frames.last().filter(|frame| self.code.is_prelude(frame.function));
        Box::new(EvalAltResult::ErrorStackOverflow(caller.map_or(position, |frame| frame.position)))
    }

    #[inline]
    fn leave(&mut self, value: Val, this: Val, stack: &mut [Val]) -> Result<Flow, Wrong> {
        let Some(frame) = self.memory.frames.pop() else { return Ok(Flow::Done(value)) };
        self.returned(frame.function, value)?;
        if !self.code.is_prelude(frame.function) {
            self.memory.level -= 1;
        }
        let depth = self.memory.frames.len();
        while self.memory.handlers.last().is_some_and(|handler| handler.frame > depth) {
            self.memory.handlers.pop();
        }
        let Some(caller) = self.memory.frames.last() else { return Ok(Flow::Done(value)) };
        let base = caller.base as usize;
        if let Some(back) = frame.back
            && let Some(register) = stack.get_mut(base + usize::from(back))
        {
            *register = this;
        }
        if let Some(register) = stack.get_mut(base + usize::from(frame.to)) {
            *register = value;
        }
        Ok(Flow::Other)
    }

    /// Continues at the handler of an error.
    ///
    /// # Errors
    /// Returns the error with the calls that led there, if there is no handler.
    fn caught(&mut self, error: Wrong, stack: &mut [Val]) -> Result<(), Wrong> {
        self.memory.remembering = None;
        let handler = if error.is_catchable() { self.memory.handlers.pop() } else { None };
        let kept = handler.map_or(0, |handler| handler.frame);
        let frames: Vec<Frame> = self.memory.frames.drain(kept.min(self.memory.frames.len())..).collect();
        let mut error = self.with_calls(error, &frames, kept);
        let Some(handler) = handler else {
            // The position that is played is the one that is left.
            _ = self.link.close_listings([0; 3]);
            return Err(error);
        };
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
            if let Some(register) = stack.get_mut(at) {
                *register = value;
            }
        }
        Ok(())
    }

    /// Adds the calls of inlined functions at the present operation of a frame to an error.
    fn with_inlined(&self, mut error: Wrong, frame: &Frame) -> Wrong {
        let done = frame.next.saturating_sub(1);
        let parts = self.code.function(frame.function).map(|function| function.inlined.as_slice()).unwrap_or_default();
        for part in parts.iter().filter(|part| (part.from..part.to).contains(&done)) {
            error = Box::new(EvalAltResult::ErrorInFunctionCall(part.name.clone(), String::new(), error, part.at));
        }
        error
    }

    /// Adds the calls of these frames to an error. `below` is the number of frames below them.
    fn with_calls(&self, mut error: Wrong, frames: &[Frame], below: usize) -> Wrong {
        let mut inner = true;
        for (number, frame) in frames.iter().enumerate().rev() {
            let prelude = self.code.is_prelude(frame.function);
            error = self.with_inlined(error, frame);
            if prelude && inner {
                // An error in the prelude itself is reported at the call of the prelude.
                error.set_position(frame.position);
                continue;
            }
            inner = false;
            // The script has no call of the first function, or of what the prelude calls if the prelude is the first.
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
