//! Statements and what decides which of them run.

use rhai::Dynamic;
use wasm_encoder::{Instruction as I, ValType};

use super::body::{Label, long, word};
use super::compiler::{Emit, Refused, size};
use super::fixed::Fixed;
use super::in_rows::{InRows, Parts};
use super::of_board::{OfBoard, Wide};
use super::runtime;
use super::unit::{Around, Unit};
use super::value::{Tag, Ty};
use crate::natives::{self, Emitted};
use crate::script::{For, LocalId, Node, Switch, Target, What};
use crate::values::{Sort, Span};

/// How many rounds of a loop are written one after the other, and up to how many nodes.
const MOST_ITEMS: usize = 12;
/// For how many items there is room in a list that is going to change.
const FIRST_ROOM: i32 = 8;
const MOST_UNROLLED: usize = 400;
/// The same for loops so small that they are written so even where nothing else is written again.
const ALWAYS_UNROLLED: usize = 64;

impl Unit<'_, '_> {
    /// Carries out a node whose parts run or do not run, with its value as one of a type, or without it. Returns `None` for
    /// any other node.
    pub(super) fn controlled(&mut self, node: &Node, ty: Option<Ty>) -> Option<Emit> {
        Some(match &node.what {
            What::Block(nodes) => self.block(nodes, ty),
            What::If(parts) => self.branches(parts, ty),
            What::Switch(switch) => self.switch(switch, ty),
            What::And(parts) => self.logic(parts, true, ty),
            What::Or(parts) => self.logic(parts, false, ty),
            What::Coalesce(parts) => self.coalesce(parts, ty),
            _ => return None,
        })
    }

    /// Puts the value of a node on the stack, or drops it.
    fn either(&mut self, node: &Node, ty: Option<Ty>) -> Emit {
        match ty {
            Some(ty) => self.to(node, ty),
            None => self.effect(node),
        }
    }

    fn block(&mut self, nodes: &[Node], ty: Option<Ty>) -> Emit {
        match nodes.split_last() {
            Some((last, first)) => {
                for node in first {
                    self.effect(node)?;
                }
                self.either(last, ty)
            }
            None => {
                self.nothing(ty);
                Ok(())
            }
        }
    }

    /// Puts `()` on the stack as one of a type.
    fn nothing(&mut self, ty: Option<Ty>) {
        if let Some(ty) = ty {
            self.convert(Ty::Nothing, ty);
        }
    }

    fn branches(&mut self, parts: &[Node; 3], ty: Option<Ty>) -> Emit {
        let [condition, then, other] = parts;
        if let Some(holds) = self.is_decided(condition) {
            return self.either(if holds { then } else { other }, ty);
        }
        self.truth(condition)?;
        self.body.when(ty.and_then(Ty::wasm));
        self.either(then, ty)?;
        self.body.otherwise();
        self.either(other, ty)?;
        self.body.end();
        Ok(())
    }

    /// Writes what is done for the string that a node is, or for each of those among which its conditions choose.
    pub(super) fn for_string(&mut self, node: &Node, of: &mut dyn FnMut(&mut Self, &str) -> Emit) -> Emit {
        match &node.what {
            What::Text(text) => of(self, text),
            What::If(parts) => {
                let [condition, then, other] = &**parts;
                self.truth(condition)?;
                self.body.when(None);
                self.for_string(then, of)?;
                self.body.otherwise();
                self.for_string(other, of)?;
                self.body.end();
                Ok(())
            }
            What::Block(nodes) => nodes.iter().try_for_each(|node| self.for_string(node, of)),
            _ => Err(Refused("a name that is computed")),
        }
    }

