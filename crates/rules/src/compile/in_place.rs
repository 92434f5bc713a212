//! Writes loops of the library in place: `list.filter(|item| …)` becomes a loop in the function that calls it, and
//! variables that only such closures share need no boxes any more. So is `if_made(move, || …)`, a look at the position after a move.

use std::collections::BTreeMap;

use rhai::Position;

use super::lower::Lowered;
use super::optimize::{Draft, only_reads};
use super::tree::{AssignTarget, Callee, Captured, Chain, For, Inlined, Invoke, Method, Node, Root, Slot, Step, What};
use crate::natives::{IF_MADE, LOOK, LOOK_BACK, Loop, Named, PUSH};
use crate::values::{Arena, Val};
use crate::vm::Places;

/// The maximum number of variables of a closure that is written in place.
const FEW: usize = 12;

/// A closure or a function that a loop calls.
struct Called<'c> {
    /// The closure; `None` for a function that is called.
    closure: Option<&'c Closure>,
    function: usize,
    /// The number of parameters that get values of the loop: the element, and its index.
    takes: usize,
}

struct Closure {
    name: String,
    body: Node,
    slots: usize,
    /// For each parameter, whether the closure only reads it.
    read: Vec<bool>,
}

/// What is known while loops are written.
struct Known<'k> {
    closures: BTreeMap<usize, Closure>,
    arena: &'k Arena,
    places: &'k Places,
}

/// Writes the loops in all functions but those of the prelude in place. `first` is the index of the first function, and
/// `shared` the number of variables that each closure shares, by its name.
pub(crate) fn write_in_place(
    functions: &mut [Draft],
    first: usize,
    (arena, places): (&Arena, &Places),
    shared: &BTreeMap<String, usize>,
) {
    let closures = functions.iter_mut().enumerate();
    let closures = closures.filter_map(|(at, draft)| Some((first + at, closure(draft)?))).collect();
    let mut known = Known { closures, arena, places };
    // Closures come first, so that those in them are written with them.
    for closures_alone in [true, false] {
        let chosen = |draft: &&mut Draft| !draft.prelude && is_closure(&draft.name) == closures_alone;
        let numbered = functions.iter_mut().enumerate();
        for (at, draft) in numbered.filter(|(_, draft)| chosen(draft)) {
            if known.write_all(draft, shared) && closures_alone {
                known.closures.remove(&(first + at));
                known.closures.extend(closure(draft).map(|written| (first + at, written)));
            }
        }
    }
}

fn is_closure(name: &str) -> bool {
    name.starts_with("anon$")
}

/// Returns what is written for a closure; `None` for a function that is not, or for a closure that cannot be.
fn closure(draft: &mut Draft) -> Option<Closure> {
    if !is_closure(&draft.name) {
        return None;
    }
    let fits = |lowered: &&mut Lowered| !lowered.this && lowered.boxed.is_empty() && lowered.slots <= FEW;
    let lowered = draft.lowered.as_mut().filter(fits)?;
    let mut body = super::optimize::without_return(lowered.body.clone())?;
    let read = (0..draft.parameters).map(|slot| Slot::try_from(slot).is_ok_and(|slot| only_reads(&mut body, slot)));
    Some(Closure { name: draft.name.clone(), slots: lowered.slots, read: read.collect(), body })
}

