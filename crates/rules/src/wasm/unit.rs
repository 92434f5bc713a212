//! A function of the rules while it is compiled: values, names, conditions and operators.

use std::cell::RefCell;
use std::collections::HashMap;

use rhai::{Dynamic, ImmutableString};
use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, Label, word};
use super::compiler::{Compiler, Emit, Refused};
use super::fixed::{Fixed, Known};
use super::layout;
use super::of_board::{OfBoard, Wide};
use super::outline::{Given, changes, is_literal, may_end_early};
use super::parts::Apart;
use super::receivers::{THIS, name_in_rules};
use super::runtime::{self, Helper, unwrap, wrap};
use super::value::{NO_ID, NOTHING, Tag, Ty};
use crate::natives;
use crate::script::{Function, Key, LocalId, Name, Node, Target, What};
use crate::values::{GameItself, Kind, Sort};

/// What known results in tables are combined with, so that none is 0: the tag of no value.
pub(super) const KNOWN: i64 = 15;

/// A loop around the present place.
pub(super) struct Around {
    pub(super) end: Label,
    pub(super) next: Label,
    /// The variable for the value of `break`, if the loop has one.
    pub(super) value: Option<u32>,
}

/// The variables of a function of the script.
#[derive(Clone, Default)]
pub(super) struct Scope {
    /// Those whose values are fixed.
    pub(super) known: Known,
    /// Those whose values are apart: see [`super::parts`].
    pub(super) apart: HashMap<LocalId, Apart>,
    /// The others: each with its number in the function and its type.
    pub(super) locals: HashMap<LocalId, (u32, Ty)>,
}

/// A function while it is compiled.
pub(super) struct Unit<'c, 's> {
    pub(super) with: &'c mut Compiler<'s>,
    /// The function of the rules at the present place: another one where that is written in place.
    pub(super) function: &'s Function,
    pub(super) body: Body,
    pub(super) scope: Scope,
    /// Where the parameters are.
    given: Vec<u32>,
    pub(super) loops: Vec<Around>,
    result: Ty,
    recursive: bool,
    /// How deep functions are nested here that are written in place.
    pub(super) nested: usize,
    /// What is to be counted for parts whose results were found.
    pub(super) computed: RefCell<HashMap<*const Node, i64>>,
    /// Whether the present place is in a closure that is written as a loop: `return` gives its value.
    pub(super) closures: Vec<(Label, Ty, u32)>,
}

impl<'c, 's> Unit<'c, 's> {
    pub(super) fn of(with: &'c mut Compiler<'s>, function: &'s Function, result: Ty, recursive: bool) -> Self {
        Self {
            with,
            function,
            body: Body::new(0),
            scope: Scope::default(),
            given: Vec::new(),
            loops: Vec::new(),
            result,
            recursive,
            nested: 0,
            computed: RefCell::default(),
            closures: Vec::new(),
        }
    }

    /// Declares the parameters, of which some are fixed.
    pub(super) fn parameters(&mut self, types: &[Ty], fixed: &[Option<Fixed>]) {
        let mut next = 0;
        for (local, (ty, fixed)) in types.iter().zip(fixed).enumerate() {
            self.given.push(next);
            if let Some(fixed) = fixed {
                self.scope.known.insert(local, fixed.clone());
            } else if ty.wasm().is_some() {
                self.scope.locals.insert(local, (next, *ty));
                next += 1;
            } else {
                self.scope.locals.insert(local, (0, *ty));
            }
        }
        self.body = Body::new(next as usize);
    }

    /// Puts a parameter on the stack.
    pub(super) fn parameter(&mut self, at: usize, ty: Ty) {
        if ty.wasm().is_some() {
            let local = self.given.get(at).copied().unwrap_or_default();
            self.body.get(local);
        }
    }

    /// Returns whether the function changes a variable after it was declared.
    pub(super) fn is_changed(&self, local: LocalId) -> bool {
        self.with.changed.get(&self.function.key()).is_none_or(|changed| changed.contains(&local))
    }

    /// Puts the value of a variable of the script on the stack.
    pub(super) fn variable(&mut self, local: LocalId) -> Ty {
        if let Some(fixed) = self.scope.known.get(&local).cloned() {
            return self.put(&fixed);
        }
        if let Some(apart) = self.scope.apart.get(&local).cloned() {
            return self.joined(&apart);
        }
        let (number, ty) = self.local(local);
        if ty.wasm().is_some() {
            self.body.get(number);
        }
        ty
    }

    /// Returns the variable of the function for one of the script, and its type.
    pub(super) fn local(&mut self, local: LocalId) -> (u32, Ty) {
        if let Some(known) = self.scope.locals.get(&local) {
            return *known;
        }
        let kind = self.function.local(local).map_or(Kind::ANY, |local| local.kind.clone());
        let ty = self.with.ty(&kind);
        let number = ty.wasm().map_or(0, |wasm| self.body.local(wasm));
        self.scope.locals.insert(local, (number, ty));
        (number, ty)
    }