    /// `&&` and `||` end with the first part that decides.
    fn logic(&mut self, parts: &[Node], all: bool, ty: Option<Ty>) -> Emit {
        // What is fixed decides, or need not be looked at.
        let mut open = Vec::new();
        for part in parts {
            match self.is_fixed(part) {
                Some(truth) if truth == all => {}
                Some(_) => {
                    open.push(part);
                    break;
                }
                None => open.push(part),
            }
        }
        let Some((last, first)) = open.split_last() else {
            self.body.word(i32::from(all));
            return self.decided(ty);
        };
        for part in first {
            self.truth(part)?;
            self.body.when(Some(ValType::I32));
            if !all {
                self.body.word(1);
                self.body.otherwise();
            }
        }
        self.truth(last)?;
        for _ in first {
            if all {
                self.body.otherwise();
                self.body.word(0);
            }
            self.body.end();
        }
        self.decided(ty)
    }

    /// Turns the boolean on the stack into a value of a type, or drops it.
    fn decided(&mut self, ty: Option<Ty>) -> Emit {
        match ty {
            Some(ty) => self.convert(Ty::Truth, ty),
            None => self.drop(Ty::Truth),
        }
        Ok(())
    }

    fn coalesce(&mut self, parts: &[Node], ty: Option<Ty>) -> Emit {
        let Some((last, first)) = parts.split_last() else { return Err(Refused("`??` without parts")) };
        let value = self.body.local(ValType::I64);
        let end = self.body.block(None);
        for part in first {
            self.to(part, Ty::Any)?;
            self.body.tee(value);
            self.body.all([I::I64Eqz, I::I32Eqz]);
            self.body.jump_if(end);
        }
        self.to(last, Ty::Any)?;
        self.body.set(value);
        self.body.end();
        if let Some(ty) = ty {
            self.body.get(value);
            self.convert(Ty::Any, ty);
        }
        self.body.done(ValType::I64, value);
        Ok(())
    }

    /// Compares a value with each case.
    fn switch(&mut self, switch: &Switch, ty: Option<Ty>) -> Emit {
        let of = self.with.ty(&switch.value.kind);
        let of = if of == Ty::Nothing || of == Ty::Never { Ty::Any } else { of };
        let wasm = of.wasm().unwrap_or(ValType::I64);
        let value = self.body.local(wasm);
        self.to(&switch.value, of)?;
        self.body.set(value);
        let end = self.body.block(ty.and_then(Ty::wasm));
        for case in &switch.cases {
            let Some(way) = switch.ways.get(case.way) else { continue };
            self.is_case(value, of, &case.on, case.is_range)?;
            if let Some(condition) = &way.condition {
                self.body.when(Some(ValType::I32));
                self.truth(condition)?;
                self.body.otherwise();
                self.body.word(0);
                self.body.end();
            }
            self.body.when(None);
            self.either(&way.body, ty)?;
            self.body.jump(end);
            self.body.end();
        }
        match switch.otherwise.and_then(|way| switch.ways.get(way)) {
            Some(way) => self.either(&way.body, ty)?,
            None => self.nothing(ty),
        }
        self.body.end();
        self.body.done(wasm, value);
        Ok(())
    }

    /// Puts on the stack whether a value is that of a case.
    fn is_case(&mut self, value: u32, ty: Ty, on: &Dynamic, is_range: bool) -> Emit {
        if is_range {
            let Some(span) = Span::of(on) else { return Err(Refused("a case of `switch`")) };
            let number = self.body.local(ValType::I64);
            match ty {
                Ty::Number => {
                    self.body.get(value);
                    self.body.set(number);
                }
                Ty::Any => {
                    // Another value is in no range.
                    self.body.get(value);
                    self.body.all([I::I64Const(15), I::I64And, I::I64Const(Tag::Number as i64), I::I64Ne]);
                    self.body.when(Some(ValType::I64));
                    self.body.long(i64::MIN);
                    self.body.otherwise();
                    self.body.get(value);
                    self.convert(Ty::Any, Ty::Number);
                    self.body.end();
                    self.body.set(number);
                }
                _ => {
                    self.body.word(0);
                    return Ok(());
                }
            }
            self.body.get(number);
            self.body.all([I::I64Const(span.from), I::I64GeS]);
            self.body.get(number);
            let most = if span.inclusive { I::I64LeS } else { I::I64LtS };
            self.body.all([I::I64Const(span.to), most, I::I32And]);
            self.body.done(ValType::I64, number);
            return Ok(());
        }
        self.body.get(value);
        self.convert(ty, Ty::Any);
        let wrapped = if let Ok(number) = on.as_int() {
            super::value::number(number).ok_or(Refused("a number with more than 60 bits"))?
        } else if let Ok(truth) = on.as_bool() {
            super::value::truth(truth)
        } else if let Ok(text) = on.as_immutable_string_ref() {
            Tag::Text.wrap(self.with.strings.number(&text))
        } else if on.is_unit() {
            super::value::NOTHING
        } else {
            return Err(Refused("a case of `switch`"));
        };
        self.body.all([I::I64Const(wrapped), I::I64Eq]);
        Ok(())
    }

