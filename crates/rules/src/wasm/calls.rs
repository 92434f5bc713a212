//! Calls: functions of the rules, natives in place, and loops that a method with a closure is.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{long, word};
use super::compiler::{Emit, Refused};
use super::fixed::Fixed;
use super::properties::Change;
use super::runtime::{self, Helper};
use super::unit::Unit;
use super::value::{Tag, Ty, may_change};
use crate::layers::OFFERED;
use crate::natives::{self, Loop, OFFERING, Special};
use crate::script::{Call, Closure, LocalId, Node, What};
use crate::values::{Kind, Sort};

impl Unit<'_, '_> {
    /// Returns why this call cannot be written, if something about it says so at once.
    fn refused(&self, call: &Call) -> Option<Refused> {
        if call.with_scope {
            return Some(Refused("a call that uses the variables around it"));
        }
        if call.is_on_value() {
            return None;
        }
        // The machine lets the options pass through a function of the rules.
        let is_choice = OFFERING.iter().any(|(choice, ..)| *choice == call.name);
        if is_choice && !self.function.is_built_in() && self.with.with.script.function(OFFERED.0, OFFERED.1).is_some() {
            return Some(Refused("a choice whose options pass through a function of the rules"));
        }
        // The function may change what it is called on.
        let of_value = |of: &Node| of.root().local().is_some() && !of.kind.is_or_nothing(Sort::Function);
        let is_call = call.natives.special() == Some(Special::Call) && call.before_dot().is_some_and(of_value);
        is_call.then_some(Refused("a call of a function value on a value"))
    }

    pub(super) fn call(&mut self, node: &Node, call: &Call) -> Emit<Ty> {
        if let Some(refused) = self.refused(call) {
            return Err(refused);
        }
        if call.is_on_value() {
            return self.on_value(call);
        }
        let (name, count) = (call.name.as_str(), call.args.len());
        if call.maybe || call.before_dot().is_some_and(super::outline::may_end_early) {
            return self.handed(node);
        }
        let script = self.with.with.script;
        if !call.method && script.function(name, count).is_some() {
            if let Some(ty) = self.looked_up_of_rules(node, call)? {
                return Ok(ty);
            }
            let kept = self.calling(node.at, (name, count), &call.args);
            let ty = self.of_rules(&call.name, &call.args)?;
            self.called(kept);
            return Ok(ty);
        }
        if changes_a_copy(call) {
            return Err(Refused("a change of a copy"));
        }
        if self.clause(call)? {
            return Ok(Ty::Nothing);
        }
        if let Some(of) = call.natives.loop_in_place(count)
            && let [list, function] = call.args.as_slice()
            && let What::Closure(closure) = &function.what
            && (list.kind.is(Sort::List) || self.with.ty(&list.kind) == Ty::id(Tag::Moves))
            && matches!(closure.params.len(), 1 | 2)
            && !closure.this
        {
            return self.written_loop(of, list, closure);
        }
        if let Some(ty) = self.reduced(call)? {
            return Ok(ty);
        }
        if let Some(ty) = self.look(call)? {
            return Ok(ty);
        }
        if let Some(ty) = self.look_after_effects(call)? {
            return Ok(ty);
        }
        if call.natives.special() == Some(Special::Event) && self.event(&call.args)? {
            return Ok(Ty::Nothing);
        }
        if let Some(ty) = self.ending(call, node)? {
            return Ok(ty);
        }
        if call.natives.set_a_property()
            && let [of, property, value] = call.args.as_slice()
            && let Some(Fixed::Text(property)) = self.fixed(property)
            && self.set_property(of, &property, value, Change::Set)?
        {
            return Ok(Ty::Nothing);
        }
        if call.natives.special() == Some(Special::May)
            && let Some(ty) = self.may(&call.args)?
        {
            return Ok(ty);
        }
        if self.then(call)? {
            return Ok(Ty::Nothing);
        }
        if let Some(ty) = self.ask(node, call)? {
            return Ok(ty);
        }
        if let Some(ty) = self.pointer(node, call)? {
            return Ok(ty);
        }
        if let Some(ty) = self.pointed(node, call)? {
            return Ok(ty);
        }
        let kinds: Vec<&Kind> = call.args.iter().map(|arg| &arg.kind).collect();
        // After a dot, a map may have a function of this name.
        let may_be_map = call.before_dot().is_some_and(|of| of.kind.is_any());
        if let Some(emitted) = natives::emitted(name, &kinds).filter(|_| !may_be_map)
            && let Some(ty) = self.emitted(node, emitted, &call.args)?
        {
            return Ok(ty);
        }
        if let Some(ty) = self.of_any_sort(node, call)? {
            return Ok(ty);
        }
        if let Some(ty) = self.tabulated(node, call)? {
            return Ok(ty);
        }
        if let Some(first) = call.args.first().filter(|first| first.kind.is(Sort::List) && orders(call)) {
            return self.in_other_order(node, call, first);
        }
        if call.natives.may_change(count)
            && let Some(first) = call.args.first()
            && may_change(&first.kind)
        {
            return match self.of_number_or_other(node, call)? {
                Some(ty) => Ok(ty),
                None => self.changing(node, first),
            };
        }
        self.handed(node)
    }

