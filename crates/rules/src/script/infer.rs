//! Infers the kinds of all values of scripts before they run.
//!
//! A variable has the kinds of all values that it is given, a parameter those of the arguments of all calls, a function
//! those of all that it returns. This goes round until nothing changes: kinds only grow, and there are finitely many. What
//! may come from elsewhere, from a scenario or a function value, is of any kind.

use std::collections::{BTreeSet, VecDeque};

use rhai::{ImmutableString, Position};

use super::operators::{of_one, of_two};
use super::tree::{
    Assign, Call, Closure, Declared, For, Function, Key, Local, LocalId, Name, Node, Origin, Switch, Target, What,
};
use crate::host::Role;
use crate::layers::{BUILT_IN, Layers, OFFERED};
use crate::natives::{self, Form, OfGame, Special};
use crate::values::{Kind, Sort};
use referee_table::{Choice, Die, NameMap, NameSet, PropertyKind, Schema, Value};

/// What is known besides the functions.
#[derive(Clone, Copy)]
pub(crate) struct Knowledge<'k> {
    pub(crate) schema: &'k Schema,
    pub(crate) keys: &'k BTreeSet<String>,
    pub(super) natives: &'k OfGame,
    pub(super) index: &'k Index,
}

/// Where functions and constants are found by their names.
#[derive(Clone, Default)]
pub(super) struct Index {
    /// The functions with each name: the number of parameters and the number of the function.
    functions: NameMap<Vec<(usize, usize)>>,
    constants: NameMap<Kind>,
}

impl Index {
    pub(super) fn of(functions: &[Function], layers: &Layers) -> Self {
        let mut index = Self::default();
        for (at, function) in functions.iter().enumerate() {
            index.functions.entry(function.name.to_string()).or_default().push((function.parameters, at));
        }
        let constants = layers.constants.iter();
        index.constants = constants.map(|(name, constant)| (name.clone(), Kind::of_dynamic(&constant.value))).collect();
        index
    }

    fn function(&self, name: &str, parameters: usize) -> Option<usize> {
        let all = self.functions.get(name)?;
        all.iter().find(|(count, _)| *count == parameters).map(|(_, at)| *at)
    }
}

/// The functions that the program itself calls with a player as the first argument.
const CALLED_WITH_A_PLAYER: [&str; 8] = ["turn", "moves", "apply", "ended", "stuck", "why_not", "resigned", OFFERED.0];

/// The function that the built-in turn calls with what the player has chosen.
const APPLY: &str = "apply";

/// How often a function is looked at on average, before the search is given up and all kinds are unknown.
const ROUNDS: usize = 64;

/// Infers the kinds of the values of these functions, which are in the order of their names and numbers of parameters.
pub(super) fn infer(functions: &mut [Function], knowledge: &Knowledge<'_>) {
    functions.iter_mut().for_each(begin);
    let mut search = Search::of(&[], *knowledge);
    search.results = vec![Kind::NEVER; functions.len()];
    search.callers = vec![BTreeSet::new(); functions.len()];
    search.receivers = vec![Kind::NEVER; functions.len()];
    search.find_open(functions);
    let mut left = ROUNDS * functions.len().max(1);
    let mut waiting: VecDeque<usize> = (0..functions.len()).collect();
    let mut waits = vec![true; functions.len()];
    while let Some(at) = waiting.pop_front() {
        if left == 0 {
            functions.iter_mut().for_each(forget);
            return;
        }
        left -= 1;
        if let Some(waits) = waits.get_mut(at) {
            *waits = false;
        }
        let Some(function) = functions.get_mut(at) else { continue };
        search.look_at(at, function);
        for next in std::mem::take(&mut search.again) {
            if let Some(waits) = waits.get_mut(next).filter(|waits| !**waits) {
                *waits = true;
                waiting.push_back(next);
            }
        }
    }
    // A parameter that only gets `()` may get something else from a house rule or a scenario.
    let only_nothing = |local: &Local| local.how == Declared::Parameter && local.kind.is(Sort::Nothing);
    for at in 0..functions.len() {
        let Some(function) = functions.get_mut(at) else { continue };
        if function.locals.iter().any(only_nothing) {
            function.locals.iter_mut().filter(|local| only_nothing(local)).for_each(|local| local.kind = Kind::ANY);
            search.look_at(at, function);
        }
    }
}

