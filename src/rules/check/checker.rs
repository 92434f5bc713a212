//! Checks each function of a script: calls, names, components and comparisons.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use rhai::{ASTNode, Expr, FnCallExpr, ImmutableString, Position, Stmt};

use super::fixed::{fixed, written};
use super::map_keys::map_keys;
use super::scopes::{Declared, declared as declared_in};
use super::signatures::{Signatures, signatures};
use super::sorts::{BeforeDot, Sort, Sorts};
use super::uses::Uses;

use crate::diagnostic::{Diagnostic, Label, did_you_mean};
use crate::rules::layers::{Definition, Layers, Texts, author_name, function_value, rules_place, walk};
use crate::rules::natives::{self, OfGame};
use crate::rules::values::standard;
use crate::source::Span;
use crate::table::{Board, BoardSpec, Schema};

/// Wrong names that newcomers give to functions, each with the help for it.
const OF_OTHERS: &[(&[&str], &str)] = &[
    (&["empty", "isEmpty"], "write `is_empty`; the cells where nothing is are `all_cells() - occupied()`"),
    (&["empty_cells", "free_cells"], "write `all_cells() - occupied()`"),
    (&["size", "length"], "write `count` for a set of cells or moves, `len` for a list"),
    (
        &["play", "play_move"],
        "write `make(move)` for one move; choose one of several first: `make(choose(me, \"move\", found))`",
    ),
    (&["delete", "capture"], "write `remove(cell)` to clear a cell, or `lift(piece)` to take a piece off the board"),
    (&["next_player", "opponent", "other_player"], "write `after(me)`: the next player in the order of play"),
    (&["neighbours", "neighbors", "adjacent"], "write `around(cells)`; for one cell, `around(one(cell))`"),
    (&["random", "rand", "throw"], "write `roll(\"die\")` with the name of a die of the game file"),
    (&["end_turn"], "leave it out: the turn ends where the function `turn` ends"),
    (&["end_game", "game_over"], "write `win(player)`, `lose(player)`, `draw_game()` or `nobody_wins()`"),
];

/// Checks functions one after the other.
///
/// Many fields: the data of the game and the script, and those of the current function.
pub(super) struct Checker<'c> {
    pub(super) texts: &'c Texts,
    pub(super) layers: &'c Layers,
    pub(super) natives: Rc<Signatures<'c>>,
    pub(super) schema: &'c Schema,
    /// The names of components that are variables of the rules, with their kinds.
    pub(super) components: BTreeMap<&'c str, Sort>,
    /// The keys of all maps in the script and on cards.
    pub(super) keys: BTreeSet<String>,
    /// The functions from which calls can reach an ask.
    pub(super) askers: BTreeSet<String>,
    /// The kinds of the variables of the present function, and those of all functions.
    pub(super) sorts: Sorts,
    pub(super) all_sorts: BTreeMap<(String, usize), Sorts>,
    /// The kinds of the results of the functions of the rules.
    pub(super) results: BTreeMap<(String, usize), Option<Sort>>,
    /// The variables of the present function that keep their first value, with it.
    pub(super) fixed: BTreeMap<&'c str, &'c Expr>,
    /// The variables of the present function that can only be strings of the script, with the string or the list.
    pub(super) written: BTreeMap<&'c str, &'c Expr>,
    /// The board without a variant, once it was needed.
    pub(super) board: OnceCell<Option<Board>>,
    /// The boards on which rules look for cells, once they were needed; `None` if there may be others.
    pub(super) boards: OnceCell<Option<Vec<Board>>>,
    /// What functions use their parameters as, by name, number of parameters and number of the parameter.
    pub(super) uses: BTreeMap<(String, usize, usize), Option<Uses>>,
    /// Where the present function declares its variables.
    pub(super) declared: Declared<'c>,
    /// The places of functions whose name was reported as one that needs quotes.
    pub(super) unquoted: Vec<Position>,
    /// The places of properties that are set.
    pub(super) set_at: BTreeSet<Position>,
    /// What is before the dot of each property.
    pub(super) owners: BTreeMap<Position, BeforeDot>,
    /// The places of dots and brackets that go on after an index: what they follow is the element there.
    pub(super) continued: BTreeSet<Position>,
    /// The parameters of the present function.
    pub(super) parameters: &'c [ImmutableString],
    /// The names of the parameters and variables of the present function.
    pub(super) locals: BTreeSet<String>,
    /// The closures of an expression outside the script.
    pub(super) closures: Vec<Definition>,
    /// Whether this is an expression outside the script.
    pub(super) alone: bool,
    pub(super) wrong: Vec<Diagnostic>,
}

