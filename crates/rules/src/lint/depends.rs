//! What depends on what in a function: which variables are in what another is set to, what closures set, and whether a loop
//! may leave out elements.

use std::collections::{BTreeMap, BTreeSet};

use rhai::ImmutableString;

use crate::script::{Function, LocalId, Name, Node, Target, Way, What};
use crate::values::Sort;

/// A variable, or what is after a dot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Thing {
    Local(LocalId),
    Field(ImmutableString),
}

/// The variables on which each thing depends, because they are in what it is set to, or because a loop sets it.
pub(super) type Depends = BTreeMap<Thing, BTreeSet<Thing>>;

pub(super) fn depends(function: &Function) -> Depends {
    fn add(node: &Node, loops: &mut Vec<LocalId>, all: &mut Depends) {
        let mut set = |thing: Thing, value: Option<&Node>, loops: &[LocalId]| {
            let on = all.entry(thing).or_default();
            value.into_iter().for_each(|value| on.extend(things(value)));
            on.extend(loops.iter().copied().map(Thing::Local));
        };
        match &node.what {
            What::Let { local, value } => set(Thing::Local(*local), Some(value), &[]),
            What::Assign(assign) => {
                if let What::Field { name, .. } = &assign.to.what {
                    set(Thing::Field(name.clone()), Some(&assign.value), loops);
                }
                if let Some(local) = changed(&assign.to) {
                    set(Thing::Local(local), Some(&assign.value), loops);
                }
            }
            What::Call(call) => {
                if let (false, [_, name, value]) = (call.method, call.args.as_slice())
                    && let Some(name) = name.text()
                {
                    set(Thing::Field(name.clone()), Some(value), loops);
                }
                if let Some(local) = call.before_dot().and_then(changed) {
                    set(Thing::Local(local), None, loops);
                }
            }
            What::For(parts) => {
                set(Thing::Local(parts.local), Some(&parts.over), &[]);
                if let Some(counter) = parts.counter {
                    set(Thing::Local(counter), None, &[parts.local]);
                }
                add(&parts.over, loops, all);
                loops.push(parts.local);
                add(&parts.body, loops, all);
                loops.pop();
                return;
            }
            What::Closure(closure) => {
                let before = loops.len();
                loops.extend(closure.params.iter().copied());
                add(&closure.body, loops, all);
                loops.truncate(before);
                return;
            }
            _ => {}
        }
        node.for_each_part(&mut |part| add(part, loops, all));
    }
    let mut all = Depends::new();
    add(&function.body, &mut Vec::new(), &mut all);
    all
}

/// Returns the variable that is changed with a part of it: not a player or a piece, which stays the same.
fn changed(part: &Node) -> Option<LocalId> {
    let root = part.root();
    let kept = [Sort::Player, Sort::Piece, Sort::Men, Sort::Game, Sort::Zone, Sort::Cell];
    let is_kept = |sort: Sort| kept.contains(&sort);
    root.local().filter(|_| part.local().is_some() || root.kind.is_any() || !root.kind.sorts().all(is_kept))
}

/// Returns the variables in a node, and what is after dots in it.
pub(super) fn things(node: &Node) -> BTreeSet<Thing> {
    let mut found = BTreeSet::new();
    node.walk(&mut |node| match &node.what {
        What::Name(Name::Local(local)) => drop(found.insert(Thing::Local(*local))),
        What::Field { name, .. } => drop(found.insert(Thing::Field(name.clone()))),
        _ => {}
    });
    found
}

/// Returns the variables that closures set: when they do is not known.
pub(super) fn set_in_closures(body: &Node) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    body.walk(&mut |node| {
        if let What::Closure(closure) = &node.what {
            closure.body.walk(&mut |node| match &node.what {
                What::Assign(assign) => found.extend(assign.to.root().local()),
                What::Call(call) => found.extend(call.before_dot().and_then(|of| of.root().local())),
                _ => {}
            });
            // What a closure declares itself is set again before it is used.
            closure.body.walk(&mut |node| match &node.what {
                What::Let { local, .. } => drop(found.remove(local)),
                What::For(parts) => drop(found.remove(&parts.local)),
                _ => {}
            });
        }
    });
    found
}

/// Returns the variables that are declared, each with its value.
pub(super) fn declared(body: &Node) -> Vec<(LocalId, &Node)> {
    let mut all = Vec::new();
    body.walk(&mut |node| {
        if let What::Let { local, value } = &node.what {
            all.push((*local, &**value));
        }
    });
    all
}

/// Returns whether a node looks at which string a variable is, and does not only use it as a name.
pub(super) fn compares(node: &Node, local: LocalId) -> bool {
    let is = |part: &Node| part.local() == Some(local);
    has(node, &|node| match &node.what {
        What::Operator(_, parts) => parts.iter().any(is),
        What::Switch(switch) => is(&switch.value),
        What::Index { of, index, .. } => is(index) && of.kind.may_be(Sort::Map),
        What::Call(call) => {
            let is_name = call.target == Target::Native && !call.natives.are_of_library();
            call.args.iter().any(is) && !is_name
        }
        _ => false,
    })
}

/// Returns whether the body of a loop leaves it after one element whatever happens, or after one that it compares.
pub(super) fn cuts(body: &Node, local: LocalId, tests: &BTreeSet<LocalId>) -> bool {
    fn look(node: &Node, decides: &dyn Fn(&Node) -> bool, is_certain: bool, of_loop: bool) -> bool {
        let inside = |node: &Node, is_certain| look(node, decides, is_certain, of_loop);
        match &node.what {
            What::Break(_) => is_certain && of_loop,
            What::Return(_) | What::Throw(_) => is_certain,
            What::If(parts) => {
                let [condition, then, other] = &**parts;
                let is_certain = decides(condition);
                inside(then, is_certain) || inside(other, is_certain)
            }
            What::Switch(switch) => {
                let is_certain = decides(&switch.value);
                let decides = |way: &Way| way.condition.as_ref().is_some_and(decides);
                switch.ways.iter().any(|way| inside(&way.body, is_certain || decides(way)))
            }
            What::For(parts) => look(&parts.body, decides, false, false),
            What::While { body, .. } | What::Do { body, .. } => look(body, decides, false, false),
            What::Closure(_) => false,
            What::Block(statements) => statements.iter().any(|one| inside(one, is_certain)),
            _ => is_certain && node.ends_the_game().is_some(),
        }
    }
    let decides = |condition: &Node| {
        compares(condition, local) || has(condition, &|node| node.local().is_some_and(|one| tests.contains(&one)))
    };
    look(body, &decides, true, true)
}

/// Returns whether a node or one in it is so.
pub(super) fn has(node: &Node, is: &dyn Fn(&Node) -> bool) -> bool {
    let mut found = false;
    node.walk(&mut |node| found = found || is(node));
    found
}