/// Infers the kinds of the values of an expression outside of the scripts. The names that it is given keep their kinds.
pub(super) fn infer_alone(function: &mut Function, others: &[Function], knowledge: &Knowledge<'_>) {
    begin(function);
    let mut search = Search::of(others, *knowledge);
    search.look_at(others.len(), function);
}

/// Makes the variables of a function ones without a value.
fn begin(function: &mut Function) {
    for local in function.locals.iter_mut().filter(|local| local.how != Declared::Given) {
        local.kind = Kind::NEVER;
    }
    function.result = Kind::NEVER;
    function.receiver = Kind::NEVER;
}

/// Makes all kinds of a function unknown.
fn forget(function: &mut Function) {
    fn each(node: &mut Node) {
        node.kind = Kind::ANY;
        node.for_each_part_mut(&mut each);
    }
    function.locals.iter_mut().for_each(|local| local.kind = Kind::ANY);
    function.result = Kind::ANY;
    function.receiver = Kind::ANY;
    each(&mut function.body);
}

/// The state of the search for kinds.
struct Search<'k> {
    with: Knowledge<'k>,
    /// The functions whose kinds are known already.
    others: &'k [Function],
    /// The arguments of all calls of each function.
    given: Vec<Vec<Given>>,
    results: Vec<Kind>,
    /// The kinds of `this` in each function: of what it is called on, and of what it makes of that.
    receivers: Vec<Kind>,
    /// The functions that call each function.
    callers: Vec<BTreeSet<usize>>,
    /// The names of functions that stand in strings: a phase whose name is computed may be one of them.
    named: BTreeSet<ImmutableString>,
    /// The functions to look at again.
    again: Vec<usize>,
}

/// What all calls of a function give to one of its parameters.
#[derive(Clone)]
struct Given {
    kind: Kind,
    from: Option<Origin>,
}

/// The state of the search within one function.
struct Body<'b, 'k> {
    search: &'b mut Search<'k>,
    /// The number of the function.
    at: usize,
    locals: &'b mut [Local],
    /// What the function, and each closure around the present place, returns.
    returned: Vec<Kind>,
    /// What each loop around the present place gives with `break`.
    broken: Vec<Kind>,
    /// Whether the closure that comes next is passed to a function which is known to give it what its parameters have.
    passed: bool,
    changed: bool,
    /// Whether the options of choices in it pass through a function of the rules.
    is_offered: bool,
}

impl<'k> Search<'k> {
    fn of(others: &'k [Function], with: Knowledge<'k>) -> Self {
        Self {
            with,
            others,
            given: Vec::new(),
            results: Vec::new(),
            receivers: Vec::new(),
            callers: Vec::new(),
            named: BTreeSet::new(),
            again: Vec::new(),
        }
    }

    /// Returns what is known of the result of the function with this number.
    fn result(&self, at: usize) -> Kind {
        let known = self.others.get(at).map(|other| &other.result).or_else(|| self.results.get(at));
        known.cloned().unwrap_or(Kind::ANY)
    }

    /// Returns what is known of `this` in the function with this number.
    fn receiver(&self, at: usize) -> Kind {
        let known = self.others.get(at).map(|other| &other.receiver).or_else(|| self.receivers.get(at));
        known.cloned().unwrap_or(Kind::ANY)
    }

    /// Notes that `this` of a function may be of a kind. Returns whether that is new.
    fn receive(&mut self, at: usize, kind: &Kind) -> bool {
        let Some(known) = self.receivers.get_mut(at) else { return false };
        let now = known.or(kind);
        let is_new = now != *known;
        if is_new {
            *known = now;
            self.again.push(at);
            self.again.extend(self.callers.get(at).into_iter().flatten());
        }
        is_new
    }

