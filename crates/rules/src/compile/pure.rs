//! Finds functions whose results can be remembered: they change nothing, and depend only on their arguments, the
//! constants, the table, and known parts of the state.

use std::collections::BTreeSet;

use super::optimize::Draft;
use super::tree::{AssignTarget, Callee, Chain, Inlined, Node, Root, Step, What};
use crate::natives::{Named, Native, Natives};
use crate::values::Val;
use crate::vm::{Depends, Operator};
use referee_table::{PlayerId, Schema, Topics};

/// The functions that are looked at, and what is known of them.
pub(crate) struct Purity<'p> {
    drafts: &'p mut [Draft],
    /// The index of the first function.
    first: usize,
    schema: &'p Schema,
    natives: &'p Natives,
    /// What each function depends on, once it is looked at; `None` if it is not pure, or as long as it is looked at.
    known: Vec<Option<Option<Depends>>>,
    /// Whether the functions that are called are left out.
    alone: bool,
}

impl<'p> Purity<'p> {
    pub(crate) fn of(drafts: &'p mut [Draft], first: usize, (natives, schema): (&'p Natives, &'p Schema)) -> Self {
        let known = vec![None; drafts.len()];
        Self { drafts, first, schema, natives, known, alone: false }
    }

    /// Returns, for each function, what its results depend on; `None` for those that cannot be remembered.
    ///
    /// Some things do not show here, and the machine does not remember such a run: a property that is read or set by its
    /// name in brackets, and the call of a function value.
    pub(crate) fn of_all(mut self) -> Vec<Option<Depends>> {
        (0..self.drafts.len()).map(|number| self.depends(self.first + number)).collect()
    }

    /// Returns what a pure function reads itself, with the functions that are inlined in it, but without those that it calls.
    pub(crate) fn own_topics(&mut self, body: &mut Node) -> Topics {
        self.alone = true;
        let mut depends = Depends::default();
        self.is_pure(body, &mut depends);
        self.alone = false;
        depends.topics
    }

    fn depends(&mut self, function: usize) -> Option<Depends> {
        let place = function.checked_sub(self.first)?;
        let slot = self.known.get_mut(place)?;
        if let Some(known) = slot {
            return *known;
        }
        // A function that calls itself is not pure.
        *slot = Some(None);
        let lowered = self.drafts.get_mut(place)?.lowered.as_mut();
        let lowered = lowered.filter(|lowered| !lowered.this && lowered.boxed.is_empty())?;
        let mut body = std::mem::replace(&mut lowered.body, Node::Continue);
        let mut depends = Depends::default();
        let is_pure = self.is_pure(&mut body, &mut depends);
        depends.depth += 1;
        self.drafts.get_mut(place)?.lowered.as_mut()?.body = body;
        let found = is_pure.then_some(depends);
        *self.known.get_mut(place)? = Some(found);
        found
    }

    /// Returns whether a node is pure, and adds what it depends on.
    fn is_pure(&mut self, node: &mut Node, depends: &mut Depends) -> bool {
        let pure = match node {
            Node::Constant(_)
            | Node::Local(_)
            | Node::IsList(_)
            | Node::Let { boxed: false, .. }
            | Node::Block(_)
            | Node::If(_)
            | Node::Loop { .. }
            | Node::Break(_)
            | Node::Continue
            | Node::Return(_)
            | Node::Logic { .. }
            | Node::Coalesce(_)
            | Node::List(..)
            | Node::Map(..)
            | Node::Unary(..)
            | Node::Binary(..)
            | Node::Switch(_)
            | Node::Clause(_)
            // A run that calls a function value is not remembered, but the function may have others.
            | Node::CallValue { .. }
            | Node::Pointer(..)
            // With counts, nothing is remembered, but the same functions are inlined.
            | Node::Cover(_)
            | Node::Outcome(..)
            | Node::Fault(..) => true,
            Node::For(parts) => !parts.boxed && parts.counter.is_none_or(|(_, boxed)| !boxed),
            Node::Inlined(inlined) if inlined.is_loop() => return self.is_pure_loop(inlined, depends),
            Node::Inlined(_) => true,
            Node::Native(invoke) => self.is_pure_native((&invoke.name, invoke.natives), invoke.args.len(), depends),
            Node::Call { function, .. } => self.is_pure_call(*function, depends),
            Node::Chain(chain) => self.is_pure_chain(chain, depends),
            Node::Assign(assign) => match &assign.to {
                AssignTarget::Local(_) | AssignTarget::Fault(_) => true,
                // A property is not set, and a list or a map in a variable is its own.
                AssignTarget::Chain(chain) => {
                    let is_index = |step: &Step| matches!(step.what, What::Index(_));
                    matches!(chain.root, Root::Local(_)) && chain.steps.iter().all(is_index)
                }
                AssignTarget::This(_) | AssignTarget::Boxed(_) => false,
            },
            _ => false,
        };
        let mut all = pure;
        node.for_each_part(&mut |part| all = all && self.is_pure(part, depends));
        all
    }

