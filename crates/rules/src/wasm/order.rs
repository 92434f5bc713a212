//! In which order the operands of calls, operators and brackets are evaluated, where that makes a difference.
//!
//! What is called on a value, or looked up in it, evaluates its arguments before the value; a variable on the left of an operator, or
//! the first argument of a call, is looked at after the others are evaluated. Compiled code goes from left to right, so rules are left to the machine where
//! operands do something that another one may notice.

use std::collections::BTreeMap;

use super::computing::Keys;
use super::outline::{changes, is_in_variable, is_literal};
use crate::natives::{Form, Special};
use crate::script::{Call, Function, Node, Script, What};
use crate::values::Sort;
use referee_table::Schema;

/// What evaluating a node may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Acts {
    /// It has a value.
    #[default]
    Not,
    /// It asks.
    Asks,
    /// It changes the game, or tells something.
    Changes,
}

/// What the functions of the rules may do, by name and number of parameters; those that are not here do nothing.
#[derive(Default)]
pub(super) struct Acting<'s>(BTreeMap<(&'s str, usize), Acts>);

impl<'s> Acting<'s> {
    /// Finds out what functions may do.
    pub(super) fn of(functions: &[&'s Function], script: &Script, schema: &Schema) -> Self {
        let mut known = Self::default();
        loop {
            let mut more = false;
            for function in functions {
                let acts = known.acts(&function.body, script, schema);
                let before = known.0.entry(function.key()).or_default();
                more |= acts > *before;
                *before = acts.max(*before);
            }
            if !more {
                return known;
            }
        }
    }

    /// Returns whether a function of the rules does nothing but return a value.
    pub(super) fn is_quiet(&self, key: (&str, usize)) -> bool {
        self.0.get(&key).copied().unwrap_or_default() == Acts::Not
    }

    fn acts(&self, node: &Node, script: &Script, schema: &Schema) -> Acts {
        let mut found = Acts::Not;
        node.walk(&mut |node| {
            let acts = match &node.what {
                What::Assign(assign) if is_in_variable(&assign.to) => Acts::Not,
                What::Assign(_) | What::Strange(_) => Acts::Changes,
                What::Call(call) => self.of_call(call, script, schema),
                _ => Acts::Not,
            };
            found = found.max(acts);
        });
        found
    }

    fn of_call(&self, call: &Call, script: &Script, schema: &Schema) -> Acts {
        let (name, count) = (call.name.as_str(), call.args.len());
        let is_own = |count: usize| script.function(name, count).is_some();
        if call.is_on_value() {
            return Acts::Changes;
        }
        if is_own(count) {
            return self.0.get(&(name, count)).copied().unwrap_or_default();
        }
        if call.natives.asked().is_some() {
            return Acts::Asks;
        }
        if calls_anything(call) {
            return Acts::Changes;
        }
        let is_of_game = schema.kind(name).is_some() || schema.zones.iter().any(|zone| zone.name == name);
        // A variable is none of the game, and nothing else has a new value.
        let of_no_property = |first: &Node| is_in_variable(first) || is_literal(first) || first.call().is_some();
        let changes_property = || call.natives.may_change(count) && !call.args.first().is_some_and(of_no_property);
        let is_quiet = is_of_game && (1..=2).contains(&count) && !call.natives.are_known(count)
            || !call.natives.may_act(count) && !changes_property();
        if is_quiet { Acts::Not } else { Acts::Changes }
    }

    /// Returns the functions in which the order of operands makes a difference.
    pub(super) fn disordered(&self, functions: &[&'s Function], script: &Script, schema: &Schema) -> Keys<'s> {
        let is_disordered = |function: &&&Function| {
            let mut found = false;
            function.body.walk(&mut |node| found = found || self.is_disordered(node, script, schema));
            found
        };
        functions.iter().filter(is_disordered).map(|function| function.key()).collect()
    }

    fn is_disordered(&self, node: &Node, script: &Script, schema: &Schema) -> bool {
        match &node.what {
            What::Call(call) => {
                let Some((first, others)) = call.args.split_first() else { return false };
                match first.local() {
                    // There the variable is looked at last.
                    Some(_) if call.is_on_value() => false,
                    Some(local) if others.iter().any(|other| changes(other, local)) => true,
                    _ => call.method && others.iter().any(|arg| self.differs(first, arg, (script, schema))),
                }
            }
            What::Index { of, index, .. } => self.differs(of, index, (script, schema)),
            What::Operator(_, parts) => match parts.as_slice() {
                [left, right] => left.local().is_some_and(|local| changes(right, local)) || both_are_this(left, right),
                _ => false,
            },
            What::Assign(assign) => {
                let local = assign.to.local().filter(|_| assign.sign.is_some());
                local.is_some_and(|local| changes(&assign.value, local))
            }
            _ => false,
        }
    }

    /// Returns whether it makes a difference if an argument is evaluated before what it is for, or after it.
    fn differs(&self, of: &Node, arg: &Node, (script, schema): (&Script, &Schema)) -> bool {
        let runs_later = matches!(arg.what, What::Closure(_));
        if runs_later || is_steady(of) && is_steady(arg) {
            return false;
        }
        if sets_what_it_reads(of, arg) || sets_what_it_reads(arg, of) {
            return true;
        }
        let [first, second] = [of, arg].map(|node| self.acts(node, script, schema));
        first == Acts::Changes && !is_steady(arg)
            || second == Acts::Changes && !is_steady(of)
            || first == Acts::Asks && second == Acts::Asks
    }
}

/// Returns whether a call runs a function of which it is not known which one it is: what a closure does shows where it is written.
fn calls_anything(call: &Call) -> bool {
    let may_be_any = |arg: &Node| {
        let may_name = arg.kind.may_be(Sort::Function) || arg.kind.may_be(Sort::Text);
        may_name && !matches!(arg.what, What::Closure(_))
    };
    call.natives.special() == Some(Special::Call)
        || call.natives.iter().any(Form::calls) && call.args.iter().skip(1).any(may_be_any)
}

/// Returns whether a node is `this`, and another one changes it.
fn both_are_this(node: &Node, other: &Node) -> bool {
    let mut found = false;
    other.walk(&mut |part| {
        found |= matches!(&part.what, What::Assign(assign) if matches!(assign.to.root().what, What::This));
    });
    found && matches!(node.what, What::This)
}

/// Returns whether a node has the same value whatever happens to the game.
fn is_steady(node: &Node) -> bool {
    node.local().is_some() || is_literal(node) || matches!(node.what, What::This)
}

/// Returns whether a node changes a variable that another one reads.
fn sets_what_it_reads(node: &Node, other: &Node) -> bool {
    let mut found = false;
    other.walk(&mut |part| {
        found |= part.local().is_some_and(|local| changes(node, local));
    });
    found
}