    /// Ends the function: its result is on the stack.
    pub(super) fn leave(&mut self) {
        if name_in_rules(self.function).is_some() {
            self.give_back();
        }
        if self.recursive {
            self.deepen(-1);
        }
    }

    /// Puts what the function was called on into the place from which the caller takes it.
    fn give_back(&mut self) {
        self.body.word(0);
        let ty = self.variable(THIS);
        self.convert(ty, Ty::Any);
        self.body.add(I::I64Store(super::body::long(layout::RECEIVER)));
    }

    /// Changes how deep functions that may call themselves are nested.
    fn deepen(&mut self, by: i32) {
        self.body.raise(layout::DEPTH, by);
    }

    /// Begins the function: gives up if those that may call themselves are nested too deep.
    pub(super) fn enter(&mut self, deepest: i32) {
        if self.recursive {
            self.deepen(1);
            self.body.load(layout::DEPTH);
            self.body.all([I::I32Const(deepest), I::I32GtS]);
            self.body.give_up_if();
        }
    }

    /// Puts the value of a type on the stack that stands for any other, where none is needed.
    fn default(&mut self, ty: Ty) {
        match ty.wasm() {
            Some(ValType::I64) => self.body.long(0),
            Some(_) => self.body.word(0),
            None => {}
        }
    }

    /// Leaves the function after a call that has ended the game.
    pub(super) fn after_end(&mut self, may_end: bool) {
        if !may_end {
            return;
        }
        self.body.load(layout::OVER);
        self.body.when(None);
        self.over();
        self.body.end();
    }

    /// Leaves the function, for the game is over.
    pub(super) fn over(&mut self) {
        self.default(self.result);
        self.body.add(I::Return);
    }

    /// Turns the value on the stack into one of another type; gives up if it has none.
    pub(super) fn convert(&mut self, from: Ty, to: Ty) {
        match (from, to) {
            (Ty::Never, _) => self.body.give_up(),
            (from, to) if from == to => {}
            (Ty::Any, to) => unwrap(&mut self.body, to),
            (from, Ty::Any) => wrap(&mut self.body, from),
            (Ty::Nothing, Ty::Id { maybe: true, .. }) => self.body.word(NO_ID),
            (Ty::Id { tag: one, maybe: false }, Ty::Id { tag: other, maybe: true }) if one == other => {}
            (Ty::Id { tag: one, maybe: true }, Ty::Id { tag: other, maybe: false }) if one == other => {
                let local = self.body.local(ValType::I32);
                self.body.tee(local);
                self.body.all([I::I32Const(NO_ID), I::I32Eq]);
                self.body.give_up_if();
                self.body.get(local);
                self.body.done(ValType::I32, local);
            }
            (from, to) => {
                wrap(&mut self.body, from);
                unwrap(&mut self.body, to);
            }
        }
    }

    /// Drops a value.
    pub(super) fn drop(&mut self, ty: Ty) {
        if ty.wasm().is_some() {
            self.body.add(I::Drop);
        }
    }

    /// Puts the value of a node on the stack, as one of a type.
    pub(super) fn to(&mut self, node: &Node, ty: Ty) -> Emit {
        if let Some(done) = self.controlled(node, Some(ty)) {
            self.count_computed();
            return done;
        }
        let from = self.value(node)?;
        self.convert(from, ty);
        Ok(())
    }

    /// Carries out a node, and drops its value.
    pub(super) fn effect(&mut self, node: &Node) -> Emit {
        if let Some(done) = self.controlled(node, None) {
            self.count_computed();
            return done;
        }
        let from = self.value(node)?;
        self.drop(from);
        Ok(())
    }

    /// Puts the value of a node on the stack that gets another holder.
    pub(super) fn kept(&mut self, node: &Node, ty: Ty) -> Emit {
        self.to(node, ty)?;
        if ty.may_be_owned() && !is_new(node) {
            self.share(ty);
        }
        Ok(())
    }

    /// The same in the type that the value has. Returns this.
    pub(super) fn kept_as_it_is(&mut self, node: &Node) -> Emit<Ty> {
        let ty = self.value(node)?;
        if ty == Ty::Never {
            self.convert(ty, Ty::Any);
            return Ok(Ty::Any);
        }
        if ty.may_be_owned() && !is_new(node) {
            self.share(ty);
        }
        Ok(ty)
    }

    /// Returns the type in which the value of a node is put on the stack: a variable may have a narrower one than its kind says.
    pub(super) fn ty_of(&self, node: &Node) -> Ty {
        let ty = self.with.ty(&node.kind);
        if ty != Ty::Any {
            return ty;
        }
        match &node.what {
            What::Name(Name::Local(local)) => self.scope.locals.get(local).map_or(ty, |(_, ty)| *ty),
            What::Operator(sign, parts) => match parts.as_slice() {
                [one, other] if operator(sign, Ty::Number).is_some() => {
                    let are_numbers = self.ty_of(one) == Ty::Number && self.ty_of(other) == Ty::Number;
                    if are_numbers { Ty::Number } else { ty }
                }
                _ => ty,
            },
            _ => ty,
        }
    }

