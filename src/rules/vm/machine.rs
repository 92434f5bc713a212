//! The machine: frames of its own, so that nothing of the script lies on the program's stack.
#![expect(clippy::indexing_slicing, reason = "a register is one of 256, and a window has as many")]

use std::sync::Arc;

use rhai::{Engine, EvalAltResult, GlobalRuntimeState, ImmutableString, Position};
use smallvec::SmallVec;

use super::code::Code;
use super::frames::{Frame, Handler, Memory, Step, call};
use super::native::{Caller, Given};
use super::op::{Fixed, Function, Known, Natives, Op, Register, Site, Target, WINDOW};
use super::operators::Operator;
use super::value::{Callable, Val};
use crate::rules::api;
use crate::rules::session::{Link, failure, stopped};

/// What goes wrong.
pub(super) type Wrong = Box<EvalAltResult>;

/// A machine at work.
pub(crate) struct Machine<'m> {
    pub(crate) engine: &'m Engine,
    pub(crate) global: &'m GlobalRuntimeState,
    pub(crate) link: &'m Link,
    pub(crate) code: &'m Code,
    pub(crate) memory: &'m mut Memory,
}

/// The registers of a function.
pub(super) type Window = [Val; WINDOW];

/// The values of a call.
pub(super) type Values = SmallVec<[Val; 8]>;

impl Machine<'_> {
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
    pub(super) fn operations(
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
    fn fixed(&mut self, fixed: &Known, site: &Site, window: &Window) -> Given {
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