    /// Finds the functions that something else than the scripts may call, with any arguments.
    fn find_open(&mut self, functions: &[Function]) {
        let mut called: NameSet<&str> = CALLED_WITH_A_PLAYER.into_iter().collect();
        let mut values: NameSet<&str> = NameSet::default();
        for function in functions {
            function.body.walk(&mut |node| match &node.what {
                What::Call(call) if call.name != function.name => {
                    called.insert(call.name.as_str());
                }
                What::Text(text) if *text != function.name && self.with.index.functions.contains_key(text.as_str()) => {
                    called.insert(text.as_str());
                    self.named.insert(text.clone());
                }
                What::Name(Name::Function(name)) => {
                    values.insert(name.as_str());
                }
                _ => {}
            });
        }
        let has_built_in_turn = functions.iter().any(Function::is_built_in);
        self.given = functions
            .iter()
            .enumerate()
            .map(|(at, function)| {
                let name = function.name.as_str();
                let is_known = called.contains(name) && !values.contains(name);
                let of_program = CALLED_WITH_A_PLAYER.contains(&name);
                let kind = |at: usize| match (of_program, at) {
                    (true, 0) => Kind::PLAYER,
                    (true, _) if name == APPLY && has_built_in_turn => Kind::NEVER,
                    (true, _) => Kind::ANY,
                    (false, _) if is_known => Kind::NEVER,
                    (false, _) => Kind::ANY,
                };
                // What is named in a string may be called on anything.
                if !is_known || of_program || self.named.contains(name) {
                    self.receivers.get_mut(at).into_iter().for_each(|receiver| *receiver = Kind::ANY);
                }
                (0..function.parameters).map(|at| Given { kind: kind(at), from: None }).collect()
            })
            .collect();
    }

    /// Infers the kinds in one function from what is known of the others.
    fn look_at(&mut self, at: usize, function: &mut Function) {
        let given = self.given.get(at).cloned().unwrap_or_default();
        for (local, Given { kind, from }) in function.locals.iter_mut().zip(given) {
            local.kind = local.kind.or(&kind);
            local.from = from;
        }
        let mut node = std::mem::replace(&mut function.body, Node::new(What::Nothing, Position::NONE));
        let mut result = Kind::NEVER;
        let is_offered = function.layer != BUILT_IN && self.with.index.function(OFFERED.0, OFFERED.1).is_some();
        for round in 0..=ROUNDS {
            let mut body = Body {
                search: self,
                at,
                locals: &mut function.locals,
                returned: vec![Kind::NEVER],
                broken: Vec::new(),
                passed: false,
                changed: false,
                is_offered,
            };
            let last = body.kind_of(&mut node);
            result = body.returned.pop().unwrap_or(Kind::ANY).or(&last);
            if !body.changed {
                break;
            }
            if round + 1 == ROUNDS {
                body.locals.iter_mut().for_each(|local| local.kind = Kind::ANY);
            }
        }
        function.body = node;
        function.result.clone_from(&result);
        function.receiver = self.receiver(at);
        if let Some(known) = self.results.get_mut(at) {
            let now = known.or(&result);
            if *known != now {
                *known = now;
                let callers = self.callers.get(at).into_iter().flatten();
                self.again.extend(callers.copied());
            }
        }
    }

    /// Notes the kinds of the arguments of a call.
    fn give(&mut self, name: &str, args: &[Kind], from: &Origin, caller: usize) {
        let Some(at) = self.with.index.function(name, args.len()) else { return };
        if let Some(callers) = self.callers.get_mut(at) {
            callers.insert(caller);
        }
        let mut changed = false;
        for (known, kind) in self.given.get_mut(at).into_iter().flatten().zip(args) {
            let now = known.kind.or(kind);
            if now != known.kind {
                if known.kind.is_never() {
                    known.from = Some(from.clone());
                }
                known.kind = now;
                changed = true;
            }
        }
        if changed {
            self.again.push(at);
        }
    }

