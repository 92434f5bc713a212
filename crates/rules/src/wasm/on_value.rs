//! Calls of functions of the rules on values, which may change what they are called on.

use rhai::ImmutableString;
use wasm_encoder::{Instruction as I, ValType};

use super::body::long;
use super::compiler::{Emit, Refused};
use super::layout;
use super::outline::may_end_early;
use super::receivers::name_of;
use super::runtime::Helper;
use super::unit::Unit;
use super::value::{Tag, Ty};
use crate::script::{Call, LocalId, Node};
use crate::values::Sort;

impl Unit<'_, '_> {
    /// Calls a function of the rules on a value.
    pub(super) fn on_value(&mut self, call: &Call) -> Emit<Ty> {
        let Some((first, others)) = call.args.split_first() else { return Err(Refused("a call without a value")) };
        let Some(local) = first.local() else {
            return Err(Refused("a call of a function of the rules on a part of a value"));
        };
        if call.maybe || may_end_early(first) {
            return Err(Refused("a call on a value that may be missing"));
        }
        let name = name_of(&call.name);
        let key = (name.as_str(), call.args.len());
        let Some(callee) = self.with.callee(key).cloned() else {
            // It does not look at the value.
            return match first.kind.may_be(Sort::Map) {
                true => Err(Refused("a call of a function of the rules on a value")),
                false => self.of_rules(&call.name, others),
            };
        };
        let fixed = std::iter::once(None).chain(others.iter().map(|arg| self.fixed(arg))).collect();
        let (number, fixed) = self.with.number(key, fixed)?;
        let mut types = callee.parameters.iter().copied();
        let receiver = types.next().unwrap_or(Ty::Any);
        // The variable is looked at after the arguments are evaluated.
        let mut args = Vec::new();
        for ((arg, ty), fixed) in others.iter().zip(types).zip(fixed.iter().skip(1)) {
            if fixed.is_some() {
                continue;
            }
            self.kept(arg, ty)?;
            if let Some(wasm) = ty.wasm() {
                let value = self.body.local(wasm);
                self.body.set(value);
                args.push((wasm, value));
            }
        }
        self.has_no_function(first, local, &call.name);
        let ty = self.variable(local);
        self.convert(ty, receiver);
        args.iter().for_each(|(_, value)| self.body.get(*value));
        self.body.call(number);
        args.into_iter().for_each(|(wasm, value)| self.body.done(wasm, value));
        self.after_end(callee.ends);
        self.body.all([I::I32Const(0), I::I64Load(long(layout::RECEIVER))]);
        self.store(local, Ty::Any);
        Ok(callee.result)
    }

    /// Gives up if a variable is a map that has a function of this name itself, which would be called.
    fn has_no_function(&mut self, node: &Node, local: LocalId, name: &ImmutableString) {
        let is_known = node.kind.fields().is_some_and(|fields| !fields.contains_key(name.as_str()));
        if !node.kind.may_be(Sort::Map) || is_known {
            return;
        }
        let value = self.body.local(ValType::I64);
        let ty = self.variable(local);
        self.convert(ty, Ty::Any);
        self.body.set(value);
        self.is_tagged(value, Tag::Map);
        self.body.when(None);
        self.body.get(value);
        self.convert(Ty::Any, Ty::id(Tag::Map));
        let key = self.with.strings.number(name);
        self.body.word(key.cast_signed());
        self.body.call(Helper::Key.number());
        self.body.set(value);
        self.is_tagged(value, Tag::Other);
        self.body.give_up_if();
        self.body.end();
        self.body.done(ValType::I64, value);
    }

    /// Takes what such a function was called on out of the list that the host has returned, and leaves its result on the stack.
    pub(super) fn take_both(&mut self) {
        let both = self.body.local(ValType::I32);
        self.convert(Ty::Any, Ty::id(Tag::List));
        self.body.set(both);
        self.body.word(0);
        self.item(both, 1);
        self.body.add(I::I64Store(long(layout::RECEIVER)));
        self.item(both, 0);
        self.body.done(ValType::I32, both);
    }
}