impl Known<'_> {
    /// Writes the loops in a function in place. Returns whether there are any.
    fn write_all(&self, draft: &mut Draft, shared: &BTreeMap<String, usize>) -> bool {
        let Some(lowered) = &mut draft.lowered else { return false };
        if !has_loop(&mut lowered.body, self.looks()) {
            return false;
        }
        let before = lowered.body.clone();
        let written = self.write(&mut lowered.body);
        if written {
            draft.plain.get_or_insert(before);
            unbox(lowered, shared.get(&draft.name).copied().unwrap_or(0));
        }
        written
    }

    /// Writes the loops in a node in place. Returns whether there are any.
    fn write(&self, node: &mut Node) -> bool {
        let mut written = false;
        node.for_each_part(&mut |part| written |= self.write(part));
        while let Node::Chain(chain) = node
            && let Some(whole) = self.in_chain(chain)
        {
            *node = whole;
            written = true;
        }
        if let Node::Call { function, args, at } = node
            && Some(*function) == self.looks()
            && let Some(whole) = self.look(args, *at)
        {
            *node = whole;
            written = true;
        }
        written
    }

    /// Returns the function of the prelude that looks at the position after a move.
    fn looks(&self) -> Option<usize> {
        self.places.plain(IF_MADE, 2)
    }

    /// Returns what a look at the position after a move does; `None` if its functions cannot be written in place.
    fn look(&self, args: &[Node], at: Position) -> Option<Node> {
        let [made, seen] = args else { return None };
        let seen = self.written_call(seen)?;
        let effects = self.written_call(made);
        // The variables of the look: the move, what the closures capture, and what was seen.
        let made = if effects.is_some() { Node::Constant(Val::Nothing) } else { made.clone() };
        let mut all = vec![made];
        let mut inlined = |(closure, shared): (&Closure, &[Captured])| {
            let from = all.len();
            all.extend(shared.iter().map(Captured::node));
            let args = (from..all.len()).map(|slot| Slot::try_from(slot).map(Node::Local));
            let args = args.collect::<Result<Vec<_>, _>>().ok()?;
            let called = Called { closure: Some(closure), function: 0, takes: 0 };
            Some(called.inlined(args, shared, None, at))
        };
        let effects = match effects {
            Some(effects) => Some(inlined(effects)?),
            None => None,
        };
        let seen = inlined(seen)?;
        let result = Slot::try_from(all.len()).ok()?;
        let native = |name: &str, args: Vec<Node>| {
            Node::Native(Box::new(Invoke { name: name.into(), natives: Named::of(name), args, at }))
        };
        let begin = match effects {
            Some(effects) => vec![native(LOOK, Vec::new()), effects],
            // A function in a variable is called; a move has been made.
            None => {
                let begin = native(LOOK, vec![Node::Local(0)]);
                let call = Node::CallValue { function: Box::new(Node::Local(0)), args: Vec::new(), at };
                vec![Node::If(Box::new([begin, call, Node::Constant(Val::Nothing)]))]
            }
        };
        let kept = Node::Let { slot: result, boxed: false, value: Box::new(seen) };
        let end = [kept, native(LOOK_BACK, Vec::new()), Node::Local(result)];
        Some(Node::Inlined(Box::new(Inlined {
            names: Vec::new(),
            read: vec![true; all.len()],
            known: Vec::new(),
            args: all,
            slots: usize::from(result) + 1,
            body: Node::Block(begin.into_iter().chain(end).collect()),
            at,
        })))
    }

    /// Returns a closure without parameters that can be written in place, and what it captures.
    fn written_call<'n>(&self, node: &'n Node) -> Option<(&Closure, &'n [Captured])> {
        let (function, shared) = match node {
            Node::Closure { function: Val::Function(function), shared } => (function, shared.as_slice()),
            Node::Constant(Val::Function(function)) => (function, [].as_slice()),
            _ => return None,
        };
        let callable = self.arena.functions.get(*function as usize).filter(|callable| callable.curry.is_empty())?;
        let closure = self.closures.get(&self.places.function(&callable.name, shared.len())?)?;
        Some((closure, shared))
    }

    /// Returns a chain with its first loop in place; `None` if there is none.
    fn in_chain(&self, chain: &Chain) -> Option<Node> {
        let is_still = |node: &Node| matches!(node, Node::Constant(_) | Node::Local(_) | Node::Closure { .. });
        // The indices and arguments of all steps are computed before the first.
        let simple = |step: &Step| {
            !step.maybe
                && match &step.what {
                    What::Field(_) => true,
                    What::Index(node) => is_still(node),
                    What::Method(method) => method.args.iter().all(is_still),
                }
        };
        if matches!(chain.root, Root::This(_)) || !chain.steps.iter().all(simple) {
            return None;
        }
        let (at, (method, called)) = chain.steps.iter().enumerate().find_map(|(at, step)| match &step.what {
            What::Method(method) => Some((at, (method, self.called(method)?))),
            _ => None,
        })?;
        let (before, rest) = chain.steps.split_at(at);
        let (step, after) = rest.split_first()?;
        let over = match (&chain.root, before) {
            (Root::Value(node), []) => node.clone(),
            (Root::Local(slot), []) => Node::Local(*slot),
            (Root::Boxed(slot), []) => Node::Boxed(*slot),
            (Root::Constant(value, _), []) => Node::Constant(*value),
            (root, before) => Node::Chain(Box::new(Chain { root: root.clone(), steps: before.to_vec() })),
        };
        let looped = self.looped(over, method, &called, step.at)?;
        if after.is_empty() {
            return Some(looped);
        }
        Some(Node::Chain(Box::new(Chain { root: Root::Value(looped), steps: after.to_vec() })))
    }

    /// Returns the function that a loop of the library calls, if it can be written in place.
    fn called(&self, method: &Method) -> Option<Called<'_>> {
        let [given] = method.args.as_slice() else { return None };
        loop_of(method)?;
        let (function, bound) = match given {
            Node::Closure { function: Val::Function(function), shared } => (function, shared.len()),
            Node::Constant(Val::Function(function)) => (function, 0),
            _ => return None,
        };
        let callable = self.arena.functions.get(*function as usize).filter(|callable| callable.curry.is_empty())?;
        let of = |takes: usize| self.places.function(&callable.name, bound + takes);
        // A function without a parameter gets the element as `this`.
        let (function, takes) = match (of(0), of(1), of(2)) {
            (None, Some(function), _) => (function, 1),
            (None, None, Some(function)) => (function, 2),
            _ => return None,
        };
        let closure = self.closures.get(&function);
        (closure.is_some() || !is_closure(&callable.name)).then_some(Called { closure, function, takes })
    }

    /// Returns the loop of a method over a value; if that is no list, the method is called.
    fn looped(&self, over: Node, method: &Method, called: &Called<'_>, at: Position) -> Option<Node> {
        let shared = match method.args.as_slice() {
            [Node::Closure { shared, .. }] => shared.as_slice(),
            _ => &[],
        };
        // The variables of the loop: the list, what the closure captures, and the loop's own.
        let (list, captured) = (0, 1..);
        let kept = Slot::try_from(shared.len()).ok()? + 1;
        let (item, index) = (kept + 1, kept + 2);
        let values = captured.clone().take(shared.len()).chain([item, index].into_iter().take(called.takes));
        let call = called.inlined(values.map(Node::Local).collect(), shared, Some(&method.name), at);
        let (begin, body, end) = rounds(loop_of(method)?, call, (kept, item), at);
        let counter = (called.takes == 2).then_some((index, false));
        let over_list = Node::Local(list);
        let rounds = For { slot: item, boxed: false, counter, over: over_list, body, at, ends: None };
        let rounds = Node::For(Box::new(rounds));
        let in_place = match begin {
            Some(begin) => Node::Block(vec![begin, rounds, end]),
            None => Node::Coalesce(vec![rounds, end]),
        };
        let given = match method.args.first()? {
            Node::Closure { function, shared } => {
                let shared = captured.take(shared.len()).map(Captured::Variable).collect();
                Node::Closure { function: *function, shared }
            }
            given => given.clone(),
        };
        let what = What::Method(Method { args: vec![given], ..method.clone() });
        let step = Step { maybe: false, at, what };
        let otherwise = Node::Chain(Box::new(Chain { root: Root::Local(list), steps: vec![step] }));
        let args: Vec<Node> = std::iter::once(over).chain(shared.iter().map(Captured::node)).collect();
        Some(Node::Inlined(Box::new(Inlined {
            names: Vec::new(),
            read: vec![true; args.len()],
            known: Vec::new(),
            args,
            slots: usize::from(index) + 1,
            body: Node::If(Box::new([Node::IsList(list), in_place, otherwise])),
            at,
        })))
    }
}