    /// Returns the die that a call of `roll` with these arguments throws, if it is known.
    fn thrown(&self, args: &[Node]) -> Option<&'k Die> {
        let dice = &self.with.schema.dice;
        match args {
            [one] if one.text().is_some() => {
                dice.iter().find(|die| Some(die.name.as_str()) == one.text().map(|name| name.as_str()))
            }
            _ => self.with.schema.only_die().and_then(|die| dice.get(die.index())),
        }
    }

    /// Returns the kind of a declared property, or of what is printed on cards.
    fn declared(&self, name: &str) -> Option<Kind> {
        let schema = self.with.schema;
        let kind = match schema.printed.iter().find(|printed| printed.name == name) {
            Some(printed) => printed.kind.as_ref()?,
            None => &schema.properties.iter().find(|property| property.name == name)?.kind,
        };
        Some(match kind {
            PropertyKind::Flag => Kind::TRUTH,
            PropertyKind::Counter { .. } => Kind::NUMBER,
            PropertyKind::Value(kind) => Kind::of_answer(kind).or_nothing(),
        })
    }

    /// Returns the kind of what is after the dot of a value of this kind.
    fn field(&self, of: &Kind, name: &str) -> Kind {
        let of_component = || self.declared(name).unwrap_or(Kind::ANY);
        let known: &[Sort] = &[
            Sort::Player,
            Sort::Piece,
            Sort::Men,
            Sort::Game,
            Sort::Cell,
            Sort::Move,
            Sort::Map,
            Sort::Action,
            Sort::Nothing,
        ];
        if of.is_any() || of.is_never() || !of.sorts().all(|sort| known.contains(&sort)) {
            return match self.with.keys.contains(name) {
                _ if of.is_never() => Kind::NEVER,
                true => Kind::ANY,
                false if natives::is_length(name) => Kind::NUMBER,
                false => self.of_anything(name),
            };
        }
        Kind::all(of.sorts().map(|sort| match (sort, name) {
            (Sort::Nothing, _) => Kind::NEVER,
            (Sort::Move, _) if let Some(kind) = natives::property_of(sort, name) => kind.clone(),
            (Sort::Action, "value") => of.part(),
            (Sort::Action, _) => natives::property_of(sort, name).cloned().unwrap_or(Kind::ANY),
            (Sort::Map, natives::MOVE_OF) if natives::is_chosen_action(of) => Kind::of(Sort::Move),
            (Sort::Map, _) => of.fields().and_then(|fields| fields.get(name)).cloned().unwrap_or(Kind::ANY),
            _ => of_component(),
        }))
    }

    /// Returns the kind of what is after the dot of a value of which nothing is known, and which is no map with this key.
    fn of_anything(&self, name: &str) -> Kind {
        let results = natives::properties(name).iter().map(|form| form.result.clone());
        // What may be of any kind says nothing.
        let of_values = Kind::all(results.filter(|kind| !kind.is_any()));
        match self.declared(name) {
            Some(kind) => kind.or(&of_values),
            None if of_values.is_never() => Kind::ANY,
            None => of_values,
        }
    }

    /// Returns the kind of what is in brackets after a value of this kind.
    fn element(&self, of: &Kind, index: &Node) -> Kind {
        if of.is_any() {
            return Kind::ANY;
        }
        let text = index.text();
        Kind::all(of.sorts().map(|sort| match (sort, text) {
            (Sort::Nothing, _) => Kind::NEVER,
            (Sort::List, _) => of.part(),
            // A key that a map does not have is `()`.
            (Sort::Map, Some(key)) => {
                of.fields().map_or(Kind::ANY, |fields| fields.get(key.as_str()).cloned().unwrap_or(Kind::NOTHING))
            }
            // A bit of the number, or some of its bits.
            (Sort::Number, _) if index.kind.is(Sort::Number) => Kind::TRUTH,
            (Sort::Number, _) if index.kind.is(Sort::Range) => Kind::NUMBER,
            (sort, Some(name)) if Sort::OWNERS.contains(&sort) => self.declared(name).unwrap_or(Kind::ANY),
            _ => Kind::ANY,
        }))
    }
}