    /// Carries out a statement. Returns the type of its value.
    pub(super) fn statement(&mut self, node: &Node) -> Emit<Ty> {
        match &node.what {
            What::Let { local, value } => {
                if let Some(fixed) = self.fixed(value).filter(|_| !self.is_changed(*local)) {
                    self.scope.known.insert(*local, fixed);
                    return Ok(Ty::Nothing);
                }
                self.scope.known.remove(local);
                self.scope.apart.remove(local);
                if matches!(&value.what, What::List(items) if items.is_empty()) {
                    let (number, ty) = self.local(*local);
                    runtime::new_list(&mut self.body, FIRST_ROOM);
                    self.convert(Ty::id(Tag::List), ty);
                    self.body.set(number);
                    return Ok(Ty::Nothing);
                }
                let value_in_parts = if self.is_changed(*local) { None } else { self.in_parts(value) };
                if let Some(apart) = value_in_parts {
                    self.scope.apart.insert(*local, apart);
                    return Ok(Ty::Nothing);
                }
                let (number, ty) = self.local(*local);
                self.kept(value, ty)?;
                if ty.wasm().is_some() {
                    self.body.set(number);
                }
                Ok(Ty::Nothing)
            }
            What::Assign(assign) => {
                self.assign(node, assign)?;
                Ok(Ty::Nothing)
            }
            What::While { condition, body } => self.while_loop(condition.as_deref(), body),
            What::Do { body, condition, until } => self.do_loop(body, condition, *until),
            What::For(parts) => self.for_loop(parts),
            What::Break(value) => {
                let Some(around) = self.loops.last() else { return Err(Refused("`break` without a loop")) };
                let (end, local) = (around.end, around.value);
                if let Some(local) = local {
                    match value {
                        Some(value) => self.to(value, Ty::Any)?,
                        None => self.convert(Ty::Nothing, Ty::Any),
                    }
                    self.body.set(local);
                } else if let Some(value) = value {
                    self.effect(value)?;
                }
                self.body.jump(end);
                Ok(Ty::Never)
            }
            What::Continue => {
                let Some(around) = self.loops.last() else { return Err(Refused("`continue` without a loop")) };
                let next = around.next;
                self.body.jump(next);
                Ok(Ty::Never)
            }
            What::Return(value) => {
                self.returns(value.as_deref())?;
                Ok(Ty::Never)
            }
            What::Throw(value) => {
                if let Some(value) = value {
                    self.effect(value)?;
                }
                self.body.give_up();
                Ok(Ty::Never)
            }
            _ => Err(Refused("a statement")),
        }
    }

    /// Returns a variable for the value of `break` in a loop, if it has one.
    fn broken(&mut self, body: &Node) -> Option<u32> {
        let mut breaks = false;
        body.walk_own(&mut |node| breaks |= matches!(node.what, What::Break(Some(_))));
        let local = breaks.then(|| self.body.local(ValType::I64))?;
        self.body.long(super::value::NOTHING);
        self.body.set(local);
        Some(local)
    }

    /// Puts the value of a loop on the stack.
    fn value_of_loop(&mut self, value: Option<u32>) -> Ty {
        match value {
            Some(local) => {
                self.body.get(local);
                Ty::Any
            }
            None => Ty::Nothing,
        }
    }