impl Called<'_> {
    /// Returns the call in a loop, with these arguments. `shared` are those that a closure captures. Errors list the `method`.
    fn inlined(&self, args: Vec<Node>, shared: &[Captured], method: Option<&str>, at: Position) -> Node {
        let method = method.map(str::to_owned);
        let inlined = match self.closure {
            Some(Closure { name, body, slots, read }) => {
                // A captured constant that the closure changes is the same again in the next round.
                let is_variable = |number: usize| !matches!(shared.get(number), Some(Captured::Constant(_)));
                let read = read.iter().enumerate().map(|(number, read)| *read && is_variable(number)).collect();
                let names = std::iter::once(name.clone()).chain(method).collect();
                Inlined { names, args, read, known: Vec::new(), slots: *slots, body: body.clone(), at }
            }
            None => {
                let slots = args.len();
                let handed = (0..).take(slots).map(Node::Local).collect();
                let body = Node::Call { function: self.function, args: handed, at };
                Inlined {
                    names: method.into_iter().collect(),
                    args,
                    read: vec![true; slots],
                    known: Vec::new(),
                    slots,
                    body,
                    at,
                }
            }
        };
        Node::Inlined(Box::new(inlined))
    }
}

/// Returns what comes before the rounds of a loop, a round, and the value after all rounds. `call` is the call of the
/// function for the element in `item`. If nothing comes before the rounds, one may end them with a value.
fn rounds(of: Loop, call: Node, (kept, item): (Slot, Slot), at: Position) -> (Option<Node>, Node, Node) {
    let nothing = || Node::Constant(Val::Nothing);
    let truth = |truth| Node::Constant(Val::Truth(truth));
    let begin = || Some(Node::Let { slot: kept, boxed: false, value: Box::new(Node::List(Vec::new(), at)) });
    let push = |value: Node| {
        let callee = Callee::Native { changes: true };
        let what = What::Method(Method { name: PUSH.into(), natives: Named::of(PUSH), args: vec![value], callee });
        Node::Chain(Box::new(Chain { root: Root::Local(kept), steps: vec![Step { maybe: false, at, what }] }))
    };
    let leave = |value: Node| Node::Break(Some(Box::new(value)));
    let when = |call: Node, then: Node, other: Node| Node::If(Box::new([call, then, other]));
    match of {
        Loop::Filter => (begin(), when(call, push(Node::Local(item)), nothing()), Node::Local(kept)),
        Loop::Map => (begin(), push(call), Node::Local(kept)),
        Loop::Some => (None, when(call, leave(truth(true)), nothing()), truth(false)),
        Loop::All => (None, when(call, nothing(), leave(truth(false))), truth(true)),
        Loop::Find => (None, when(call, leave(Node::Local(item)), nothing()), nothing()),
    }
}