impl Body<'_, '_> {
    /// Infers the kind of a node and of all its parts.
    fn kind_of(&mut self, node: &mut Node) -> Kind {
        let at = node.at;
        let kind = match &mut node.what {
            What::Nothing => Kind::NOTHING,
            What::Number(_) => Kind::NUMBER,
            What::Truth(_) => Kind::TRUTH,
            What::Text(_) => Kind::TEXT,
            What::Letter(_) | What::Strange(_) => Kind::ANY,
            What::This => self.this(),
            What::Constant(value) => Kind::of_dynamic(value),
            What::Name(name) => self.name(name),
            What::Interpolated(parts) => self.parts(parts, Kind::TEXT),
            What::And(parts) | What::Or(parts) => self.parts(parts, Kind::TRUTH),
            // Kinds are inferred before runs are counted.
            What::Outcome(_, of) => self.parts(std::slice::from_mut(&mut **of), Kind::TRUTH),
            What::Run(_) => Kind::NOTHING,
            What::List(parts) => Kind::list_of(Kind::all(parts.iter_mut().map(|part| self.kind_of(part)))),
            What::Map(pairs) => {
                let with_kind = |(key, value): &mut (Key, Node)| (key.name.as_str().into(), self.kind_of(value));
                Kind::map_of(pairs.iter_mut().map(with_kind).collect())
            }
            What::Coalesce(parts) => self.coalesced(parts),
            What::Operator(sign, parts) => self.operator(sign, parts),
            What::Call(call) => self.call(call, at),
            What::Field { of, name, maybe } => {
                let of = self.kind_of(of);
                let kind = self.search.field(&of, name);
                if *maybe && of.may_be(Sort::Nothing) { kind.or_nothing() } else { kind }
            }
            What::Index { of, index, maybe } => {
                let of = self.kind_of(of);
                self.kind_of(index);
                let kind = self.search.element(&of, index);
                if *maybe && of.may_be(Sort::Nothing) { kind.or_nothing() } else { kind }
            }
            What::Closure(closure) => self.closure(closure),
            What::Block(statements) => self.block(statements),
            What::Let { local, value } => {
                let kind = self.kind_of(value);
                self.join(*local, &kind, origin(value));
                Kind::NOTHING
            }
            What::Assign(assign) => {
                self.assign(assign);
                Kind::NOTHING
            }
            What::If(parts) => {
                let [condition, then, other] = &mut **parts;
                self.kind_of(condition);
                self.kind_of(then).or(&self.kind_of(other))
            }
            What::Switch(switch) => self.switch(switch),
            What::While { condition, body } => {
                let forever = condition.is_none();
                self.maybe(condition);
                let broken = self.looped(body);
                if forever { broken } else { broken.or_nothing() }
            }
            What::Do { body, condition, .. } => {
                let broken = self.looped(body);
                self.kind_of(condition);
                broken.or_nothing()
            }
            What::For(parts) => self.for_each(parts),
            What::Break(value) => {
                let kind = self.maybe(value);
                leaves(&mut self.broken, &kind)
            }
            What::Return(value) => {
                let kind = self.maybe(value);
                leaves(&mut self.returned, &kind)
            }
            What::Throw(value) => {
                self.maybe(value);
                Kind::NEVER
            }
            What::Continue => Kind::NEVER,
            What::Try(parts) => {
                let body = self.kind_of(&mut parts.body);
                if let Some(caught) = parts.caught {
                    self.join(caught, &Kind::ANY, None);
                }
                body.or(&self.kind_of(&mut parts.handler))
            }
        };
        node.kind.clone_from(&kind);
        kind
    }

    /// Infers the kinds of parts whose values do not decide the kind of the whole.
    fn parts(&mut self, parts: &mut [Node], whole: Kind) -> Kind {
        parts.iter_mut().for_each(|part| drop(self.kind_of(part)));
        whole
    }

    /// Returns the kind of a value that may be left out.
    fn maybe(&mut self, value: &mut Option<Box<Node>>) -> Kind {
        value.as_mut().map_or(Kind::NOTHING, |value| self.kind_of(value))
    }

    /// Returns the kind of the first value that is not `()`, or of the last one.
    fn coalesced(&mut self, parts: &mut [Node]) -> Kind {
        let Some((last, others)) = parts.split_last_mut() else { return Kind::NEVER };
        let others = Kind::all(others.iter_mut().map(|part| self.kind_of(part).without_nothing()));
        others.or(&self.kind_of(last))
    }

    fn closure(&mut self, closure: &mut Closure) -> Kind {
        if !std::mem::take(&mut self.passed) {
            closure.params.iter().for_each(|param| self.join(*param, &Kind::ANY, None));
        }
        self.returned.push(Kind::NEVER);
        let broken = std::mem::take(&mut self.broken);
        let last = self.kind_of(&mut closure.body);
        self.broken = broken;
        closure.result = self.returned.pop().unwrap_or(Kind::ANY).or(&last);
        Kind::function_to(closure.result.clone())
    }

    fn block(&mut self, statements: &mut [Node]) -> Kind {
        let last = statements.iter_mut().map(|statement| self.kind_of(statement)).last().unwrap_or(Kind::NOTHING);
        let ends = |statement: &Node| {
            matches!(statement.what, What::Return(_) | What::Throw(_) | What::Break(_) | What::Continue)
        };
        if statements.iter().any(ends) { Kind::NEVER } else { last }
    }

