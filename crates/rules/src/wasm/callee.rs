//! What is known of the functions of the rules before they are compiled.

use std::collections::{BTreeMap, BTreeSet};

use rhai::ImmutableString;

use super::pointers;
use super::receivers::key_of;
use super::value::{Shapes, Ty};
use crate::natives::{self, IF_MADE, Named};
use crate::script::{Call, Function, Script, Target};

/// A function of the rules in the module.
#[derive(Clone, Debug)]
pub(super) struct Callee {
    pub(super) parameters: Vec<Ty>,
    pub(super) result: Ty,
    /// Whether it may end the game.
    pub(super) ends: bool,
    /// Whether it may call itself.
    pub(super) recursive: bool,
}

/// The functions of the rules by their names and numbers of parameters.
pub(super) type Callees = BTreeMap<String, Vec<Option<Callee>>>;

/// The function of the rules that lists the moves of a player.
pub(super) const MOVES: &str = "moves";

/// The function of the prelude that ends the game for a player without a move.
pub(crate) const NO_MOVE: &str = "_vm_no_move";

/// Returns whether a function ends the game.
pub(super) fn ends(name: &str, count: usize) -> bool {
    Named::of(name).end_the_game(count) || name == NO_MOVE
}

/// Returns what is known of the functions before they are compiled, and how many that do not call themselves may be nested.
pub(super) fn callees(functions: &[&Function], shapes: Shapes) -> (Callees, usize) {
    let places: BTreeMap<(&str, usize), usize> =
        functions.iter().enumerate().map(|(at, function)| (function.key(), at)).collect();
    let mut calls: Vec<BTreeSet<usize>> = Vec::new();
    let mut ends: Vec<bool> = Vec::new();
    for function in functions {
        let mut called = BTreeSet::new();
        let mut ends_itself = false;
        function.body.walk(&mut |node| {
            if let Some(call) = node.call() {
                let (name, count) = key_of(call);
                called.extend(places.get(&(name.as_str(), count)));
                if call.is_on_value() {
                    // A function that does not look at what it is called on.
                    called.extend(places.get(&(call.name.as_str(), count.saturating_sub(1))));
                }
                if let Some((name, count)) = pointers::called(call) {
                    called.extend(places.get(&(name.as_str(), count)));
                }
                // It calls the function that lists the moves.
                if natives::lists_moves(&call.name) {
                    called.extend(places.get(&(MOVES, 1)));
                }
                ends_itself |= call.natives.end_the_game(call.args.len()) || call.name == NO_MOVE;
            }
        });
        calls.push(called);
        ends.push(ends_itself);
    }
    let reached = |from: usize| {
        let mut all = BTreeSet::new();
        let mut open: Vec<usize> = calls.get(from).into_iter().flatten().copied().collect();
        while let Some(at) = open.pop() {
            if all.insert(at) {
                open.extend(calls.get(at).into_iter().flatten());
            }
        }
        all
    };
    let mut all = Callees::new();
    let mut nested = vec![None; functions.len()];
    let longest = (0..functions.len()).map(|at| longest(at, &calls, &mut nested)).max().unwrap_or(0);
    for (at, function) in functions.iter().enumerate() {
        let reached = reached(at);
        let is_ending = |at: &usize| ends.get(*at).copied().unwrap_or(true);
        let callee = Callee {
            parameters: function.params().iter().map(|local| Ty::of(&local.kind, shapes)).collect(),
            result: Ty::of(&function.result, shapes),
            ends: is_ending(&at) || reached.iter().any(is_ending),
            recursive: reached.contains(&at),
        };
        let (name, count) = function.key();
        let of_name = all.entry(name.to_owned()).or_default();
        of_name.resize(of_name.len().max(count + 1), None);
        of_name.get_mut(count).into_iter().for_each(|place| *place = Some(callee.clone()));
    }
    (all, longest)
}

/// Returns how many functions may be nested from one on; what is on the way already counts no more.
fn longest(at: usize, calls: &[BTreeSet<usize>], known: &mut Vec<Option<usize>>) -> usize {
    if let Some(Some(known)) = known.get(at) {
        return *known;
    }
    known.get_mut(at).into_iter().for_each(|place| *place = Some(0));
    let called: Vec<usize> = calls.get(at).into_iter().flatten().copied().collect();
    let deepest = called.into_iter().map(|called| longest(called, calls, known)).max().unwrap_or(0);
    known.get_mut(at).into_iter().for_each(|place| *place = Some(deepest + 1));
    deepest + 1
}

/// Returns whether rules look at positions.
pub(super) fn looks(script: &Script) -> bool {
    let mut found = false;
    for function in &script.functions {
        function.body.walk(&mut |node| found |= node.call().is_some_and(is_look));
    }
    found
}

/// Returns whether a call looks at the position after a move.
pub(super) fn is_look(call: &Call) -> bool {
    call.name == IF_MADE && call.target == Target::Native && call.args.len() == 2
}

/// Returns the names of the functions that look at the positions before, or may call one that does.
pub(super) fn looking_back(script: &Script) -> BTreeSet<ImmutableString> {
    let mut names: BTreeSet<ImmutableString> = natives::readers_of_history().map(ImmutableString::from).collect();
    loop {
        let known = names.len();
        for function in script.functions.iter().filter(|function| mentions(function, &names)).collect::<Vec<_>>() {
            names.insert(function.name.clone());
        }
        if names.len() == known {
            return names;
        }
    }
}

/// Returns whether a function calls one of these functions, or names it.
pub(super) fn mentions(function: &Function, names: &BTreeSet<ImmutableString>) -> bool {
    let mut found = false;
    function.body.walk(&mut |node| {
        let named = [node.call().map(|call| &call.name), node.function_value(), node.text()];
        found |= named.into_iter().flatten().any(|name| names.contains(name));
    });
    found
}