    /// Marks the value on the stack as shared.
    pub(super) fn share(&mut self, ty: Ty) {
        let Some(wasm) = ty.wasm() else { return };
        let local = self.body.local(wasm);
        self.body.tee(local);
        self.body.get(local);
        self.convert(ty, Ty::Any);
        self.body.call(Helper::Share.number());
        self.body.done(wasm, local);
    }

    /// Puts a boolean on the stack.
    pub(super) fn truth(&mut self, node: &Node) -> Emit {
        self.to(node, Ty::Truth)
    }

    /// Puts the value of a node on the stack, in the type that it has.
    pub(super) fn value(&mut self, node: &Node) -> Emit<Ty> {
        let ty = self.put_value(node)?;
        self.count_computed();
        Ok(ty)
    }

    fn put_value(&mut self, node: &Node) -> Emit<Ty> {
        if matches!(
            node.what,
            What::Block(_) | What::If(_) | What::Switch(_) | What::And(_) | What::Or(_) | What::Coalesce(_)
        ) {
            let ty = match &node.what {
                What::And(_) | What::Or(_) => Ty::Truth,
                _ => self.with.ty(&node.kind),
            };
            self.controlled(node, Some(ty)).unwrap_or(Ok(()))?;
            return Ok(ty);
        }
        let may_be_fixed = matches!(
            node.what,
            What::Call(_)
                | What::Operator(..)
                | What::List(_)
                | What::Index { .. }
                | What::Field { .. }
                | What::Name(Name::Constant(_) | Name::Component(_))
        );
        if may_be_fixed && let Some(fixed) = self.fixed(node) {
            return Ok(self.put(&fixed));
        }
        if matches!(node.what, What::Call(_) | What::Operator(..))
            && let Some(apart) = self.in_parts(node)
        {
            return Ok(self.joined(&apart));
        }
        Ok(match &node.what {
            What::Nothing => Ty::Nothing,
            What::Number(number) => {
                if super::value::number(*number).is_none() {
                    return Err(Refused("a number with more than 60 bits"));
                }
                self.body.long(*number);
                Ty::Number
            }
            What::Truth(truth) => {
                self.body.word(i32::from(*truth));
                Ty::Truth
            }
            What::Text(text) => self.text(text),
            What::Name(Name::Local(local)) => self.variable(*local),
            What::Name(Name::Component(name)) => self.component(node, name)?,
            What::Name(Name::Constant(_)) => self.remembered(node)?,
            What::This => return Err(Refused("`this`")),
            What::List(items) => self.list(items)?,
            What::Map(pairs) => self.map(pairs)?,
            What::Operator(sign, parts) => self.operation(node, sign, parts)?,
            What::Call(call) => self.call(node, call)?,
            What::Field { .. } | What::Index { .. } if may_end_early(node) => self.handed(node)?,
            What::Field { of, name, .. } => self.field(node, of, name)?,
            What::Index { of, index, .. } => self.element(node, of, index)?,
            What::Closure(closure) => {
                let is_fixed = |local: LocalId| !changes(&self.function.body, local);
                let fixed = closure.captured.iter().all(|captured| match captured.name {
                    Name::Local(local) => is_fixed(local),
                    _ => true,
                });
                if !fixed {
                    return Err(Refused("a closure shares a variable that changes"));
                }
                self.handed(node)?
            }
            What::Let { .. }
            | What::Assign(_)
            | What::While { .. }
            | What::Do { .. }
            | What::For(_)
            | What::Break(_)
            | What::Continue
            | What::Return(_)
            | What::Throw(_) => self.statement(node)?,
            What::Letter(_) | What::Constant(_) | What::Interpolated(_) | What::Name(_) => self.handed(node)?,
            What::Try(_) => return Err(Refused("`try`")),
            What::Strange(_) => return Err(Refused("what rules cannot use")),
            What::Block(_) | What::If(_) | What::Switch(_) | What::And(_) | What::Or(_) | What::Coalesce(_) => {
                Ty::Never
            }
        })
    }

    fn text(&mut self, text: &ImmutableString) -> Ty {
        let number = self.with.strings.number(text);
        self.body.word(number.cast_signed());
        Ty::id(Tag::Text)
    }

    /// Puts a component on the stack that is no fixed value.
    fn component(&mut self, node: &Node, name: &str) -> Emit<Ty> {
        let value = self.with.with.components.get_var_value::<Dynamic>(name);
        if !value.is_some_and(|value| value.is::<GameItself>()) {
            return self.remembered(node);
        }
        self.body.word(super::host::GAME.cast_signed());
        Ok(Ty::id(Tag::Other))
    }