    fn for_each(&mut self, parts: &mut For) -> Kind {
        let over = self.kind_of(&mut parts.over);
        let element = if over.may_be(Sort::Text) { Kind::ANY } else { over.element() };
        self.join(parts.local, &element, origin(&parts.over));
        if let Some(counter) = parts.counter {
            self.join(counter, &Kind::NUMBER, None);
        }
        self.looped(&mut parts.body).or_nothing()
    }

    /// Infers the kinds in the body of a loop, and returns that of the values after `break`.
    fn looped(&mut self, body: &mut Node) -> Kind {
        self.broken.push(Kind::NEVER);
        self.kind_of(body);
        self.broken.pop().unwrap_or(Kind::ANY)
    }

    fn switch(&mut self, switch: &mut Switch) -> Kind {
        self.kind_of(&mut switch.value);
        let mut all = if switch.otherwise.is_none() { Kind::NOTHING } else { Kind::NEVER };
        for way in &mut switch.ways {
            way.condition.iter_mut().for_each(|condition| drop(self.kind_of(condition)));
            all = all.or(&self.kind_of(&mut way.body));
        }
        all
    }

    fn name(&self, name: &Name) -> Kind {
        match name {
            Name::Local(local) => self.locals.get(*local).map_or(Kind::ANY, |local| local.kind.clone()),
            Name::Constant(name) => self.search.with.index.constants.get(name.as_str()).cloned().unwrap_or(Kind::ANY),
            Name::Component(name) => self.search.with.natives.component(name).cloned().unwrap_or(Kind::ANY),
            Name::Function(_) => Kind::of(Sort::Function),
            Name::Unknown(_) => Kind::ANY,
        }
    }

    /// Returns the kind of `this`; that of a closure is not known.
    fn this(&self) -> Kind {
        if self.returned.len() > 1 { Kind::ANY } else { self.search.receiver(self.at) }
    }

    /// Notes that a variable is given a value of this kind.
    fn join(&mut self, local: LocalId, kind: &Kind, from: Option<Origin>) {
        let Some(local) = self.locals.get_mut(local) else { return };
        let now = local.kind.or(kind);
        if now != local.kind {
            if local.kind.is_never() {
                local.from = from;
            }
            local.kind = now;
            self.changed = true;
        }
    }

    fn operator(&mut self, sign: &str, parts: &mut [Node]) -> Kind {
        let kinds: Vec<Kind> = parts.iter_mut().map(|part| self.kind_of(part)).collect();
        // After an operator that does not exist, nothing has a value any more.
        match kinds.as_slice() {
            [one] => of_one(sign, one).unwrap_or(Kind::NEVER),
            [one, other] => of_two(sign, one, other).unwrap_or(Kind::NEVER),
            _ => Kind::ANY,
        }
    }

    fn assign(&mut self, assign: &mut Assign) {
        let value = self.kind_of(&mut assign.value);
        let to = self.kind_of(&mut assign.to);
        let kind = match assign.sign {
            None => value,
            Some(sign) => of_two(&format!("{sign}="), &to, &value).unwrap_or(Kind::NEVER),
        };
        let from = origin(&assign.value);
        self.put(&assign.to, &kind, from);
    }

    /// Notes that a variable, or a part of one, is given a value of this kind.
    fn put(&mut self, target: &Node, kind: &Kind, from: Option<Origin>) {
        match &target.what {
            What::Name(Name::Local(local)) => self.join(*local, kind, from),
            What::This if self.returned.len() == 1 => self.changed |= self.search.receive(self.at, kind),
            What::Field { of, name, .. } if of.kind.may_be(Sort::Map) => {
                let made = with_key(&of.kind, name, kind);
                self.put(of, &made, None);
            }
            What::Index { of, index, .. } => {
                let mut made = Kind::NEVER;
                if of.kind.may_be(Sort::List) {
                    made = made.or(&Kind::list_of(kind.clone()));
                }
                if of.kind.may_be(Sort::Map) {
                    made = made.or(&index.text().map_or(Kind::MAP, |key| with_key(&of.kind, key, kind)));
                }
                self.put(of, &made, None);
            }
            _ => {}
        }
    }

