//! Functions of the rules that are called on a value, which they may change. In compiled rules what they are called on is their
//! first parameter. What it is when they end goes back to the caller by a place in the memory.

use rhai::ImmutableString;

use super::outline::each_local;
use crate::natives::Named;
use crate::script::{Call, Declared, Function, Local, LocalId, Name, Node, Script, Target, What};
use crate::values::Kind;

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
    match call.is_on_value() {
        true => (name_of(&call.name), call.args.len()),
        false => (call.name.clone(), call.args.len()),
    }
}
