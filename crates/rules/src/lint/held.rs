//! The strings of the script that variables hold where they are used: of lists, of loops, of constants.
//!
//! A function is gone through in the order in which it runs, with what each variable can hold. Where ways meet, it can hold what
//! it held on each. A string counts as *unsure* at a place if the rules may keep it away from there: they look at the variable,
//! or at something that depends on it, before; or it is a first value that something replaces, as in
//! `let found = ""; for … { found = … }`; or it is for all other cases.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{Dynamic, ImmutableString, Position};

use super::values::{Place, Texts, Written, outcomes};
use crate::layers::Layers;
use crate::natives;
use crate::script::{Assign, Call, Closure, For, Function, LocalId, Name, Node, Script, Switch, Target, Way, What};
use crate::values::{Kind, Sort};

/// How many strings of a value are looked at. Of one that can be more, nothing is said.
const MOST: usize = 64;

/// How deep lists in lists are looked into.
const DEPTH: usize = 4;

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

fn has(node: &Node, is: &dyn Fn(&Node) -> bool) -> bool {
    let mut found = false;
    node.walk(&mut |node| found = found || is(node));
    found
}

// ---- What depends on what

/// A variable, or what is after a dot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    Local(LocalId),
    Field(ImmutableString),
}

/// The variables on which each thing depends, because they are in what it is set to, or because a loop sets it.
type Depends = BTreeMap<Thing, BTreeSet<Thing>>;