    fn while_loop(&mut self, condition: Option<&Node>, body: &Node) -> Emit<Ty> {
        let value = self.broken(body);
        let end = self.body.block(None);
        let next = self.body.again();
        self.count(condition.into_iter().chain([body]));
        if let Some(condition) = condition {
            self.truth(condition)?;
            self.body.add(I::I32Eqz);
            self.body.jump_if(end);
        }
        self.loops.push(Around { end, next, value });
        self.effect(body)?;
        self.loops.pop();
        self.body.jump(next);
        self.body.end();
        self.body.end();
        Ok(self.value_of_loop(value))
    }

    fn do_loop(&mut self, body: &Node, condition: &Node, until: bool) -> Emit<Ty> {
        let value = self.broken(body);
        let end = self.body.block(None);
        let again = self.body.again();
        self.count([body, condition]);
        self.within_loop(end, value, |unit| unit.effect(body))?;
        self.truth(condition)?;
        if until {
            self.body.add(I::I32Eqz);
        }
        self.body.jump_if(again);
        self.body.end();
        self.body.end();
        Ok(self.value_of_loop(value))
    }

    fn for_loop(&mut self, parts: &For) -> Emit<Ty> {
        let value = self.broken(&parts.body);
        // `break` leads beyond what counts that the loop has come to its end.
        let beyond = parts.ends.map(|_| self.body.block(None));
        self.rounds_of(parts, value, beyond)?;
        if let Some(point) = parts.ends {
            self.ran(point);
            self.body.end();
        }
        Ok(self.value_of_loop(value))
    }

    fn rounds_of(&mut self, parts: &For, value: Option<u32>, beyond: Option<Label>) -> Emit {
        if let Some(items) = self.few_items(parts) {
            return self.unrolled(parts, items, value, beyond);
        }
        // The same loop may have been written round by round before, in another round of one around it.
        for local in std::iter::once(parts.local).chain(parts.counter) {
            self.scope.known.remove(&local);
        }
        let body = |unit: &mut Self| unit.round(parts, beyond);
        let ids = (parts.local, parts.counter);
        match &parts.over.what {
            What::Operator(sign, ends) if matches!(sign.as_str(), ".." | "..=") => {
                if let [from, to] = ends.as_slice() {
                    return self.for_numbers(from, to, sign == "..=", ids, &parts.body, value, body);
                }
            }
            What::Constant(range) => {
                if let Some(span) = Span::of(range) {
                    let number = |number| Node::new(What::Number(number), parts.over.at);
                    let (from, to) = (with_kind(number(span.from)), with_kind(number(span.to)));
                    return self.for_numbers(&from, &to, span.inclusive, ids, &parts.body, value, body);
                }
            }
            _ => {}
        }
        self.for_each(&parts.over, (Some(parts.local), parts.counter), &parts.body, value, body)
    }

    /// Writes what a loop does in a round: `break` leads to a label, `continue` behind it.
    fn within_loop(&mut self, end: Label, value: Option<u32>, body: impl FnOnce(&mut Self) -> Emit) -> Emit {
        let next = self.body.block(None);
        self.loops.push(Around { end, next, value });
        body(self)?;
        self.loops.pop();
        self.body.end();
        Ok(())
    }

    /// Writes a round of a loop. With a label, `break` leads there.
    fn round(&mut self, parts: &For, beyond: Option<Label>) -> Emit {
        if let (Some(beyond), Some(around)) = (beyond, self.loops.last_mut()) {
            around.end = beyond;
        }
        self.effect(&parts.body)
    }

    /// Returns what a loop goes through, if that is fixed, and little enough for its rounds to be written one after the other.
    fn few_items(&mut self, parts: &For) -> Option<Vec<Fixed>> {
        let variables = std::iter::once(parts.local).chain(parts.counter);
        if variables.into_iter().any(|local| self.is_changed(local)) {
            return None;
        }
        let items = self.items(&parts.over)?;
        let size = size(&parts.body) * items.len();
        (size <= ALWAYS_UNROLLED || size <= MOST_UNROLLED && self.with.writes_again(size)).then_some(items)
    }

