//! What can be told of a script before it runs: unknown functions, names and components, wrong numbers of values,
//! locals that hide a component, comparisons that never hold, asks inside closures.

mod cards;
mod kinds;
mod literals;

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTNode, Expr, FnCallExpr, Position, ScriptFuncDef, Stmt};

use crate::diagnostic::{Diagnostic, Label, did_you_mean, one_of};
use crate::rules::layers::{
    Definition, Entry, Layers, Texts, author_name, base_name, is_house, rules_place, walk, walk_all,
};
use crate::rules::values::standard;
use crate::source::Span;
use crate::table::{BoardSpec, Schema, Value};

/// The functions that ask.
const ASKS: [&str; 5] = ["roll", "choose", "choose_all", "draw", "deal"];

/// Names that newcomers give to functions that are called otherwise, with what to write.
const OF_OTHERS: [(&str, &str); 8] = [
    ("empty", "write `is_empty`"),
    ("isEmpty", "write `is_empty`"),
    ("size", "write `count` for a set of cells or moves, `len` for a list"),
    ("length", "write `count` for a set of cells or moves, `len` for a list"),
    ("play", "`make(move)` carries one move out; of several choose one first: `make(choose(me, \"move\", found))`"),
    (
        "play_move",
        "`make(move)` carries one move out; of several choose one first: `make(choose(me, \"move\", found))`",
    ),
    ("delete", "`remove(cell)` takes what lies on a cell off the board, `lift(piece)` a piece"),
    ("capture", "`remove(cell)` takes what lies on a cell off the board, `lift(piece)` a piece"),
];

/// Returns everything that is wrong with the functions of a script, in the order of its lines.
pub(crate) fn check(layers: &Layers, entries: &[Entry], schema: &Schema) -> Vec<Diagnostic> {
    let mut checker = Checker::new(layers, entries, schema, &layers.texts);
    // The built-in turn is right, if the game has what it asks.
    let lacks_ask = layers.built_in.is_some() && schema.ask("move").is_none();
    for ((name, parameters), function) in &layers.functions {
        match (name.as_str(), parameters) {
            ("turn", 1) if lacks_ask => continue,
            ("moves", 1) if lacks_ask => checker.wrong.extend(without_ask(layers, &function.def)),
            _ => {}
        }
        checker.function(&function.def);
        checker.calls_itself((name, *parameters), function.layer, &function.def);
    }
    let mut wrong = checker.wrong;
    wrong.extend(cards::check(layers, schema));
    wrong.sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| (label.source.name().to_owned(), label.span)));
    wrong.dedup();
    wrong
}

/// Rules that list moves in a game that never asks for one.
fn without_ask(layers: &Layers, moves: &ScriptFuncDef) -> Option<Diagnostic> {
    let label = layers.name_of(moves)?;
    let message = "rules that list `moves` are asked for one, and the game has no ask `move`";
    let help =
        "write in the game file: `ask move MOVE \"Move a piece\"`; or write `fn turn(me)`, which asks something else";
    Some(Diagnostic::new("unknown_component", &label.source, label.span, message).help(help))
}

/// Returns whether any function of the rules calls `name`.
pub(crate) fn calls(layers: &Layers, name: &str) -> bool {
    let mut found = false;
    for function in layers.functions.values() {
        walk(&function.def, |node| found |= call_of(node).is_some_and(|call| call.call.name == name));
    }
    found
}

/// Returns everything that is wrong with an expression outside the script; `known` are the names that it may use
/// besides. Its mistakes come with positions: the caller knows where it is written.
pub(crate) fn check_alone(
    layers: &Layers,
    entries: &[Entry],
    schema: &Schema,
    ast: &AST,
    known: &[&str],
    texts: &Texts,
) -> Vec<Diagnostic> {
    let mut checker = Checker::new(layers, entries, schema, texts);
    let known: BTreeSet<String> = known.iter().map(ToString::to_string).collect();
    // An expression may ask as little as a closure may.
    walk_all(ast, &mut |node| checker.node(node, true, &known));
    checker.wrong
}

struct Checker<'c> {
    texts: &'c Texts,
    layers: &'c Layers,
    natives: BTreeMap<&'c str, Vec<&'c Entry>>,
    schema: &'c Schema,
    /// The keys of all maps that the script makes.
    keys: BTreeSet<String>,
    askers: BTreeSet<String>,
    /// The kinds of the variables of the function that is looked at, and those of all functions.
    sorts: kinds::Sorts,
    all_sorts: BTreeMap<(String, usize), kinds::Sorts>,
    wrong: Vec<Diagnostic>,
}

