//! The machine: frames of its own, so that nothing of the script lies on the program's stack.

use std::cell::RefCell;
use std::sync::Arc;

use rhai::{Engine, EvalAltResult, GlobalRuntimeState, ImmutableString, Position};
use smallvec::SmallVec;

use super::arena::Arena;
use super::code::Code;
use super::native::{Caller, Given};
use super::op::{Fixed, Function, Natives, Op, Register, Site, Target, WINDOW};
use super::operators::Operator;
use super::value::{Callable, Val};
use crate::rules::api;
use crate::rules::engine::CALL_LEVELS;
use crate::rules::session::{Link, failure, stopped};
use crate::table::Table;

/// What goes wrong.
pub(super) type Wrong = Box<EvalAltResult>;

/// A function while it runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
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
    position: Position,
}

/// Where an error is caught: in the frame with this number, at an operation, in a register.
#[derive(Clone, Copy, Debug)]
struct Handler {
    frame: usize,
    to: u32,
    at: Register,
}

/// What a machine keeps while a phase runs: nothing but plain data.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(super) arena: Arena,
    stack: Vec<Val>,
    frames: Vec<Frame>,
    handlers: Vec<Handler>,
    /// How many functions of the rules are open.
    level: usize,
}

impl Memory {
    /// A memory that holds the constants of the rules.
    pub(crate) fn of(arena: Arena) -> Self {
        Self { arena, ..Self::default() }
    }

    /// Where values are laid down.
    pub(crate) const fn arena_mut(&mut self) -> &mut Arena {
        &mut self.arena
    }
}

/// A machine at work.
pub(crate) struct Machine<'m> {
    pub(crate) engine: &'m Engine,
    pub(crate) global: &'m GlobalRuntimeState,
    pub(crate) link: &'m Link,
    pub(crate) code: &'m Code,
    pub(crate) memory: &'m mut Memory,
}

/// The registers of a function.
type Window = [Val; WINDOW];

/// What comes of running operations of one frame.
enum Flow {
    /// Another frame is on top.
    Other,
    /// The first function returned.
    Done(Val),
}

/// The values of a call.
pub(super) type Values = SmallVec<[Val; 8]>;

