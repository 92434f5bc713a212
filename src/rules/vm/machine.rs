//! The machine: frames of its own, so that nothing of the script lies on the program's stack.
#![expect(clippy::indexing_slicing, reason = "a register is one of 256, and a window has as many")]

use std::sync::Arc;

use rhai::{Engine, EvalAltResult, GlobalRuntimeState, ImmutableString, Position};
use smallvec::SmallVec;

use super::code::Code;
use super::frames::{Frame, Memory, Step};
use super::native::{Caller, Given};
use super::op::{Fixed, Function, Known, Op, Overloads, Register, Site, Target, WINDOW};
use super::operators::Operator;
use crate::rules::host::Link;
use crate::rules::values::{Val, failure, stopped};

/// What goes wrong.
pub(crate) type Wrong = Box<EvalAltResult>;

/// A machine at work.
pub(crate) struct Machine<'m> {
    pub(crate) engine: &'m Engine,
    pub(crate) global: &'m GlobalRuntimeState,
    pub(crate) link: &'m Link,
    pub(crate) code: &'m Code,
    pub(crate) memory: &'m mut Memory,
}

/// The registers of a function.
pub(crate) type Window = [Val; WINDOW];

/// The values of a call.
pub(crate) type Values = SmallVec<[Val; 8]>;

impl Machine<'_> {
    #[inline]
    pub(crate) fn tick(&self) -> Result<(), Wrong> {
        if self.link.meter.tick() {
            return Err(stopped());
        }
        if self.memory.arena.is_full() {
            self.link.meter.full();
            return Err(stopped());
        }
        Ok(())
    }

    /// Does the operations of a frame, up to a call or a return.
    pub(crate) fn operations(
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
                Op::Constant { to, constant } => set!(to, function.constant(constant)),
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
                        None => self.operate(function, *next, operator, &mut [get!(of)])?,
                    };
                    set!(to, value);
                }
                Op::Binary { operator, to, one, other } => {
                    set!(to, self.combine(function, *next, operator, [get!(one), get!(other)])?);
                }
                Op::BinaryNumber { operator, to, one, number } => {
                    set!(to, self.combine(function, *next, operator, [get!(one), Val::Number(i64::from(number))])?);
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
                    if !self.compare(function, *next, operator, [get!(one), get!(other)])? {
                        *next = to as usize;
                    }
                }
                Op::UnlessNumber { operator, one, number, to } => {
                    if !self.compare(function, *next, operator, [get!(one), Val::Number(i64::from(number))])? {
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
                Op::Return { at } => return Ok(Step::Return(get!(at), get!(0_u8))),
                Op::Begin { at } => {
                    let (values, position, end) = self.begin(get!(at))?;
                    set!(at, values);
                    set!(at + 1, position);
                    set!(at + 2, end);
                }
                Op::Next { at, to, exit } => {
                    if !self.advance(window, at, to)? {
                        *next = exit as usize;
                    }
                }
                Op::Same { .. }
                | Op::Within { .. }
                | Op::List { .. }
                | Op::Append { .. }
                | Op::Map { .. }
                | Op::Text { .. }
                | Op::Index { .. }
                | Op::IndexOwn { .. }
                | Op::SetIndex { .. }
                | Op::PutIndex { .. }
                | Op::PutField { .. }
                | Op::Field { .. }
                | Op::FieldOwn { .. }
                | Op::SetField { .. } => self.reach(op, function, window)?,
                op => {
                    if let Some(step) = self.invoke(op, function, window, frame)? {
                        return Ok(step);
                    }
                }
            }
        }
    }

    /// Returns the result of an operator on two values.
    #[inline]
    fn combine(&mut self, function: &Function, next: usize, operator: Operator, mut values: [Val; 2]) -> Given {
        if let [Val::Number(one), Val::Number(other)] = values
            && let Some(value) = operator.of_numbers(one, other)
        {
            return Ok(value);
        }
        self.operate(function, next, operator, &mut values)
    }

    /// Returns whether a comparison holds.
    #[inline]
    fn compare(
        &mut self,
        function: &Function,
        next: usize,
        operator: Operator,
        mut values: [Val; 2],
    ) -> Result<bool, Wrong> {
        if let [Val::Number(one), Val::Number(other)] = values {
            return Ok(operator.compares(one, other).unwrap_or_default());
        }
        let value = self.operate(function, next, operator, &mut values)?;
        self.truth(value)
    }

    /// Moves a loop to its next value; returns `false` after the last one.
    fn advance(&mut self, window: &mut Window, at: Register, to: Register) -> Result<bool, Wrong> {
        let [iterated, position, left] = [at, at + 1, at + 2].map(|register| window[usize::from(register)]);
        match (iterated, position, left) {
            (Val::List(list), Val::Number(position), _) => {
                let place = usize::try_from(position).unwrap_or(usize::MAX);
                let list = self.memory.arena.lists.get(list as usize);
                let Some(item) = list.and_then(|list| list.items.get(place)).copied() else { return Ok(false) };
                self.memory.arena.share(item);
                window[usize::from(at + 1)] = Val::Number(position + 1);
                window[usize::from(to)] = item;
                Ok(true)
            }
            (Val::Number(_), _, Val::Number(0)) => Ok(false),
            (Val::Number(step), Val::Number(number), Val::Number(left)) => {
                window[usize::from(at + 2)] = Val::Number(left - 1);
                window[usize::from(at + 1)] = Val::Number(number.saturating_add(step));
                window[usize::from(to)] = Val::Number(number);
                Ok(true)
            }
            _ => Err(failure("internal error: a loop has no list and no numbers")),
        }
    }

    /// What a native function gives that gives the same as long as the table does.
    pub(crate) fn fixed(&mut self, fixed: &Known, site: &Site, window: &Window) -> Given {
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

    /// Returns the values of a call, from this one on; those that somebody else knows are shared from here on.
    pub(crate) fn handed(&mut self, site: &Site, window: &Window, from: usize) -> Values {
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

    /// What a native function gives.
    pub(crate) fn native(
        &mut self,
        natives: &Overloads,
        name: &ImmutableString,
        position: Position,
        values: &mut [Val],
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
    fn operate(&mut self, function: &Function, next: usize, operator: Operator, values: &mut [Val]) -> Given {
        if let &mut [one, other] = values
            && let Some(value) = operator.of_two(one, other, &mut self.memory.arena)?
        {
            return Ok(value);
        }
        self.tick()?;
        let position = function.positions.get(next.wrapping_sub(1)).copied().unwrap_or(Position::NONE);
        let (natives, name) = self.code.operator(operator);
        self.native(natives, name, position, values)
    }

    #[cold]
    fn no_truth(&self, value: Val) -> Wrong {
        self.mismatch("bool", value)
    }

    pub(crate) fn truth(&self, value: Val) -> Result<bool, Wrong> {
        match value {
            Val::Truth(truth) => Ok(truth),
            other => Err(self.no_truth(other)),
        }
    }

    pub(crate) fn mismatch(&self, wanted: &str, found: Val) -> Wrong {
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
        *at = self.operate(function, next, operator, &mut [*at, by])?;
        Ok(())
    }
}