    fn call(&mut self, call: &mut Call, at: Position) -> Kind {
        let is_own = call.target == Target::Script;
        let first = call.args.first_mut().map(|first| self.kind_of(first));
        // What a native passes to a closure. Those for maps pass keys and values.
        let has_closure = call.args.iter().skip(1).any(|arg| matches!(arg.what, What::Closure(_)));
        let of_elements = first.filter(|first| has_closure && !is_own && !first.may_be(Sort::Map));
        let passed = of_elements.and_then(|first| Some(call.natives.passes()?.kinds(&first.element())));
        for arg in call.args.iter_mut().skip(1) {
            if let (What::Closure(closure), Some(given)) = (&arg.what, &passed) {
                for (number, param) in closure.params.clone().into_iter().enumerate() {
                    let kind = given.get(number).cloned().unwrap_or(Kind::ANY);
                    self.join(param, &kind, None);
                }
                self.passed = true;
            }
            self.kind_of(arg);
        }
        let kinds: Vec<Kind> = call.args.iter().map(|arg| arg.kind.clone()).collect();
        self.later(call, &kinds, at);
        let kind = if is_own { self.own(call, &kinds, at) } else { self.native(call, &kinds) };
        let may_lack = call.maybe && kinds.first().is_some_and(|first| first.may_be(Sort::Nothing));
        if may_lack { kind.or_nothing() } else { kind }
    }

    /// Notes the arguments of a phase that runs later.
    fn later(&mut self, call: &Call, kinds: &[Kind], at: Position) {
        if call.method {
            return;
        }
        let Some(at_phase) = call.phase_argument() else { return };
        let Some(phase) = call.args.get(at_phase) else { return };
        // What is before the phase decides who answers, and what: the phase gets the player and the answer.
        let given = match at_phase {
            0 => kinds.get(1..).unwrap_or_default().to_vec(),
            _ => vec![Kind::PLAYER, Kind::ANY],
        };
        match phase.text() {
            Some(phase) => self.search.give(phase, &given, &Origin { called: phase.clone(), at }, self.at),
            None => {
                let from = Origin { called: call.name.clone(), at };
                for phase in self.search.named.clone() {
                    self.search.give(&phase, &given, &from, self.at);
                }
            }
        }
    }

    /// Returns the kind of the result of a function of the scripts.
    fn own(&mut self, call: &Call, kinds: &[Kind], at: Position) -> Kind {
        let given = kinds.get(usize::from(call.method)..).unwrap_or_default();
        self.search.give(&call.name, given, &Origin { called: call.name.clone(), at }, self.at);
        let at = self.search.with.index.function(&call.name, given.len());
        // It may set `this`.
        if let Some(of) = call.before_dot() {
            if let (Some(at), Some(kind)) = (at, kinds.first()) {
                self.search.receive(at, kind);
            }
            let made = at.map_or(Kind::ANY, |at| self.search.receiver(at));
            self.put(of, &made, None);
        }
        at.map_or(Kind::ANY, |at| self.search.result(at))
    }