    /// Calls what changes a value of one sort, such as a list, and only looks at a number: which one it is shows when it runs.
    /// Returns `None`, with nothing done, if there is no table of results for numbers.
    fn of_number_or_other(&mut self, node: &Node, call: &Call) -> Emit<Option<Ty>> {
        let [given] = call.args.as_slice() else { return Ok(None) };
        if given.local().is_none() || given.kind.is(Sort::Number) || !given.kind.may_be(Sort::Number) {
            return Ok(None);
        }
        let number = Call { args: vec![Node { kind: Kind::NUMBER, ..given.clone() }], ..call.clone() };
        if self.deciding(&number).is_none() {
            return Ok(None);
        }
        let with_number = Node { what: What::Call(number.clone()), kind: Kind::ANY, at: node.at };
        let result = self.body.local(ValType::I64);
        self.to(given, Ty::Any)?;
        self.body.all([I::I64Const(15), I::I64And, I::I64Const(Tag::Number as i64), I::I64Eq]);
        self.body.when(None);
        let ty = match self.tabulated(&with_number, &number)? {
            Some(ty) => ty,
            None => self.handed(&with_number)?,
        };
        self.convert(ty, Ty::Any);
        self.body.set(result);
        self.body.otherwise();
        let ty = self.changing(node, given)?;
        self.convert(ty, Ty::Any);
        self.body.set(result);
        self.body.end();
        self.body.get(result);
        self.body.done(ValType::I64, result);
        Ok(Some(self.narrowed(node)))
    }

    /// Calls a function of the rules, or writes it in place.
    pub(super) fn of_rules(&mut self, name: &str, args: &[Node]) -> Emit<Ty> {
        let count = args.len();
        let Some(callee) = self.with.callee((name, count)).cloned() else {
            return Err(Refused("a call of a function with `this`"));
        };
        if let Some(function) = self.in_place((name, count))
            && let Some(ty) = self.written_in_place(function, args)?
        {
            return Ok(ty);
        }
        let fixed = args.iter().map(|arg| self.fixed(arg)).collect();
        let (number, fixed) = self.with.number((name, count), fixed)?;
        for ((arg, ty), fixed) in args.iter().zip(&callee.parameters).zip(fixed) {
            if fixed.is_none() {
                self.kept(arg, *ty)?;
            }
        }
        self.body.call(number);
        self.after_end(callee.ends);
        Ok(callee.result)
    }

