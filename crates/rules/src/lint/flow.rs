//! The strings of the script that variables hold where they are used: of lists, of loops, of constants.
//!
//! A function is gone through in the order in which it runs, with what each variable can hold. Where ways meet, it can hold what
//! it held on each. A string counts as *unsure* at a place if the rules may keep it away from there: they look at the variable,
//! or at something that depends on it, before; or it is a first value that something replaces, as in
//! `let found = ""; for … { found = … }`; or it is for all other cases.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::depends::{Depends, Thing, compares, cuts, declared, depends, has, set_in_closures, things};
use super::held::{DEPTH, Held, Part, State, joined, met, several};
use super::values::{Place, Texts, Written, outcomes};
use crate::layers::Layers;
use crate::natives;
use crate::script::{Assign, Call, Closure, For, Function, LocalId, Name, Node, Script, Switch, Target, What};
use crate::values::{Kind, Sort};

/// How often a loop is gone through until its variables hold all that they can.
const ROUNDS: usize = 4;

/// Returns the strings that the nodes of a function can be, besides those that are written there.
pub(super) fn texts(function: &Function, layers: &Layers, script: &Script) -> Texts {
    let mut found = Texts::new();
    // An error in a `try` may be meant.
    if has(&function.body, &|node| matches!(node.what, What::Try(_))) {
        return found;
    }
    let mut flow = Flow {
        depends: depends(function),
        parameters: function.parameters,
        lost: set_in_closures(&function.body),
        tests: declared(&function.body),
        ..Flow::of(layers, script, &mut found)
    };
    flow.value(&function.body);
    found
}

/// Returns the strings that a node can be in which variables do not matter.
pub(super) fn texts_alone(value: &Node, layers: &Layers, script: &Script) -> Vec<Written> {
    Flow::of(layers, script, &mut Texts::new()).value(value).texts
}

/// Returns the variables that may hold strings of the script, by a quick look at what they are set to.
pub(super) fn holders(function: &Function) -> BTreeSet<LocalId> {
    let mut set: Vec<(LocalId, &Node)> = Vec::new();
    function.body.walk(&mut |node| match &node.what {
        What::Let { local, value } => set.push((*local, value)),
        What::For(parts) => set.push((parts.local, &parts.over)),
        What::Assign(assign) => set.extend(assign.to.root().local().map(|local| (local, &assign.value))),
        What::Call(call) => {
            let Some((first, values)) = call.args.split_first() else { return };
            for value in values {
                match &value.what {
                    What::Closure(closure) => set.extend(closure.params.first().map(|param| (*param, first))),
                    _ => set.extend(first.root().local().filter(|_| call.method).map(|local| (local, value))),
                }
            }
        }
        _ => {}
    });
    let mut all = BTreeSet::new();
    loop {
        let before = all.len();
        for (local, value) in &set {
            let holds = |node: &Node| match &node.what {
                What::Text(_) | What::Constant(_) | What::Name(Name::Constant(_)) | What::Map(_) => true,
                What::Name(Name::Local(other)) => all.contains(other),
                What::Call(call) => call.target == Target::Script,
                _ => false,
            };
            if !all.contains(local) && has_inside(value, &holds) {
                all.insert(*local);
            }
        }
        if all.len() == before {
            return all;
        }
    }
}

/// Returns whether something is in a value of which it may become a part.
fn has_inside(value: &Node, is: &dyn Fn(&Node) -> bool) -> bool {
    if !may_hold(&value.kind) || is(value) {
        return may_hold(&value.kind);
    }
    match &value.what {
        What::Closure(_) => false,
        What::Call(call) => call.before_dot().is_some_and(|of| has_inside(of, is)),
        _ => {
            let mut found = false;
            value.for_each_part(&mut |part| found = found || has_inside(part, is));
            found
        }
    }
}

/// Returns whether there may be strings in values of a kind. `let` and blocks have another kind than what is in them.
fn may_hold(kind: &Kind) -> bool {
    let is_block = kind.is_never() || kind.is(Sort::Nothing);
    is_block || kind.may_be(Sort::Text) || kind.may_be(Sort::Map) || kind.may_be(Sort::List) && may_hold(&kind.part())
}

