//! The values that an expression can have: what is at the ends of an `if`, a `switch` or a block, and what variables keep.

use std::collections::BTreeSet;

use rhai::{Dynamic, ImmutableString, Position};

use crate::natives;
use crate::script::{Declared, Function, LocalId, Node, Target, What};

/// The nodes whose values another one can have.
pub(super) struct Outcomes<'e> {
    pub(super) values: Vec<&'e Node>,
    /// Whether there are no others. A way without a value, such as an `if` without `else`, is none.
    pub(super) complete: bool,
}

/// A string of the script that an expression can be.
#[derive(Clone)]
pub(super) struct Written {
    pub(super) text: ImmutableString,
    pub(super) position: Position,
    /// Whether the position is that of the string. Otherwise, the string is the next one with this text.
    pub(super) exact: bool,
    /// Whether the expression may never be this string where it matters: it is one of a list, or a condition decides that
    /// the rules look at elsewhere, too. Then only what looks misspelt is reported.
    pub(super) unsure: bool,
}

/// Returns the nodes whose values a node can have.
pub(super) fn outcomes(value: &Node) -> Outcomes<'_> {
    let mut found = Outcomes { values: Vec::new(), complete: true };
    found.add(value);
    found
}

impl<'e> Outcomes<'e> {
    fn add(&mut self, value: &'e Node) {
        match &value.what {
            What::Block(statements) => statements.last().into_iter().for_each(|last| self.add(last)),
            What::If(parts) => parts.iter().skip(1).for_each(|branch| self.add(branch)),
            What::Switch(switch) => switch.ways.iter().for_each(|way| self.add(&way.body)),
            What::Return(_) | What::Throw(_) | What::Break(_) | What::Continue => {}
            What::Let { .. } | What::Assign(_) | What::While { .. } | What::Do { .. } | What::For(_) | What::Try(_) => {
                self.complete = false;
            }
            _ => self.values.push(value),
        }
    }
}

/// What is known of the values of a function's variables.
#[derive(Default)]
pub(super) struct Values<'f> {
    /// For each variable that is declared with a value and never assigned to, the value.
    fixed: Vec<Option<&'f Node>>,
    /// For each variable that can only be strings of the script, the string, the list, or the condition that decides.
    written: Vec<Option<&'f Node>>,
    /// The variables that are compared with something, or asked for their kind.
    looked_at: BTreeSet<LocalId>,
}

impl<'f> Values<'f> {
    /// `takes_names` says whether a function is one of the rules API that takes names: it does not look at its strings
    /// otherwise.
    pub(super) fn of(function: &'f Function, takes_names: impl Fn(&str) -> bool) -> Self {
        let count = function.locals.len();
        let (mut fixed, mut written) = (vec![None; count], vec![None; count]);
        let mut assigned = BTreeSet::new();
        let mut other: BTreeSet<LocalId> = BTreeSet::new();
        let mut catches = false;
        let mut looked_at = BTreeSet::new();
        let set = |all: &mut Vec<Option<&'f Node>>, local: LocalId, value: &'f Node| {
            if let Some(place) = all.get_mut(local) {
                *place = Some(value);
            }
        };
        function.body.walk(&mut |node| {
            looked_at.extend(looks_at(node).iter().filter_map(Node::local));
        });
        function.body.walk(&mut |node| match &node.what {
            What::Let { local, value } => {
                set(&mut fixed, *local, value);
                set(&mut written, *local, value);
            }
            What::For(parts) => {
                set(&mut written, parts.local, &parts.over);
                if parts.counter.is_some() {
                    other.insert(parts.local);
                }
            }
            What::Assign(assign) => assigned.extend(assign.to.local()),
            What::Switch(switch) => other.extend(switch.value.local()),
            // A function of the rules may give `this` another value.
            What::Call(call) if call.method && call.target != Target::Native => {
                assigned.extend(call.args.first().and_then(Node::local));
            }
            // A method may change its string.
            What::Call(call) if call.method => other.extend(call.args.first().and_then(Node::local)),
            What::Call(call) if !takes_names(&call.name) => other.extend(call.args.iter().filter_map(Node::local)),
            What::Operator(_, parts) => other.extend(parts.iter().filter_map(Node::local)),
            What::Try(_) => catches = true,
            _ => {}
        });
        for (at, local) in function.locals.iter().enumerate() {
            if local.captured || local.how == Declared::Parameter || assigned.contains(&at) {
                other.insert(at);
            }
        }
        for (at, place) in fixed.iter_mut().enumerate() {
            *place = place.filter(|_| !assigned.contains(&at));
        }
        for (at, place) in written.iter_mut().enumerate() {
            let is_written = |value: &&Node| {
                matches!(
                    value.what,
                    What::Text(_)
                        | What::List(_)
                        | What::Constant(_)
                        | What::Name(_)
                        | What::Index { .. }
                        | What::Block(_)
                        | What::If(_)
                        | What::Switch(_)
                )
            };
            *place = place.filter(|value| !catches && !other.contains(&at) && is_written(value));
        }
        Self { fixed, written, looked_at }
    }

    /// Returns whether the function compares a variable with something, or asks for its kind.
    pub(super) fn is_looked_at(&self, local: LocalId) -> bool {
        self.looked_at.contains(&local)
    }

    /// Returns the value that a variable always has.
    pub(super) fn fixed(&self, local: LocalId) -> Option<&'f Node> {
        self.fixed.get(local).copied().flatten()
    }

    pub(super) fn written(&self, local: LocalId) -> Option<&'f Node> {
        self.written.get(local).copied().flatten()
    }
}

/// Returns the parts of a node at whose values it looks, to decide something.
fn looks_at(node: &Node) -> &[Node] {
    match &node.what {
        What::Operator(_, parts) | What::Coalesce(parts) => parts,
        What::Switch(switch) => std::slice::from_ref(&switch.value),
        What::Call(call) if natives::tells_kind(&call.name) => &call.args,
        _ => &[],
    }
}

/// Returns the string that an expression is, or those of a list.
pub(super) fn texts_in(value: &Node, unsure: bool) -> Vec<Written> {
    let exact = |node: &Node| {
        let text = node.text()?.clone();
        Some(Written { text, position: node.at, exact: true, unsure })
    };
    match &value.what {
        What::List(items) => items.iter().filter_map(exact).collect(),
        What::Constant(constant) => {
            let mut texts = Vec::new();
            if constant.is_array() {
                add_texts(constant, &mut texts);
            }
            let position = value.at;
            texts.into_iter().map(|text| Written { text, position, exact: false, unsure }).collect()
        }
        _ => exact(value).into_iter().collect(),
    }
}

/// Returns the element of a list or a map at an index that is written in the script.
pub(super) fn part_of(value: &Dynamic, index: &Node) -> Option<Dynamic> {
    match &index.what {
        What::Number(at) => value.read_lock::<rhai::Array>()?.get(usize::try_from(*at).ok()?).cloned(),
        What::Text(key) => value.read_lock::<rhai::Map>()?.get(key.as_str()).cloned(),
        _ => None,
    }
}

/// Adds the strings in a list or a map, and in those in it.
pub(super) fn add_texts(value: &Dynamic, texts: &mut Vec<ImmutableString>) {
    if let Some(text) = value.read_lock::<ImmutableString>() {
        texts.push(text.clone());
    } else if let Some(list) = value.read_lock::<rhai::Array>() {
        list.iter().for_each(|value| add_texts(value, texts));
    } else if let Some(map) = value.read_lock::<rhai::Map>() {
        map.values().for_each(|value| add_texts(value, texts));
    }
}
