//! Lists and maps as they are written, and parts of values: elements, what is under a key, and what is after a dot.

use rhai::ImmutableString;
use wasm_encoder::{Instruction as I, ValType};

use super::body::{long, word};
use super::compiler::{Emit, Refused};
use super::fixed::Fixed;
use super::layout;
use super::outline::{Given, places};
use super::runtime::{self, Helper};
use super::unit::Unit;
use super::value::{KNOWN, TAG_BITS, Tag, Ty};
use crate::natives;
use crate::script::{Key, Node};
use crate::values::Sort;

/// Returns at which place the value of a node, a map, has a key as long as it has the keys with which it was written.
pub(super) fn place_of(node: &Node, name: &str) -> Option<u32> {
    let place = node.kind.fields()?.keys().position(|key| **key == *name)?;
    u32::try_from(place).ok()
}

impl Unit<'_, '_> {
    pub(super) fn list(&mut self, items: &[Node]) -> Emit<Ty> {
        let (list, place) = (self.body.local(ValType::I32), self.body.local(ValType::I32));
        let count = i32::try_from(items.len()).unwrap_or(i32::MAX);
        runtime::new_list(&mut self.body, count);
        self.body.tee(list);
        self.body.add(I::I32Load(word(runtime::ITEMS)));
        self.body.set(place);
        for (at, item) in (0..).zip(items) {
            self.body.get(place);
            self.kept(item, Ty::Any)?;
            self.body.add(I::I64Store(long(8 * at)));
        }
        self.body.get(list);
        self.body.all([I::I32Const(count), I::I32Store(word(runtime::LENGTH))]);
        self.body.get(list);
        self.body.done(ValType::I32, list);
        self.body.done(ValType::I32, place);
        Ok(Ty::id(Tag::List))
    }

    pub(super) fn map(&mut self, pairs: &[(Key, Node)]) -> Emit<Ty> {
        let map = self.body.local(ValType::I32);
        runtime::new_map(&mut self.body, i32::try_from(pairs.len()).unwrap_or(i32::MAX));
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
            self.body.add(I::I64Store(long(pair)));
            self.body.get(items);
            self.kept(value, Ty::Any)?;
            self.body.add(I::I64Store(long(pair + 8)));
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
        if let Some(place) = place_of(of, name) {
            return runtime::field_at(&mut self.body, (place, key));
        }
        self.body.word(key.cast_signed());
        self.body.call(Helper::Field.number());
    }

    /// Puts what is after a dot on the stack.
    pub(super) fn field(&mut self, node: &Node, of: &Node, name: &ImmutableString) -> Emit<Ty> {
        if of.kind.is(Sort::Map) && name == natives::MOVE_OF && natives::is_chosen_action(&of.kind) {
            return self.handed(node);
        }
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
        self.body.all([I::I64Const(TAG_BITS), I::I64ShrU, I::I32WrapI64, I::I32Const(3), I::I32Shl]);
        self.body.tee(piece);
        self.body.add(I::I64Load(long(table)));
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
        self.body.add(I::I64Store(long(table)));
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
    pub(super) fn element(&mut self, node: &Node, of: &Node, index: &Node) -> Emit<Ty> {
        if of.kind.is(Sort::Game)
            && let Some(ty) = self.property_by_name(node, index)?
        {
            return Ok(ty);
        }
        if !of.kind.is(Sort::List) || !index.kind.is(Sort::Number) {
            return self.element_of_any(node, of, index);
        }
        if let Some(Fixed::List(items)) = self.fixed(of) {
            return self.element_of_fixed(node, &items, index);
        }
        self.to(of, Ty::id(Tag::List))?;
        self.to(index, Ty::Number)?;
        runtime::placed(&mut self.body);
        self.body.add(I::I64Load(long(0)));
        Ok(self.narrowed(node))
    }

    /// Puts an element of a list on the stack, or what a map has under a key: which of them it is shows when the rules run. The host
    /// does it for other values.
    fn element_of_any(&mut self, node: &Node, of: &Node, index: &Node) -> Emit<Ty> {
        let ways =
            [(Sort::List, Tag::List, Sort::Number, Ty::Number), (Sort::Map, Tag::Map, Sort::Text, Ty::id(Tag::Text))];
        let ways = ways.into_iter().filter(|(sort, _, by, _)| of.kind.may_be(*sort) && index.kind.may_be(*by));
        let (site, given) = self.with.out(node, self.function, false)?;
        let Some(places) = places(&given, &[of, index]) else {
            self.call_host(site, &given)?;
            return Ok(self.narrowed(node));
        };
        let values: [u32; 2] = std::array::from_fn(|_| self.body.local(ValType::I64));
        for (part, value) in [of, index].into_iter().zip(values) {
            self.to(part, Ty::Any)?;
            self.body.set(value);
        }
        let [value, at] = values;
        let end = self.body.block(Some(ValType::I64));
        for (_, tag, by, ty) in ways {
            self.is_tagged(value, tag);
            self.is_tagged(at, if by == Sort::Number { Tag::Number } else { Tag::Text });
            self.body.add(I::I32And);
            self.body.when(None);
            self.body.get(value);
            self.convert(Ty::Any, Ty::id(tag));
            self.body.get(at);
            self.convert(Ty::Any, ty);
            if tag == Tag::List {
                runtime::placed(&mut self.body);
                self.body.add(I::I64Load(long(0)));
            } else {
                self.body.call(Helper::Key.number());
            }
            self.body.jump(end);
            self.body.end();
        }
        self.body.word(site.cast_signed());
        places.iter().filter_map(|place| values.get(*place)).for_each(|value| self.body.get(*value));
        self.body.call(layout::out(given.len()));
        self.body.end();
        values.into_iter().for_each(|value| self.body.done(ValType::I64, value));
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
        self.body.all([I::I32WrapI64, I::I32Const(3), I::I32Shl, I::I64Load(long(first))]);
        self.body.otherwise();
        // An index below 0 counts from the end.
        self.body.word(list.cast_signed());
        self.body.get(at);
        self.body.call(Helper::Place.number());
        self.body.add(I::I64Load(long(0)));
        self.body.end();
        self.body.done(ValType::I64, at);
        match Fixed::tag_of_all(items).filter(|tag| tag.is_id(self.with.layout.shapes)) {
            Some(tag) => {
                self.body.all([I::I64Const(TAG_BITS), I::I64ShrU, I::I32WrapI64]);
                Ok(Ty::id(tag))
            }
            None => Ok(self.narrowed(node)),
        }
    }
}
