//! The machine. It has its own frames, so calls of the script do not use the program's stack.

use std::sync::Arc;

use rhai::{Engine, EvalAltResult, GlobalRuntimeState, ImmutableString, Position};
use smallvec::SmallVec;

use super::code::Code;
use super::fixed::{Fixed, Known, Memo};
use super::memory::{Frame, Memory, Step};
use super::native::{Caller, Given};
use super::op::{Function, Op, Overloads, Site};
use super::operators::Operator;
use super::window::Register;
use super::window::Window;
use crate::rules::host::Link;
use crate::rules::values::Wrong;
use crate::rules::values::{Val, failure, stopped};

/// The machine with everything that it uses.
pub(crate) struct Machine<'m> {
    pub(crate) engine: &'m Engine,
    pub(crate) global: &'m GlobalRuntimeState,
    pub(crate) link: &'m Link,
    pub(crate) code: &'m Code,
    pub(crate) memory: &'m mut Memory,
}

/// The arguments of a call.
pub(crate) type Values = SmallVec<[Val; 8]>;

impl Machine<'_> {
    #[inline(always)]
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

    /// Runs the operations of a frame, up to a call or a return.
    #[expect(
        clippy::too_many_lines,
        reason = "one arm for each operation that must be quick: a call would cost more than it does"
    )]
    pub(crate) fn operations(
        &mut self,
        function: &Function,
        window: &mut Window<'_>,
        next: &mut usize,
        frame: &Frame,
    ) -> Result<Step, Wrong> {
        let ops = function.ops.as_slice();
        loop {
            let Some(op) = ops.get(*next).copied() else {
                return Err(failure("internal error: a function runs beyond its end"));
            };
            *next += 1;
            match op {
                Op::Move { to, from } => window[to] = window[from],
                Op::Copy { to, from } => {
                    let value = window[from];
                    self.memory.arena.share(value);
                    window[to] = value;
                }
                Op::Share { at } => self.memory.arena.share(window[at]),
                Op::Constant { to, constant } => window[to] = function.constant(constant),
                Op::Number { to, number } => window[to] = Val::Number(i64::from(number)),
                Op::Truth { to, truth } => window[to] = Val::Truth(truth),
                Op::Nothing { to } => window[to] = Val::Nothing,
                Op::This { at } => {
                    if window[at] == Val::Shared(u32::MAX) {
                        return Err(Box::new(EvalAltResult::ErrorUnboundThis(Position::NONE)));
                    }
                }
                Op::Unary { operator, to, of } => {
                    let value = match operator.of_one(window[of]) {
                        Some(value) => value,
                        None => self.operate(function, *next, operator, &mut [window[of]])?,
                    };
                    window[to] = value;
                }
                Op::Binary { operator, to, one, other } => {
                    let values = [window[one], window[other]];
                    window[to] = match operator.sum(values) {
                        Some(sum) => Val::Number(sum),
                        None => self.combine(function, *next, operator, values)?,
                    };
                }
                Op::BinaryNumber { operator, to, one, number } => {
                    let values = [window[one], Val::Number(i64::from(number))];
                    window[to] = match operator.sum(values) {
                        Some(sum) => Val::Number(sum),
                        None => self.combine(function, *next, operator, values)?,
                    };
                }
                Op::Change { operator, at, by } => {
                    let by = window[by];
                    self.change(function, *next, operator, &mut window[at], by)?;
                }
                Op::Jump { to } => *next = to as usize,
                Op::Back { to } => {
                    self.tick()?;
                    *next = to as usize;
                }
                Op::JumpIf { at, truth, to } => match window[at] {
                    Val::Truth(is) => {
                        if is == truth {
                            *next = to as usize;
                        }
                    }
                    other => return Err(self.no_truth(other)),
                },
                Op::When { operator, one, other, to } => {
                    if self.compare(function, *next, operator, [window[one], window[other]])? {
                        *next = to as usize;
                    }
                }
                Op::Unless { operator, one, other, to } => {
                    if !self.compare(function, *next, operator, [window[one], window[other]])? {
                        *next = to as usize;
                    }
                }
                Op::UnlessNumber { operator, one, number, to } => {
                    if !self.compare(function, *next, operator, [window[one], Val::Number(i64::from(number))])? {
                        *next = to as usize;
                    }
                }
                Op::UnlessConstant { operator, one, constant, to } => {
                    let constant = function.constant(u16::from(constant));
                    if !self.compare(function, *next, operator, [window[one], constant])? {
                        *next = to as usize;
                    }
                }
                Op::JumpIfNothing { at, to } => {
                    if matches!(window[at], Val::Nothing) {
                        *next = to as usize;
                    }
                }
                Op::JumpUnlessNothing { at, to } => {
                    if !matches!(window[at], Val::Nothing) {
                        *next = to as usize;
                    }
                }
                Op::Return { at } => return Ok(Step::Return(window[at], window[0])),
                Op::Begin { at } => {
                    let (values, position, end) = self.begin(window[at])?;
                    window[at] = values;
                    window[at + 1] = position;
                    window[at + 2] = end;
                }
                Op::Next { at, to, exit } => {
                    if !self.advance(window, at, to)? {
                        *next = exit as usize;
                    }
                }
                Op::Again { at, to, begin } => {
                    self.tick()?;
                    if self.advance(window, at, to)? {
                        *next = begin as usize;
                    }
                }
                Op::Field { to, of, site } => {
                    let site = function.site(site)?;
                    let known = self.memory.arena.fields(window[of]).and_then(|map| map.shared_field(&site.name));
                    window[to] = match known {
                        Some(value) => value,
                        None => self.field(window[of], site)?,
                    };
                }
                Op::Index { to, of, at } => {
                    let found = match (self.memory.arena.items(window[of]), window[at]) {
                        (Some(items), Val::Number(at)) => {
                            usize::try_from(at).ok().and_then(|at| items.get(at)).copied()
                        }
                        _ => None,
                    };
                    window[to] = match found {
                        Some(value) => value,
                        None => self.index(window[of], window[at])?,
                    };
                }
                Op::FieldOwn { to, of, site, .. }
                    if matches!(window[of], Val::Player(_) | Val::Piece(_) | Val::Game) =>
                {
                    window[to] = self.field(window[of], function.site(site)?)?;
                }
                Op::Same { .. }
                | Op::Within { .. }
                | Op::List { .. }
                | Op::Append { .. }
                | Op::Map { .. }
                | Op::Text { .. }
                | Op::IndexOwn { .. }
                | Op::SetIndex { .. }
                | Op::PutIndex { .. }
                | Op::PutField { .. }
                | Op::FieldOwn { .. } => self.reach(op, function, window)?,
                Op::SetField { of, value, site } => {
                    let value = window[value];
                    self.set_field(&mut window[of], function.site(site)?, value)?;
                }
                Op::Native { to, site } => {
                    self.tick()?;
                    let place = if function.prelude { Some(frame.position) } else { None };
                    if let Some(step) = self.call_native(function.site(site)?, to, window, place)? {
                        return Ok(step);
                    }
                }
                Op::Plain { to, site } => {
                    self.tick()?;
                    let site = function.site(site)?;
                    let place = if function.prelude { Some(frame.position) } else { None };
                    if !self.call_plain(site, to, window, place)?
                        && let Some(step) = self.call_native(site, to, window, place)?
                    {
                        return Ok(step);
                    }
                }
                Op::Quick { to, site } => {
                    self.tick()?;
                    let site = function.site(site)?;
                    if let Some(quick) = &site.quick
                        && self.quick(quick, site, to, window)?
                    {
                        continue;
                    }
                    let place = if function.prelude { Some(frame.position) } else { None };
                    if let Some(step) = self.call_native(site, to, window, place)? {
                        return Ok(step);
                    }
                }
                Op::Clause { clause } => self.link.with(|session| {
                    session.applied(clause);
                    Ok(())
                })?,
                Op::Event { event, site } => self.event(event, function.site(site)?, window)?,
                Op::Call { to, site } => return self.call_function(function.site(site)?, to, window),
                op => {
                    if let Some(step) = self.invoke(op, function, window)? {
                        return Ok(step);
                    }
                }
            }
        }
    }

    /// Returns the result of an operator on two values.
    #[inline(never)]
    fn combine(&mut self, function: &Function, next: usize, operator: Operator, [one, other]: [Val; 2]) -> Given {
        if let (Val::Number(one), Val::Number(other)) = (one, other)
            && let Some(value) = operator.of_numbers(one, other)
        {
            return Ok(value);
        }
        if let Some(truth) = operator.of_small(one, other) {
            return Ok(Val::Truth(truth));
        }
        if let Some(set) = operator.of_sets(one, other, &mut self.memory.arena) {
            return Ok(set);
        }
        if let Some(sets) = operator.of_dirs(one, other, &mut self.memory.arena) {
            self.tick()?;
            return Ok(sets);
        }
        self.operate(function, next, operator, &mut [one, other])
    }

    /// Returns whether a comparison is true.
    #[inline(always)]
    fn compare(
        &mut self,
        function: &Function,
        next: usize,
        operator: Operator,
        [one, other]: [Val; 2],
    ) -> Result<bool, Wrong> {
        if let (Val::Number(one), Val::Number(other)) = (one, other) {
            return Ok(operator.holds(one, other));
        }
        if let Some(truth) = operator.of_small(one, other) {
            return Ok(truth);
        }
        self.compare_others(function, next, operator, [one, other])
    }

    /// Returns whether a comparison of other values than two numbers is true.
    #[inline(never)]
    fn compare_others(
        &mut self,
        function: &Function,
        next: usize,
        operator: Operator,
        [one, other]: [Val; 2],
    ) -> Result<bool, Wrong> {
        if let (Some(one), Some(other)) = (self.memory.arena.text_of(one), self.memory.arena.text_of(other)) {
            return Ok(operator.compares(one.as_str(), other.as_str()).unwrap_or_default());
        }
        let value = self.operate(function, next, operator, &mut [one, other])?;
        self.truth(value)
    }

    /// Moves a loop to its next value; returns `false` after the last one.
    fn advance(&mut self, window: &mut Window<'_>, at: Register, to: Register) -> Result<bool, Wrong> {
        match (window[at], window[at + 1], window[at + 2]) {
            (Val::List(list), Val::Number(position), _) => {
                let place = usize::try_from(position).unwrap_or(usize::MAX);
                let list = self.memory.arena.lists.get(list as usize);
                let Some(item) = list.and_then(|list| list.items.get(place)).copied() else { return Ok(false) };
                self.memory.arena.share(item);
                window[at + 1] = Val::Number(position + 1);
                window[to] = item;
                Ok(true)
            }
            (Val::Number(_), _, Val::Number(0)) => Ok(false),
            (Val::Number(step), Val::Number(number), Val::Number(left)) => {
                window[at + 2] = Val::Number(left - 1);
                window[at + 1] = Val::Number(number.saturating_add(step));
                window[to] = Val::Number(number);
                Ok(true)
            }
            _ => Err(failure("internal error: a loop has no list and no numbers")),
        }
    }

    /// Returns the result of a native function whose result stays the same for equal arguments while the table does not
    /// change. The arguments must be small values.
    pub(crate) fn fixed(&mut self, fixed: &Known, site: &Site, window: &mut Window<'_>) -> Given {
        let same = self.link.with(|session| {
            let known = fixed.borrow();
            Ok(known.as_ref().is_some_and(|memo| {
                let args = site.given().map(|at| window[at]);
                Arc::ptr_eq(&memo.table, &session.state.table) && args.eq(memo.args.iter().copied())
            }))
        })?;
        if same {
            let known = fixed.borrow();
            return Ok(known.as_ref().map_or(Val::Nothing, |memo| memo.result.lay(&mut self.memory.arena)));
        }
        site.load(window);
        let args: SmallVec<[Val; 2]> = site.given().map(|at| window[at]).collect();
        let (mut few, mut many) = Default::default();
        let values = site.values(window, &mut few, &mut many);
        let value = self.native(site.natives()?, &site.name, site.position, values)?;
        let result = Fixed::of(value, &self.memory.arena, self.code.constants().texts);
        // The first call gives the same value as later ones.
        let value = if let Some(Fixed::Small(small)) = result { small } else { value };
        let table = self.link.with(|session| Ok(Arc::clone(&session.state.table)))?;
        *fixed.borrow_mut() = result.map(|result| Memo { table, args, result });
        Ok(value)
    }

    /// Calls a native function.
    pub(crate) fn native(
        &mut self,
        natives: &Overloads,
        name: &ImmutableString,
        position: Position,
        values: &mut [Val],
    ) -> Given {
        if natives.chooses
            && let [Val::Player(player), ask, options] = *values
            && let Some(ask) = self.ask_named(ask)
            && let Some(value) = self.picked(player, ask, options)?
        {
            return Ok(value);
        }
        let arena = &mut self.memory.arena;
        let caller = Caller { engine: self.engine, global: self.global, name, position };
        if let Some(native) = natives.all.get(natives.last.get()) {
            match native.call_if_it_fits(&caller, arena, values) {
                Err(None) => {}
                Err(Some(wrong)) => return Err(wrong),
                Ok(value) => return Ok(value),
            }
        }
        if let Some((at, native)) = natives.fitting(values, false) {
            natives.last.set(at);
            return native.call(&caller, arena, values);
        }
        if let Some(library) = natives.library
            && let Some(value) = library(arena, values)?
        {
            return Ok(value);
        }
        if let Some((_, native)) = natives.fitting(values, true) {
            return native.call(&caller, arena, values);
        }
        self.of_rhai(name, position, values)
    }

    /// Returns the result of an operator if the fast paths do not apply.
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
        if let Some(sum) = operator.sum([*at, by]) {
            *at = Val::Number(sum);
            return Ok(());
        }
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
