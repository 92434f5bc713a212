//! Functions of the rules that are called on a value, which they may change. In compiled rules what they are called on is their
//! first parameter. What it is when they end goes back to the caller by a place in the memory.

use rhai::ImmutableString;
use wasm_encoder::{Instruction as I, ValType};

use super::body::long;
use super::compiler::{Emit, Refused};
use super::layout;
use super::outline::each_local;
use super::runtime::Helper;
use super::unit::Unit;
use super::value::{Tag, Ty};
use crate::natives::Named;
use crate::script::{Call, Declared, Function, Local, LocalId, Name, Node, Script, Target, What};
use crate::values::{Kind, Sort};

/// The variable that stands for `this`.
pub(super) const THIS: LocalId = 0;

/// What the names of these functions end with. No script can give such a name to a function.
const ENDING: &str = " of this";

/// Returns the functions of a script that use `this`, each with a first parameter in its place.
pub(crate) fn with_receivers(script: &Script) -> Vec<Function> {
    script.functions.iter().filter(|function| is_on_value(function)).map(with_receiver).collect()
}

/// Returns whether a function is called on a value that it may change.
fn is_on_value(function: &Function) -> bool {
    function.this && !function.is_for_one_type && !crate::script::is_closure(&function.name)
}

/// Returns the name of the function that a call on a value calls.
pub(super) fn name_of(name: &str) -> ImmutableString {
    format!("{name}{ENDING}").into()
}

/// Returns the name in the rules of a function that is called on a value; `None` for any other function.
pub(super) fn name_in_rules(function: &Function) -> Option<&str> {
    function.name.strip_suffix(ENDING)
}

fn with_receiver(function: &Function) -> Function {
    let mut made = function.clone();
    made.name = name_of(&function.name);
    made.this = false;
    made.parameters += 1;
    let at = function.body.at;
    let (name, kind) = ("this".into(), function.receiver.clone());
    made.locals.insert(THIS, Local { name, at, how: Declared::Parameter, captured: false, kind, from: None });
    each_local(&mut made.body, &mut |local| *local += 1);
    name_this(&mut made.body);
    made
}

/// Returns a function for the machine that calls one of these on its first parameter, and returns what it returns and what that
/// parameter is then: `[result, value]`. `None` for any other function.
pub(super) fn on_value(function: &Function) -> Option<Function> {
    let name = name_in_rules(function)?;
    let local = |number| Node::new(What::Name(Name::Local(number)), function.body.at);
    let call = Call {
        name: name.into(),
        args: (0..function.parameters).map(local).collect(),
        method: true,
        maybe: false,
        target: Target::Script,
        with_scope: false,
        natives: Named::of(name),
    };
    let at = function.body.at;
    let result = function.parameters;
    let kept = Node::new(What::Let { local: result, value: Box::new(Node::new(What::Call(call), at)) }, at);
    let both = Node::new(What::List(vec![local(result), local(THIS)]), at);
    let mut made = function.clone();
    made.locals.truncate(function.parameters);
    let (name, how) = ("result$".into(), Declared::Let);
    made.locals.push(Local { name, at, how, captured: false, kind: Kind::ANY, from: None });
    made.locals.iter_mut().for_each(|local| local.kind = Kind::ANY);
    made.body = Node::new(What::Block(vec![kept, both]), at);
    made.result = Kind::ANY;
    made.this = false;
    Some(made)
}

/// Replaces `this` by the variable; in a closure it is something else.
fn name_this(node: &mut Node) {
    match node.what {
        What::This => node.what = What::Name(Name::Local(THIS)),
        What::Closure(_) => {}
        _ => node.for_each_part_mut(&mut name_this),
    }
}

/// Returns the name and the number of parameters of the function of the rules that a call calls, if it is one.
pub(super) fn key_of(call: &Call) -> (ImmutableString, usize) {
    match is_call_on_value(call) {
        true => (name_of(&call.name), call.args.len()),
        false => (call.name.clone(), call.args.len()),
    }
}

/// Returns whether a call is one of a function of the rules on a value.
pub(super) fn is_call_on_value(call: &Call) -> bool {
    call.method && call.target == Target::Script
}

impl Unit<'_, '_> {
    /// Calls a function of the rules on a value.
    pub(super) fn on_value(&mut self, call: &Call) -> Emit<Ty> {
        let Some((first, others)) = call.args.split_first() else { return Err(Refused("a call without a value")) };
        let Some(local) = first.local() else {
            return Err(Refused("a call of a function of the rules on a part of a value"));
        };
        if call.maybe || super::outline::may_end_early(first) {
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

    /// Puts what the function was called on into the place from which the caller takes it.
    pub(super) fn give_back(&mut self) {
        self.body.word(0);
        let ty = self.variable(THIS);
        self.convert(ty, Ty::Any);
        self.body.add(I::I64Store(long(layout::RECEIVER)));
    }
}