    /// Returns the elements of a node, if they are fixed and few.
    fn items(&self, over: &Node) -> Option<Vec<Fixed>> {
        let numbers = |from: i64, to: i64, inclusive: bool| {
            let count = to.checked_sub(from)?.checked_add(inclusive.into())?;
            let count = usize::try_from(count.max(0)).ok().filter(|count| *count <= MOST_ITEMS)?;
            Some((from..).take(count).map(Fixed::Number).collect())
        };
        match &over.what {
            What::Operator(sign, ends) if matches!(sign.as_str(), ".." | "..=") => match ends.as_slice() {
                [from, to] => match (self.fixed(from)?, self.fixed(to)?) {
                    (Fixed::Number(from), Fixed::Number(to)) => numbers(from, to, sign == "..="),
                    _ => None,
                },
                _ => None,
            },
            What::Constant(range) => {
                let span = Span::of(range)?;
                numbers(span.from, span.to, span.inclusive)
            }
            _ => match self.fixed(over)? {
                Fixed::List(items) => Some(items).filter(|items| items.len() <= MOST_ITEMS),
                Fixed::Set(words) if self.with.layout.shapes.small => {
                    let set = words.first().copied().unwrap_or_default();
                    let cells = (0..u64::BITS).filter(|cell| set >> cell & 1 == 1);
                    let few = set.count_ones() as usize <= MOST_ITEMS;
                    few.then(|| cells.map(|cell| Fixed::Id(Tag::Cell, cell)).collect())
                }
                _ => None,
            },
        }
    }

    /// Writes the rounds of a loop one after the other.
    fn unrolled(&mut self, parts: &For, items: Vec<Fixed>, value: Option<u32>, beyond: Option<Label>) -> Emit {
        self.count_times(&parts.body, items.len());
        let end = self.body.block(None);
        for (at, item) in (0..).zip(items) {
            self.scope.known.insert(parts.local, item);
            parts.counter.into_iter().for_each(|counter| drop(self.scope.known.insert(counter, Fixed::Number(at))));
            self.within_loop(end, value, |unit| unit.round(parts, beyond))?;
        }
        self.body.end();
        Ok(())
    }

    /// Loops through numbers.
    #[expect(clippy::too_many_arguments, reason = "the parts of a loop")]
    fn for_numbers(
        &mut self,
        from: &Node,
        to: &Node,
        inclusive: bool,
        (local, counter): (LocalId, Option<LocalId>),
        of: &Node,
        value: Option<u32>,
        body: impl FnOnce(&mut Self) -> Emit,
    ) -> Emit {
        let (at, last) = (self.body.local(ValType::I64), self.body.local(ValType::I64));
        self.to(from, Ty::Number)?;
        self.body.set(at);
        self.to(to, Ty::Number)?;
        self.body.set(last);
        let count = self.begin_counter(counter);
        let end = self.body.block(None);
        let again = self.body.again();
        self.body.get(at);
        self.body.get(last);
        self.body.add(if inclusive { I::I64GtS } else { I::I64GeS });
        self.body.jump_if(end);
        self.count([of]);
        self.body.get(at);
        self.store(local, Ty::Number);
        self.store_counter(counter, count);
        self.within_loop(end, value, body)?;
        self.body.get(at);
        self.body.all([I::I64Const(1), I::I64Add]);
        self.body.set(at);
        self.step_counter(count);
        self.body.jump(again);
        self.body.end();
        self.body.end();
        for local in [at, last] {
            self.body.done(ValType::I64, local);
        }
        self.end_counter(count);
        Ok(())
    }

