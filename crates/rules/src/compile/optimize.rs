//! Optimizes the tree: computes constants once and inlines short functions.

use std::collections::{BTreeMap, BTreeSet};

use super::lower::Lowered;
use super::tree::{AssignTarget, Callee, Chain, Inlined, Invoke, Node, Root, Slot, Step, What};
use crate::values::{Arena, Span, Val};
use crate::vm::{Depends, Operator};
use referee_table::Topics;

/// The maximum number of nodes of an inlined function.
const SHORT: usize = 80;
/// The maximum number of variables of an inlined function.
const FEW: usize = 12;
/// The maximum number of inlining rounds.
const ROUNDS: usize = 3;

/// The functions that may be inlined, by their indices.
type Short = BTreeMap<usize, Inlined>;

/// Computes the constants in a function.
pub(crate) fn fold(lowered: &mut Lowered, arena: &mut Arena) {
    fold_node(&mut lowered.body, arena);
}

/// Inlines short functions of the rules in all functions except those of the prelude. `first` is the index of the first
/// function.
pub(crate) fn inline(functions: &mut [Draft], first: usize) {
    let kept = (0..).zip(functions.iter()).filter(|(_, function)| function.is_kept).map(|(at, _)| first + at);
    let kept: BTreeSet<usize> = kept.collect();
    // A short function calls no other that is inlined, so it never changes: only the functions that changed last can become
    // short.
    let mut changed: Vec<usize> = (0..functions.len()).collect();
    for _ in 0..ROUNDS {
        let mut inlined = |at: usize| {
            functions.get_mut(at).filter(|function| !function.prelude).and_then(|function| short(function, &kept))
        };
        let short: Short = changed.into_iter().filter_map(|at| Some((first + at, inlined(at)?))).collect();
        if short.is_empty() {
            break;
        }
        changed = Vec::new();
        for (at, function) in functions.iter_mut().enumerate().filter(|(_, function)| !function.prelude) {
            let Some(lowered) = &mut function.lowered else { continue };
            if calls(&mut lowered.body, &short) {
                function.plain.get_or_insert_with(|| lowered.body.clone());
                replace_calls(&mut lowered.body, &short);
                changed.push(at);
            }
        }
    }
}

/// A function between lowering and emitting.
pub(crate) struct Draft {
    pub(crate) name: String,
    pub(crate) parameters: usize,
    pub(crate) prelude: bool,
    /// The lowered function; `None` if it is refused.
    pub(crate) lowered: Option<Lowered>,
    /// The body before inlining.
    pub(crate) plain: Option<Node>,
    /// What its results depend on, if they are remembered.
    pub(crate) depends: Option<Depends>,
    /// What it reads of the state, if it only reads.
    pub(crate) reads: Topics,
    /// Whether its results are remembered, so that it is not inlined.
    pub(crate) is_kept: bool,
}

impl Draft {
    pub(crate) const fn new(name: String, parameters: usize, prelude: bool, lowered: Option<Lowered>) -> Self {
        Self { name, parameters, prelude, lowered, plain: None, depends: None, reads: Topics::NONE, is_kept: false }
    }
}

/// Returns whether a node calls a function that may be inlined there.
fn calls(node: &mut Node, short: &Short) -> bool {
    let mut found = called(node, short).is_some();
    node.for_each_part(&mut |part| found = found || calls(part, short));
    found
}

/// Replaces calls by the bodies of the functions.
fn replace_calls(node: &mut Node, short: &Short) {
    node.for_each_part(&mut |part| replace_calls(part, short));
    if let Some(found) = called(node, short)
        && let Node::Call { args, at, .. } = node
    {
        let args = std::mem::take(args);
        let mut inlined = Inlined { args, at: *at, ..found.clone() };
        put_constants(&mut inlined);
        *node = Node::Inlined(Box::new(inlined));
    }
}