/// Returns what the code of a node is known by.
pub(super) fn address(node: &Node) -> usize {
    std::ptr::from_ref(node).addr()
}

struct Flow<'f> {
    layers: &'f Layers,
    script: &'f Script,
    depends: Depends,
    /// How many parameters the function has.
    parameters: usize,
    /// The variables of which nothing is known.
    lost: BTreeSet<LocalId>,
    /// What the variables hold; `None` where the present place is never reached.
    now: Option<State>,
    /// What they hold where each loop around the present place is left or begins again.
    broken: Vec<Vec<State>>,
    /// The variables that are declared with a value that is a comparison, or has one in it.
    tests: Vec<(LocalId, &'f Node)>,
    found: &'f mut Texts,
}

impl<'f> Flow<'f> {
    fn of(layers: &'f Layers, script: &'f Script, found: &'f mut Texts) -> Self {
        Self {
            layers,
            script,
            depends: Depends::new(),
            parameters: 0,
            lost: BTreeSet::new(),
            now: Some(State::new()),
            broken: Vec::new(),
            tests: Vec::new(),
            found,
        }
    }

    /// Goes through a node, and returns what its value holds.
    fn value(&mut self, node: &Node) -> Held {
        if self.now.is_none() {
            return Held::default();
        }
        let held = self.value_of(node);
        if !held.texts.is_empty() && node.text().is_none() {
            self.found.insert(address(node), held.texts.clone());
        }
        held
    }

    fn value_of(&mut self, node: &Node) -> Held {
        match &node.what {
            What::Text(text) => Held::text(text, node.at, Place::Here),
            What::Constant(value) => Held::constant(value, node.at, DEPTH),
            What::Name(Name::Local(local)) => self.local(*local),
            What::Name(Name::Constant(name)) => match self.layers.constants.get(name.as_str()) {
                Some(constant) => Held::constant(&constant.value, constant.position, DEPTH),
                None => Held::default(),
            },
            What::List(items) => {
                let items: Vec<Held> = items.iter().map(|item| self.value(item)).collect();
                Held::list(items.into_iter())
            }
            What::Map(pairs) => {
                let mut held = Held::default();
                for (key, value) in pairs {
                    let (text, position) = (key.name.clone(), key.at);
                    held.keys.push(Written { text, position, place: Place::Word, unsure: false });
                    let value = self.value(value);
                    held.parts.insert(Part::Key(key.name.clone()), value);
                }
                held.bounded()
            }
            What::And(parts) | What::Or(parts) => {
                self.in_turn(parts);
                Held::default()
            }
            What::Coalesce(parts) => self.in_turn(parts).unsure(),
            What::Operator(sign, parts) => {
                let held: Vec<Held> = parts.iter().map(|part| self.value(part)).collect();
                match held.as_slice() {
                    [one, other] if sign == "+" => joined(one, other),
                    _ => Held::default(),
                }
            }
            What::Call(call) => self.call(call),
            What::Field { of, name, .. } => {
                let of = self.value(of);
                of.parts.get(&Part::Key(name.clone())).cloned().unwrap_or_default()
            }
            What::Index { of, index, .. } => {
                let of = self.value(of);
                self.value(index);
                of.at(index)
            }
            What::Closure(closure) => {
                self.closure(closure, &Held::default());
                Held::default()
            }
            What::Block(statements) => statements.iter().map(|one| self.value(one)).last().unwrap_or_default(),
            What::Let { local, value } => {
                let value = self.value(value);
                self.set(*local, value);
                Held::default()
            }
            What::Assign(assign) => {
                self.assign(assign);
                Held::default()
            }
            What::If(parts) => {
                let [condition, then, other] = &**parts;
                self.branch(condition, then, other, false)
            }
            What::Switch(switch) => self.switch(switch),
            What::While { condition, body } => {
                self.while_loop(condition.as_deref(), body);
                Held::default()
            }
            What::Do { body, condition, .. } => {
                self.repeated(|flow| {
                    flow.value(body);
                    flow.value(condition);
                    flow.now.clone()
                });
                Held::default()
            }
            What::For(parts) => {
                self.for_each(parts);
                Held::default()
            }
            What::Break(value) => {
                value.iter().for_each(|value| drop(self.value(value)));
                self.leave();
                Held::default()
            }
            What::Continue => {
                self.leave();
                Held::default()
            }
            What::Return(value) | What::Throw(value) => {
                value.iter().for_each(|value| drop(self.value(value)));
                self.now = None;
                Held::default()
            }
            _ => {
                node.for_each_part(&mut |part| drop(self.value(part)));
                Held::default()
            }
        }
    }