impl Machine<'_> {
    /// Run a function with these values.
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
        self.memory.frames.clear();
        self.memory.handlers.clear();
        self.memory.level = level;
        self.enter(function, None, values, 0, 0, None, position)?;
        self.go()
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
            let window = stack.get_mut(base..base + WINDOW).and_then(|window| <&mut Window>::try_from(window).ok());
            let done = match window {
                Some(window) => self.operations(function, window, &mut next, frame),
                None => Err(failure("the machine has no registers left")),
            };
            self.memory.stack = stack;
            match done {
                Ok(Step::Call(call)) => {
                    if let Some(top) = self.memory.frames.last_mut() {
                        top.next = u32::try_from(next).unwrap_or(u32::MAX);
                    }
                    let entered = self.enter(
                        call.function,
                        call.this,
                        &call.values,
                        base + usize::from(call.top),
                        call.to,
                        call.back,
                        // What the prelude calls is called where the prelude was.
                        if function.prelude { frame.position } else { call.position },
                    );
                    if let Err(error) = entered {
                        self.caught(error)?;
                    }
                }
                Ok(Step::Return(value, this)) => match self.leave(value, this) {
                    Flow::Other => {}
                    Flow::Done(value) => return Ok(value),
                },
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

    /// Begin a function.
    #[expect(clippy::too_many_arguments, reason = "they are the parts of a frame")]
    fn enter(
        &mut self,
        function: usize,
        this: Option<Val>,
        values: &[Val],
        base: usize,
        to: Register,
        back: Option<Register>,
        position: Position,
    ) -> Result<(), Wrong> {
        let number = u32::try_from(function).unwrap_or(u32::MAX);
        let called = self.code.function(number)?;
        if !called.prelude {
            if self.memory.level > CALL_LEVELS - 2 {
                return Err(Box::new(EvalAltResult::ErrorStackOverflow(position)));
            }
            self.memory.level += 1;
        }
        let stack = &mut self.memory.stack;
        if stack.len() < base + WINDOW {
            stack.resize(base + WINDOW, Val::Nothing);
        }
        let mut registers = stack.iter_mut().skip(base);
        if called.this {
            // Where nothing is `this`, an empty box stands for it.
            registers.next().into_iter().for_each(|register| *register = this.unwrap_or(Val::Shared(u32::MAX)));
        }
        for (register, value) in registers.zip(values) {
            *register = *value;
        }
        let base = u32::try_from(base).unwrap_or(u32::MAX);
        let back = back.filter(|_| called.this);
        self.memory.frames.push(Frame { function: number, next: 0, base, to, back, position });
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

    /// Go on where an error is caught; or give it back, with the calls that led there.
    fn caught(&mut self, error: Wrong) -> Result<(), Wrong> {
        let handler = if error.is_catchable() { self.memory.handlers.pop() } else { None };
        let kept = handler.map_or(0, |handler| handler.frame);
        let frames: Vec<Frame> = self.memory.frames.drain(kept.min(self.memory.frames.len())..).collect();
        let error = self.with_calls(error, &frames, kept);
        let Some(handler) = handler else { return Err(error) };
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

    /// An error with the calls of these frames, below which there are so many others.
    fn with_calls(&self, mut error: Wrong, frames: &[Frame], below: usize) -> Wrong {
        let mut inner = true;
        for (number, frame) in frames.iter().enumerate().rev() {
            let prelude = self.code.is_prelude(frame.function);
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

    #[inline]
    pub(super) fn tick(&self) -> Result<(), Wrong> {
        if self.link.meter.tick() {
            return Err(stopped());
        }
        if self.memory.arena.is_full() {
            self.link.meter.full();
            return Err(stopped());
        }
        Ok(())
    }

    /// Do the operations of a frame, up to a call or a return.
    fn operations(
        &mut self,
        function: &Function,
        window: &mut Window,
        next: &mut usize,
        frame: Frame,
    ) -> Result<Step, Wrong> {
        macro_rules! set {
            ($to:expr, $value:expr) => {
                window[usize::from($to)] = $value
            };
        }
        macro_rules! get {
            ($of:expr) => {
                window[usize::from($of)]
            };
        }
        let ops = function.ops.as_slice();
        loop {
            let Some(op) = ops.get(*next).copied() else { return Err(failure("a function runs beyond its end")) };
            *next += 1;
            match op {
                Op::Move { to, from } => set!(to, get!(from)),
                Op::Copy { to, from } => {
                    let value = get!(from);
                    self.memory.arena.share(value);
                    set!(to, value);
                }
                Op::Share { at } => self.memory.arena.share(get!(at)),
                Op::Constant { to, constant } => set!(to, constant_of(function, constant)),
                Op::Number { to, number } => set!(to, Val::Number(i64::from(number))),
                Op::Truth { to, truth } => set!(to, Val::Truth(truth)),
                Op::Nothing { to } => set!(to, Val::Nothing),
                Op::Box { at } => {
                    let value = self.memory.arena.unboxed(get!(at));
                    set!(at, self.memory.arena.boxes(value));
                }
                Op::Unbox { to, from } => set!(to, self.memory.arena.unboxed(get!(from))),
                Op::SetBox { at, from } => match get!(at) {
                    Val::Shared(place) => {
                        if let Some(shared) = self.memory.arena.boxes.get_mut(place as usize) {
                            *shared = get!(from);
                        }
                    }
                    _ => set!(at, get!(from)),
                },
                Op::This { at } => {
                    if get!(at) == Val::Shared(u32::MAX) {
                        return Err(Box::new(EvalAltResult::ErrorUnboundThis(Position::NONE)));
                    }
                }
                Op::Unary { operator, to, of } => {
                    let value = match operator.of_one(get!(of)) {
                        Some(value) => value,
                        None => self.operate(function, *next, operator, &[get!(of)])?,
                    };
                    set!(to, value);
                }
                Op::Binary { operator, to, one, other } => {
                    let value = match (get!(one), get!(other)) {
                        (Val::Number(one), Val::Number(other)) => operator.of_numbers(one, other),
                        _ => None,
                    };
                    let value = match value {
                        Some(value) => value,
                        None => self.operate(function, *next, operator, &[get!(one), get!(other)])?,
                    };
                    set!(to, value);
                }
                Op::BinaryNumber { operator, to, one, number } => {
                    let number = i64::from(number);
                    let value = match get!(one) {
                        Val::Number(one) => operator.of_numbers(one, number),
                        _ => None,
                    };
                    let value = match value {
                        Some(value) => value,
                        None => self.operate(function, *next, operator, &[get!(one), Val::Number(number)])?,
                    };
                    set!(to, value);
                }
                Op::Change { operator, at, by } => {
                    let by = get!(by);
                    self.change(function, *next, operator, &mut window[usize::from(at)], by)?;
                }
                Op::Jump { to } => *next = to as usize,
                Op::Back { to } => {
                    self.tick()?;
                    *next = to as usize;
                }
                Op::JumpIf { at, truth, to } => match get!(at) {
                    Val::Truth(is) => {
                        if is == truth {
                            *next = to as usize;
                        }
                    }
                    other => return Err(self.no_truth(other)),
                },
                Op::Unless { operator, one, other, to } => {
                    let holds = match (get!(one), get!(other)) {
                        (Val::Number(one), Val::Number(other)) => operator.compares(one, other).unwrap_or_default(),
                        (one, other) => {
                            let value = self.operate(function, *next, operator, &[one, other])?;
                            self.truth(value)?
                        }
                    };
                    if !holds {
                        *next = to as usize;
                    }
                }
                Op::UnlessNumber { operator, one, number, to } => {
                    let number = i64::from(number);
                    let holds = match get!(one) {
                        Val::Number(one) => operator.compares(one, number).unwrap_or_default(),
                        one => {
                            let value = self.operate(function, *next, operator, &[one, Val::Number(number)])?;
                            self.truth(value)?
                        }
                    };
                    if !holds {
                        *next = to as usize;
                    }
                }
                Op::JumpIfNothing { at, to } => {
                    if get!(at) == Val::Nothing {
                        *next = to as usize;
                    }
                }
                Op::JumpUnlessNothing { at, to } => {
                    if get!(at) != Val::Nothing {
                        *next = to as usize;
                    }
                }
                Op::Same { to, of, constant } => {
                    let same = self.memory.arena.same(get!(of), constant_of(function, constant));
                    set!(to, Val::Truth(same));
                }
                Op::Within { to, of, constant } => {
                    let within = match (get!(of), constant_of(function, constant)) {
                        (Val::Number(number), Val::Range(at)) => {
                            self.memory.arena.ranges.get(at as usize).is_some_and(|span| span.contains(number))
                        }
                        _ => false,
                    };
                    set!(to, Val::Truth(within));
                }
                Op::List { to, from, count } => {
                    let items = row(window, from, count).to_vec();
                    let value = self.memory.arena.list(items);
                    self.memory.arena.fits(value)?;
                    set!(to, value);
                }
                Op::Append { to, from, count } => {
                    let items: Values = row(window, from, count).into();
                    if let Some(list) = self.memory.arena.own_items(&mut window[usize::from(to)]) {
                        list.extend(items);
                    }
                    self.memory.arena.fits(get!(to))?;
                }
                Op::Map { to, from, names } => {
                    let names = function.names.get(usize::from(names)).map(Vec::as_slice).unwrap_or_default();
                    let count = u8::try_from(names.len()).unwrap_or(u8::MAX);
                    let value = self.memory.arena.map(Vec::with_capacity(names.len()));
                    if let Val::Map(at) = value
                        && let Some(map) = self.memory.arena.maps.get_mut(at as usize)
                    {
                        for (name, value) in names.iter().zip(row(window, from, count)) {
                            map.insert(name, *value);
                        }
                    }
                    self.memory.arena.grown(40 * names.len());
                    self.memory.arena.fits(value)?;
                    set!(to, value);
                }
                Op::Text { to, from, count } => {
                    let parts: Values = row(window, from, count).into();
                    set!(to, self.interpolated(&parts)?);
                }
                Op::Index { to, of, at } => set!(to, self.index(get!(of), get!(at))?),
                Op::IndexOwn { to, of, at, add } => {
                    let at = get!(at);
                    self.memory.arena.own(&mut window[usize::from(of)]);
                    let value = match (get!(of), at) {
                        (Val::Map(_), Val::Text(_)) if add => self.named_or_nothing(get!(of), at),
                        (of, at) => self.index(of, at)?,
                    };
                    set!(to, value);
                }
                Op::SetIndex { of, at, value } => {
                    let (at, value) = (get!(at), get!(value));
                    self.set_index(&mut window[usize::from(of)], at, value)?;
                }
                Op::PutIndex { of, at, value } => {
                    let (at, value) = (get!(at), get!(value));
                    match self.set_index(&mut window[usize::from(of)], at, value) {
                        Err(error) if matches!(*error, EvalAltResult::ErrorIndexingType(..)) => {}
                        done => done?,
                    }
                }
                Op::PutField { of, value, site } => {
                    let site = site_of(function, site)?;
                    let value = get!(value);
                    match self.set_field(&mut window[usize::from(of)], site, value) {
                        Err(error) if matches!(*error, EvalAltResult::ErrorDotExpr(..)) => {}
                        done => done?,
                    }
                }
                Op::Field { to, of, site } => {
                    let site = site_of(function, site)?;
                    set!(to, self.field(get!(of), site)?);
                }
                Op::FieldOwn { to, of, site, add } => {
                    let site = site_of(function, site)?;
                    self.memory.arena.own(&mut window[usize::from(of)]);
                    let value = match get!(of) {
                        map @ Val::Map(_) if add => {
                            self.memory.arena.fields(map).and_then(|map| map.get(&site.name)).unwrap_or_default()
                        }
                        of => self.field(of, site)?,
                    };
                    set!(to, value);
                }
                Op::SetField { of, value, site } => {
                    let site = site_of(function, site)?;
                    let value = get!(value);
                    self.set_field(&mut window[usize::from(of)], site, value)?;
                }
                Op::Native { to, site } => {
                    let site = site_of(function, site)?;
                    self.tick()?;
                    if let Some(fixed) = &site.fixed {
                        set!(to, self.fixed(fixed, site, window)?);
                        continue;
                    }
                    let mut values: Values = site.args.iter().map(|(at, _)| get!(*at)).collect();
                    if site.method
                        && let Some(step) = self.method_of_map(site, to, &values)?
                    {
                        return Ok(step);
                    }
                    let Target::Native(natives) = &site.callee else { return Err(failure("no native is called")) };
                    let first = values.first().copied();
                    let position = if function.prelude { frame.position } else { site.position };
                    set!(to, self.native(natives, &site.name, position, &mut values)?);
                    if let (Some((at, _)), Some(value)) = (site.args.first(), values.first())
                        && first != Some(*value)
                        && to != *at
                    {
                        set!(*at, *value);
                    }
                }
                Op::Call { to, site } => {
                    let site = site_of(function, site)?;
                    self.tick()?;
                    let Target::Function { function, .. } = site.callee else { return Err(failure("no function")) };
                    let values = self.handed(site, window, 0);
                    return Ok(call(function, None, values, site, to, None));
                }
                Op::Method { to, site } => {
                    let site = site_of(function, site)?;
                    self.tick()?;
                    if let Some(step) = self.method(site, to, window)? {
                        return Ok(step);
                    }
                }
                Op::CallValue { to, site } => {
                    let site = site_of(function, site)?;
                    self.tick()?;
                    if let Some(step) = self.call_value(site, to, window)? {
                        return Ok(step);
                    }
                }
                Op::Callback { to, site } => {
                    let site = site_of(function, site)?;
                    self.tick()?;
                    if let Some(step) = self.callback(site, to, window)? {
                        return Ok(step);
                    }
                }
                Op::Curry { to, site } => {
                    let site = site_of(function, site)?;
                    let values = self.handed(site, window, 0);
                    set!(to, self.curry(&values)?);
                }
                Op::Closure { to, site } => {
                    let site = site_of(function, site)?;
                    let Target::Closure(closure) = site.callee else { return Err(failure("no closure")) };
                    let mut values: Values = SmallVec::new();
                    values.push(closure);
                    values.extend(site.args.iter().map(|(at, _)| get!(*at)));
                    set!(to, self.curry(&values)?);
                }
                Op::Pointer { to, from } => {
                    let Some(name) = self.memory.arena.text_of(get!(from)).cloned() else {
                        return Err(self.mismatch("ImmutableString", get!(from)));
                    };
                    super::faults::callable(&name)?;
                    set!(to, self.memory.arena.functions(Callable { name, curry: Vec::new() }));
                }
                Op::Return { at } => return Ok(Step::Return(get!(at), get!(0_u8))),
                Op::Begin { at } => {
                    let (values, position, end) = self.begin(get!(at))?;
                    set!(at, values);
                    set!(at + 1, position);
                    set!(at + 2, end);
                }
                Op::Next { at, to, exit } => match (get!(at), get!(at + 1)) {
                    (Val::List(list), Val::Number(position)) => {
                        let place = usize::try_from(position).unwrap_or(usize::MAX);
                        let item =
                            self.memory.arena.lists.get(list as usize).and_then(|list| list.items.get(place)).copied();
                        match item {
                            Some(item) => {
                                self.memory.arena.share(item);
                                set!(at + 1, Val::Number(position + 1));
                                set!(to, item);
                            }
                            None => *next = exit as usize,
                        }
                    }
                    (Val::Number(step), Val::Number(number)) => {
                        let Val::Number(left) = get!(at + 2) else { return Err(failure("a loop has no end")) };
                        if left > 0 {
                            set!(at + 2, Val::Number(left - 1));
                            set!(at + 1, Val::Number(number.saturating_add(step)));
                            set!(to, Val::Number(number));
                        } else {
                            *next = exit as usize;
                        }
                    }
                    _ => return Err(failure("a loop goes over nothing")),
                },
                Op::Clause { clause } => self.link.with(|session| {
                    session.applied(clause);
                    Ok(())
                })?,
                Op::Event { event, site } => {
                    let site = site_of(function, site)?;
                    let mut values: Values = site.args.iter().map(|(at, _)| get!(*at)).collect();
                    if !api::only_told(self.link, event, values.get(1..).unwrap_or_default())? {
                        self.tick()?;
                        let Target::Native(natives) = &site.callee else { return Err(failure("no native")) };
                        self.native(natives, &site.name, site.position, &mut values)?;
                    }
                }
                Op::Throw { at } => {
                    let value = self.memory.arena.to_dynamic(get!(at))?;
                    return Err(Box::new(EvalAltResult::ErrorRuntime(value, Position::NONE)));
                }
                Op::Try { to, at } => {
                    self.memory.handlers.push(Handler { frame: self.memory.frames.len(), to, at });
                }
                Op::EndTry => {
                    self.memory.handlers.pop();
                }
                Op::Fault { fault } => {
                    let fault = function.faults.get(usize::from(fault)).ok_or_else(|| failure("no fault"))?;
                    return Err(super::faults::known(fault));
                }
            }
        }
    }

    /// What a native gives that gives the same as long as the table does.
    fn fixed(&mut self, fixed: &RefCell<Option<(Arc<Table>, Fixed)>>, site: &Site, window: &Window) -> Given {
        let table = self.link.with(|session| {
            let known = fixed.borrow();
            let same = known.as_ref().is_some_and(|(table, _)| Arc::ptr_eq(table, &session.state.table));
            Ok((!same).then(|| Arc::clone(&session.state.table)))
        })?;
        let Some(table) = table else {
            let known = fixed.borrow();
            return Ok(known.as_ref().map_or(Val::Nothing, |(_, value)| value.lay(&mut self.memory.arena)));
        };
        let Target::Native(natives) = &site.callee else { return Err(failure("no native is called")) };
        let mut values: Values = site.args.iter().map(|(at, _)| window[usize::from(*at)]).collect();
        let value = self.native(natives, &site.name, site.position, &mut values)?;
        *fixed.borrow_mut() = Fixed::of(value, &self.memory.arena).map(|value| (table, value));
        Ok(value)
    }

    /// The values of a call, from this one on; those that somebody else knows are shared from here on.
    pub(super) fn handed(&mut self, site: &Site, window: &Window, from: usize) -> Values {
        let mut values = Values::new();
        for (at, new) in site.args.iter().skip(from) {
            let value = window[usize::from(*at)];
            if !new {
                self.memory.arena.share(value);
            }
            values.push(value);
        }
        values
    }

    /// What a native gives.
    pub(super) fn native(
        &mut self,
        natives: &Natives,
        name: &ImmutableString,
        position: Position,
        values: &mut Values,
    ) -> Given {
        if natives.chooses
            && let Some(value) = self.picked(values)?
        {
            return Ok(value);
        }
        let arena = &mut self.memory.arena;
        let caller = Caller { engine: self.engine, global: self.global, name, position };
        let last = natives.all.get(natives.last.get()).filter(|native| !native.takes_any && !native.calls);
        if let Some(native) = last.filter(|native| native.takes(values, arena)) {
            return native.call(&caller, arena, values);
        }
        let usable = |native: &&super::native::Native| !native.calls && native.takes(values, arena);
        let found = natives.all.iter().enumerate().find(|(_, native)| !native.takes_any && usable(native));
        if let Some((at, native)) = found {
            natives.last.set(at);
            return native.call(&caller, arena, values);
        }
        if let Some(library) = natives.library
            && let Some(value) = library(arena, values)?
        {
            return Ok(value);
        }
        let usable = |native: &&super::native::Native| !native.calls && native.takes(values, arena);
        if let Some(native) = natives.all.iter().find(usable) {
            return native.call(&caller, arena, values);
        }
        self.of_rhai(name, position, values)
    }

    /// What comes of operators where it is not known at once.
    #[cold]
    fn operate(&mut self, function: &Function, next: usize, operator: Operator, values: &[Val]) -> Given {
        if let &[one, other] = values
            && let Some(value) = operator.of_two(one, other, &mut self.memory.arena)?
        {
            return Ok(value);
        }
        self.tick()?;
        let position = function.positions.get(next.wrapping_sub(1)).copied().unwrap_or(Position::NONE);
        let mut values: Values = values.into();
        let (natives, name) = self.code.operator(operator);
        self.native(natives, name, position, &mut values)
    }

    #[cold]
    fn no_truth(&self, value: Val) -> Wrong {
        self.mismatch("bool", value)
    }

    pub(super) fn truth(&self, value: Val) -> Result<bool, Wrong> {
        match value {
            Val::Truth(truth) => Ok(truth),
            other => Err(self.no_truth(other)),
        }
    }

    pub(super) fn mismatch(&self, wanted: &str, found: Val) -> Wrong {
        let found = self.memory.arena.type_name(found).to_owned();
        Box::new(EvalAltResult::ErrorMismatchDataType(wanted.to_owned(), found, Position::NONE))
    }

    fn change(
        &mut self,
        function: &Function,
        next: usize,
        operator: Operator,
        at: &mut Val,
        by: Val,
    ) -> Result<(), Wrong> {
        if let (Val::Number(one), Val::Number(other)) = (*at, by)
            && let Some(value) = operator.of_numbers(one, other)
        {
            *at = value;
            return Ok(());
        }
        if operator == Operator::Add && self.memory.arena.add_to(at, by)? {
            return Ok(());
        }
        *at = self.operate(function, next, operator, &[*at, by])?;
        Ok(())
    }
}

/// What comes of the operations of a frame.
pub(super) enum Step {
    Call(Called),
    Return(Val, Val),
}

/// A function to begin.
pub(super) struct Called {
    pub(super) function: usize,
    pub(super) this: Option<Val>,
    pub(super) values: Values,
    pub(super) top: Register,
    pub(super) to: Register,
    pub(super) back: Option<Register>,
    pub(super) position: Position,
}

pub(super) fn call(
    function: u32,
    this: Option<Val>,
    values: Values,
    site: &Site,
    to: Register,
    back: Option<Register>,
) -> Step {
    let function = function as usize;
    Step::Call(Called { function, this, values, top: site.top, to, back, position: site.position })
}

fn constant_of(function: &Function, constant: u16) -> Val {
    function.constants.get(usize::from(constant)).copied().unwrap_or_default()
}

fn site_of(function: &Function, site: u16) -> Result<&Site, Wrong> {
    function.sites.get(usize::from(site)).ok_or_else(|| failure("a call has no place"))
}

fn row(window: &Window, from: Register, count: u8) -> &[Val] {
    let from = usize::from(from);
    window.get(from..from + usize::from(count)).unwrap_or_default()
}