/// Puts constant arguments in the place of the parameters of an inlined function that are only read, so that what is
/// called with them is known.
fn put_constants(inlined: &mut Inlined) {
    // The closure of a loop of the library reads variables, too.
    if inlined.is_loop() {
        return;
    }
    let Inlined { args, read, known, body, .. } = inlined;
    *known = vec![false; args.len()];
    for (slot, ((arg, read), known)) in (0..).zip(args.iter().zip(read).zip(known)) {
        if let Node::Constant(value) = arg
            && *read
            && !matches!(value, Val::List(_) | Val::Map(_) | Val::Shared(_))
        {
            put_constant(body, slot, *value);
            *known = true;
        }
    }
}

/// Puts a constant in the place of a variable that is only read.
fn put_constant(node: &mut Node, slot: Slot, value: Val) {
    match node {
        Node::Local(at) if *at == slot => *node = Node::Constant(value),
        // An inlined body has its own variables.
        Node::Inlined(inlined) => {
            inlined.args.iter_mut().for_each(|arg| put_constant(arg, slot, value));
            put_constants(inlined);
        }
        node => {
            if let Node::Chain(chain) = node
                && let root = &mut chain.root
                && matches!(root, Root::Local(at) if *at == slot)
            {
                *root = Root::Value(Node::Constant(value));
            }
            node.for_each_part(&mut |part| put_constant(part, slot, value));
        }
    }
}

/// Returns the function that a node calls, if it may be inlined there.
fn called<'s>(node: &Node, short: &'s Short) -> Option<&'s Inlined> {
    match node {
        Node::Call { function, args, .. } if !args.iter().any(|arg| matches!(arg, Node::This(_))) => {
            short.get(function)
        }
        _ => None,
    }
}

/// Returns the inlined form of a function; `None` if it is too long or cannot be inlined.
fn short(function: &mut Draft, kept: &BTreeSet<usize>) -> Option<Inlined> {
    let lowered = function.lowered.as_mut()?;
    if function.is_kept || lowered.this || !lowered.boxed.is_empty() || lowered.slots > FEW {
        return None;
    }
    let mut nodes = 0;
    if !is_plain(&mut lowered.body, &mut nodes, kept) || nodes > SHORT {
        return None;
    }
    let mut body = without_return(lowered.body.clone())?;
    let read = (0..function.parameters).map(|slot| Slot::try_from(slot).is_ok_and(|slot| only_reads(&mut body, slot)));
    let read = read.collect();
    Some(Inlined {
        names: vec![function.name.clone()],
        args: Vec::new(),
        read,
        known: Vec::new(),
        slots: lowered.slots,
        body,
        at: rhai::Position::NONE,
    })
}

/// Returns whether a node is only there to count runs, so that the same functions are inlined as without counts.
fn only_counts(node: &Node) -> bool {
    match node {
        Node::Cover(_) | Node::Outcome(..) => true,
        Node::Block(nodes) => {
            let covers = nodes.iter().filter(|node| matches!(node, Node::Cover(_))).count();
            let is_variable = |node: &Node| matches!(node, Node::Local(_) | Node::This(_) | Node::Boxed(_));
            covers > 0 && nodes.len() <= covers + 1 && !nodes.iter().any(is_variable)
        }
        _ => false,
    }
}