    fn local(&self, local: LocalId) -> Held {
        let state = self.now.as_ref().filter(|_| !self.lost.contains(&local));
        state.and_then(|state| state.get(&local)).map(|held| Held::clone(held)).unwrap_or_default()
    }

    fn set(&mut self, local: LocalId, held: Held) {
        let Some(state) = &mut self.now else { return };
        if held.is_empty() { drop(state.remove(&local)) } else { drop(state.insert(local, Rc::new(held))) }
    }

    /// Makes a variable one of which nothing is known.
    fn lose(&mut self, of: &Node) {
        if let Some(local) = of.root().local() {
            self.set(local, Held::default());
        }
    }

    /// Goes through parts of which each is looked at only if those before it have not decided.
    fn in_turn(&mut self, parts: &[Node]) -> Held {
        let Some((first, rest)) = parts.split_first() else { return Held::default() };
        let mut held = self.value(first);
        let before = self.now.clone().unwrap_or_default();
        let mut looked_at = vec![first];
        for part in rest {
            self.guard(&looked_at);
            held = held.merged(&self.value(part));
            looked_at.push(part);
        }
        self.now = met(self.now.take(), Some(before.clone()), &before);
        held
    }

    /// Makes those strings unsure on which it may depend whether the present place is reached, which is so only if some nodes
    /// have certain values.
    fn guard(&mut self, looked_at: &[&Node]) {
        if !self.now.iter().flatten().any(|(_, held)| held.is_sure()) {
            return;
        }
        let looked_at = self.behind(looked_at.iter().flat_map(|node| things(node)).collect());
        let depends = |local: LocalId| {
            let thing = Thing::Local(local);
            if looked_at.contains(&thing) {
                return true;
            }
            // Two that depend on one variable may depend on one another. What the function is given stays the same.
            let is_shared = |thing: &Thing| matches!(thing, Thing::Local(local) if *local >= self.parameters);
            self.behind(vec![thing]).intersection(&looked_at).any(is_shared)
        };
        let state = self.now.iter().flatten();
        let sure = state.filter(|(_, held)| held.is_sure());
        let all = sure.filter(|(local, held)| held.several || depends(**local)).map(|(local, _)| *local);
        let all: Vec<LocalId> = all.collect();
        for local in all {
            if let Some(held) = self.now.as_mut().and_then(|state| state.get_mut(&local)) {
                *held = Rc::new(Held::clone(held).unsure());
            }
        }
    }

    /// Returns things, and all on which they depend.
    fn behind(&self, mut next: Vec<Thing>) -> BTreeSet<Thing> {
        let mut all: BTreeSet<Thing> = BTreeSet::new();
        while let Some(thing) = next.pop() {
            next.extend(self.depends.get(&thing).into_iter().flatten().filter(|on| !all.contains(*on)).cloned());
            all.insert(thing);
        }
        all
    }

    /// Goes through an `if`. `in_chain` says whether it is after an `else`.
    fn branch(&mut self, condition: &Node, then: &Node, other: &Node, in_chain: bool) -> Held {
        self.value(condition);
        self.guarded(condition, |flow, other_way| match other_way {
            false => flow.value(then),
            true => match &other.what {
                What::If(parts) => {
                    let [condition, then, other] = &**parts;
                    flow.branch(condition, then, other, true)
                }
                _ if in_chain => flow.for_all_others(other),
                _ => flow.value(other),
            },
        })
    }

    /// Carries out both ways after a condition.
    fn guarded(&mut self, condition: &Node, mut way: impl FnMut(&mut Self, bool) -> Held) -> Held {
        let before = self.now.clone().unwrap_or_default();
        self.guard(&[condition]);
        let other = self.now.clone();
        let one = way(self, false);
        let first = std::mem::replace(&mut self.now, other);
        let two = way(self, true);
        self.now = met(first, self.now.take(), &before);
        several(one, &two)
    }

