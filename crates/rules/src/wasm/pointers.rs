//! Functions of the rules that are values: which these are, and what calls them.
//!
//! A function value that binds nothing is the number of its name, if strings name the function: texts of the rules, or of what
//! is printed on cards. For each number of arguments there is a function of the module that calls any of them by its name.
//! Other function values are those of the host.

use std::collections::BTreeSet;

use rhai::{ImmutableString, Position};

use crate::layers::Layers;
use crate::natives::{Named, Special};
use crate::script::{Call, Case, Declared, Function, Local, Name, Node, Script, Switch, Target, Way, What};
use crate::values::{Kind, add_texts};
use referee_table::{Schema, Value};

/// Where the numbers of names begin among those of values that only the host knows.
pub(super) const FIRST: u32 = 1 << 24;

/// What the names of these functions begin with. No script can give such a name to a function.
const CALLER: &str = "any function of ";

/// The maximum number of arguments.
const MOST_ARGUMENTS: usize = 4;

/// Returns the functions that call any function of a script by its name, with each number of arguments with which function values are
/// called.
pub(crate) fn callers(script: &Script, layers: &Layers, schema: &Schema) -> Vec<Function> {
    let (mut texts, mut counts, mut has_pointers) = (Vec::new(), BTreeSet::new(), false);
    layers.constants.values().for_each(|constant| add_texts(&constant.value, &mut texts));
    for function in &script.functions {
        function.body.walk(&mut |node| match &node.what {
            What::Text(text) => texts.push(text.clone()),
            What::Constant(value) => add_texts(value, &mut texts),
            What::Call(call) => match call.natives.special() {
                Some(Special::Pointer) => has_pointers = true,
                Some(Special::Call) => counts.extend(call.args.len().checked_sub(1)),
                _ => {}
            },
            _ => {}
        });
    }
    if !has_pointers {
        return Vec::new();
    }
    let cards = schema.pieces.iter().filter_map(|piece| piece.card.as_ref());
    cards.flat_map(|card| &card.printed).for_each(|(_, value)| texts_printed(value, &mut texts));
    let texts: BTreeSet<ImmutableString> = texts.into_iter().collect();
    let may_be_called = |function: &&Function, count: usize| {
        let is_plain = !function.this && !function.is_for_one_type && !function.is_built_in();
        is_plain && function.parameters == count && texts.contains(&function.name)
    };
    let caller = |count: usize| {
        let called: Vec<&Function> =
            script.functions.iter().filter(|function| may_be_called(function, count)).collect();
        (!called.is_empty()).then(|| caller(count, &called))
    };
    counts.into_iter().filter(|count| *count <= MOST_ARGUMENTS).filter_map(caller).collect()
}

fn texts_printed(value: &Value, texts: &mut Vec<ImmutableString>) {
    match value {
        Value::Text(text) => texts.push((&**text).into()),
        Value::List(list) => list.iter().for_each(|value| texts_printed(value, texts)),
        Value::Map(map) => map.iter().for_each(|(_, value)| texts_printed(value, texts)),
        _ => {}
    }
}

/// Returns the name of the function that calls a function with so many arguments.
fn caller_name(count: usize) -> ImmutableString {
    format!("{CALLER}{count}").into()
}

/// Returns the function that a call of a function value may run, if it is one of the module: its name and number of parameters.
pub(super) fn called(call: &Call) -> Option<(ImmutableString, usize)> {
    let is_call = call.method && call.natives.special() == Some(Special::Call);
    let count = call.args.len().checked_sub(1).filter(|_| is_call)?;
    Some((caller_name(count), count + 1))
}

/// Returns whether a function is one that calls others by their names.
pub(super) fn is_caller(function: &Function) -> bool {
    function.name.starts_with(CALLER)
}

/// Returns the function that calls one of these by its name, the first argument, with the others.
fn caller(count: usize, called: &[&Function]) -> Function {
    let node = |what| Node::new(what, Position::NONE);
    let given = |number: usize| node(What::Name(Name::Local(number)));
    let call = |function: &&Function| Call {
        name: function.name.clone(),
        args: (1..=count).map(given).collect(),
        method: false,
        maybe: false,
        target: Target::Script,
        with_scope: false,
        natives: Named::of(&function.name),
    };
    let way = |function| Way { condition: None, body: node(What::Call(call(function))) };
    let case =
        |(at, function): (usize, &&Function)| Case { on: function.name.clone().into(), is_range: false, way: at };
    let mut ways: Vec<Way> = called.iter().map(way).collect();
    // The machine calls another function, or says what is wrong.
    ways.push(Way { condition: None, body: node(What::Throw(None)) });
    let name = Node { kind: Kind::TEXT, ..given(0) };
    let cases = called.iter().enumerate().map(case).collect();
    let switch = Switch { value: name, cases, ways, otherwise: Some(called.len()) };
    let local = |number: usize| Local {
        name: format!("given${number}").into(),
        at: Position::NONE,
        how: Declared::Parameter,
        captured: false,
        kind: if number == 0 { Kind::TEXT } else { Kind::ANY },
        from: None,
    };
    Function {
        name: caller_name(count),
        parameters: count + 1,
        locals: (0..=count).map(local).collect(),
        body: node(What::Switch(Box::new(switch))),
        result: Kind::ANY,
        layer: 0,
        this: false,
        receiver: Kind::ANY,
        is_for_one_type: false,
    }
}