    /// Changes the order of a list: the host does it for a list that is in no variable alone, if it has several values.
    fn in_other_order(&mut self, node: &Node, call: &Call, list: &Node) -> Emit<Ty> {
        if let Some(ty) = self.ordered(call, list)? {
            return Ok(ty);
        }
        if !self.may_be_looked_at_twice(node, list) {
            return Err(Refused("an order of a part that calls choose"));
        }
        self.to(list, Ty::id(Tag::List))?;
        self.body.all([I::I32Load(word(runtime::LENGTH)), I::I32Const(1), I::I32GtU]);
        self.body.when(None);
        let ty = self.changing(node, list)?;
        self.drop(ty);
        self.body.end();
        Ok(Ty::Nothing)
    }

    /// Returns whether the first argument of a call is the same before the call and after it.
    fn may_be_looked_at_twice(&self, node: &Node, first: &Node) -> bool {
        let mut locals = Vec::new();
        first.walk(&mut |part| locals.extend(part.local()));
        let others = node.call().map(|call| call.args.get(1..).unwrap_or_default()).unwrap_or_default();
        let stays = |local: &LocalId| !others.iter().any(|other| super::outline::changes(other, *local));
        first.local().is_some() || self.is_same_twice(first) && locals.iter().all(stays)
    }

    /// Lets the host carry out a call that changes its first argument.
    fn changing(&mut self, node: &Node, first: &Node) -> Emit<Ty> {
        if first.root().local().is_none() || is_property(first) {
            // The value is new, or the host sets the property.
            return self.handed(node);
        }
        if !is_part_of_maps(first) {
            return Err(Refused("a change of a part of what may be no map"));
        }
        if !self.may_be_looked_at_twice(node, first) {
            return Err(Refused("a change of a part that calls or other arguments choose"));
        }
        let (site, given) = self.with.out(node, self.function, true)?;
        self.call_host(site, &given)?;
        let (both, value) = (self.body.local(ValType::I32), self.body.local(ValType::I64));
        self.convert(Ty::Any, Ty::id(Tag::List));
        self.body.set(both);
        self.item(both, 1);
        self.body.set(value);
        match first.local() {
            Some(local) => {
                self.body.get(value);
                self.store(local, Ty::Any);
            }
            None => self.set_part(first, value)?,
        }
        self.item(both, 0);
        self.body.done(ValType::I32, both);
        self.body.done(ValType::I64, value);
        Ok(self.narrowed(node))
    }

    /// Puts an item of a list on the stack.
    pub(super) fn item(&mut self, list: u32, number: u32) {
        self.body.get(list);
        self.body.all([I::I32Load(word(runtime::ITEMS)), I::I64Load(long(8 * number))]);
    }