    /// Puts the value of a node without parameters on the stack. The host computes it once for a table.
    pub(super) fn remembered(&mut self, node: &Node) -> Emit<Ty> {
        let (site, given) = self.with.out(node, self.function, false)?;
        if !given.is_empty() {
            return Err(Refused("a constant with parts that change"));
        }
        if let Some(out) = self.with.outs.last_mut() {
            out.keeps = true;
        }
        let memo = self.with.memo();
        self.body.word(memo.cast_signed());
        self.body.add(I::I32Load(word(8)));
        self.body.add(I::I32Eqz);
        self.body.when(None);
        self.body.word(memo.cast_signed());
        self.body.word(site.cast_signed());
        self.body.call(layout::out(0));
        self.body.add(I::I64Store(super::body::long(0)));
        self.body.word(memo.cast_signed());
        self.body.word(0);
        self.body.add(I::I32Load(word(layout::IS_KEPT)));
        self.body.add(I::I32Store(word(8)));
        self.body.end();
        self.body.word(memo.cast_signed());
        self.body.add(I::I64Load(super::body::long(0)));
        Ok(self.narrowed(node))
    }

    /// Gives the wrapped value of a node on the stack the type of its kind.
    pub(super) fn narrowed(&mut self, node: &Node) -> Ty {
        let ty = self.with.ty(&node.kind);
        self.convert(Ty::Any, ty);
        ty
    }

    /// Lets the host evaluate a node, with the values of its parts.
    pub(super) fn handed(&mut self, node: &Node) -> Emit<Ty> {
        if self.is_the_same(node) {
            return self.remembered(node);
        }
        let (site, given) = self.with.out(node, self.function, false)?;
        self.call_host(site, &given)?;
        let ends = node.call().is_some_and(|call| super::callee::ends(&call.name, call.args.len()));
        self.after_end(ends);
        Ok(self.narrowed(node))
    }

    /// Returns whether a node is the same wherever it is evaluated in games of one table.
    pub(super) fn is_the_same(&self, node: &Node) -> bool {
        match &node.what {
            What::Call(call) => call.args.iter().all(is_literal) && self.with.is_the_same(call),
            What::Operator(..) | What::Constant(_) | What::Letter(_) => is_literal(node),
            _ => false,
        }
    }