    /// Loops through the elements of a value. `of` is what its rounds do.
    pub(super) fn for_each(
        &mut self,
        over: &Node,
        (local, counter): (Option<LocalId>, Option<LocalId>),
        of: &Node,
        value: Option<u32>,
        body: impl FnOnce(&mut Self) -> Emit,
    ) -> Emit {
        let ty = self.with.ty(&over.kind);
        if ty == Ty::Set {
            return self.for_cells(over, (local, counter), of, value, body);
        }
        if let Some(set) = self.put_in_order(over) {
            return self.for_rows(set, (local, counter), of, value, body);
        }
        if over.kind.is(Sort::List) {
            self.kept(over, Ty::id(Tag::List))?;
        } else if ty == Ty::id(Tag::Cells)
            && let Some(list) = self.on_board(OfBoard::Wide(Wide::Listed), std::iter::once(over))?
        {
            self.share(list);
        } else if ty == Ty::id(Tag::Moves)
            && let Some(list) = self.on_board(OfBoard::Listed, std::iter::once(over))?
        {
            self.share(list);
        } else if ty == Ty::Any {
            let (site, _) = self.with.list_of(over, self.function)?;
            let value = self.body.local(ValType::I64);
            self.kept(over, Ty::Any)?;
            self.body.set(value);
            self.is_tagged(value, Tag::List);
            self.body.when(Some(ValType::I64));
            self.body.get(value);
            self.body.otherwise();
            self.body.word(site.cast_signed());
            self.body.get(value);
            self.body.call(super::layout::out(1));
            self.body.end();
            self.body.done(ValType::I64, value);
            self.convert(Ty::Any, Ty::id(Tag::List));
        } else {
            // The host makes a list of any other value.
            let (site, given) = self.with.list_of(over, self.function)?;
            self.call_host(site, &given)?;
            self.convert(Ty::Any, Ty::id(Tag::List));
        }
        let (list, at) = (self.body.local(ValType::I32), self.body.local(ValType::I64));
        self.body.set(list);
        // A loop that may end early counts each round.
        let ends_early = may_end_early(of);
        if !ends_early {
            self.body.get(list);
            self.body.add(I::I64Load32U(word(runtime::LENGTH)));
            self.body.set(at);
            self.count_rounds(of, at);
        }
        self.body.long(0);
        self.body.set(at);
        let end = self.body.block(None);
        let again = self.body.again();
        self.body.get(at);
        self.body.get(list);
        self.body.all([I::I64Load32U(word(runtime::LENGTH)), I::I64GeU]);
        self.body.jump_if(end);
        if ends_early {
            self.count([of]);
        }
        if let Some(local) = local {
            self.body.get(list);
            self.body.add(I::I32Load(word(runtime::ITEMS)));
            self.body.get(at);
            self.body.all([I::I32WrapI64, I::I32Const(3), I::I32Shl, I::I32Add, I::I64Load(long(0))]);
            let (number, ty) = self.local(local);
            if ty.may_be_owned() {
                self.share(Ty::Any);
            }
            self.convert(Ty::Any, ty);
            if ty.wasm().is_some() {
                self.body.set(number);
            }
        }
        self.store_counter(counter, Some(at));
        self.within_loop(end, value, body)?;
        self.step_counter(Some(at));
        self.body.jump(again);
        self.body.end();
        self.body.end();
        self.body.done(ValType::I32, list);
        self.body.done(ValType::I64, at);
        Ok(())
    }

    /// Loops through the cells of a small set.
    fn for_cells(
        &mut self,
        over: &Node,
        (local, counter): (Option<LocalId>, Option<LocalId>),
        of: &Node,
        value: Option<u32>,
        body: impl FnOnce(&mut Self) -> Emit,
    ) -> Emit {
        let left = self.body.local(ValType::I64);
        self.to(over, Ty::Set)?;
        self.body.set(left);
        let rounds = self.body.local(ValType::I64);
        self.body.get(left);
        self.body.add(I::I64Popcnt);
        self.body.set(rounds);
        self.count_rounds(of, rounds);
        self.body.done(ValType::I64, rounds);
        let count = self.begin_counter(counter);
        let end = self.body.block(None);
        let again = self.body.again();
        self.body.get(left);
        self.body.add(I::I64Eqz);
        self.body.jump_if(end);
        if let Some(local) = local {
            self.body.get(left);
            self.body.all([I::I64Ctz, I::I32WrapI64]);
            self.store(local, Ty::id(Tag::Cell));
        }
        self.store_counter(counter, count);
        self.body.without_first(left);
        self.within_loop(end, value, body)?;
        self.step_counter(count);
        self.body.jump(again);
        self.body.end();
        self.body.end();
        self.body.done(ValType::I64, left);
        self.end_counter(count);
        Ok(())
    }

