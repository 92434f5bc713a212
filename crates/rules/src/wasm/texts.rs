//! Strings that are put together, and properties that are named by them.

use wasm_encoder::{Instruction as I, ValType};

use super::body::long;
use super::compiler::Emit;
use super::layout;
use super::outline::places;
use super::unit::Unit;
use super::value::{KNOWN, Tag, Ty};
use crate::script::Node;
use crate::values::Sort;
use referee_table::{PropertyEach, PropertyId, PropertyKind};

impl Unit<'_, '_> {
    /// Puts a string with another one behind it on the stack, of which one is written in the rules: the host joins each once.
    /// Returns `None`, with nothing done, for other values.
    pub(super) fn joined_text(&mut self, node: &Node, sign: &str, one: &Node, other: &Node) -> Emit<Option<Ty>> {
        let (open, before, text) = match (one.text(), other.text()) {
            (None, Some(text)) => (one, false, text),
            (Some(text), None) => (other, true, text),
            _ => return Ok(None),
        };
        let ty = self.with.ty(&open.kind);
        if sign != "+" || !(open.kind.is(Sort::Text) || ty == Ty::Any) {
            return Ok(None);
        }
        let Some(size) = self.with.count_of(Ty::id(Tag::Text)) else { return Ok(None) };
        let Some(table) = self.with.table(format!("joined {before} {text}"), size) else { return Ok(None) };
        let (site, given) = self.with.out(node, self.function, false)?;
        if places(&given, &[open]).as_deref() != Some(&[0]) {
            self.with.outs.pop();
            return Ok(None);
        }
        if let Some(out) = self.with.outs.last_mut() {
            out.keeps = true;
        }
        let (value, known) = (self.body.local(ValType::I64), self.body.local(ValType::I64));
        let place = self.body.local(ValType::I32);
        self.to(open, Ty::Any)?;
        self.body.tee(value);
        // The number of a string, in bytes of the table: what is no string has no place.
        self.body.all([I::I64Const(Tag::Text as i64), I::I64Sub]);
        self.body.tee(known);
        self.body.all([I::I64Const(15), I::I64And, I::I64Eqz]);
        self.body.get(known);
        self.body.all([I::I64Const(i64::from(size) << super::value::TAG_BITS), I::I64LtU, I::I32And]);
        self.body.when(Some(ValType::I64));
        self.body.get(known);
        self.body.all([I::I64Const(1), I::I64ShrU, I::I32WrapI64]);
        self.body.tee(place);
        self.body.add(I::I64Load(long(table)));
        self.body.tee(known);
        self.body.add(I::I64Eqz);
        self.body.when(None);
        self.by_host(site, value);
        self.body.all([I::I64Const(KNOWN), I::I64Xor]);
        self.body.set(known);
        self.body.load(layout::IS_KEPT);
        self.body.when(None);
        self.body.get(place);
        self.body.get(known);
        self.body.add(I::I64Store(long(table)));
        self.body.end();
        self.body.end();
        self.body.get(known);
        self.body.all([I::I64Const(KNOWN), I::I64Xor]);
        self.body.otherwise();
        self.by_host(site, value);
        self.body.end();
        self.body.done(ValType::I64, value);
        self.body.done(ValType::I64, known);
        self.body.done(ValType::I32, place);
        Ok(Some(self.narrowed(node)))
    }

    /// Calls the host with the wrapped value in a variable.
    fn by_host(&mut self, site: u32, value: u32) {
        self.body.word(site.cast_signed());
        self.body.get(value);
        self.body.call(layout::out(1));
    }

    /// Puts the property of the game on the stack that a string names: counters and flags are in the memory, others the host reads.
    /// Returns `None`, with nothing done, if the host reads all.
    pub(super) fn property_by_name(&mut self, node: &Node, index: &Node) -> Emit<Option<Ty>> {
        let schema = self.with.with.schema;
        if index.text().is_some() || !index.kind.may_be(Sort::Text) {
            return Ok(None);
        }
        let (site, given) = self.with.out(node, self.function, false)?;
        if places(&given, &[index]).as_deref() != Some(&[0]) {
            self.with.outs.pop();
            return Ok(None);
        }
        let name = self.body.local(ValType::I64);
        self.to(index, Ty::Any)?;
        self.body.set(name);
        let end = self.body.block(Some(ValType::I64));
        for (number, property) in schema.properties.iter().enumerate() {
            let twice = schema.properties.iter().filter(|other| other.name == property.name).count() > 1;
            let ty = match property.kind {
                PropertyKind::Flag => Ty::Truth,
                PropertyKind::Counter { record: false } => Ty::Number,
                _ => continue,
            };
            if !property.owners.is(PropertyEach::Game) || twice {
                continue;
            }
            let Some((value, _)) = self.with.layout.value(PropertyId::at(number), 0) else { continue };
            let text = self.with.strings.number(&property.name.as_str().into());
            self.body.get(name);
            self.body.all([I::I64Const(Tag::Text.wrap(text)), I::I64Eq]);
            self.body.when(None);
            self.body.all([I::I32Const(0), I::I64Load(long(value))]);
            if ty == Ty::Truth {
                self.body.add(I::I32WrapI64);
            } else {
                self.within_bits();
            }
            self.convert(ty, Ty::Any);
            self.body.jump(end);
            self.body.end();
        }
        self.by_host(site, name);
        self.body.end();
        self.body.done(ValType::I64, name);
        Ok(Some(self.narrowed(node)))
    }
}