/// Returns whether a node can be inlined: it calls no function but those that are kept, and shares nothing with a closure.
fn is_plain(node: &mut Node, nodes: &mut usize, kept: &BTreeSet<usize>) -> bool {
    *nodes += usize::from(!only_counts(node));
    let calls = |chain: &Chain| {
        let calls =
            |step: &Step| matches!(&step.what, What::Method(method) if !matches!(method.callee, Callee::Native { .. }));
        matches!(chain.root, Root::This(_) | Root::Boxed(_)) || chain.steps.iter().any(calls)
    };
    let plain = match node {
        Node::This(_)
        | Node::Boxed(_)
        | Node::IsList(_)
        | Node::Let { boxed: true, .. }
        | Node::Try { .. }
        | Node::CallValue { .. }
        | Node::Curry { .. }
        | Node::Callback(..)
        | Node::Closure { .. }
        | Node::Pointer(..) => false,
        Node::Call { function, .. } => kept.contains(function),
        Node::For(parts) => !parts.boxed && parts.counter.is_none_or(|(_, boxed)| !boxed),
        Node::Chain(chain) => !calls(chain),
        Node::Assign(assign) => match &assign.to {
            AssignTarget::This(_) | AssignTarget::Boxed(_) => false,
            AssignTarget::Chain(chain) => !calls(chain),
            AssignTarget::Local(_) | AssignTarget::Fault(_) => true,
        },
        _ => true,
    };
    let mut all = plain;
    node.for_each_part(&mut |part| all = all && is_plain(part, nodes, kept));
    all
}

fn returns(node: &mut Node) -> bool {
    let mut found = matches!(node, Node::Return(_));
    node.for_each_part(&mut |part| found = found || returns(part));
    found
}

/// Returns whether a node always returns from the function.
fn always_returns(node: &Node) -> bool {
    match node {
        Node::Return(_) => true,
        Node::Block(nodes) => nodes.iter().any(always_returns),
        Node::If(parts) => {
            let [_, then, other] = &**parts;
            always_returns(then) && always_returns(other)
        }
        _ => false,
    }
}

/// Returns a body without `return` that has the function's value: `if c { return a; } b` becomes `if c { a } else { b
/// }`. Returns `None` if a `return` is in another place.
pub(super) fn without_return(mut node: Node) -> Option<Node> {
    if !returns(&mut node) {
        return Some(node);
    }
    match node {
        Node::Return(None) => Some(Node::Constant(Val::Nothing)),
        Node::Return(Some(value)) => without_return(*value),
        Node::If(parts) => {
            let [mut condition, then, other] = *parts;
            if returns(&mut condition) {
                return None;
            }
            Some(Node::If(Box::new([condition, without_return(then)?, without_return(other)?])))
        }
        Node::Block(mut nodes) => {
            let at = nodes.iter_mut().position(returns)?;
            let rest = nodes.split_off(at + 1);
            let node = nodes.pop()?;
            let ends = if rest.is_empty() || always_returns(&node) {
                without_return(node)?
            } else if let Node::If(parts) = node {
                let [mut condition, then, mut other] = *parts;
                if returns(&mut condition) || returns(&mut other) || !always_returns(&then) {
                    return None;
                }
                let otherwise = std::iter::once(other).chain(rest).collect();
                Node::If(Box::new([condition, without_return(then)?, without_return(Node::Block(otherwise))?]))
            } else {
                return None;
            };
            nodes.push(ends);
            Some(Node::Block(nodes))
        }
        _ => None,
    }
}

/// Returns whether a variable is never changed.
pub(super) fn only_reads(node: &mut Node, slot: Slot) -> bool {
    let is = |node: Option<&Node>| matches!(node, Some(Node::Local(at)) if *at == slot);
    let changed = match node {
        Node::Let { slot: at, .. } => *at == slot,
        Node::Assign(assign) => match &assign.to {
            AssignTarget::Local(at) => *at == slot,
            AssignTarget::Chain(chain) => matches!(chain.root, Root::Local(at) if at == slot),
            _ => false,
        },
        Node::Chain(chain) => {
            // A map may have a function of any name, which may change it.
            let calls = |step: &Step| matches!(&step.what, What::Method(_));
            matches!(chain.root, Root::Local(at) if at == slot) && chain.steps.iter().any(calls)
        }
        Node::Native(invoke) => is(invoke.args.first()) && invoke.changes_first(),
        // An inlined body has its own variables.
        Node::Inlined(inlined) => {
            let mut handed = inlined.args.iter().zip(&inlined.read);
            let changed = handed.any(|(arg, read)| is(Some(arg)) && !read);
            let read = inlined.args.iter_mut().all(|arg| only_reads(arg, slot));
            return read && !changed;
        }
        _ => false,
    };
    let mut reads = !changed;
    node.for_each_part(&mut |part| reads = reads && only_reads(part, slot));
    reads
}