    /// Returns the set whose cells a node puts in reading order, unless its board is very large.
    fn put_in_order<'n>(&self, node: &'n Node) -> Option<&'n Node> {
        let call = node.call().filter(|call| call.target == Target::Native && !call.maybe)?;
        let [set] = call.args.as_slice() else { return None };
        let is_set = set.kind.is(Sort::Cells) && !self.with.layout.rows.is_empty();
        (is_set && natives::emitted(&call.name, &[&set.kind]) == Some(Emitted::InOrder)).then_some(set)
    }

    /// Loops through the cells of a set in reading order.
    fn for_rows(
        &mut self,
        set: &Node,
        (local, counter): (Option<LocalId>, Option<LocalId>),
        of: &Node,
        value: Option<u32>,
        body: impl FnOnce(&mut Self) -> Emit,
    ) -> Emit {
        let ty = self.with.ty(&set.kind);
        let wasm = ty.wasm().ok_or(Refused("a set of nothing"))?;
        let cells = self.body.local(wasm);
        self.to(set, ty)?;
        self.body.set(cells);
        let parts = Parts::of(&self.with.layout, cells);
        let rounds = self.body.local(ValType::I64);
        parts.count(&mut self.body);
        self.body.set(rounds);
        // As much as a list of them takes.
        self.body.spend(|b| b.get(rounds));
        self.count_rounds(of, rounds);
        self.body.done(ValType::I64, rounds);
        let count = self.begin_counter(counter);
        let rows = InRows::begin(&mut self.body, &self.with.layout, parts);
        if let Some(local) = local {
            self.body.get(rows.cell);
            self.store(local, Ty::id(Tag::Cell));
        }
        self.store_counter(counter, count);
        self.within_loop(rows.end, value, body)?;
        self.step_counter(count);
        rows.end(&mut self.body);
        self.body.done(wasm, cells);
        self.end_counter(count);
        Ok(())
    }

    /// Puts the value on the stack into a variable of the script.
    pub(super) fn store(&mut self, local: LocalId, from: Ty) {
        let (number, ty) = self.local(local);
        self.convert(from, ty);
        if ty.wasm().is_some() {
            self.body.set(number);
        }
    }

    fn begin_counter(&mut self, counter: Option<LocalId>) -> Option<u32> {
        counter?;
        let count = self.body.local(ValType::I64);
        self.body.long(0);
        self.body.set(count);
        Some(count)
    }

    fn store_counter(&mut self, counter: Option<LocalId>, count: Option<u32>) {
        if let (Some(counter), Some(count)) = (counter, count) {
            self.body.get(count);
            self.store(counter, Ty::Number);
        }
    }

    fn step_counter(&mut self, count: Option<u32>) {
        if let Some(count) = count {
            self.body.get(count);
            self.body.all([I::I64Const(1), I::I64Add]);
            self.body.set(count);
        }
    }

    fn end_counter(&mut self, count: Option<u32>) {
        if let Some(count) = count {
            self.body.done(ValType::I64, count);
        }
    }
}

/// Returns whether rounds of a loop may end it.
fn may_end_early(body: &Node) -> bool {
    let mut ends = false;
    body.walk_own(&mut |node| ends |= matches!(node.what, What::Break(_) | What::Return(_)));
    ends
}

fn with_kind(node: Node) -> Node {
    Node { kind: crate::values::Kind::NUMBER, ..node }
}