    /// Returns the kind of the result of a function of the rules API, or of the library.
    fn native(&mut self, call: &Call, kinds: &[Kind]) -> Kind {
        let name = call.name.as_str();
        self.changed_by(call, kinds);
        match (call.role(), call.args.as_slice()) {
            // What the rules make of the options may be of other kinds.
            (Some(Role::Ask), [_, _, _]) if self.is_offered && call.natives.are_choices(3) => return Kind::ANY,
            (Some(Role::Ask), [_, _, _]) if self.is_offered && call.natives.passes().is_some() => return Kind::LIST,
            (Some(Role::Ask), [_, _, options]) if !call.method && call.natives.are_choices(3) => {
                return chosen_among(&options.kind);
            }
            (Some(Role::Ask), [_, _, options]) if !call.method && call.natives.passes().is_some() => {
                let offered = if options.kind.is(Sort::Function) { options.kind.part() } else { Kind::ANY };
                return Kind::list_of(chosen_among(&offered));
            }
            (Some(Role::Verb), [_, values @ ..]) if !call.method => {
                return Kind::action_of(match values {
                    [] => Kind::NOTHING,
                    [one] => one.kind.clone(),
                    _ => Kind::ANY,
                });
            }
            (Some(Role::Option), [one]) if let Some(option) = one.text() => {
                let option = self.search.with.schema.options.iter().find(|known| known.name == option.as_str());
                return option.map_or(Kind::ANY, |option| match option.choice {
                    Choice::Words(_) => Kind::TEXT,
                    Choice::Numbers(..) => Kind::NUMBER,
                });
            }
            (Some(Role::Die), args) => {
                return self.search.thrown(args).map_or(Kind::ANY, |die| {
                    let word = die.faces.iter().any(|face| matches!(face.shows, Value::Text(_)));
                    let one = if word { Kind::TEXT } else { Kind::NUMBER };
                    if die.count == 1 { one } else { Kind::list_of(one) }
                });
            }
            _ => {}
        }
        let of_api = call.natives.iter().filter(|form| !form.is_of_library());
        let of_library = call.natives.iter().filter(|form| form.is_of_library());
        let forms = of_api.chain(self.search.with.natives.functions(name)).chain(of_library);
        let fitting: Vec<&Form> = forms.filter(|form| form.takes(kinds)).collect();
        match fitting.is_empty() {
            true => Kind::ANY,
            false => Kind::all(fitting.iter().map(|form| form.result_for(kinds))),
        }
    }

    /// Notes what a function of the library does to the variable that is its first argument.
    fn changed_by(&mut self, call: &Call, kinds: &[Kind]) {
        let (Some(target), Some(first)) = (call.args.first(), kinds.first()) else { return };
        if !matches!(target.what, What::Name(Name::Local(_)) | What::This | What::Field { .. } | What::Index { .. }) {
            return;
        }
        // A function value stays what it is when it is called; anything else may be changed by what is called on it.
        let is_function = first.is_never() || first.is_or_nothing(Sort::Function);
        let is_called = call.method && call.natives.special() == Some(Special::Call) && !is_function;
        // Who asks for the type of a value expects several.
        let made = if call.natives.tell_kind() || is_called {
            Kind::ANY
        } else if !first.may_be(Sort::List) && !first.may_be(Sort::Map) {
            return;
        } else {
            let of_collections = call.natives.filling().filter(|form| form.takes(kinds));
            Kind::all(of_collections.map(|form| match call.args.get(1).and_then(Node::text) {
                Some(key) if form.sets_key() && first.is(Sort::Map) => {
                    kinds.get(2).map_or(Kind::MAP, |value| with_key(first, key, value))
                }
                _ => form.first_after(kinds),
            }))
        };
        if made.is_never() {
            return;
        }
        self.put(target, &made, None);
    }
}

/// Notes that the innermost function or loop may end with a value of this kind.
fn leaves(values: &mut [Kind], kind: &Kind) -> Kind {
    if let Some(innermost) = values.last_mut() {
        *innermost = innermost.or(kind);
    }
    Kind::NEVER
}

/// Returns the kind of what rules get when one of such options is chosen.
fn chosen_among(options: &Kind) -> Kind {
    let element = options.element();
    if element.is(Sort::Action) { chosen(&element.part()) } else { element }
}

/// Returns the kind of what is chosen among actions with values of a kind.
fn chosen(value: &Kind) -> Kind {
    let fields = [("verb", Kind::TEXT), ("value", value.clone()), ("values", Kind::LIST)];
    Kind::map_of(fields.into_iter().map(|(key, kind)| (key.into(), kind)).collect())
}

/// Returns the kind of a map after one of its keys got a value of this kind.
fn with_key(map: &Kind, key: &str, value: &Kind) -> Kind {
    match map.fields() {
        Some(fields) => {
            let mut fields = fields.clone();
            let known = fields.get(key).map_or_else(|| value.clone(), |known| known.or(value));
            fields.insert(key.into(), known);
            Kind::map_of(fields)
        }
        None => Kind::MAP,
    }
}

/// Returns where the kind of a value comes from: the function that is called there, and the place.
fn origin(value: &Node) -> Option<Origin> {
    match &value.what {
        What::Call(call) => Some(Origin { called: call.name.clone(), at: value.at }),
        What::Block(statements) => origin(statements.last()?),
        _ => Some(Origin { called: ImmutableString::new(), at: value.start() }),
    }
}