    /// For other values than lists, the loop calls a function value: such a run is not remembered.
    fn is_pure_loop(&mut self, inlined: &mut Inlined, depends: &mut Depends) -> bool {
        let args = inlined.args.iter_mut().all(|arg| self.is_pure(arg, depends));
        match &mut inlined.body {
            Node::If(parts) => {
                let [_, in_place, _] = &mut **parts;
                args && self.is_pure(in_place, depends)
            }
            _ => false,
        }
    }

    fn is_pure_call(&mut self, function: usize, depends: &mut Depends) -> bool {
        if self.alone {
            return true;
        }
        let Some(called) = self.depends(function) else { return false };
        depends.topics = depends.topics.and(called.topics);
        depends.depth = depends.depth.max(called.depth);
        true
    }

    fn is_pure_chain(&self, chain: &Chain, depends: &mut Depends) -> bool {
        let mut step = |step: &Step| match &step.what {
            // The name may be that of a property. What is printed on a card never changes.
            What::Field(name) => {
                let topic = self.schema.property(name).map(Topics::of_property);
                depends.topics = topic.map_or(depends.topics, |topic| depends.topics.and(topic));
                true
            }
            What::Index(_) => true,
            What::Method(method) => match method.callee {
                Callee::Call => true,
                Callee::Native { .. } => {
                    self.is_pure_native((&method.name, method.natives), method.args.len() + 1, depends)
                }
                _ => false,
            },
        };
        // A method that may change a property, or a part of one, sets the property afterwards.
        let is_property = |step: &Step| matches!(&step.what, What::Field(name) if self.schema.property(name).is_some());
        let changes = |step: &Step| matches!(&step.what, What::Method(method) if method.changes());
        let sets = chain.steps.iter().skip_while(|step| !is_property(step)).any(changes);
        !sets
            && matches!(chain.root, Root::Local(_) | Root::Constant(..) | Root::Value(_))
            && chain.steps.iter().all(&mut step)
    }

    fn is_pure_native(&self, (name, natives): (&str, Named), count: usize, depends: &mut Depends) -> bool {
        if !natives.are_known(count) {
            return self.is_piece_of_kind(name, count);
        }
        let topics = natives.topics(count);
        depends.topics = topics.map_or(depends.topics, |topics| depends.topics.and(topics));
        topics.is_some()
    }
}

impl Purity<'_> {
    /// Returns whether a function of this name only returns the piece of a kind with a number or a player, or both.
    fn is_piece_of_kind(&self, name: &str, count: usize) -> bool {
        let (player, number) = (Val::Player(PlayerId(0)), Val::Number(0));
        let of = |native: &Native| match count {
            1 => native.takes(&[player]) || native.takes(&[number]),
            _ => native.takes(&[player, number]),
        };
        let natives = self.natives.named(name, count);
        self.schema.kind(name).is_some() && natives.iter().all(of)
    }
}

/// Returns whether a node has a loop or calls a function: then its results are worth remembering.
pub(crate) fn is_long(node: &mut Node) -> bool {
    let mut found = matches!(node, Node::Loop { .. } | Node::For(_) | Node::Call { .. });
    node.for_each_part(&mut |part| found = found || is_long(part));
    found
}