/// Returns whether an expression after a dot is `len`.
fn is_length(after_dot: &Expr) -> bool {
    match after_dot {
        Expr::Property(names, _) => names.2 == "len",
        Expr::MethodCall(call, _) => call.name == "len",
        _ => false,
    }
}

/// Returns the place of the property that ends a chain of dots.
fn last_property(chain: &Expr) -> Option<Position> {
    match chain {
        Expr::Dot(parts, ..) => last_property(&parts.rhs),
        Expr::Property(_, position) => Some(*position),
        _ => None,
    }
}

pub(super) fn is_closure(name: &str) -> bool {
    name.starts_with("anon$")
}

/// A call, and whether it has the form of a method.
pub(super) struct Call<'a> {
    pub(super) call: &'a FnCallExpr,
    pub(super) method: bool,
    pub(super) position: Position,
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

/// Returns the names of components that are variables of the rules, with their kinds.
fn components(schema: &Schema) -> BTreeMap<&str, Sort> {
    let zones = schema.zones.iter().filter(|zone| zone.owner.is_none()).map(|zone| (zone.name.as_str(), Sort::Zone));
    let of_piece = |many: bool| if many { Sort::Men } else { Sort::Piece };
    let pieces = schema.pieces.iter().filter(|piece| piece.is_alone());
    let pieces = pieces.map(|piece| (piece.name.as_str(), of_piece(piece.many)));
    let players = schema.players.iter().map(|player| (player.as_str(), Sort::Player));
    std::iter::once(("game", Sort::Game)).chain(zones).chain(pieces).chain(players).collect()
}

/// Returns the names of a function's parameters and variables.
fn locals(def: &Definition) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = def.params.iter().map(ToString::to_string).collect();
    walk(def, |node| declared(node, &mut names));
    names
}

/// Adds the names of the variables that a node declares.
pub(super) fn declared(node: &ASTNode<'_>, names: &mut BTreeSet<String>) {
    match node {
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
    }
}

/// The maximum number of reported errors.
const MOST: usize = 500;

impl<'c> Checker<'c> {
    pub(super) fn new(layers: &'c Layers, of_game: &'c OfGame, schema: &'c Schema, texts: &'c Texts) -> Self {
        let natives = Rc::new(signatures(of_game));
        let keys = map_keys(layers, schema);
        let mut checker = Self {
            layers,
            texts,
            natives,
            schema,
            components: components(schema),
            keys,
            askers: BTreeSet::new(),
            sorts: Sorts::new(),
            all_sorts: BTreeMap::new(),
            results: BTreeMap::new(),
            fixed: BTreeMap::new(),
            written: BTreeMap::new(),
            board: OnceCell::new(),
            boards: OnceCell::new(),
            uses: BTreeMap::new(),
            declared: Declared::default(),
            unquoted: Vec::new(),
            set_at: BTreeSet::new(),
            owners: BTreeMap::new(),
            continued: BTreeSet::new(),
            parameters: &[],
            locals: BTreeSet::new(),
            closures: Vec::new(),
            alone: false,
            wrong: Vec::new(),
        };
        checker.find_askers();
        checker.find_sorts();
        checker
    }

    /// Checks a function, once.
    pub(super) fn function(&mut self, def: &'c Definition) {
        for param in &def.params {
            if !is_closure(&def.name) && self.is_component(param) {
                self.hides_by_parameter(param, def);
            }
        }
        let closure = is_closure(&def.name);
        let locals = locals(def);
        self.locals.clone_from(&locals);
        self.parameters = &def.params;
        self.sorts = self.all_sorts.remove(&(def.name.to_string(), def.params.len())).unwrap_or_default();
        self.fixed = fixed(def);
        let takes_names =
            |name: &str| name != "contains" && self.natives.contains_key(name) && !self.layers.has_function(name);
        self.written = written(def, takes_names);
        self.declared = declared_in(def);
        self.unused_values(def);
        walk(def, |node| self.node(node, closure, &locals));
    }
}