    /// Goes through the branch for all other cases, which may be there for none: what it sets is unsure.
    fn for_all_others(&mut self, branch: &Node) -> Held {
        let before = self.now.clone().unwrap_or_default();
        let held = self.value(branch);
        for (local, held) in self.now.iter_mut().flatten() {
            if !before.get(local).is_some_and(|before| Rc::ptr_eq(before, held) || before.holds_the_same(held)) {
                *held = Rc::new(Held::clone(held).unsure());
            }
        }
        held.unsure()
    }

    fn switch(&mut self, switch: &Switch) -> Held {
        self.value(&switch.value);
        let before = self.now.clone().unwrap_or_default();
        let (mut after, mut held) = (None, Held::default());
        for (at, way) in switch.ways.iter().enumerate() {
            self.now = Some(before.clone());
            let mut looked_at = vec![&switch.value];
            looked_at.extend(way.condition.iter());
            way.condition.iter().for_each(|condition| drop(self.value(condition)));
            self.guard(&looked_at);
            let is_other = switch.otherwise == Some(at);
            let value = if is_other { self.for_all_others(&way.body) } else { self.value(&way.body) };
            held = several(held, &value);
            after = met(after, self.now.take(), &before);
        }
        if switch.otherwise.is_none() {
            self.now = Some(before.clone());
            self.guard(&[&switch.value]);
            after = met(after, self.now.take(), &before);
        }
        self.now = after;
        held
    }

    fn leave(&mut self) {
        if let (Some(state), Some(innermost)) = (self.now.take(), self.broken.last_mut()) {
            innermost.push(state);
        }
    }

    /// Goes through what is carried out again and again. `body` returns what variables hold where the loop ends by itself, if
    /// that is not where its body ends.
    fn repeated(&mut self, mut body: impl FnMut(&mut Self) -> Option<State>) {
        let mut ends = None;
        for _ in 0..ROUNDS {
            let before = self.now.clone().unwrap_or_default();
            self.broken.push(Vec::new());
            ends = body(self);
            let mut after = self.now.take();
            for state in self.broken.pop().unwrap_or_default() {
                after = met(after, Some(state), &before);
            }
            let again = met(Some(before.clone()), after.clone(), &before);
            ends = met(ends, after, &before);
            let is_same = again.as_ref() == Some(&before);
            self.now = again;
            if is_same {
                break;
            }
        }
        let before = self.now.take().unwrap_or_default();
        self.now = met(ends, None, &before);
    }

    fn while_loop(&mut self, condition: Option<&Node>, body: &Node) {
        self.repeated(|flow| {
            condition.into_iter().for_each(|condition| drop(flow.value(condition)));
            let before = flow.now.clone();
            condition.into_iter().for_each(|condition| flow.guard(&[condition]));
            flow.value(body);
            condition.and(before)
        });
    }

    fn for_each(&mut self, parts: &For) {
        let is_cut = cuts(&parts.body, parts.local, &self.tests(parts.local));
        let element = self.value(&parts.over).elements(is_cut);
        self.repeated(|flow| {
            let before = flow.now.clone();
            flow.set(parts.local, element.clone());
            flow.value(&parts.body);
            before
        });
        self.set(parts.local, Held::default());
    }

    /// Goes through a function without a name, to which elements of a list are passed.
    fn closure(&mut self, closure: &Closure, element: &Held) {
        let before = self.now.clone();
        if let Some(first) = closure.params.first() {
            self.set(*first, element.clone());
        }
        let broken = std::mem::take(&mut self.broken);
        self.value(&closure.body);
        self.broken = broken;
        self.now = before;
    }

    /// Returns the variables that are set to what a comparison with a variable says.
    fn tests(&self, local: LocalId) -> BTreeSet<LocalId> {
        self.tests.iter().filter(|(_, value)| compares(value, local)).map(|(set, _)| *set).collect()
    }