/// What a costly native function and a list cost, in calls of other native functions; and what a function without a loop
/// must cost at least, in all and without these others, to be remembered.
const COST: usize = 4;
const COST_OF_LIST: usize = 2;
const WORTHWHILE: usize = 6;
const WORTHWHILE_WITHOUT: usize = 4;

/// What the calls and lists of a function cost.
#[derive(Default)]
struct Cost {
    costly: usize,
    others: usize,
}

impl Cost {
    fn add(&mut self, natives: Named, count: usize) {
        if natives.search(count) {
            self.costly += COST;
        } else {
            self.others += 1;
        }
    }
}

/// Marks the functions whose results are better remembered than the function inlined: they have a loop, call such a
/// function, or are costly otherwise. `first` is the index of the first function.
pub(crate) fn keep(drafts: &mut [Draft], first: usize) {
    let mut kept = BTreeSet::new();
    loop {
        let before = kept.len();
        for (at, draft) in (first..).zip(drafts.iter_mut()) {
            let body = draft.lowered.as_mut().map(|lowered| &mut lowered.body).filter(|_| draft.depends.is_some());
            draft.is_kept = body.is_some_and(|body| is_worthwhile(body, draft.parameters, &kept));
            if draft.is_kept {
                kept.insert(at);
            }
        }
        if kept.len() == before {
            return;
        }
    }
}

/// Returns whether the results of a function with this body are worth remembering. `kept` are functions whose results are.
fn is_worthwhile(body: &mut Node, parameters: usize, kept: &BTreeSet<usize>) -> bool {
    let mut cost = Cost::default();
    let is_costly = |cost: &Cost| cost.costly >= WORTHWHILE_WITHOUT && cost.costly + cost.others >= WORTHWHILE;
    may_last(body, parameters, &mut cost) && (is_costly(&cost) || has_loop_or_calls(body, kept))
}

/// Returns whether a node has a loop or calls one of these functions.
fn has_loop_or_calls(node: &mut Node, these: &BTreeSet<usize>) -> bool {
    let mut found = match node {
        Node::Loop { .. } | Node::For(_) => true,
        Node::Call { function, .. } => these.contains(function),
        _ => false,
    };
    node.for_each_part(&mut |part| found = found || has_loop_or_calls(part, these));
    found
}

/// Returns whether no parameter of a function with this body is obviously a set of cells.
pub(crate) fn lasts(body: &mut Node, parameters: usize) -> bool {
    may_last(body, parameters, &mut Cost::default())
}

/// Adds the cost of a node. Returns whether no parameter is obviously a set of cells: these do not last from phase to
/// phase, so nothing is remembered for them.
fn may_last(node: &mut Node, parameters: usize, cost: &mut Cost) -> bool {
    let is_parameter = |node: Option<&Node>| matches!(node, Some(Node::Local(slot)) if usize::from(*slot) < parameters);
    let lasts = match node {
        Node::List(..) => {
            cost.costly += COST_OF_LIST;
            true
        }
        Node::Native(invoke) => {
            let count = invoke.args.len();
            cost.add(invoke.natives, count);
            let mut sets = invoke.args.iter().enumerate().filter(|(_, arg)| is_parameter(Some(arg)));
            !sets.any(|(at, _)| invoke.natives.take_sets(count, at))
        }
        Node::Binary(Operator::And | Operator::Or | Operator::Subtract, parts, _) => {
            !parts.iter().any(|part| is_parameter(Some(part)))
        }
        Node::Chain(chain) => {
            let root = matches!(&chain.root, Root::Local(slot) if usize::from(*slot) < parameters);
            let mut is_of_set = false;
            for step in &chain.steps {
                if let What::Method(method) = &step.what {
                    let count = method.args.len() + 1;
                    cost.add(method.natives, count);
                    is_of_set = is_of_set || method.natives.take_sets(count, 0);
                }
            }
            !(root && is_of_set)
        }
        _ => true,
    };
    let mut all = lasts;
    node.for_each_part(&mut |part| all = all && may_last(part, parameters, cost));
    all
}