/// Computes the constants in a node.
fn fold_node(node: &mut Node, arena: &mut Arena) {
    node.for_each_part(&mut |part| fold_node(part, arena));
    let known = match node {
        Node::Binary(operator, parts, _) => match **parts {
            [Node::Constant(Val::Number(one)), Node::Constant(Val::Number(other))] => {
                operator.of_numbers(one, other).map(Node::Constant)
            }
            [Node::Constant(one), Node::Constant(other)] => {
                operator.of_small(&one, &other).map(|truth| Node::Constant(Val::Truth(truth)))
            }
            _ => None,
        },
        Node::Unary(operator @ (Operator::Not | Operator::Negate), part, _) => match **part {
            Node::Constant(value) => operator.of_one(value).map(Node::Constant),
            _ => None,
        },
        Node::If(parts) => {
            let [condition, then, other] = &mut **parts;
            let mut nodes = Vec::new();
            constant_truth(condition, &mut nodes).map(|holds| {
                nodes.push(std::mem::replace(if holds { then } else { other }, Node::Constant(Val::Nothing)));
                Node::Block(nodes)
            })
        }
        // A list of constants becomes a shared constant, which is copied before a change.
        Node::List(nodes, _) if !nodes.is_empty() => {
            let values: Option<Vec<Val>> = nodes.iter().map(constant_item).collect();
            values.map(|values| {
                let list = arena.list(values);
                arena.share(list);
                Node::Constant(list)
            })
        }
        Node::Chain(chain) => element(chain, arena).map(Node::Constant),
        Node::Native(invoke) => range(invoke).map(|range| Node::Constant(arena.ranges(range))),
        _ => None,
    };
    if let Some(known) = known {
        *node = known;
    }
}

/// Returns the range of a call of `..` or `..=` with constants. Rhai computes it itself, except if runs are counted.
fn range(invoke: &Invoke) -> Option<Span> {
    let [Node::Constant(Val::Number(from)), Node::Constant(Val::Number(to))] = *invoke.args.as_slice() else {
        return None;
    };
    let inclusive = invoke.name == "..=";
    (inclusive || invoke.name == "..").then_some(Span { from, to, inclusive, step: 1 })
}

/// Returns whether a condition is true; `None` if that is unknown. Adds what counts that it is.
fn constant_truth(condition: &Node, counts: &mut Vec<Node>) -> Option<bool> {
    match condition {
        Node::Constant(Val::Truth(truth)) => Some(*truth),
        Node::Outcome(point, node) => {
            let holds = constant_truth(node, counts)?;
            counts.push(Node::Cover(point + u32::from(!holds)));
            Some(holds)
        }
        Node::Logic { parts, .. } => match parts.as_slice() {
            [(part, _)] => constant_truth(part, counts),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the value of a constant that cannot change inside a list.
fn constant_item(node: &Node) -> Option<Val> {
    match node {
        Node::Constant(Val::List(_) | Val::Map(_) | Val::Shared(_)) => None,
        Node::Constant(value) => Some(*value),
        _ => None,
    }
}

/// Returns the element of a constant list at a constant index within its bounds.
fn element(chain: &Chain, arena: &Arena) -> Option<Val> {
    let (Root::Constant(list, _), [Step { maybe: false, what: What::Index(Node::Constant(Val::Number(number))), .. }]) =
        (&chain.root, chain.steps.as_slice())
    else {
        return None;
    };
    let item = arena.items(*list)?.get(usize::try_from(*number).ok()?)?;
    constant_item(&Node::Constant(*item))
}
