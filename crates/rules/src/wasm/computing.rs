//! Functions of the rules that only compute: their results depend on their arguments alone, and they do nothing else. So they
//! are called while rules are compiled, where their arguments are fixed or few.

use std::collections::BTreeSet;

use crate::natives::{self, Emitted, Named};
use crate::script::{Call, Function, Name, Node, Script, What};
use crate::values::{Kind, Sort};
use referee_table::Schema;

/// The names and numbers of parameters of functions.
pub(super) type Keys<'s> = BTreeSet<(&'s str, usize)>;

/// A table of results: its address, and what is counted where one is looked up.
#[derive(Clone, Copy)]
pub(super) struct Ready {
    pub(super) address: u32,
    pub(super) counted: i64,
}

/// Returns those of the functions that only compute. One that may call itself does not count as such.
pub(super) fn computing<'s>(functions: &[&'s Function], script: &Script, schema: &Schema) -> Keys<'s> {
    let mut known = Keys::new();
    loop {
        let more: Keys<'s> = functions
            .iter()
            .filter(|function| !known.contains(&function.key()) && only_computes(function, (script, schema), &known))
            .map(|function| function.key())
            .collect();
        if more.is_empty() {
            return known;
        }
        known.extend(more);
    }
}

fn only_computes(function: &Function, with: (&Script, &Schema), known: &Keys<'_>) -> bool {
    let mut all = !function.this && !function.is_for_one_type;
    // A function value might be called anywhere: there is none but the loop that a method of a list is.
    let (mut closures, mut loops) = (0, 0);
    function.body.walk(&mut |node| {
        all &= match &node.what {
            What::Call(call) if is_loop(call) => {
                loops += 1;
                true
            }
            What::Closure(_) => {
                closures += 1;
                true
            }
            What::Call(call) => is_computed(call, with, known),
            // Other values have properties, which change.
            What::Field { of, .. } => of.kind.is(Sort::List) || of.kind.is(Sort::Map),
            What::Index { of, .. } => of.kind.is(Sort::List) || of.kind.is(Sort::Map) || of.kind.is(Sort::Text),
            What::Assign(assign) => assign.to.root().local().is_some(),
            What::Name(Name::Function(_) | Name::Unknown(_))
            | What::This
            | What::Try(_)
            | What::Run(_)
            | What::Outcome(..)
            | What::Strange(_) => false,
            _ => true,
        }
    });
    all && closures == loops
}

/// Returns whether a call is a loop through a list with a closure.
fn is_loop(call: &Call) -> bool {
    let [list, function] = call.args.as_slice() else { return false };
    let is_closure = matches!(&function.what, What::Closure(closure) if !closure.this);
    list.kind.is(Sort::List) && is_closure && call.natives.loop_in_place(2).is_some()
}

/// Returns whether a call only computes, and changes nothing but its first argument, a variable.
fn is_computed(call: &Call, (script, schema): (&Script, &Schema), known: &Keys<'_>) -> bool {
    let (name, count) = (call.name.as_str(), call.args.len());
    let is_own = |count: usize| script.function(name, count).is_some();
    if call.with_scope || call.is_on_value() || call.method && (is_own(count) || count > 0 && is_own(count - 1)) {
        return false;
    }
    if is_own(count) {
        return known.contains(&(name, count));
    }
    if call.natives.may_change(count) {
        // What is changed must not be a property.
        let first = call.args.first().map(Node::root);
        return first.is_some_and(|first| first.local().is_some()) && Named::of(name).depend_on_arguments(count);
    }
    Named::of(name).are_fixed(count) || is_pure(schema, name, count) || is_of_set(call)
}

/// Returns whether a native returns the same for the same arguments in all games of a table.
pub(super) fn is_pure(schema: &Schema, name: &str, count: usize) -> bool {
    if schema.kind(name).is_some() || schema.zones.iter().any(|zone| zone.name == name) {
        return (1..=2).contains(&count) && !Named::of(name).are_known(count);
    }
    Named::of(name).depend_on_arguments(count)
}

/// Returns whether a call only looks at a set, though functions of its name also look at other things.
pub(super) fn is_of_set(call: &Call) -> bool {
    let kinds: Vec<&Kind> = call.args.iter().map(|arg| &arg.kind).collect();
    matches!(natives::emitted(&call.name, &kinds), Some(Emitted::Count | Emitted::IsEmptySet | Emitted::Has))
}

/// Returns whether it is worth looking the results of a function up: it has a loop, or calls something.
pub(super) fn is_worth_looking_up(function: &Function) -> bool {
    let mut found = false;
    function.body.walk(&mut |node| {
        found |=
            matches!(node.what, What::Call(_) | What::For(_) | What::While { .. } | What::Do { .. } | What::List(_));
    });
    found
}