    fn assign(&mut self, assign: &Assign) {
        let value = self.value(&assign.value);
        self.value(&assign.to);
        match (&assign.to.what, assign.sign) {
            (What::Name(Name::Local(local)), None) => self.set(*local, value),
            (What::Name(Name::Local(local)), Some("+")) => {
                let mut held = self.local(*local);
                if held.parts.is_empty() || !held.keys.is_empty() {
                    return self.set(*local, Held::default());
                }
                match assign.value.kind.is(Sort::List) {
                    true => value.parts.into_values().for_each(|part| held.add(part)),
                    false => held.add(value),
                }
                self.set(*local, held);
            }
            (What::Field { of, name, .. }, None) if let Some(local) = of.local() => {
                self.put(local, Part::Key(name.clone()), value);
            }
            (What::Index { of, index, .. }, None) if let (Some(local), What::Text(key)) = (of.local(), &index.what) => {
                self.put(local, Part::Key(key.clone()), value);
            }
            (What::Name(Name::Local(_)) | What::Field { .. } | What::Index { .. }, _) => self.lose(&assign.to),
            _ => {}
        }
    }

    /// Sets a part of what a variable holds.
    fn put(&mut self, local: LocalId, part: Part, value: Held) {
        let mut held = self.local(local);
        // The key of a map is known only if all are.
        held.keys.clear();
        held.parts.insert(part, value);
        self.set(local, held.bounded());
    }

    fn call(&mut self, call: &Call) -> Held {
        let (mut first, mut values) = (Held::default(), Vec::new());
        for (at, arg) in call.args.iter().enumerate() {
            match &arg.what {
                What::Closure(closure) if at > 0 && call.target == Target::Native => {
                    let passes = call.natives.passes().map(|passes| passes.kinds(&Kind::TEXT));
                    let passed = passes.is_some_and(|kinds| kinds.first() == Some(&Kind::TEXT));
                    let is_list = passed && first.keys.is_empty();
                    let element = if is_list { first.element() } else { Held::default() };
                    self.closure(closure, &element);
                    values.push(Held::default());
                }
                _ => {
                    let value = self.value(arg);
                    if at == 0 { first = value } else { values.push(value) }
                }
            }
        }
        if call.target != Target::Native {
            call.before_dot().into_iter().for_each(|of| self.lose(of));
            return self.returned(call);
        }
        if !call.method && call.natives.end_the_game(call.args.len()) {
            self.now = None;
            return Held::default();
        }
        let of = call.args.first();
        let changes = of.and_then(|of| of.kind.sort()).is_some_and(|sort| call.natives.change_first(sort));
        match (call.name.as_str(), values.as_slice()) {
            (natives::PUSH, [element]) if let Some(local) = of.and_then(Node::local) => {
                let mut list = first;
                list.add(element.clone());
                self.set(local, list);
                Held::default()
            }
            ("sort" | "reverse", _) if changes => {
                if let Some(local) = of.and_then(Node::local) {
                    self.set(local, Held { unordered: true, ..first });
                }
                Held::default()
            }
            ("keys", []) => Held::list(first.keys.into_iter().map(|key| Held { texts: vec![key], ..Held::default() })),
            ("values", []) if !first.keys.is_empty() => Held::list(first.parts.into_values()),
            _ => {
                if changes {
                    of.into_iter().for_each(|of| self.lose(of));
                }
                Held::default()
            }
        }
    }

    /// Returns the strings that a function of the rules returns. If there are several, its arguments may decide which.
    fn returned(&self, call: &Call) -> Held {
        let Some(function) = self.script.function(&call.name, call.in_brackets().len()) else { return Held::default() };
        let all = outcomes(&function.body);
        let only = match all.values.as_slice() {
            [only] => only,
            _ => return Held::default(),
        };
        let held = match &only.what {
            What::Text(text) => Held::text(text, only.at, Place::Here),
            What::Constant(value) => Held::constant(value, only.at, DEPTH),
            What::Name(Name::Constant(name)) if let Some(constant) = self.layers.constants.get(name.as_str()) => {
                Held::constant(&constant.value, constant.position, DEPTH)
            }
            What::List(items) => Held::list(items.iter().map(|item| match item.text() {
                Some(text) => Held::text(text, item.at, Place::Here),
                None => Held::default(),
            })),
            _ => return Held::default(),
        };
        let leaves = has(&function.body, &|node| matches!(node.what, What::Return(_)));
        if leaves { held.unsure() } else { held }
    }
}