/// Returns the loop that a method of the library is, if it can be written in place.
fn loop_of(method: &Method) -> Option<Loop> {
    let is_library = matches!(method.callee, Callee::Prelude { .. });
    method.natives.loop_in_place(method.args.len() + 1).filter(|_| is_library)
}

fn has_loop(node: &mut Node, looks: Option<usize>) -> bool {
    let is = |step: &Step| matches!(&step.what, What::Method(method) if loop_of(method).is_some());
    let mut found = match node {
        Node::Chain(chain) => chain.steps.iter().any(is),
        Node::Call { function, .. } => Some(*function) == looks,
        _ => false,
    };
    node.for_each_part(&mut |part| found = found || has_loop(part, looks));
    found
}

/// Makes those variables of a function plain that only loops in place share and that nothing changes. The first `shared`
/// are in boxes of another function.
fn unbox(lowered: &mut Lowered, shared: usize) {
    let mut plain = Vec::new();
    find_captured(&mut lowered.body, &mut plain);
    plain.sort_unstable();
    plain.dedup();
    plain.retain(|slot| usize::from(*slot) >= shared && !is_box_needed(&mut lowered.body, *slot, false));
    lowered.boxed.retain(|slot| !plain.contains(slot));
    plain.iter().for_each(|slot| make_plain(&mut lowered.body, *slot));
}

