//! The values that an expression can have: what is at the ends of an `if`, a `switch` or a block, and what variables keep.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use rhai::{ImmutableString, Position};

use super::facts::number;
use crate::script::{Function, LocalId, Node, Target, What};
use crate::values::add_texts;

/// The nodes whose values another one can have.
pub(super) struct Outcomes<'e> {
    pub(super) values: Vec<&'e Node>,
    /// Whether there are no others. A way without a value, such as an `if` without `else`, is none.
    pub(super) complete: bool,
}

/// A string of the script that an expression can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) text: ImmutableString,
    pub(super) position: Position,
    pub(super) place: Place,
    /// Whether the expression may never be this string where it matters: the rules may look at something that decides it.
    /// Then only what looks misspelt is reported.
    pub(super) unsure: bool,
}

/// The strings that nodes of a function can be, by the addresses of the nodes.
pub(super) type Texts = BTreeMap<usize, Vec<Written>>;

/// Where a string is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// At its position, with quotes.
    Here,
    /// The next one with this text after its position, with quotes.
    After,
    /// The next such word at its position or after it: a key of a map.
    Word,
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
    /// The variables that are compared with something, or asked for their kind.
    looked_at: BTreeSet<LocalId>,
    /// Whether there is a number in brackets after a value.
    pub(super) has_index: bool,
    /// The variables that may hold strings of the script, once they were needed.
    pub(super) holders: OnceCell<BTreeSet<LocalId>>,
    /// The strings that parts of the function can be, once they were needed.
    pub(super) texts: OnceCell<Texts>,
}

impl<'f> Values<'f> {
    pub(super) fn of(function: &'f Function) -> Self {
        let mut fixed = vec![None; function.locals.len()];
        let (mut assigned, mut looked_at) = (BTreeSet::new(), BTreeSet::new());
        let mut has_index = false;
        function.body.walk(&mut |node| {
            looked_at.extend(looks_at(node).iter().filter_map(Node::local));
            match &node.what {
                What::Let { local, value } => {
                    if let Some(place) = fixed.get_mut(*local) {
                        *place = Some(&**value);
                    }
                }
                What::Assign(assign) => assigned.extend(assign.to.local()),
                What::Index { index, .. } => has_index |= number(index).is_some(),
                // A function of the rules may give `this` another value.
                What::Call(call) if call.method && call.target != Target::Native => {
                    assigned.extend(call.args.first().and_then(Node::local));
                }
                _ => {}
            }
        });
        for (at, place) in fixed.iter_mut().enumerate() {
            *place = place.filter(|_| !assigned.contains(&at));
        }
        Self { fixed, looked_at, has_index, holders: OnceCell::new(), texts: OnceCell::new() }
    }

    /// Returns whether the function compares a variable with something, or asks for its kind.
    pub(super) fn is_looked_at(&self, local: LocalId) -> bool {
        self.looked_at.contains(&local)
    }

    /// Returns the value that a variable always has.
    pub(super) fn fixed(&self, local: LocalId) -> Option<&'f Node> {
        self.fixed.get(local).copied().flatten()
    }
}

/// Returns the parts of a node at whose values it looks, to decide something.
fn looks_at(node: &Node) -> &[Node] {
    match &node.what {
        What::Operator(_, parts) | What::Coalesce(parts) => parts,
        What::Switch(switch) => std::slice::from_ref(&switch.value),
        What::Call(call) if call.natives.tell_kind() => &call.args,
        _ => &[],
    }
}

/// Returns the strings in a list that is written.
pub(super) fn texts_in(list: &Node) -> Vec<Written> {
    match &list.what {
        What::List(items) => items.iter().filter_map(written).collect(),
        What::Constant(constant) => {
            let mut texts = Vec::new();
            if constant.is_array() {
                add_texts(constant, &mut texts);
            }
            let written = |text| Written { text, position: list.at, place: Place::After, unsure: false };
            texts.into_iter().map(written).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the string that a node is.
pub(super) fn written(node: &Node) -> Option<Written> {
    let text = node.text()?.clone();
    Some(Written { text, position: node.at, place: Place::Here, unsure: false })
}