    /// Calls the host with the values of these parts.
    pub(super) fn call_host(&mut self, site: u32, given: &[Given<'_>]) -> Emit {
        self.body.word(site.cast_signed());
        for part in given {
            match part {
                Given::Node(node) => self.to(node, Ty::Any)?,
                Given::Local(local) => {
                    let ty = self.variable(*local);
                    self.convert(ty, Ty::Any);
                }
            }
        }
        self.body.call(layout::out(given.len()));
        Ok(())
    }

    fn list(&mut self, items: &[Node]) -> Emit<Ty> {
        let (list, place) = (self.body.local(ValType::I32), self.body.local(ValType::I32));
        let count = i32::try_from(items.len()).unwrap_or(i32::MAX);
        self.body.word(count);
        self.body.call(Helper::List.number());
        self.body.tee(list);
        self.body.add(I::I32Load(word(runtime::ITEMS)));
        self.body.set(place);
        for (at, item) in (0..).zip(items) {
            self.body.get(place);
            self.kept(item, Ty::Any)?;
            self.body.add(I::I64Store(super::body::long(8 * at)));
        }
        self.body.get(list);
        self.body.all([I::I32Const(count), I::I32Store(word(runtime::LENGTH))]);
        self.body.get(list);
        self.body.done(ValType::I32, list);
        self.body.done(ValType::I32, place);
        Ok(Ty::id(Tag::List))
    }

    fn map(&mut self, pairs: &[(Key, Node)]) -> Emit<Ty> {
        let map = self.body.local(ValType::I32);
        self.body.word(i32::try_from(pairs.len()).unwrap_or(i32::MAX));
        self.body.call(Helper::Map.number());
        self.body.set(map);
        // The keys are in the order of the alphabet, but the values come in that of the rules.
        let mut keys: Vec<&ImmutableString> = pairs.iter().map(|(key, _)| &key.name).collect();
        keys.sort_unstable();
        let items = self.body.local(ValType::I32);
        self.body.get(map);
        self.body.add(I::I32Load(word(runtime::ITEMS)));
        self.body.set(items);
        for (key, value) in pairs {
            let place = keys.binary_search(&&key.name).unwrap_or_default();
            let pair = u32::try_from(place).unwrap_or_default() * runtime::PAIR.cast_unsigned();
            let number = self.with.strings.number(&key.name);
            self.body.get(items);
            self.body.long(Tag::Text.wrap(number));
            self.body.add(I::I64Store(super::body::long(pair)));
            self.body.get(items);
            self.kept(value, Ty::Any)?;
            self.body.add(I::I64Store(super::body::long(pair + 8)));
        }
        self.body.get(map);
        self.body
            .all([I::I32Const(i32::try_from(pairs.len()).unwrap_or(i32::MAX)), I::I32Store(word(runtime::LENGTH))]);
        self.body.get(map);
        self.body.done(ValType::I32, items);
        self.body.done(ValType::I32, map);
        Ok(Ty::id(Tag::Map))
    }

    /// Puts the value of a key on the stack, by the map on the stack, which is that of a node. Maps have their keys in the order of
    /// the alphabet, unless some came later, so the place where it should be is looked at first.
    fn field_of_map(&mut self, of: &Node, name: &ImmutableString) {
        let key = self.with.strings.number(name);
        let place = of.kind.fields().and_then(|fields| fields.keys().position(|key| **key == **name));
        let place = place.and_then(|place| u32::try_from(place).ok());
        let Some(place) = place else {
            self.body.word(key.cast_signed());
            self.body.call(Helper::Field.number());
            return;
        };
        let pair = place * runtime::PAIR.cast_unsigned();
        let (map, items) = (self.body.local(ValType::I32), self.body.local(ValType::I32));
        self.body.tee(map);
        self.body.add(I::I32Load(word(runtime::ITEMS)));
        self.body.set(items);
        self.body.get(map);
        self.body.all([I::I32Load(word(runtime::LENGTH)), I::I32Const(place.cast_signed()), I::I32GtU]);
        self.body.when(Some(ValType::I32));
        self.body.get(items);
        self.body.all([I::I64Load(super::body::long(pair)), I::I64Const(Tag::Text.wrap(key)), I::I64Eq]);
        self.body.otherwise();
        self.body.word(0);
        self.body.end();
        self.body.when(Some(ValType::I64));
        self.body.get(items);
        self.body.add(I::I64Load(super::body::long(pair + 8)));
        self.body.otherwise();
        self.body.get(map);
        self.body.word(key.cast_signed());
        self.body.call(Helper::Field.number());
        self.body.end();
        self.body.done(ValType::I32, map);
        self.body.done(ValType::I32, items);
    }

    /// Puts what is after a dot on the stack.
    fn field(&mut self, node: &Node, of: &Node, name: &ImmutableString) -> Emit<Ty> {
        if of.kind.is(Sort::Map) {
            self.to(of, Ty::id(Tag::Map))?;
            self.field_of_map(of, name);
            return Ok(self.narrowed(node));
        }
        if of.kind.is_or_nothing(Sort::List) && natives::is_length(name) {
            self.to(of, Ty::id(Tag::List))?;
            self.body.add(I::I64Load32U(word(runtime::LENGTH)));
            return Ok(Ty::Number);
        }
        if let Some(ty) = self.part_of_move(node, of, name)? {
            return Ok(ty);
        }
        if let Some(ty) = self.numbers_of(node, of, name)? {
            return Ok(ty);
        }
        match self.property(of, name)? {
            Some(ty) => Ok(ty),
            None if self.with.with.schema.printed(name).is_some() && of.kind.may_be(Sort::Piece) => {
                self.printed(node, of, name)
            }
            None if of.kind.may_be(Sort::Map) => {
                let key = self.with.strings.number(name);
                self.of_any_map(node, |unit| unit.body.word(key.cast_signed()))
            }
            None => self.handed(node),
        }
    }

    /// Puts what is after a dot on the stack, of a value that may be a card: what is printed on cards is in a table once the
    /// host has read it.
    fn printed(&mut self, node: &Node, of: &Node, name: &ImmutableString) -> Emit<Ty> {
        let pieces = u32::try_from(self.with.with.schema.pieces.len()).unwrap_or(u32::MAX);
        let Some(table) = self.with.table(format!("printed {name}"), pieces) else { return self.handed(node) };
        let (site, given) = self.with.out(node, self.function, false)?;
        let [Given::Node(_)] = given.as_slice() else { return Err(Refused("a part of a value")) };
        if let Some(out) = self.with.outs.last_mut() {
            out.keeps = true;
        }
        let (value, known) = (self.body.local(ValType::I64), self.body.local(ValType::I64));
        let piece = self.body.local(ValType::I32);
        self.to(of, Ty::Any)?;
        self.body.set(value);
        let end = self.body.block(Some(ValType::I64));
        if of.kind.may_be(Sort::Map) {
            self.is_tagged(value, Tag::Map);
            self.body.when(None);
            self.body.get(value);
            self.convert(Ty::Any, Ty::id(Tag::Map));
            self.text(name);
            self.body.call(Helper::Field.number());
            self.body.jump(end);
            self.body.end();
        }
        self.is_tagged(value, Tag::Piece);
        self.body.add(I::I32Eqz);
        self.body.when(None);
        self.body.word(site.cast_signed());
        self.body.get(value);
        self.body.call(layout::out(1));
        self.body.jump(end);
        self.body.end();
        self.body.get(value);
        self.body.all([I::I64Const(super::value::TAG_BITS), I::I64ShrU, I::I32WrapI64, I::I32Const(3), I::I32Shl]);
        self.body.tee(piece);
        self.body.add(I::I64Load(super::body::long(table)));
        self.body.tee(known);
        self.body.add(I::I64Eqz);
        self.body.when(None);
        self.body.word(site.cast_signed());
        self.body.get(value);
        self.body.call(layout::out(1));
        self.body.all([I::I64Const(KNOWN), I::I64Xor]);
        self.body.set(known);
        self.body.load(layout::IS_KEPT);
        self.body.when(None);
        self.body.get(piece);
        self.body.get(known);
        self.body.add(I::I64Store(super::body::long(table)));
        self.body.end();
        self.body.end();
        self.body.get(known);
        self.body.all([I::I64Const(KNOWN), I::I64Xor]);
        self.body.end();
        self.body.done(ValType::I64, value);
        self.body.done(ValType::I64, known);
        self.body.done(ValType::I32, piece);
        Ok(self.narrowed(node))
    }

    /// Puts what is after a dot on the stack, of a value that may be a map.
    fn of_any_map(&mut self, node: &Node, key: impl FnOnce(&mut Self)) -> Emit<Ty> {
        self.of_tagged(node, Tag::Map, |unit| {
            key(unit);
            unit.body.call(Helper::Field.number());
            Ty::Any
        })
    }

    /// Writes what is done with the only part of a node if its value has a tag: it is on the stack without it. The host does
    /// it for other values.
    pub(super) fn of_tagged(&mut self, node: &Node, tag: Tag, known: impl FnOnce(&mut Self) -> Ty) -> Emit<Ty> {
        let (site, given) = self.with.out(node, self.function, false)?;
        let [Given::Node(of)] = given.as_slice() else { return Err(Refused("a part of a value")) };
        let value = self.body.local(ValType::I64);
        self.to(of, Ty::Any)?;
        self.body.set(value);
        self.is_tagged(value, tag);
        self.body.when(Some(ValType::I64));
        self.body.get(value);
        self.convert(Ty::Any, Ty::id(tag));
        let ty = known(self);
        self.convert(ty, Ty::Any);
        self.body.otherwise();
        self.body.word(site.cast_signed());
        self.body.get(value);
        self.body.call(layout::out(1));
        self.body.end();
        self.body.done(ValType::I64, value);
        Ok(self.narrowed(node))
    }

    /// Puts on the stack whether a wrapped value has a tag.
    pub(super) fn is_tagged(&mut self, value: u32, tag: Tag) {
        self.body.get(value);
        self.body.all([I::I64Const(15), I::I64And, I::I64Const(tag as i64), I::I64Eq]);
    }

    /// Puts on the stack whether two wrapped values have a tag.
    pub(super) fn are_tagged(&mut self, one: u32, other: u32, tag: Tag) {
        self.is_tagged(one, tag);
        self.is_tagged(other, tag);
        self.body.add(I::I32And);
    }

    /// Puts an element on the stack.
    fn element(&mut self, node: &Node, of: &Node, index: &Node) -> Emit<Ty> {
        if of.kind.may_be(Sort::Map) && index.kind.is(Sort::Text) {
            return self.of_key(node, of, index);
        }
        if !of.kind.is(Sort::List) || !index.kind.is(Sort::Number) {
            return self.handed(node);
        }
        if let Some(Fixed::List(items)) = self.fixed(of) {
            return self.element_of_fixed(node, &items, index);
        }
        self.to(of, Ty::id(Tag::List))?;
        self.to(index, Ty::Number)?;
        runtime::placed(&mut self.body);
        self.body.add(I::I64Load(super::body::long(0)));
        Ok(self.narrowed(node))
    }

    /// Puts an element of a fixed list on the stack.
    fn element_of_fixed(&mut self, node: &Node, items: &[Fixed], index: &Node) -> Emit<Ty> {
        let (list, first) = self.with.list_in_memory(items);
        let at = self.body.local(ValType::I64);
        self.to(index, Ty::Number)?;
        self.body.tee(at);
        self.body.long(i64::try_from(items.len()).unwrap_or_default());
        self.body.add(I::I64LtU);
        self.body.when(Some(ValType::I64));
        self.body.get(at);
        self.body.all([I::I32WrapI64, I::I32Const(3), I::I32Shl, I::I64Load(super::body::long(first))]);
        self.body.otherwise();
        // An index below 0 counts from the end.
        self.body.word(list.cast_signed());
        self.body.get(at);
        self.body.call(Helper::Place.number());
        self.body.add(I::I64Load(super::body::long(0)));
        self.body.end();
        self.body.done(ValType::I64, at);
        let tag = |item: &Fixed| if let Fixed::Id(tag, _) = item { Some(*tag) } else { None };
        match items.first().and_then(tag).filter(|first| items.iter().all(|item| tag(item) == Some(*first))) {
            Some(tag) => {
                self.body.all([I::I64Const(super::value::TAG_BITS), I::I64ShrU, I::I32WrapI64]);
                Ok(Ty::id(tag))
            }
            None => Ok(self.narrowed(node)),
        }
    }

    /// Puts what a map has under a key on the stack, `()` if there is nothing, or what another value has.
    fn of_key(&mut self, node: &Node, of: &Node, index: &Node) -> Emit<Ty> {
        let (value, key) = (self.body.local(ValType::I64), self.body.local(ValType::I32));
        self.to(of, Ty::Any)?;
        self.body.set(value);
        self.to(index, Ty::id(Tag::Text))?;
        self.body.set(key);
        self.is_tagged(value, Tag::Map);
        self.body.when(Some(ValType::I64));
        self.body.get(value);
        self.convert(Ty::Any, Ty::id(Tag::Map));
        self.body.get(key);
        self.body.call(Helper::Key.number());
        self.body.otherwise();
        // With a string in the brackets it is an error, or a native of the machine.
        self.body.give_up();
        self.body.end();
        self.body.done(ValType::I64, value);
        self.body.done(ValType::I32, key);
        Ok(self.narrowed(node))
    }

    fn operation(&mut self, node: &Node, sign: &ImmutableString, parts: &[Node]) -> Emit<Ty> {
        match parts {
            [one, other] => {
                let types = (self.ty_of(one), self.ty_of(other));
                if let Some(ty) = self.comparison(sign, (one, types.0), (other, types.1))? {
                    return Ok(ty);
                }
                if matches!(types, (Ty::Number, Ty::Number) | (Ty::Set, Ty::Set) | (Ty::Truth, Ty::Truth))
                    && let Some(operator) = operator(sign, types.0)
                {
                    self.to(one, types.0)?;
                    self.to(other, types.1)?;
                    return Ok(self.operate(operator, types.0));
                }
                if let Some(ty) = self.mixed(node, sign, one, other)? {
                    return Ok(ty);
                }
                match self.combined(sign, one, other)? {
                    Some(ty) => Ok(ty),
                    None => self.handed(node),
                }
            }
            [one] if sign == "!" => {
                self.truth(one)?;
                self.body.add(I::I32Eqz);
                Ok(Ty::Truth)
            }
            [one] if sign == "-" && one.kind.is(Sort::Number) => {
                self.body.long(0);
                self.to(one, Ty::Number)?;
                Ok(self.operate(Operation::Checked(I::I64Sub), Ty::Number))
            }
            _ => self.handed(node),
        }
    }

    /// Carries out an operator on two values of the same type on the stack.
    pub(super) fn operate(&mut self, operator: Operation, ty: Ty) -> Ty {
        match operator {
            Operation::Plain(instruction) => self.body.add(instruction),
            Operation::Checked(instruction) => {
                self.body.add(instruction);
                self.within_bits();
            }
            Operation::Product => self.body.call(Helper::Product.number()),
            Operation::Difference => self.body.all([I::I64Const(-1), I::I64Xor, I::I64And]),
        }
        ty
    }

    /// Gives up if the number on the stack is too large for a wrapped one.
    pub(super) fn within_bits(&mut self) {
        let number = self.body.local(ValType::I64);
        self.body.tee(number);
        self.body.all([I::I64Const(1 << 59), I::I64Add, I::I64Const(60), I::I64ShrU, I::I64Eqz, I::I32Eqz]);
        self.body.give_up_if();
        self.body.get(number);
        self.body.done(ValType::I64, number);
    }

    /// Compares two values, if their types tell how; returns `None` with nothing done otherwise.
    fn comparison(&mut self, sign: &str, (one, first): (&Node, Ty), (other, second): (&Node, Ty)) -> Emit<Option<Ty>> {
        let is_equality = matches!(sign, "==" | "!=");
        let instruction = match (first, second) {
            (Ty::Number, Ty::Number) => match sign {
                "==" => I::I64Eq,
                "!=" => I::I64Ne,
                "<" => I::I64LtS,
                "<=" => I::I64LeS,
                ">" => I::I64GtS,
                ">=" => I::I64GeS,
                _ => return Ok(None),
            },
            _ if !is_equality => return Ok(None),
            (Ty::Set, Ty::Set) => {
                if sign == "==" {
                    I::I64Eq
                } else {
                    I::I64Ne
                }
            }
            (Ty::Truth, Ty::Truth) => {
                if sign == "==" {
                    I::I32Eq
                } else {
                    I::I32Ne
                }
            }
            (Ty::Id { tag: one, .. }, Ty::Id { tag: other, .. }) if one == other && one.is_id() => {
                if sign == "==" {
                    I::I32Eq
                } else {
                    I::I32Ne
                }
            }
            (Ty::Id { tag: Tag::Cells, maybe: false }, Ty::Id { tag: Tag::Cells, maybe: false }) => {
                let function = OfBoard::Wide(Wide::Same);
                let Some(ty) = self.on_board(function, [one, other].into_iter())? else { return Ok(None) };
                if sign == "!=" {
                    self.body.add(I::I32Eqz);
                }
                return Ok(Some(ty));
            }
            (Ty::Nothing, ty) | (ty, Ty::Nothing) if is_plain(one) || is_plain(other) => {
                // The node that is not `()` has the value.
                let node = if first == Ty::Nothing { other } else { one };
                match ty {
                    Ty::Id { tag, .. } => {
                        self.to(node, Ty::maybe(tag))?;
                        self.body.all([I::I32Const(NO_ID), if sign == "==" { I::I32Eq } else { I::I32Ne }]);
                    }
                    Ty::Any => {
                        self.to(node, Ty::Any)?;
                        self.body.all([I::I64Const(NOTHING), if sign == "==" { I::I64Eq } else { I::I64Ne }]);
                    }
                    _ => return Ok(None),
                }
                return Ok(Some(Ty::Truth));
            }
            (Ty::Never | Ty::Nothing, _) | (_, Ty::Never | Ty::Nothing) => return Ok(None),
            _ => {
                self.to(one, Ty::Any)?;
                self.to(other, Ty::Any)?;
                if is_told_by_bits(first) || is_told_by_bits(second) {
                    self.are_same_bits();
                } else {
                    self.body.call(Helper::Equal.number());
                }
                if sign == "!=" {
                    self.body.add(I::I32Eqz);
                }
                return Ok(Some(Ty::Truth));
            }
        };
        // Ids may be `()`, which is equal to itself.
        let widened = |ty| match ty {
            Ty::Id { tag, .. } => Ty::maybe(tag),
            ty => ty,
        };
        self.to(one, widened(first))?;
        self.to(other, widened(second))?;
        self.body.add(instruction);
        Ok(Some(Ty::Truth))
    }

    /// Compares two wrapped values on the stack, of which one is equal to what has the same bits alone. The helper tells of values of
    /// different sorts whether they can be compared.
    fn are_same_bits(&mut self) {
        let values = [self.body.local(ValType::I64), self.body.local(ValType::I64)];
        let [one, other] = values;
        for value in [other, one] {
            self.body.set(value);
        }
        self.body.get(one);
        self.body.get(other);
        self.body.all([I::I64Xor, I::I64Const(15), I::I64And, I::I64Eqz]);
        self.body.when(Some(ValType::I32));
        self.body.get(one);
        self.body.get(other);
        self.body.add(I::I64Eq);
        self.body.otherwise();
        self.body.get(one);
        self.body.get(other);
        self.body.call(Helper::Equal.number());
        self.body.end();
        for value in values {
            self.body.done(ValType::I64, value);
        }
    }

    /// Puts the default of the function's result on the stack and returns.
    pub(super) fn returns(&mut self, value: Option<&Node>) -> Emit {
        if let Some((label, ty, local)) = self.closures.last().copied() {
            match value {
                Some(value) => self.to(value, ty)?,
                None => self.convert(Ty::Nothing, ty),
            }
            if ty.wasm().is_some() {
                self.body.set(local);
            }
            self.body.jump(label);
            return Ok(());
        }
        match value {
            Some(value) => self.to(value, self.result)?,
            None => self.convert(Ty::Nothing, self.result),
        }
        self.leave();
        self.body.add(I::Return);
        Ok(())
    }
}

/// How an operator is carried out.
#[derive(Clone)]
pub(super) enum Operation {
    /// One instruction.
    Plain(I<'static>),
    /// One instruction, whose result may be too large.
    Checked(I<'static>),
    Product,
    /// The cells of one set without those of another.
    Difference,
}

/// Returns how an operator is carried out for two values of a type; `None` if the host does it.
pub(super) fn operator(sign: &str, ty: Ty) -> Option<Operation> {
    Some(match (ty, sign) {
        (Ty::Number, "+") => Operation::Checked(I::I64Add),
        (Ty::Number, "-") => Operation::Checked(I::I64Sub),
        (Ty::Number, "*") => Operation::Product,
        (Ty::Number, "/") => Operation::Plain(I::I64DivS),
        (Ty::Number, "%") => Operation::Plain(I::I64RemS),
        (Ty::Number | Ty::Set, "&") => Operation::Plain(I::I64And),
        (Ty::Number | Ty::Set, "|") => Operation::Plain(I::I64Or),
        (Ty::Set, "-") => Operation::Difference,
        _ => return None,
    })
}

/// Returns whether the bits of a value tell what it is equal to.
const fn is_told_by_bits(ty: Ty) -> bool {
    match ty {
        Ty::Number | Ty::Truth => true,
        Ty::Id { tag, .. } => tag.is_id(),
        _ => false,
    }
}

/// Returns whether a node is `()` itself.
const fn is_plain(node: &Node) -> bool {
    matches!(node.what, What::Nothing)
}

/// Returns whether the value of a node has no other holder.
fn is_new(node: &Node) -> bool {
    match &node.what {
        What::List(_) | What::Map(_) | What::Operator(..) | What::Interpolated(_) => true,
        // A function of the rules may return a part of what it was given.
        What::Call(call) => call.target == Target::Native && !call.natives.may_change(call.args.len()),
        _ => false,
    }
}
