//! The machine. It has its own frames, so calls of the script do not use the program's stack.

use rhai::{Engine, EvalAltResult, GlobalRuntimeState, ImmutableString, Position};
use smallvec::SmallVec;

use super::code::Bytecode;
use super::memory::{Memory, Step};
use super::op::{ConstantTest, Function, NumberTest, Op};
use super::operators::Operator;
use super::site::{Overloads, Site, Target};
use super::window::Register;
use super::window::Window;
use crate::host::Link;
use crate::natives::Given;
use crate::values::Wrong;
use crate::values::{Val, failure, stopped};

/// The machine with everything that it uses.
pub(crate) struct Machine<'m> {
    pub(crate) engine: &'m Engine,
    pub(crate) global: &'m GlobalRuntimeState,
    pub(crate) link: &'m Link,
    pub(crate) code: &'m Bytecode,
    pub(crate) memory: &'m mut Memory,
}

/// The arguments of a call.
pub(crate) type Values = SmallVec<[Val; 8]>;

impl Machine<'_> {
    #[inline(always)]
    pub(crate) fn tick(&self) -> Result<(), Wrong> {
        if self.link.meter.tick(self.memory.arena.work().take()) {
            return Err(stopped());
        }
        if self.memory.arena.is_full() {
            self.link.meter.full();
            return Err(stopped());
        }
        Ok(())
    }

    /// Counts the work done on large values, without an operation: where much of it may be done between two operations
    /// that are counted.
    pub(crate) fn settle(&self) -> Result<(), Wrong> {
        self.charge(0)
    }

    /// Counts the work of a function before it is done.
    pub(crate) fn charge(&self, operations: usize) -> Result<(), Wrong> {
        self.memory.arena.work().add(operations);
        if self.memory.arena.work().get() > 0 {
            self.link.meter.charge(self.memory.arena.work().take())?;
        }
        if self.memory.arena.is_full() {
            self.link.meter.full();
            return Err(stopped());
        }
        Ok(())
    }

    /// Runs the operations of a frame, up to a call or a return.
    ///
    /// One `match` finds each operation by one jump; with one `match` in another it would take two.
    #[inline(always)]
    pub(crate) fn operations(
        &mut self,
        next: &mut usize,
        function: &Function,
        window: &mut Window<'_>,
        place: Option<Position>,
    ) -> Result<Step, Wrong> {
        let ops = function.ops.as_slice();
        while let Some(op) = ops.get(*next) {
            *next += 1;
            match *op {
                Op::Move { to, from } => window[to] = window[from],
                Op::Copy { to, from } => window[to] = self.copy(window[from]),
                Op::Share { at } => self.memory.arena.share(window[at]),
                Op::Constant { to, constant } => window[to] = function.constant(constant),
                Op::Number { to, number } => window[to] = Val::Number(number.into()),
                Op::Truth { to, truth } => window[to] = Val::Truth(truth),
                Op::Nothing { to } => window[to] = Val::Nothing,
                Op::Unary { operator, to, of } => window[to] = self.unary(operator, window[of])?,
                Op::Binary { operator, to, one, other } => window[to] = self.both(operator, window, one, other)?,
                Op::BinaryNumber { operator, to, one, number } => {
                    self.by_number(operator, window, [to, one], number)?
                }
                Op::Change { operator, at, by } => self.change(operator, window, at, by)?,
                Op::Jump { to } => *next = to as usize,
                Op::Back { to } => jump(next, to, self.tick().map(|()| true)?),
                Op::JumpIf { at, truth, to } => jump(next, to, self.truth(window[at])? == truth),
                Op::When { operator, one, other, to } => jump(next, to, self.holds(operator, window, one, other)?),
                Op::Unless { operator, one, other, to } => jump(next, to, !self.holds(operator, window, one, other)?),
                Op::UnlessNumber(test, to) => jump(next, to, !self.of_number(test, window)?),
                Op::UnlessConstant(test, to) => jump(next, to, !self.of_constant(test, window, function)?),
                Op::JumpIfNothing { at, is, to } => jump(next, to, matches!(window[at], Val::Nothing) == is),
                Op::Return { at } => return Ok(Step::Return(window[at], window[0])),
                Op::List { to, from, count } => window[to] = self.list(window.row(from, count))?,
                Op::Map { to, from, names } => window[to] = self.map(function, from, names, &mut window.again())?,
                Op::Begin { at } => self.begin(&mut window.again(), at)?,
                Op::Next { at, to, exit } => jump(next, exit, !self.following(window, at, to)?),
                Op::Again { at, to, begin } => jump(next, begin, self.again(window, at, to)?),
                Op::Field { to, of, site } => window[to] = self.read(window[of], function.site(site)?)?,
                Op::Length { to, of, .. } if self.try_length(window, to, of)? => {}
                Op::Property { to, of, owned, .. } if self.try_property(window, to, of, owned)? => {}
                Op::PropertyOwn { to, of, owned, .. } if self.try_property(window, to, of, owned)? => {}
                Op::SetProperty { of, value, owned, .. } if self.try_set(window, of, owned, value)? => {}
                Op::Index { to, of, at } => self.element(window, to, of, at)?,
                Op::Clause { clause } => self.apply(clause)?,
                Op::Event { site, .. } if self.try_emit(function.site(site)?, window)? => {}
                Op::Recall { to, site } if self.recall(function.site(site)?, to, &mut window.again())? => {}
                Op::Call { to, site } | Op::Recall { to, site } => return self.call_at(function, site, to, window),
                Op::Quick { to, site } if self.try_quick(function.site(site)?, to, &mut window.again())? => {}
                Op::At { to, of, .. } if self.try_at(window, to, of)? => {}
                Op::CellNamed { to, of, .. } if self.try_cell_named(window, to, of)? => {}
                Op::Step { to, of, with, .. } if self.try_step(window, [to, of, with])? => {}
                Op::Lookup { to, of, with, site } if self.try_lookup(function.site(site)?, window, to, of, with)? => {}
                Op::Ask { to, site } if self.try_ask(function.site(site)?, &mut window.again(), to)? => {}
                Op::Mine { to, of, site } if self.try_mine(function.site(site)?, window, to, of)? => {}
                Op::Push { to, of, item, .. } if self.try_push(window, to, of, item)? => {}
                Op::Fixed { to, site } if self.try_fixed(function.site(site)?, to, &mut window.again())? => {}
                Op::Plain { to, site } if self.call_plain(function.site(site)?, to, window, place)? => {}
                op => {
                    let Some(step) = self.invoke(op, function, &mut window.again(), place)? else { continue };
                    return Ok(step);
                }
            }
        }
        Err(failure("internal error: a function runs beyond its end"))
    }

    /// Counts a call of a function by its name, and enters it.
    #[inline(always)]
    fn call_at(
        &mut self,
        function: &Function,
        site: u16,
        to: Register,
        window: &mut Window<'_>,
    ) -> Result<Step, Wrong> {
        self.call_function(function.site(site)?, to, &mut window.again())
    }

    /// Counts a call and carries it out, if the machine knows it. Returns `false` if it is to be called as any other native
    /// function.
    #[inline(always)]
    fn try_quick(&mut self, site: &Site, to: Register, window: &mut Window<'_>) -> Result<bool, Wrong> {
        self.tick()?;
        match &site.quick {
            Some(quick) => self.quick(quick, site, to, window),
            None => Ok(false),
        }
    }

    /// Returns a value that gets one more holder.
    #[inline(always)]
    fn copy(&mut self, value: Val) -> Val {
        self.memory.arena.share(value);
        value
    }

    /// Returns the result of an operator on one value.
    #[inline(always)]
    fn unary(&mut self, operator: Operator, of: Val) -> Given {
        match operator.of_one(of) {
            Some(value) => Ok(value),
            None => self.operate(operator, &mut [of]),
        }
    }

    /// Returns the result of an operator on two registers.
    #[inline(always)]
    fn both(&mut self, operator: Operator, window: &Window<'_>, one: Register, other: Register) -> Given {
        self.binary(operator, [window[one], window[other]])
    }

    /// Returns the result of an operator on two values.
    #[inline(always)]
    fn binary(&mut self, operator: Operator, values: [Val; 2]) -> Given {
        match operator.sum(values) {
            Some(sum) => Ok(Val::Number(sum)),
            None => self.combine(operator, values),
        }
    }

    /// Returns the value after a dot, soonest for an element of a map and for what is printed on a card.
    #[inline(always)]
    pub(crate) fn read(&mut self, of: Val, site: &Site) -> Given {
        let known = match (of, &site.callee) {
            (Val::Map(_), _) => self.memory.arena.fields(of).and_then(|map| map.shared_field(&site.name)),
            (Val::Piece(piece), Target::Field { printed: Some(name), own, .. }) if own.all.is_empty() => {
                let value = self.code.printed(*name, piece);
                if value.is_some() {
                    self.tick()?;
                }
                value
            }
            _ => None,
        };
        match known {
            Some(value) => Ok(value),
            None => self.field(of, site),
        }
    }

    /// Puts the result of an operator on a register and a number into the register `to`.
    #[inline(always)]
    fn by_number(
        &mut self,
        operator: Operator,
        window: &mut Window<'_>,
        [to, one]: [Register; 2],
        number: i32,
    ) -> Result<(), Wrong> {
        window[to] = self.binary(operator, [window[one], Val::Number(number.into())])?;
        Ok(())
    }

    /// Puts the element at an index into the register `to`.
    #[inline(always)]
    fn element(&mut self, window: &mut Window<'_>, to: Register, of: Register, at: Register) -> Result<(), Wrong> {
        if !self.try_element(window, to, of, at) {
            window[to] = self.index(window[of], window[at])?;
        }
        Ok(())
    }

    /// Puts the element at an index into the register `to`. Returns `false` without effect if it is none of a list.
    #[inline(always)]
    fn try_element(&self, window: &mut Window<'_>, to: Register, of: Register, at: Register) -> bool {
        let (&Val::List(list), &Val::Number(at)) = (&window[of], &window[at]) else { return false };
        let items = self.memory.arena.lists.get(list as usize).map(|list| list.items.as_slice());
        let Some(item) = usize::try_from(at).ok().and_then(|at| items?.get(at)) else { return false };
        window[to] = *item;
        true
    }

    /// Returns the result of an operator on two values that is not a small sum.
    #[inline(never)]
    fn combine(&mut self, operator: Operator, [one, other]: [Val; 2]) -> Given {
        if let (Val::Number(one), Val::Number(other)) = (one, other)
            && let Some(value) = operator.of_numbers(one, other)
        {
            return Ok(value);
        }
        if let Some(truth) = operator.of_small(&one, &other) {
            return Ok(Val::Truth(truth));
        }
        if let Some(set) = operator.of_sets(one, other, &mut self.memory.arena) {
            return Ok(set);
        }
        if let Some(sets) = operator.of_dirs(one, other, &mut self.memory.arena) {
            self.tick()?;
            return Ok(sets);
        }
        self.operate(operator, &mut [one, other])
    }

    /// Returns whether a comparison of two registers is true.
    #[inline(always)]
    fn holds(
        &mut self,
        operator: Operator,
        window: &Window<'_>,
        one: Register,
        other: Register,
    ) -> Result<bool, Wrong> {
        self.compare(operator, &window[one], &window[other])
    }

    /// Returns whether a comparison with a number is true.
    #[inline(always)]
    fn of_number(&mut self, test: NumberTest, window: &Window<'_>) -> Result<bool, Wrong> {
        self.compare(test.operator, &window[test.one], &Val::Number(test.number.into()))
    }

    /// Returns whether a comparison with a constant of the function is true.
    #[inline(always)]
    fn of_constant(&mut self, test: ConstantTest, window: &Window<'_>, function: &Function) -> Result<bool, Wrong> {
        self.compare(test.operator, &window[test.one], &function.constant(test.constant.into()))
    }

    /// Returns whether a comparison is true.
    #[inline(always)]
    fn compare(&mut self, operator: Operator, one: &Val, other: &Val) -> Result<bool, Wrong> {
        if let (Val::Number(one), Val::Number(other)) = (one, other) {
            return Ok(operator.holds(*one, *other));
        }
        if let Some(truth) = operator.of_small(one, other) {
            return Ok(truth);
        }
        if let (Val::Text(one), Val::Text(other)) = (one, other)
            && let Some(same) = self.code.are_equal_texts(*one, *other)
            && let Some(truth) = operator.of_identities(same)
        {
            return Ok(truth);
        }
        self.compare_others(operator, [*one, *other])
    }

    /// Returns whether a comparison of other values than two numbers is true.
    #[inline(never)]
    fn compare_others(&mut self, operator: Operator, [one, other]: [Val; 2]) -> Result<bool, Wrong> {
        if let (Some(one), Some(other)) = (self.memory.arena.text_of(one), self.memory.arena.text_of(other)) {
            self.memory.arena.work().of_bytes(one.len().min(other.len()));
            return Ok(operator.compares(one.as_str(), other.as_str()).unwrap_or_default());
        }
        let value = self.operate(operator, &mut [one, other])?;
        self.truth(value)
    }

    /// Counts a round of a loop, and moves the loop to its next value.
    #[inline(always)]
    fn again(&mut self, window: &mut Window<'_>, at: Register, to: Register) -> Result<bool, Wrong> {
        self.tick()?;
        self.following(window, at, to)
    }

    /// Moves a loop over numbers or over a list to its next value; returns `false` after the last one.
    #[inline(always)]
    fn following(&mut self, window: &mut Window<'_>, at: Register, to: Register) -> Result<bool, Wrong> {
        if let (Val::Number(step), Val::Number(number), Val::Number(left)) =
            (window[at], window[at + 1], window[at + 2])
            && left > 0
        {
            window[at + 2] = Val::Number(left - 1);
            // After the last round, this number is not used.
            window[at + 1] = Val::Number(number.wrapping_add(step));
            window[to] = Val::Number(number);
            return Ok(true);
        }
        if let (Val::List(_), Val::Number(position)) = (window[at], window[at + 1]) {
            let is_there = self.try_element(window, to, at, at + 1);
            if is_there {
                self.memory.arena.share(window[to]);
                window[at + 1] = Val::Number(position + 1);
            }
            return Ok(is_there);
        }
        match (window[at], window[at + 2]) {
            (Val::Number(_), Val::Number(0)) => Ok(false),
            _ => Err(failure("internal error: a loop has no list and no numbers")),
        }
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
        if let Some(native) = natives.all.get(natives.last.get()) {
            match native.call_if_it_fits(position, arena, values) {
                Err(None) => {}
                Err(Some(wrong)) => return Err(wrong),
                Ok(value) => return Ok(value),
            }
        }
        if let Some((at, native)) = natives.fitting(values, false) {
            natives.last.set(at);
            return native.call(position, arena, values);
        }
        if let Some(library) = natives.library
            && let Some(value) = library(arena, values)?
        {
            return Ok(value);
        }
        if let Some((_, native)) = natives.fitting(values, true) {
            return native.call(position, arena, values);
        }
        self.of_rhai(name, position, values)
    }

    /// Returns the result of an operator if the fast paths do not apply.
    #[cold]
    fn operate(&mut self, operator: Operator, values: &mut [Val]) -> Given {
        if let &mut [one, other] = values
            && let Some(value) = operator.of_two(one, other, &mut self.memory.arena)?
        {
            self.settle()?;
            return Ok(value);
        }
        self.tick()?;
        let (natives, name) = self.code.operator(operator);
        // An error gets the position of the operation.
        self.native(natives, name, Position::NONE, values)
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

    /// Carries out an assignment such as `+=`, soonest for two numbers.
    #[inline(always)]
    fn change(&mut self, operator: Operator, window: &mut Window<'_>, at: Register, by: Register) -> Result<(), Wrong> {
        if let Some(sum) = operator.sum([window[at], window[by]]) {
            window[at] = Val::Number(sum);
            return Ok(());
        }
        let by = window[by];
        self.change_other(operator, by, &mut window[at])
    }

    /// Carries out an assignment that is not a small sum.
    #[inline(never)]
    fn change_other(&mut self, operator: Operator, by: Val, at: &mut Val) -> Result<(), Wrong> {
        if let (Val::Number(one), Val::Number(other)) = (*at, by)
            && let Some(value) = operator.of_numbers(one, other)
        {
            *at = value;
            return Ok(());
        }
        if operator == Operator::Add && self.memory.arena.add_to(at, by)? {
            return self.settle();
        }
        *at = self.operate(operator, &mut [*at, by])?;
        Ok(())
    }
}

/// Goes on at another operation if a condition is true.
#[inline(always)]
const fn jump(next: &mut usize, to: u32, is: bool) {
    if is {
        *next = to as usize;
    }
}