/// `….len`
fn is_length(behind: &Expr) -> bool {
    match behind {
        Expr::Property(names, _) => names.2 == "len",
        Expr::MethodCall(call, _) => call.name == "len",
        _ => false,
    }
}

fn is_closure(name: &str) -> bool {
    name.starts_with("anon$")
}

/// A call, and whether it is written as a method.
pub(super) struct Call<'a> {
    pub(super) call: &'a FnCallExpr,
    method: bool,
    position: Position,
}

pub(super) fn call_of<'a>(node: &ASTNode<'a>) -> Option<Call<'a>> {
    match node {
        ASTNode::Expr(Expr::FnCall(call, position)) | ASTNode::Stmt(Stmt::FnCall(call, position)) => {
            Some(Call { call, method: false, position: *position })
        }
        ASTNode::Expr(Expr::MethodCall(call, position)) => Some(Call { call, method: true, position: *position }),
        _ => None,
    }
}

/// Returns the keys of all maps that a script makes anywhere, or that are printed on cards.
fn map_keys(layers: &Layers, schema: &Schema) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    let mut of_value = |value: &rhai::Dynamic| {
        if let Some(map) = value.read_lock::<rhai::Map>() {
            keys.extend(map.keys().map(ToString::to_string));
        }
    };
    layers.constants.values().for_each(&mut of_value);
    let mut written = BTreeSet::new();
    for function in layers.functions.values() {
        walk(&function.def, |node| match node {
            ASTNode::Expr(Expr::Map(map, _)) => written.extend(map.0.iter().map(|(name, _)| name.name.to_string())),
            ASTNode::Expr(Expr::DynamicConstant(value, _)) => of_value(value),
            _ => {}
        });
    }
    keys.extend(written);
    let cards = schema.pieces.iter().filter_map(|piece| piece.card.as_ref());
    cards.flat_map(|card| &card.printed).for_each(|(_, value)| value_keys(value, &mut keys));
    keys
}

/// The keys of the maps in a value.
fn value_keys(value: &Value, keys: &mut BTreeSet<String>) {
    match value {
        Value::Map(map) => map.iter().for_each(|(name, value)| {
            keys.insert(name.to_string());
            value_keys(value, keys);
        }),
        Value::List(list) => list.iter().for_each(|value| value_keys(value, keys)),
        _ => {}
    }
}

/// Returns the names of a function's parameters and variables.
fn locals(def: &Definition) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = def.params.iter().map(ToString::to_string).collect();
    walk(def, |node| match node {
        ASTNode::Stmt(Stmt::Var(var, ..)) => {
            names.insert(var.0.name.to_string());
        }
        ASTNode::Stmt(Stmt::For(parts, _)) => {
            names.extend(std::iter::once(&parts.0).chain(parts.1.as_ref()).map(|name| name.name.to_string()));
        }
        ASTNode::Stmt(Stmt::TryCatch(flow, _)) => {
            if let Expr::Variable(var, ..) = &flow.expr {
                names.insert(var.1.to_string());
            }
        }
        _ => {}
    });
    names
}

/// The most mistakes that are reported.
const MOST: usize = 500;

impl<'c> Checker<'c> {
    fn new(layers: &'c Layers, entries: &'c [Entry], schema: &'c Schema, texts: &'c Texts) -> Self {
        let mut natives: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
        for entry in entries {
            natives.entry(entry.name()).or_default().push(entry);
        }
        let keys = map_keys(layers, schema);
        let mut checker = Self {
            layers,
            texts,
            natives,
            schema,
            keys,
            askers: BTreeSet::new(),
            sorts: kinds::Sorts::new(),
            all_sorts: BTreeMap::new(),
            wrong: Vec::new(),
        };
        checker.find_askers();
        checker.find_sorts();
        checker
    }
}