/// Finds the variables that loops in place share.
fn find_captured(node: &mut Node, found: &mut Vec<Slot>) {
    if let Node::Inlined(inlined) = node {
        // Another body has its own variables.
        if inlined.is_loop() {
            let captured = inlined.args.iter().skip(1);
            found.extend(captured.filter_map(|arg| if let Node::Local(slot) = arg { Some(*slot) } else { None }));
        }
        inlined.args.iter_mut().for_each(|arg| find_captured(arg, found));
        return;
    }
    node.for_each_part(&mut |part| find_captured(part, found));
}

/// Returns whether a variable in a box is changed, or shared with a closure that may outlive a call. In a loop in place,
/// the closure does not: it is only called if there is no list.
fn is_box_needed(node: &mut Node, slot: Slot, in_loop: bool) -> bool {
    let is_box = |chain: &Chain| matches!(chain.root, Root::Boxed(at) if at == slot);
    let needed = match node {
        Node::Closure { shared, .. } if !in_loop => {
            shared.iter().any(|captured| matches!(captured, Captured::Variable(at) if *at == slot))
        }
        Node::Assign(assign) => match &assign.to {
            AssignTarget::Boxed(at) => *at == slot,
            AssignTarget::Chain(chain) => is_box(chain),
            _ => false,
        },
        Node::Chain(chain) => {
            let changes = |step: &Step| matches!(&step.what, What::Method(method) if method.changes());
            is_box(chain) && chain.steps.iter().any(changes)
        }
        // All rounds share one box, and a map may have a function of the name that keeps the closure.
        Node::For(parts) => parts.boxed && parts.slot == slot || parts.counter == Some((slot, true)),
        Node::Native(invoke) => {
            let first = matches!(invoke.args.first(), Some(Node::Boxed(at)) if *at == slot);
            first && invoke.changes_first()
        }
        Node::Inlined(inlined) => {
            let (inner, in_loop_place) = (handed(inlined, slot), inlined.is_loop());
            return inlined.args.iter_mut().any(|arg| is_box_needed(arg, slot, in_loop))
                || inner.into_iter().any(|inner| is_box_needed(&mut inlined.body, inner, in_loop_place));
        }
        _ => false,
    };
    let mut any = needed;
    node.for_each_part(&mut |part| any = any || is_box_needed(part, slot, in_loop));
    any
}

/// Makes a variable in a box plain.
fn make_plain(node: &mut Node, slot: Slot) {
    let plain_root = |chain: &mut Chain| {
        if matches!(chain.root, Root::Boxed(at) if at == slot) {
            chain.root = Root::Local(slot);
        }
    };
    match node {
        Node::Boxed(at) if *at == slot => *node = Node::Local(slot),
        Node::Let { slot: at, boxed, .. } if *at == slot => *boxed = false,
        Node::Try { slot: Some((at, boxed)), .. } if *at == slot => *boxed = false,
        Node::Chain(chain) => plain_root(chain),
        Node::Inlined(inlined) => {
            let inner = handed(inlined, slot);
            inlined.args.iter_mut().for_each(|arg| make_plain(arg, slot));
            inner.into_iter().for_each(|inner| make_plain(&mut inlined.body, inner));
            return;
        }
        _ => {}
    }
    node.for_each_part(&mut |part| make_plain(part, slot));
}

/// Returns the variables in an inlined body that have the box of a variable.
fn handed(inlined: &Inlined, slot: Slot) -> Vec<Slot> {
    let is = |arg: &Node| matches!(arg, Node::Local(at) if *at == slot);
    (0..).zip(&inlined.args).filter(|(_, arg)| is(arg)).map(|(at, _)| at).collect()
}