fn depends(function: &Function) -> Depends {
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
fn things(node: &Node) -> BTreeSet<Thing> {
    let mut found = BTreeSet::new();
    node.walk(&mut |node| match &node.what {
        What::Name(Name::Local(local)) => drop(found.insert(Thing::Local(*local))),
        What::Field { name, .. } => drop(found.insert(Thing::Field(name.clone()))),
        _ => {}
    });
    found
}

/// Returns the variables that closures set: when they do is not known.
fn set_in_closures(body: &Node) -> BTreeSet<LocalId> {
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
fn declared(body: &Node) -> Vec<(LocalId, &Node)> {
    let mut all = Vec::new();
    body.walk(&mut |node| {
        if let What::Let { local, value } = &node.what {
            all.push((*local, &**value));
        }
    });
    all
}

/// Returns whether a node looks at which string a variable is, and does not only use it as a name.
fn compares(node: &Node, local: LocalId) -> bool {
    let is = |part: &Node| part.local() == Some(local);
    has(node, &|node| match &node.what {
        What::Operator(_, parts) => parts.iter().any(is),
        What::Switch(switch) => is(&switch.value),
        What::Index { of, index, .. } => is(index) && of.kind.may_be(Sort::Map),
        What::Call(call) => {
            let is_name = call.target == Target::Native && !natives::is_of_library(&call.name);
            call.args.iter().any(is) && !is_name
        }
        _ => false,
    })
}

/// Returns whether the body of a loop leaves it after one element whatever happens, or after one that it compares.
fn cuts(body: &Node, local: LocalId, tests: &BTreeSet<LocalId>) -> bool {
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

// ---- What values hold

/// What is known of a value: nothing, if there are no strings of the script in it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Held {
    /// The strings that it can be.
    texts: Vec<Written>,
    /// The keys of a map.
    keys: Vec<Written>,
    /// What is in a list or a map, by index or key. Of a list whose order is not known, the numbers mean nothing.
    parts: BTreeMap<Part, Held>,
    /// Whether the order of a list is not known.
    unordered: bool,
    /// Whether it has been set in several ways, so that whatever the rules look at may tell which.
    several: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    At(usize),
    Key(ImmutableString),
}

impl Held {
    fn text(text: &ImmutableString, position: Position, place: Place) -> Self {
        let written = Written { text: text.clone(), position, place, unsure: false };
        Self { texts: vec![written], ..Self::default() }
    }

    fn list(items: impl Iterator<Item = Self>) -> Self {
        let parts = items.enumerate().map(|(at, item)| (Part::At(at), item)).collect();
        Self { parts, ..Self::default() }.bounded()
    }

    /// Returns what is held by a constant that is written after a place.
    fn constant(value: &Dynamic, position: Position, depth: usize) -> Self {
        if depth == 0 {
            return Self::default();
        }
        if let Some(text) = value.read_lock::<ImmutableString>() {
            return Self::text(&text, position, Place::After);
        }
        if let Some(list) = value.read_lock::<rhai::Array>() {
            return Self::list(list.iter().map(|one| Self::constant(one, position, depth - 1)));
        }
        let Some(map) = value.read_lock::<rhai::Map>() else { return Self::default() };
        let key = |key: &str| Written { text: key.into(), position, place: Place::Word, unsure: false };
        let part = |(key, value): (&rhai::Identifier, &Dynamic)| {
            (Part::Key(key.as_str().into()), Self::constant(value, position, depth - 1))
        };
        let keys = map.keys().map(|name| key(name)).collect();
        Self { keys, parts: map.iter().map(part).collect(), ..Self::default() }.bounded()
    }

    /// Returns how many strings are in it.
    fn count(&self) -> usize {
        let inside: usize = self.parts.values().map(|part| 1 + part.count()).sum();
        self.texts.len() + self.keys.len() + inside
    }

    fn depth(&self) -> usize {
        self.parts.values().map(|part| 1 + part.depth()).max().unwrap_or(0)
    }

    /// Returns the same, or nothing if it is too much.
    fn bounded(self) -> Self {
        if self.count() > MOST || self.depth() > DEPTH { Self::default() } else { self }
    }

    fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.keys.is_empty() && self.parts.is_empty()
    }

    fn each_text(&mut self, work: &mut impl FnMut(&mut Written)) {
        self.texts.iter_mut().chain(&mut self.keys).for_each(&mut *work);
        self.parts.values_mut().for_each(|part| part.each_text(work));
    }

    /// Returns the same, with all strings unsure.
    fn unsure(mut self) -> Self {
        self.each_text(&mut |text| text.unsure = true);
        self
    }

    /// Returns what an element of a list can be.
    fn element(&self) -> Self {
        self.elements(false)
    }

    /// Returns what the elements of a list can be. `is_cut` says whether all but the first may be left out.
    fn elements(&self, is_cut: bool) -> Self {
        let mut all = Self::default();
        for (at, part) in self.parts.values().enumerate() {
            let is_left_out = is_cut && (at > 0 || self.unordered);
            all = all.merged(&if is_left_out { part.clone().unsure() } else { part.clone() });
        }
        all.several |= self.several;
        all.bounded()
    }

    /// Returns what is at an index.
    fn at(&self, index: &Node) -> Self {
        let part = match &index.what {
            What::Number(at) if !self.unordered => usize::try_from(*at).ok().map(Part::At),
            What::Text(key) => Some(Part::Key(key.clone())),
            _ => None,
        };
        match part {
            Some(part) => self.parts.get(&part).cloned().unwrap_or_default(),
            None => self.element().unsure(),
        }
    }

    /// Adds an element to a list.
    fn add(&mut self, element: Self) {
        let next = self.parts.len();
        self.parts.insert(Part::At(next), element);
        *self = std::mem::take(self).bounded();
    }

    /// Returns what can be one or the other: elements of one list.
    fn merged(mut self, other: &Self) -> Self {
        let add = |to: &mut Vec<Written>, from: &[Written]| {
            for text in from {
                match to.iter_mut().find(|known| known.text == text.text && known.position == text.position) {
                    Some(known) => known.unsure &= text.unsure,
                    None => to.push(text.clone()),
                }
            }
        };
        add(&mut self.texts, &other.texts);
        add(&mut self.keys, &other.keys);
        for (key, part) in &other.parts {
            let known = self.parts.remove(key).unwrap_or_default();
            self.parts.insert(key.clone(), known.merged(part));
        }
        self.unordered |= other.unordered;
        self.several |= other.several;
        self
    }

    /// Returns the same without what says whether strings are sure.
    fn plain(&self) -> Self {
        self.clone().unsure()
    }

    /// Returns what a variable holds where two ways meet, before which it held `before`.
    fn met(&self, other: &Self, before: &Self) -> Self {
        let (plain, was) = (self.plain(), before.plain());
        if plain == other.plain() {
            return if plain == was { before.clone() } else { self.clone().merged(other) };
        }
        // A value from before that one of the ways replaces may be there only to be replaced.
        let own = |one: &Self| if one.plain() == was { one.clone().unsure() } else { one.clone() };
        let mut met = own(self).merged(&own(other));
        met.several = true;
        met.bounded()
    }
}

type State = BTreeMap<LocalId, Held>;

fn met(one: Option<State>, other: Option<State>, before: &State) -> Option<State> {
    let (one, other) = match (one, other) {
        (Some(one), Some(other)) => (one, other),
        (one, other) => return one.or(other),
    };
    let nothing = Held::default();
    let all: BTreeSet<LocalId> = one.keys().chain(other.keys()).copied().collect();
    let of = |state: &State, local: &LocalId| state.get(local).cloned().unwrap_or_default();
    let held = |local: LocalId| {
        let before = before.get(&local).unwrap_or(&nothing);
        (local, of(&one, &local).met(&of(&other, &local), before))
    };
    Some(all.into_iter().map(held).collect())
}

// ---- Going through a function

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
                self.repeated(|flow| {
                    condition.iter().for_each(|condition| drop(flow.value(condition)));
                    let before = flow.now.clone();
                    condition.iter().for_each(|condition| flow.guard(&[condition]));
                    flow.value(body);
                    if condition.is_some() { before } else { None }
                });
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
        state.and_then(|state| state.get(&local)).cloned().unwrap_or_default()
    }

    fn set(&mut self, local: LocalId, held: Held) {
        let Some(state) = &mut self.now else { return };
        if held.is_empty() { drop(state.remove(&local)) } else { drop(state.insert(local, held)) }
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
        let all = state.filter(|(local, held)| held.several || depends(**local)).map(|(local, _)| *local);
        let all: Vec<LocalId> = all.collect();
        for local in all {
            if let Some(held) = self.now.as_mut().and_then(|state| state.get_mut(&local)) {
                *held = std::mem::take(held).unsure();
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
            if before.get(local).is_none_or(|before| before.plain() != held.plain()) {
                *held = std::mem::take(held).unsure();
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
                    let passes = natives::passes(&call.name).map(|passes| passes.kinds(&Kind::TEXT));
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
        if !call.method && natives::ends_the_game(&call.name, call.args.len()) {
            self.now = None;
            return Held::default();
        }
        let of = call.args.first();
        let changes = of.and_then(|of| of.kind.sort()).is_some_and(|sort| natives::changes_first(&call.name, sort));
        match (call.name.as_str(), values.as_slice()) {
            ("push", [element]) if let Some(local) = of.and_then(Node::local) => {
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

/// Returns what can be one or the other, as different ways have it.
fn several(one: Held, other: &Held) -> Held {
    if one.is_empty() {
        return Held { several: true, ..other.clone() };
    }
    Held { several: true, ..one.merged(other) }.bounded()
}

/// Returns a list with the elements of two.
fn joined(one: &Held, other: &Held) -> Held {
    if !one.keys.is_empty() || !other.keys.is_empty() {
        return Held::default();
    }
    Held {
        unordered: one.unordered || other.unordered,
        ..Held::list(one.parts.values().chain(other.parts.values()).cloned())
    }
}