impl Checker<'_> {
    /// The functions from which an ask can be reached by calls.
    fn find_askers(&mut self) {
        let mut calls: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for function in self.layers.functions.values() {
            let called = calls.entry(function.def.name.to_string()).or_default();
            walk(&function.def, |node| {
                if let Some(call) = call_of(node) {
                    called.insert(call.call.name.to_string());
                }
            });
        }
        let mut askers: BTreeSet<String> = ASKS.iter().map(ToString::to_string).collect();
        loop {
            let reach = |called: &BTreeSet<String>| called.iter().any(|name| askers.contains(name));
            let more: Vec<String> = calls
                .iter()
                .filter(|(name, called)| !askers.contains(*name) && reach(called))
                .map(|(name, _)| name.clone())
                .collect();
            if more.is_empty() {
                break;
            }
            askers.extend(more);
        }
        self.askers = askers;
    }

    fn say(&mut self, code: &'static str, position: Position, message: String, help: Option<String>) {
        let Some(Label { source, span, .. }) = self.texts.label(rules_place(position)) else { return };
        self.wrong.push(with_help(Diagnostic::new(code, &source, span, message), help));
    }

    /// Like `say`, at a text constant: quotes and all.
    fn say_text(&mut self, code: &'static str, position: Position, text: &str, message: String, help: Option<String>) {
        let Some(Label { source, span, .. }) = self.texts.label(rules_place(position)) else { return };
        let end = span.start + Span::new(0..text.len()).end + 2;
        let span = Span { start: span.start, end: end.min(Span::new(0..source.text().len()).end) };
        self.wrong.push(with_help(Diagnostic::new(code, &source, span, message), help));
    }

    fn function(&mut self, def: &Definition) {
        for param in &def.params {
            if !is_closure(&def.name) && self.is_component(param) {
                self.hides_by_parameter(param, def);
            }
        }
        let closure = is_closure(&def.name);
        let locals = locals(def);
        let key = (def.name.to_string(), def.params.len());
        self.sorts = self.all_sorts.get(&key).cloned().unwrap_or_default();
        walk(def, |node| self.node(node, closure, &locals));
    }

    /// Reports a function of a house rule that calls itself where the function that it redefines is meant.
    fn calls_itself(&mut self, (name, arity): (&str, usize), layer: usize, def: &Definition) {
        let base = base_name(layer, name);
        if !is_house(layer) || !self.layers.functions.contains_key(&(base.clone(), arity)) || self.askers.contains(name)
        {
            return;
        }
        let mut itself = Vec::new();
        let mut ends = false;
        walk(def, |node| {
            if let ASTNode::Stmt(Stmt::Assignment(_)) = node {
                ends = true;
            }
            let Some(call) = call_of(node) else { return };
            ends |= call.call.name == base.as_str();
            let same = |(value, param): (&Expr, &rhai::ImmutableString)| matches!(value, Expr::Variable(var, ..) if var.1 == *param);
            if call.call.name == name
                && call.call.args.len() == arity
                && call.call.args.iter().zip(&def.params).all(same)
            {
                itself.push(call.position);
            }
        });
        for position in itself.into_iter().filter(|_| !ends) {
            let message = format!("`{name}` calls itself with the same values");
            let help = format!("the function that it redefines is `base_{name}`");
            self.say("calls_itself", position, message, Some(help));
        }
    }

    fn node(&mut self, node: &ASTNode<'_>, closure: bool, locals: &BTreeSet<String>) {
        if self.wrong.len() >= MOST {
            return;
        }
        if let Some(call) = call_of(node) {
            self.call(&call, closure);
        }
        match node {
            ASTNode::Stmt(Stmt::Var(var, _, position)) if self.is_component(&var.0.name) => {
                let at = if var.0.pos.is_none() { *position } else { var.0.pos };
                self.hides(&var.0.name.clone(), at);
            }
            ASTNode::Stmt(Stmt::For(parts, position)) => {
                for name in std::iter::once(&parts.0).chain(parts.1.as_ref()) {
                    if self.is_component(&name.name) {
                        self.hides(&name.name.clone(), if name.pos.is_none() { *position } else { name.pos });
                    }
                }
            }
            // A variable that a closure captures stands in the function without an index, too.
            ASTNode::Expr(Expr::Variable(var, short, position))
                if short.is_none() && var.0.is_none() && !locals.contains(var.1.as_str()) =>
            {
                self.variable(&var.1, *position, locals);
            }
            // `Fn("name")` is such a value by the time that it is looked at.
            ASTNode::Expr(Expr::DynamicConstant(value, position)) => {
                if let Some(function) = value.read_lock::<rhai::FnPtr>() {
                    self.asks_as_value(function.fn_name(), *position);
                }
            }
            ASTNode::Stmt(Stmt::Share(captured)) => {
                for (name, _) in captured.iter() {
                    let constant = self.layers.constants.contains_key(name.name.as_str());
                    if constant && !locals.contains(name.name.as_str()) {
                        self.captures_constant(&name.name.clone(), name.pos);
                    }
                }
            }
            ASTNode::Expr(Expr::Property(names, position)) => self.property(&names.2, *position),
            ASTNode::Expr(Expr::Index(parts, _, position)) => {
                self.zone_as_list(&parts.lhs, *position, "cards(ZONE)[0]")
            }
            ASTNode::Expr(Expr::Dot(parts, _, position)) if is_length(&parts.rhs) => {
                self.zone_as_list(&parts.lhs, *position, "count(ZONE)");
            }
            _ => {}
        }
    }

    fn is_component(&self, name: &str) -> bool {
        let alone = |piece: &crate::table::PieceDef| piece.name == name && piece.is_alone();
        let zone = self.schema.zone(name, None).is_some();
        name == "game" || zone || self.schema.player(name).is_some() || self.schema.pieces.iter().any(alone)
    }

    fn hides(&mut self, name: &str, position: Position) {
        let message =
            format!("`{name}` is the name of a component of the game, so no variable or parameter can have it");
        self.say("hides_component", position, message, Some("choose another name".to_owned()));
    }

    /// A closure takes what it uses from the variables around it, and a constant is none.
    fn captures_constant(&mut self, name: &str, position: Position) {
        let name = author_name(name);
        let message = format!("a closure cannot use the constant `{name}`");
        let variable = name.to_lowercase();
        let help =
            format!("make a variable of it first: `let {variable} = {name};`, and use `{variable}` in the closure");
        self.say("closure_and_constant", position, message, Some(help));
    }

    fn hides_by_parameter(&mut self, name: &str, def: &ScriptFuncDef) {
        let before = self.wrong.len();
        self.hides(name, def.body.start_position());
        let Some(wrong) = self.wrong.get_mut(before) else { return };
        // The place of the parameter, between the function's name and its body.
        if let (Some(named), Some(label)) = (self.layers.name_of(def), wrong.labels.first_mut()) {
            let head = Span { start: named.span.end, end: label.span.start };
            let words = named.source.slice(head).match_indices(name);
            let whole = |at: usize| {
                let rest = named.source.slice(head).get(at + name.len()..).unwrap_or_default();
                !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
            };
            if let Some(at) = words.map(|(at, _)| at).find(|at| whole(*at)) {
                let start = head.range().start + at;
                label.span = Span::new(start..start + name.len());
            }
        }
    }

    /// A function that is used as a value is called by whoever takes it, `map` and `sort` among them.
    fn asks_as_value(&mut self, name: &str, position: Position) {
        if !self.askers.contains(name) || !self.layers.functions.keys().any(|(function, _)| function == name) {
            return;
        }
        let message = format!("`{}` asks, so it cannot be a function value", author_name(name));
        let help = "ask in a loop instead: `for x in list { … }`".to_owned();
        self.say("ask_in_closure", position, message, Some(help));
    }

    fn variable(&mut self, name: &str, position: Position, locals: &BTreeSet<String>) {
        self.asks_as_value(name, position);
        let known = self.is_component(name)
            || self.layers.constants.contains_key(name)
            || self.layers.functions.keys().any(|(function, _)| function == name);
        if !known {
            let pieces = self.schema.pieces.iter().map(|piece| piece.name.as_str());
            let names = locals.iter().chain(&self.schema.players).map(String::as_str).chain(pieces);
            let card = self.schema.pieces.iter().any(|piece| piece.name == name);
            let card = card.then(|| format!("write `piece(\"{name}\")`"));
            let near = || did_you_mean(name, names.chain(self.layers.constants.keys().map(String::as_str)));
            let help = card.or_else(near);
            let help = help
                .or_else(|| Some("a variable is made by `let` in its function, or handed to it as a value; components are declared in the game file".to_owned()));
            self.say("unknown_name", position, format!("nothing is called `{}`", author_name(name)), help);
        }
    }

    fn property(&mut self, name: &str, position: Position) {
        const OF_VALUES: [&str; 15] = [
            "from",
            "to",
            "captures",
            "verb",
            "value",
            "values",
            "len",
            "start",
            "end",
            "is_inclusive",
            "is_exclusive",
            "is_empty",
            "chars",
            "bits",
            "abs",
        ];
        let declared = || {
            let properties = self.schema.properties.iter().map(|property| &property.name);
            properties.chain(&self.schema.printed).map(String::as_str)
        };
        if OF_VALUES.contains(&name) || declared().any(|property| property == name) || self.keys.contains(name) {
            return;
        }
        let instead = self.in_place_of_property(name);
        let near = || did_you_mean(name, declared());
        let help = instead.or_else(near).unwrap_or_else(|| match one_of(declared(), 9) {
            list if list.is_empty() => "the game declares no flags, counters and properties".to_owned(),
            list => format!("the game declares {list}"),
        });
        self.say("unknown_property", position, format!("there is no flag, counter or property `{name}`"), Some(help));
    }

    fn call(&mut self, call: &Call<'_>, closure: bool) {
        let name = call.call.name.as_str();
        if call.call.op_token.is_some() {
            let before = self.wrong.len();
            self.comparison(call);
            if self.wrong.len() == before {
                self.mismatch(call);
            }
            return;
        }
        if closure && self.askers.contains(name) {
            let message = format!("`{}` asks, and nothing can be asked here", author_name(name));
            self.say(
                "ask_in_closure",
                call.position,
                message,
                Some(
                    "inside a closure, ask in a loop instead: `for x in list { … }`; an expectation cannot ask"
                        .to_owned(),
                ),
            );
        }
        self.needs_board(call);
        let arities = self.arities(name, call.method);
        if arities.is_empty() {
            let scripts = self.layers.functions.keys().map(|(name, _)| name).filter(|name| !is_closure(name));
            let scripts: Vec<String> = scripts.map(|name| author_name(name)).collect();
            let natives = self.natives.keys().copied();
            let standard = standard().keys().map(String::as_str);
            let other = OF_OTHERS.iter().find(|(other, _)| *other == name).map(|(_, help)| (*help).to_owned());
            let help = other.or_else(|| {
                did_you_mean(&author_name(name), scripts.iter().map(String::as_str).chain(natives).chain(standard))
            });
            let own = call.method && self.layers.functions.keys().any(|(other, _)| author_name(other) == name);
            let help = help.or_else(|| {
                Some("write it with `fn` in the rules, or call a function of docs/rules-api.md".to_owned())
            });
            let help = if own { Some(format!("a helper of a house rule is called as `{name}(…)`")) } else { help };
            self.say("unknown_function", call.position, format!("there is no function `{}`", author_name(name)), help);
        } else if !arities.contains(&call.call.args.len()) {
            let list: Vec<String> = arities.iter().map(ToString::to_string).collect();
            let given = call.call.args.len();
            let plural = if given == 1 { "" } else { "s" };
            let message = format!("`{}` is called with {given} value{plural}", author_name(name));
            let wanted = list.join(" or ");
            let help = match self.natives.get(name).and_then(|entries| entries.first()) {
                Some(entry) => format!("it takes {wanted}: `{}`", entry.signature),
                None => format!("it takes {wanted}"),
            };
            self.say("wrong_arity", call.position, message, Some(help));
        }
        self.literals(call);
    }

    /// Reports a function that is about cells alone, in a game without a board.
    fn needs_board(&mut self, call: &Call<'_>) {
        let name = call.call.name.as_str();
        let own =
            || self.layers.functions.keys().any(|(function, _)| function == name) || standard().contains_key(name);
        if self.schema.board != BoardSpec::None || own() {
            return;
        }
        let entries = self.natives.get(name).map(Vec::as_slice).unwrap_or_default();
        if !entries.is_empty() && entries.iter().all(|entry| entry.is_about_cells()) {
            let message = format!("`{name}` is about the cells of a board, and this game has none");
            let help = "a game with a board declares it in its game file: `board grid 8x8`".to_owned();
            self.say("no_board", call.position, message, Some(help));
        }
    }

    /// Returns the numbers of values between the brackets that a function of this name takes. Called as a method, a
    /// native's first value is the object; a function of the script gets the object as `this`, besides its values.
    fn arities(&self, name: &str, method: bool) -> BTreeSet<usize> {
        let mut natives: BTreeSet<usize> = BTreeSet::new();
        for entry in self.natives.get(name).into_iter().flatten() {
            natives.extend(entry.parameters().len()..=entry.most());
        }
        if matches!(name, "roll" | "occupied") {
            natives.extend(0..=1);
        }
        natives.extend(standard().get(name).into_iter().flatten());
        match name {
            // Keyword functions of Rhai, which no package lists.
            "call" | "curry" => natives.extend(1..=9),
            "type_of" | "is_shared" | "Fn" | "print" | "debug" | "is_def_var" => natives.extend(1..=1),
            "is_def_fn" => natives.extend(2..=2),
            _ => {}
        }
        let objects = usize::from(method);
        let scripts = self.layers.functions.keys().filter(|(function, _)| function == name);
        let natives = natives.into_iter().filter_map(|arity| arity.checked_sub(objects));
        scripts.map(|(_, arity)| *arity).chain(natives).collect()
    }
}

fn with_help(diagnostic: Diagnostic, help: Option<String>) -> Diagnostic {
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}
