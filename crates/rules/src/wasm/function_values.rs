//! What `Fn(name)` makes, and calls of such values: see [`super::pointers`].

use std::collections::BTreeSet;

use wasm_encoder::{Instruction as I, ValType};

use super::compiler::{Compiler, Emit};
use super::layout;
use super::outline::places;
use super::pointers::{FIRST, called};
use super::unit::Unit;
use super::value::{TAG_BITS, Tag, Ty};
use crate::natives::Special;
use crate::script::{Call, Node, What};
use crate::values::Sort;

impl Compiler<'_> {
    /// Gives numbers to the names of the functions that may be values, one after the other.
    pub(super) fn intern_pointers(&mut self) {
        let mut names = BTreeSet::new();
        for function in self.with.callers {
            let What::Switch(switch) = &function.body.what else { continue };
            names.extend(switch.cases.iter().filter_map(|case| case.on.clone().into_immutable_string().ok()));
        }
        let first = self.strings.all.len();
        names.iter().for_each(|name| _ = self.strings.number(name));
        let [first, end] = [first, self.strings.all.len()].map(|number| u32::try_from(number).unwrap_or_default());
        self.layout.pointers = first..end;
    }
}

impl Unit<'_, '_> {
    /// Makes a function value. Returns `None`, with nothing done, if the host does it.
    pub(super) fn pointer(&mut self, node: &Node, call: &Call) -> Emit<Option<Ty>> {
        let pointers = self.with.layout.pointers.clone();
        let [name] = call.args.as_slice() else { return Ok(None) };
        if call.natives.special() != Some(Special::Pointer) || pointers.is_empty() {
            return Ok(None);
        }
        let (site, given) = self.with.out(node, self.function, false)?;
        let number = |number: u32| I::I32Const(number.cast_signed());
        let text = self.body.local(ValType::I64);
        self.to(name, Ty::Any)?;
        self.body.set(text);
        self.is_tagged(text, Tag::Text);
        self.body.get(text);
        self.body.all([I::I64Const(TAG_BITS), I::I64ShrU, I::I32WrapI64, number(pointers.start), I::I32Sub]);
        self.body.all([number(pointers.end - pointers.start), I::I32LtU, I::I32And]);
        self.body.when(Some(ValType::I64));
        self.body.get(text);
        self.body.all([I::I64Const(TAG_BITS), I::I64ShrU, I::I32WrapI64, number(FIRST), I::I32Add]);
        self.convert(Ty::id(Tag::Other), Ty::Any);
        self.body.otherwise();
        self.body.word(site.cast_signed());
        if !given.is_empty() {
            self.body.get(text);
        }
        self.body.call(layout::out(given.len()));
        self.body.end();
        self.body.done(ValType::I64, text);
        Ok(Some(self.narrowed(node)))
    }

    /// Calls a function value. Returns `None`, with nothing done, if the host does it.
    pub(super) fn pointed(&mut self, node: &Node, call: &Call) -> Emit<Option<Ty>> {
        let Some((name, count)) = called(call).filter(|_| !self.with.layout.pointers.is_empty()) else {
            return Ok(None);
        };
        let is_function = call.args.first().is_some_and(|of| of.kind.is_or_nothing(Sort::Function));
        let Some(callee) = self.with.callee((&name, count)).cloned().filter(|_| is_function) else { return Ok(None) };
        let (site, given) = self.with.out(node, self.function, false)?;
        let args: Vec<&Node> = call.args.iter().collect();
        let Some(places) = places(&given, &args) else { return Ok(None) };
        let (number, _) = self.with.number((&name, count), vec![None; count])?;
        let mut values = Vec::new();
        for arg in args {
            let value = self.body.local(ValType::I64);
            self.kept(arg, Ty::Any)?;
            self.body.set(value);
            values.push(value);
        }
        let (pointer, args) = values.split_first().map_or((0, [].as_slice()), |(first, rest)| (*first, rest));
        self.is_tagged(pointer, Tag::Other);
        self.body.get(pointer);
        self.body.all([I::I64Const(i64::from(FIRST) << TAG_BITS), I::I64GeU, I::I32And]);
        self.body.when(Some(ValType::I64));
        self.body.get(pointer);
        self.body.all([I::I64Const(TAG_BITS), I::I64ShrU, I::I32WrapI64]);
        self.body.all([I::I32Const(FIRST.cast_signed()), I::I32Sub]);
        args.iter().for_each(|arg| self.body.get(*arg));
        self.body.call(number);
        self.convert(callee.result, Ty::Any);
        self.body.otherwise();
        self.body.word(site.cast_signed());
        places.iter().filter_map(|place| values.get(*place)).for_each(|value| self.body.get(*value));
        self.body.call(layout::out(given.len()));
        self.body.end();
        values.into_iter().for_each(|value| self.body.done(ValType::I64, value));
        let result = self.body.local(ValType::I64);
        self.body.set(result);
        self.after_end(callee.ends);
        self.body.get(result);
        self.body.done(ValType::I64, result);
        Ok(Some(self.narrowed(node)))
    }
}