impl Checker<'_> {
    /// Finds the functions from which calls can reach an ask.
    pub(super) fn find_askers(&mut self) {
        let mut asks: Vec<&str> = natives::askers().collect();
        asks.dedup();
        let mut callers: HashMap<&str, Vec<&str>> = HashMap::new();
        for def in self.layers.functions.values().map(|function| &function.def) {
            let called = def.mentions().called.iter().map(ImmutableString::as_str);
            for called in called.filter(|name| asks.contains(name) || self.layers.has_function(name)) {
                callers.entry(called).or_default().push(&def.name);
            }
        }
        let mut found: Vec<&str> = asks;
        while let Some(asker) = found.pop() {
            if self.askers.insert(asker.to_owned()) {
                found.extend(callers.get(asker).into_iter().flatten());
            }
        }
    }

    /// Returns the function of a closure.
    pub(super) fn closure(&self, name: &str) -> Option<&Definition> {
        let of_rules = self.layers.functions.iter().find(|((other, _), _)| other == name);
        of_rules.map(|(_, function)| &function.def).or_else(|| self.closures.iter().find(|def| def.name == name))
    }

    pub(super) fn report(&mut self, code: &'static str, position: Position, message: String, help: Option<String>) {
        let Some(Label { source, span, .. }) = self.texts.label(rules_place(position)) else { return };
        self.wrong.push(with_help(Diagnostic::new(code, &source, span, message), help));
    }

    /// Reports an error at a string constant, including its quotes.
    pub(super) fn report_text(
        &mut self,
        code: &'static str,
        position: Position,
        text: &str,
        message: String,
        help: Option<String>,
    ) {
        let Some(Label { source, span, .. }) = self.texts.label(rules_place(position)) else { return };
        let end = span.start + Span::new(0..text.len()).end + 2;
        let span = Span { start: span.start, end: end.min(Span::new(0..source.text().len()).end) };
        self.wrong.push(with_help(Diagnostic::new(code, &source, span, message), help));
    }

    pub(super) fn node(&mut self, node: &ASTNode<'_>, closure: bool, locals: &BTreeSet<String>) {
        if self.wrong.len() >= MOST {
            return;
        }
        if let Some(call) = call_of(node) {
            self.call(&call, closure);
        }
        self.unused_in_blocks(node);
        self.used_changes(node);
        self.conditions(node);
        match node {
            ASTNode::Expr(Expr::StringConstant(text, position)) => self.not_filled_in(text, *position),
            ASTNode::Stmt(Stmt::Switch(parts, position)) => self.cases(&parts.0, &parts.1, *position),
            ASTNode::Stmt(Stmt::Assignment(assignment)) => {
                if !assignment.0.is_op_assignment() {
                    self.set_at.extend(last_property(&assignment.1.lhs));
                }
                self.property_assigned(&assignment.0, &assignment.1.lhs, &assignment.1.rhs);
            }
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
            // A variable that a closure captures has no index in the function either.
            ASTNode::Expr(Expr::Variable(var, short, position)) if short.is_none() && var.0.is_none() => {
                let name = var.1.as_str();
                let is_of_script = self.layers.constants.contains_key(name) || self.layers.has_function(name);
                match locals.contains(name) && !is_of_script && !self.is_component(name) {
                    true => self.invisible(name, *position),
                    false => self.variable(name, *position, locals),
                }
            }
            ASTNode::Expr(value @ (Expr::DynamicConstant(..) | Expr::FnCall(..))) => self.named_function(value),
            ASTNode::Stmt(Stmt::Share(captured)) => {
                captured.iter().for_each(|(name, _)| self.captured(&name.name, name.pos, locals));
            }
            ASTNode::Expr(Expr::Property(names, position)) => {
                self.property(&names.2, *position);
                if !self.set_at.contains(position) {
                    self.record_read(&names.2, *position);
                }
            }
            ASTNode::Expr(Expr::Index(parts, _, position)) => {
                self.zone_as_list(&parts.lhs, *position, "cards(ZONE)[0]")
            }
            ASTNode::Expr(Expr::Dot(parts, _, position)) => self.dot(&parts.lhs, &parts.rhs, *position),
            _ => {}
        }
        self.never_right(node);
    }

    /// Checks a value that may be a function.
    fn named_function(&mut self, value: &Expr) {
        let Some(function) = function_value(value) else { return };
        let position = value.position();
        if is_closure(&function) {
            self.hides_by_closure(position);
        }
        self.function_value(&function, position);
        self.asks_as_value(&function, position);
    }

    /// Reports a name that a closure captures, if it is a constant.
    fn captured(&mut self, name: &str, position: Position, locals: &BTreeSet<String>) {
        if self.layers.constants.contains_key(name) && !locals.contains(name) {
            self.captures_constant(name, position);
        }
    }

    fn dot(&mut self, of: &Expr, after_dot: &Expr, position: Position) {
        self.note_owners(of, after_dot);
        self.without_brackets(of, after_dot);
        self.property_of(of, after_dot);
        if is_length(after_dot) {
            self.zone_as_list(of, position, "count(ZONE)");
        }
        self.called_value(of, after_dot);
        if let Expr::MethodCall(call, _) = after_dot
            && let ("contains", [side]) = (call.name.as_str(), call.args.as_slice())
        {
            self.words_in_list(of, side);
            self.numbers_in_list(of, side);
        }
        let element = self.element_of(of).filter(|_| self.sort_of(of) == Some(Sort::List));
        self.contained_in_chain(element, after_dot);
    }

    pub(super) fn is_component(&self, name: &str) -> bool {
        self.components.contains_key(name)
    }

    pub(super) fn hides(&mut self, name: &str, position: Position) {
        let message =
            format!("`{name}` is the name of a component of the game, so no variable or parameter can have it");
        self.report("hides_component", position, message, Some("choose another name".to_owned()));
    }

    /// Reports a function that asks and is used as a value. Native functions such as `map` could call it.
    pub(super) fn asks_as_value(&mut self, name: &str, position: Position) {
        if !self.askers.contains(name) || !self.layers.has_function(name) || self.unquoted.contains(&position) {
            return;
        }
        let message = format!("`{}` asks, so it cannot be a function value", author_name(name));
        let help = "ask in a loop instead: `for x in list { … }`".to_owned();
        self.report("ask_in_closure", position, message, Some(help));
    }

    pub(super) fn call(&mut self, call: &Call<'_>, closure: bool) {
        let name = call.call.name.as_str();
        if call.call.op_token.is_some() {
            let before = self.wrong.len();
            self.comparison(call);
            if self.wrong.len() == before {
                self.mismatch(call);
                self.operation(call);
            }
            return;
        }
        if closure && self.askers.contains(name) {
            let message = format!("`{}` asks, but asks are not possible here", author_name(name));
            self.report(
                "ask_in_closure",
                call.position,
                message,
                Some("ask in a loop instead of a closure: `for x in list { … }`; an expectation cannot ask".to_owned()),
            );
        }
        self.needs_board(call);
        self.needs_die(call);
        self.unquoted_phase(call);
        if !self.takes(name, call.method, call.call.args.len()) {
            let arities = self.arities(name, call.method);
            if arities.is_empty() {
                self.unknown_function(call);
            } else {
                self.wrong_arity(call, &arities);
            }
        }
        let before = self.wrong.len();
        let natives = Rc::clone(&self.natives);
        let forms = natives.get(name).map(Vec::as_slice).unwrap_or_default();
        self.literals(call, forms);
        if let ("contains", [list, side], false) = (name, call.call.args.as_slice(), call.method) {
            self.words_in_list(list, side);
            self.numbers_in_list(list, side);
        }
        if let ("contains" | "index_of", [list, side], false) = (name, call.call.args.as_slice(), call.method) {
            let element = self.element_of(list).filter(|_| self.sort_of(list) == Some(Sort::List));
            self.never_contained(element, side);
        }
        self.places(call);
        self.offered(call);
        self.cards_of_hidden(call);
        self.passed(call);
        self.predicate(call);
        self.positions(call);
        self.property_set(call);
        if self.wrong.len() == before {
            self.kinds_of_arguments(call, forms);
            self.of_many(call, None);
            self.of_library(call);
        }
    }

    /// Returns the names of the native functions, sorted.
    pub(super) fn names_of_natives(&self) -> impl Iterator<Item = &'_ str> {
        let names: BTreeSet<&str> = self.natives.keys().copied().collect();
        names.into_iter()
    }

    fn unknown_function(&mut self, call: &Call<'_>) {
        let name = call.call.name.as_str();
        let scripts = self.layers.functions.keys().map(|(name, _)| name).filter(|name| !is_closure(name));
        let scripts: Vec<String> = scripts.map(|name| author_name(name)).collect();
        let own = call.method && scripts.iter().any(|other| other == name);
        let author = author_name(name);
        let unchanged = author.strip_prefix("base_").filter(|base| self.layers.has_function(base));
        let help = match OF_OTHERS.iter().find(|(others, _)| others.contains(&name)) {
            _ if own => format!("call the helper of a house rule as a function: `{name}(…)`"),
            _ if let Some(base) = unchanged => format!("write `{base}(…)`: this file does not redefine it"),
            Some((_, help)) => (*help).to_owned(),
            None if self.locals.contains(name) => {
                format!("write `{name}.call(…)` to call a function that is in a variable")
            }
            None => {
                let known = scripts.iter().map(String::as_str).chain(self.names_of_natives());
                let library: BTreeSet<&str> = standard().keys().map(String::as_str).collect();
                let known = known.chain(library);
                did_you_mean(&author_name(name), known).unwrap_or_else(|| {
                    "write it with `fn` in the rules, or call a function of docs/rules-api.md".to_owned()
                })
            }
        };
        let message = format!("unknown function `{}`", author_name(name));
        self.report("unknown_function", call.position, message, Some(help));
    }

    fn wrong_arity(&mut self, call: &Call<'_>, arities: &BTreeSet<usize>) {
        let name = call.call.name.as_str();
        let list: Vec<String> = arities.iter().map(ToString::to_string).collect();
        let (given, wanted) = (call.call.args.len(), list.join(" or "));
        let plural = if wanted == "1" { "" } else { "s" };
        let message = format!("`{}` takes {wanted} argument{plural}, got {given}", author_name(name));
        let help = match self.natives.get(name).and_then(|entries| entries.first()) {
            Some(one) => format!("use the form `{}`", one.form.written()),
            None => format!("pass {wanted} argument{plural}"),
        };
        self.report("wrong_arity", call.position, message, Some(help));
    }

    /// Reports a function that needs cells, in a game without a board.
    pub(super) fn needs_board(&mut self, call: &Call<'_>) {
        let name = call.call.name.as_str();
        let own = || self.layers.has_function(name) || standard().contains_key(name);
        if self.schema.board != BoardSpec::None || own() {
            return;
        }
        let entries = self.natives.get(name).map(Vec::as_slice).unwrap_or_default();
        if !entries.is_empty() && entries.iter().all(|one| one.form.is_about_cells()) {
            let message = format!("`{name}` needs a board, but this game has none");
            let help = "declare a board in the game file: `board grid 8x8`".to_owned();
            self.report("no_board", call.position, message, Some(help));
        }
    }

    /// Returns the possible numbers of arguments of the native functions with this name; some may occur twice.
    pub(super) fn native_arities(&self, name: &str) -> impl Iterator<Item = usize> {
        self.natives.get(name).into_iter().flatten().flat_map(|one| one.form.counts())
    }

    /// Returns the possible numbers of arguments in the brackets for functions of this name. In a method call, the
    /// object is the first argument of a native function, but an additional `this` for a function of the script.
    pub(super) fn arities(&self, name: &str, method: bool) -> BTreeSet<usize> {
        let natives = self.native_arities(name).chain(library_arities(name));
        let objects = usize::from(method);
        self.layers.arities(name).chain(natives.filter_map(|arity| arity.checked_sub(objects))).collect()
    }

    /// Returns whether a function of this name can have this number of arguments in its brackets.
    fn takes(&self, name: &str, method: bool, count: usize) -> bool {
        let given = count + usize::from(method);
        self.native_arities(name).any(|arity| arity == given)
            || self.layers.arities(name).any(|arity| arity == count)
            || library_arities(name).any(|arity| arity == given)
    }
}

/// Returns the possible numbers of arguments of the functions of Rhai's library with this name.
fn library_arities(name: &str) -> impl Iterator<Item = usize> {
    let keywords = match name {
        // Rhai's keyword functions are in no package.
        "call" | "curry" => Some(1..=9),
        "type_of" | "is_shared" | "Fn" | "print" | "debug" | "is_def_var" => Some(1..=1),
        "is_def_fn" => Some(2..=2),
        _ => None,
    };
    standard().get(name).into_iter().flatten().copied().chain(keywords.into_iter().flatten())
}

fn with_help(diagnostic: Diagnostic, help: Option<String>) -> Diagnostic {
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}