    /// Writes a method with a closure as a loop.
    fn written_loop(&mut self, of: Loop, list: &Node, closure: &Closure) -> Emit<Ty> {
        let (element, index) = (closure.params.first().copied(), closure.params.get(1).copied());
        let Some(element) = element else { return Err(Refused("a closure without parameters")) };
        let (ty, start) = match of {
            // Moves that were listed are a list.
            Loop::Filter if self.with.ty(&list.kind) == Ty::id(Tag::Moves) => (Ty::id(Tag::Moves), 0),
            Loop::Filter | Loop::Map => (Ty::id(Tag::List), 0),
            Loop::Some => (Ty::Truth, 0),
            Loop::All => (Ty::Truth, 1),
            Loop::Find => (Ty::Any, 0),
        };
        let wasm = ty.wasm().unwrap_or(ValType::I32);
        let result = self.body.local(wasm);
        match ty {
            Ty::Id { .. } => {
                self.body.word(start);
                self.body.call(Helper::List.number());
            }
            Ty::Any => self.body.long(0),
            _ => self.body.word(start),
        }
        self.body.set(result);
        let around = std::mem::take(&mut self.loops);
        // A closure may change its parameter, but what it looks at stays in the list.
        let before = self.is_changed(element).then(|| self.body.local(ValType::I64));
        let done = self.for_each(list, (Some(element), index), &closure.body, None, |unit| {
            let (number, kind) = unit.local(element);
            let now = |unit: &mut Self| {
                if kind.wasm().is_some() {
                    unit.body.get(number);
                }
                unit.convert(kind, Ty::Any);
            };
            if let Some(before) = before {
                now(unit);
                unit.body.set(before);
            }
            let put = |unit: &mut Self| match before {
                Some(before) => unit.body.get(before),
                None => now(unit),
            };
            let end = unit.loops.last().map(|around| around.end);
            match of {
                Loop::Map => {
                    unit.body.get(result);
                    unit.closure(closure, Ty::Any)?;
                    unit.share(Ty::Any);
                    unit.body.call(Helper::Push.number());
                }
                Loop::Filter => {
                    unit.closure(closure, Ty::Truth)?;
                    unit.body.when(None);
                    unit.body.get(result);
                    put(unit);
                    unit.body.call(Helper::Push.number());
                    unit.body.end();
                }
                Loop::Some | Loop::All | Loop::Find => {
                    unit.closure(closure, Ty::Truth)?;
                    if of == Loop::All {
                        unit.body.add(I::I32Eqz);
                    }
                    unit.body.when(None);
                    if of == Loop::Find {
                        put(unit);
                    } else {
                        unit.body.word(1 - start);
                    }
                    unit.body.set(result);
                    end.into_iter().for_each(|end| unit.body.jump(end));
                    unit.body.end();
                }
            }
            Ok(())
        });
        self.loops = around;
        done?;
        before.into_iter().for_each(|before| self.body.done(ValType::I64, before));
        self.body.get(result);
        self.body.done(wasm, result);
        Ok(ty)
    }

    /// Puts the value that a closure returns on the stack.
    pub(super) fn closure(&mut self, closure: &Closure, ty: Ty) -> Emit {
        let mut returns = false;
        closure.body.walk_own(&mut |node| returns |= matches!(node.what, What::Return(_)));
        if !returns {
            return self.to(&closure.body, ty);
        }
        let wasm = ty.wasm().unwrap_or(ValType::I32);
        let value = self.body.local(wasm);
        let label = self.body.block(None);
        self.closures.push((label, ty, value));
        let done = self.to(&closure.body, ty);
        self.closures.pop();
        done?;
        self.body.set(value);
        self.body.end();
        self.body.get(value);
        self.body.done(wasm, value);
        Ok(())
    }
}

/// Returns whether a call only changes the order of a list.
fn orders(call: &Call) -> bool {
    match call.args.as_slice() {
        [list] => ORDERING.contains(&call.name.as_str()) && super::outline::is_in_variable(list),
        [list, function] => {
            call.natives.only_sort(2)
                && super::outline::is_in_variable(list)
                && matches!(function.what, What::Closure(_))
        }
        _ => false,
    }
}

/// The functions that change the order of a list alone.
const ORDERING: [&str; 2] = ["reverse", "sort"];

/// Returns whether all of which a chain has a key are maps, unless they are missing.
fn is_part_of_maps(node: &Node) -> bool {
    match &node.what {
        What::Field { of, .. } => of.kind.is_or_nothing(Sort::Map) && is_part_of_maps(of),
        What::Index { of, .. } => is_part_of_maps(of),
        _ => true,
    }
}

/// Returns whether a call may change its first argument, and that is a part of a variable: without a dot before its name, the
/// function gets a copy, `push(lists[0], 1)`.
fn changes_a_copy(call: &Call) -> bool {
    let is_part = |first: &Node| first.local().is_none() && first.root().local().is_some() && !is_property(first);
    let changes = !call.method && call.natives.may_change(call.args.len());
    changes && call.args.first().is_some_and(|first| is_part(first) && may_change(&first.kind))
}

/// Returns whether a chain reads a property of a player, a piece or the game, which the host sets after a change.
fn is_property(node: &Node) -> bool {
    match &node.what {
        What::Field { of, .. } => !of.kind.may_be(Sort::Map) || is_property(of),
        What::Index { of, .. } => is_property(of),
        _ => false,
    }
}
