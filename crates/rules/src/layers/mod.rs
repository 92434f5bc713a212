//! The layers of a script: the rules of the game, then one layer for each house rule.
//!
//! All layers share one numbering of lines, so a position identifies its file: each layer follows as many empty lines
//! as the layers before it have.

mod braces;
mod comments;
pub(crate) mod fault;
mod heads;
mod items;
mod mending;
mod offered;
mod renaming;
mod settings;
mod texts;
mod tokens;
mod unreadable;
mod walk;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use rhai::{AST, Dynamic, Engine, Expr, FnAccess, Module, Position, ScriptFuncDef, Shared, Stmt};

use crate::host::Meter;
use crate::natives::OfGame;
use crate::values::{SCRIPT, kind_of};
use referee_diagnostic::{Code, Diagnostic, Label, MustBe as _, counted, did_you_mean, one_of};
use referee_source::{Source, Span};
use referee_table::NameMap;
use referee_trace::RulesPlace;
use settings::{setting, typo};

pub(crate) use crate::values::rules_place;
pub(crate) use items::{Item, items};
pub(crate) use mending::{before, cut_off};
pub(crate) use renaming::{Renaming, author_name, base_name, is_internal};
pub use settings::is_setting;
pub(crate) use texts::{Text, Texts};
pub(crate) use tokens::{ScriptToken, Tokens};
pub use tokens::{ScriptTokenKind, tokens};
pub(crate) use walk::{Definition, closure_call};

/// The built-in turn for rules of the kind "list the moves, make one, test for the end".
const BUILT_IN_TURN: &str =
    "fn turn(me) {\n    let move = choose(me, \"move\", moves(me));\n    apply(me, move);\n    ended(me);\n}\n";
/// The built-in turn for rules with a function `stuck` for a player without a move.
const BUILT_IN_TURN_OR_STUCK: &str = "fn turn(me) {\n    let options = moves(me);\n    if options.is_empty() { return stuck(me); }\n    let move = choose(me, \"move\", options);\n    apply(me, move);\n    ended(me);\n}\n";

/// What the options of a choice pass through before a player gets them, if rules or a house rule define it.
pub(crate) const OFFERED: (&str, usize) = ("offered", 3);
/// The function that house rules redefine where the rules have none.
const OFFERED_AS_THEY_ARE: &str = "fn offered(_me, _ask, options) { options }\n";
/// What the built-in turn lists: the moves pass through it before they are listed, so that all that looks at them sees the same.
const OFFERED_MOVES: &str = "fn moves(me) { offered(me, \"move\", base_moves(me)) }\n";

/// The layer of the built-in turn, above all others.
pub(crate) const BUILT_IN: usize = usize::MAX;

/// The built-in turn, for rules without a `turn`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BuiltIn {
    /// The line after which its text begins.
    first: usize,
    text: &'static str,
}

impl BuiltIn {
    /// Returns whether a place is in it.
    pub(crate) fn holds(self, at: Position) -> bool {
        at.line().is_some_and(|line| (self.first + 1..=self.first + self.text.lines().count()).contains(&line))
    }

    /// Returns the place of the call of a function in it.
    pub(crate) fn call(self, function: &str) -> Option<RulesPlace> {
        let calls = |line: &str| line.find(&format!("{function}(")).map(|at| at + 1);
        let mut lines = self.text.lines().enumerate().skip(1);
        lines.find_map(|(at, line)| Some(RulesPlace { line: self.first + at + 1, column: calls(line)? }))
    }
}

/// The maximum number of lines that positions can distinguish.
const MAX_LINES: usize = 60_000;

/// The maximum number of cases of all `switch` in a script. The engine compares each with all others.
const MAX_CASES: usize = 5_000;

/// The tools with which scripts are read.
pub(crate) struct Reading<'r> {
    pub(crate) engine: &'r Engine,
    pub(crate) renaming: &'r Renaming,
    pub(crate) meter: &'r Meter,
    /// The functions that the rules may call.
    pub(crate) natives: &'r Rc<OfGame>,
    /// What computes the constants that are not written out.
    pub(crate) computes: &'r dyn Computes,
    /// Whether what cannot be read is left out, so that an editor can ask about the rest.
    pub(crate) mends: bool,
}

/// What computes constants.
pub(crate) trait Computes {
    /// Computes the constants of a script in their order, and adds them to `alone`, which has only the functions of the
    /// script. A constant may use those before it.
    ///
    /// # Errors
    /// Returns why one has no value.
    fn compute(&self, alone: &mut Layers, statements: &[Stmt]) -> Result<(), Vec<Diagnostic>>;
}

/// A function of the script and its layer.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) def: Definition,
    pub(crate) layer: usize,
}

/// A constant of the scripts.
pub(crate) struct Constant {
    pub(crate) value: Dynamic,
    /// The position of its name.
    pub(crate) position: Position,
}

/// All layers compiled and merged.
pub(crate) struct Layers {
    pub(crate) texts: Texts,
    pub(crate) functions: BTreeMap<(String, usize), Function>,
    /// The names of the functions, each with its numbers of parameters in order.
    names: NameMap<Vec<usize>>,
    pub(crate) constants: BTreeMap<String, Constant>,
    /// The values and positions of the constants of [`SETTINGS`] in each layer above the first.
    pub(crate) settings: Vec<BTreeMap<&'static str, (Position, Dynamic)>>,
    /// The built-in turn, if the rules have no `turn`.
    pub(crate) built_in: Option<BuiltIn>,
    /// The constants of all scripts as statements.
    pub(crate) statements: Vec<Stmt>,
    /// The files whose text could not be read as a whole, with the parts that were left out.
    pub(crate) left_out: Vec<(Arc<Source>, Vec<Span>)>,
}

impl Layers {
    /// Returns the numbers of parameters of the functions with this name.
    pub(crate) fn arities(&self, name: &str) -> impl Iterator<Item = usize> {
        self.names.get(name).into_iter().flatten().copied()
    }

    /// Returns whether there is a function with this name.
    pub(crate) fn has_function(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// Compiles and merges, in this order: the rules, the scripts of data files (`beside`), and the house rules. `sources`
    /// are the rules and the house rules.
    ///
    /// # Errors
    /// Returns all errors in the scripts.
    pub(crate) fn compile(with: &Reading<'_>, scripts: &[Vec<Arc<Source>>; 2]) -> Result<Self, Vec<Diagnostic>> {
        let (layers, wrong) = Self::read(with, scripts);
        if wrong.is_empty() { Ok(layers) } else { Err(wrong) }
    }

    /// Does the same, and returns what could be read besides the errors.
    pub(crate) fn read(with: &Reading<'_>, [sources, beside]: &[Vec<Arc<Source>>; 2]) -> (Self, Vec<Diagnostic>) {
        let mut layers = Self::of(Texts::of(with.natives));
        let mut wrong = Vec::new();
        for (layer, source) in sources.iter().enumerate() {
            wrong.extend(layers.add(with, layer, source));
            if layer == 0 {
                beside.iter().for_each(|source| wrong.extend(layers.add(with, layer, source)));
                let defines = |source: &Arc<Source>| has_header(source.text(), OFFERED.0);
                if layers.lacks(OFFERED.0, OFFERED.1) && sources.iter().skip(1).any(defines) {
                    let none = Arc::new(Source::built_in("(built in)", OFFERED_AS_THEY_ARE));
                    wrong.extend(layers.add(with, layer, &none));
                }
            }
        }
        if layers.lacks("turn", 1) && !layers.lacks("moves", 1) {
            layers.pass_moves(with, sources.len());
            let text = if layers.lacks("stuck", 1) { BUILT_IN_TURN } else { BUILT_IN_TURN_OR_STUCK };
            let built_in = Arc::new(Source::built_in("(built in)", text));
            layers.built_in = Some(BuiltIn { first: layers.texts.end(), text });
            wrong.extend(layers.add(with, BUILT_IN, &built_in));
        }
        (layers, wrong)
    }

    /// Returns layers without anything in these texts.
    fn of(texts: Texts) -> Self {
        Self {
            texts,
            functions: BTreeMap::new(),
            names: NameMap::default(),
            constants: BTreeMap::new(),
            settings: Vec::new(),
            built_in: None,
            statements: Vec::new(),
            left_out: Vec::new(),
        }
    }

    /// Returns whether there is no function with this name and number of parameters.
    pub(crate) fn lacks(&self, name: &str, arity: usize) -> bool {
        self.arities(name).all(|own| own != arity)
    }

    /// Returns the constants of all scripts as one module.
    pub(crate) fn constants_module(&self) -> Module {
        let mut constants = Module::new();
        for (name, constant) in &self.constants {
            constants.set_var(name.as_str(), constant.value.clone());
        }
        constants
    }

    /// Returns the merged functions as one library.
    pub(crate) fn library(&self) -> AST {
        let mut module = Module::new();
        for function in self.functions.values() {
            module.set_script_fn(function.def.shared());
        }
        AST::new_from_module(module)
    }

    /// Lets the moves that the built-in turn lists pass through the rules' function for options, if they have one. `layer` is that
    /// above all house rules.
    fn pass_moves(&mut self, with: &Reading<'_>, layer: usize) {
        let key = ("moves".to_owned(), 1);
        let old = self.functions.get(&key).filter(|_| !self.lacks(OFFERED.0, OFFERED.1)).cloned();
        let Some(old) = old else { return };
        let first = self.texts.push(&Arc::new(Source::built_in("(built in)", OFFERED_MOVES)), false);
        with.renaming.begin(layer, BTreeSet::new());
        let read = with.engine.compile(format!("{}{OFFERED_MOVES}", "\n".repeat(first)));
        with.renaming.begin(0, BTreeSet::new());
        let read = read.ok().noted("a function that is built in").unwrap_or_else(AST::empty);
        self.keep_below(layer, &key, &old);
        for (.., def) in read.shared_lib().iter_script_fn_info() {
            self.put(key.clone(), Function { def: Definition::of(Shared::clone(def)), layer: BUILT_IN });
        }
    }

    /// Keeps a function that a layer redefines under the name by which this layer calls it.
    fn keep_below(&mut self, layer: usize, key: &(String, usize), old: &Function) {
        let kept = base_name(layer, &key.0);
        let mut def = ScriptFuncDef::clone(&old.def);
        def.name = kept.clone().into();
        self.put((kept, key.1), Function { def: Definition::of(Shared::new(def)), layer: old.layer });
    }

    fn add(&mut self, with: &Reading<'_>, layer: usize, source: &Arc<Source>) -> Vec<Diagnostic> {
        if source.text().len() > SCRIPT {
            let message = format!("this script is larger than {SCRIPT} bytes");
            return vec![Diagnostic::new(Code::ScriptTooLarge, source, Span::default(), message)];
        }
        if let Some((at, arrow)) = source.text().match_indices("=>").nth(MAX_CASES) {
            let message = format!("a script has at most {MAX_CASES} cases of `switch`");
            let wrong = Diagnostic::new(Code::ScriptTooLarge, source, Span::new(at..at + arrow.len()), message);
            return vec![wrong.help("look values up in a map: `let prices = #{ale: 3, bread: 1};`, `prices[name]`")];
        }
        let first = self.texts.push(source, is_house(layer));
        if first + source.line_count() > MAX_LINES {
            let message = format!("the scripts have more than {MAX_LINES} lines together");
            return vec![Diagnostic::new(Code::ScriptTooLarge, source, Span::default(), message)];
        }
        if let Some(at) = comments::open(source.text()) {
            let wrong =
                Diagnostic::new(Code::ScriptSyntax, source, Span::new(at..at + 2), "this comment is not closed");
            return vec![wrong.help("close it with `*/`, or begin each line of it with `//`")];
        }
        let text = format!("{}{}", "\n".repeat(first), comments::plain(source.text()));
        let parse = |own: &BTreeSet<String>, text: &str| {
            with.renaming.begin(if is_house(layer) { layer } else { 0 }, own.clone());
            let compiled = with.engine.compile(text);
            with.renaming.begin(0, BTreeSet::new());
            compiled
        };
        // The own names of a house rule are known only after it was read. It is then read again with internal names.
        let read = parse(&BTreeSet::new(), &text).and_then(|ast| match self.own(layer, &ast) {
            own if own.is_empty() => Ok(ast),
            own => parse(&own, &text),
        });
        let mut wrong = Vec::new();
        let ast = match read {
            Ok(ast) => ast,
            Err(error) => {
                wrong.push(fault::syntax(&error, &self.texts, source));
                match self.texts.all().last().filter(|_| with.mends) {
                    Some(text) => {
                        let own = self.own_items(layer, text);
                        let mended = mending::mended(text, &|text| parse(&own, text));
                        self.left_out.push((Arc::clone(source), mended.left_out));
                        let mut all = AST::empty();
                        for one in mended.read {
                            all.combine(one);
                        }
                        all
                    }
                    None => return wrong,
                }
            }
        };
        wrong.extend(self.add_read(with, (layer, source), &ast));
        wrong
    }

    /// Adds what was read of a script.
    fn add_read(&mut self, with: &Reading<'_>, (layer, source): (usize, &Arc<Source>), ast: &AST) -> Vec<Diagnostic> {
        let mut wrong = self.top_level(ast);
        if wrong.is_empty() {
            wrong.extend(self.constants(with, ast, layer));
        }
        self.statements.extend(ast.statements().iter().filter(|stmt| constant(stmt).is_some()).cloned());
        for (_, _, _, _, def) in ast.shared_lib().iter_script_fn_info() {
            let is_wrong = self.insert(layer, def);
            let key = (def.name.to_string(), def.params.len());
            if with.mends && is_wrong.is_some() && !self.functions.contains_key(&key) {
                self.put(key, Function { def: Definition::of(Shared::clone(def)), layer });
            }
            wrong.extend(is_wrong);
        }
        if wrong.is_empty() && is_house(layer) && changes_nothing(ast) {
            let message = "this house rule changes nothing";
            let start = source.text().len() - source.text().trim_start().len();
            let wrong = Diagnostic::new(Code::EmptyHouse, source, Span::new(start..start), message);
            return vec![wrong.help(
                "redefine a function or a constant of the rules, or set options: `const OPTIONS = #{ … };`; or delete \
                 the file",
            )];
        }
        wrong
    }

    /// Returns the private functions of a house rule, and its constants that the rules do not have.
    fn own(&self, layer: usize, ast: &AST) -> BTreeSet<String> {
        if !is_house(layer) {
            return BTreeSet::new();
        }
        let functions = ast.shared_lib().iter_script_fn_info().filter(|(_, _, _, _, def)| is_private(def));
        let functions = functions.map(|(_, _, _, _, def)| def.name.to_string());
        let constants = ast.statements().iter().filter_map(constant).map(|(name, _)| name.to_owned());
        let constants = constants.filter(|name| setting(name).is_none() && !self.constants.contains_key(name));
        functions.filter(|name| !self.is_public(name)).chain(constants).collect()
    }

    /// Returns the same, as far as the tokens of a script tell that cannot be read.
    fn own_items(&self, layer: usize, text: &Text) -> BTreeSet<String> {
        let all = if is_house(layer) { items(text.source(), text.tokens()) } else { Vec::new() };
        let own = all.into_iter().filter_map(|item| {
            let name = text.source().slice(item.name);
            let is_own = match item.params {
                Some(_) => item.is_private && !self.is_public(name),
                None => setting(name).is_none() && !self.constants.contains_key(name),
            };
            is_own.then(|| name.to_owned())
        });
        own.collect()
    }

    /// Returns whether a function of this name can be redefined.
    fn is_public(&self, name: &str) -> bool {
        self.functions.iter().any(|((other, _), function)| other == name && !is_private(&function.def))
    }

    /// Returns an error for each statement at the top level that is no constant, because it would never run.
    fn top_level(&self, ast: &AST) -> Vec<Diagnostic> {
        let strange = |stmt: &&Stmt| !matches!(stmt, Stmt::Noop(_)) && constant(stmt).is_none();
        let word = |stmt: &Stmt| {
            let label = self.texts.label(rules_place(stmt.position()))?;
            Some(
                Diagnostic::new(
                    Code::TopLevelStatement,
                    &label.source,
                    label.span,
                    "only functions and constants are allowed at the top level of a script",
                )
                .help("move it into a function, such as `fn turn(me) { … }`"),
            )
        };
        ast.statements().iter().filter(strange).filter_map(word).collect()
    }

    fn constants(&mut self, with: &Reading<'_>, ast: &AST, layer: usize) -> Vec<Diagnostic> {
        with.meter.reset(0);
        with.meter.leave(operations(ast));
        let mut alone = self.alone(ast);
        if let Err(wrong) = with.computes.compute(&mut alone, ast.statements()) {
            return wrong;
        }
        let mut wrong = Vec::new();
        let mut settings = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for (name, position) in ast.statements().iter().filter_map(constant) {
            let twice = !seen.insert(name);
            let Some(value) = alone.constants.get(name).map(|constant| constant.value.clone()) else { continue };
            let author = author_name(name);
            let mut report = |code, message: String, help: String| {
                let label = self.texts.label(rules_place(position));
                wrong.extend(label.map(|label| Diagnostic::new(code, &label.source, label.span, message).help(help)));
            };
            let redefined = self.constants.get(name).filter(|_| layer > 0).map(|old| &old.value);
            if twice {
                let other = if is_setting(&author) { "write one that sets all" } else { "rename one of them" };
                report(Code::DuplicateName, format!("duplicate constant `{author}`"), other.to_owned());
            } else if let Some(setting) = setting(name) {
                if layer == 0 {
                    let message = format!("only a house rule can have a constant `{author}`");
                    report(Code::WrongSetting, message, "set it in the game file".to_owned());
                } else if value.read_lock::<rhai::Map>().is_some_and(|map| map.is_empty()) && (setting.fits)(&value) {
                    let help = format!("write for example `{}`, or remove it", setting.example);
                    report(Code::WrongSetting, format!("`{author}` sets nothing"), help);
                } else if (setting.fits)(&value) {
                    settings.insert(setting.name, (position, value));
                } else {
                    let message = format!("`{author}` must be {}, found {}", setting.kind, kind_of(&value));
                    report(Code::WrongSetting, message, format!("write for example `{}`", setting.example));
                }
            } else if let Some(meant) = typo(&author, &value).filter(|_| layer > 0 && redefined.is_none()) {
                report(Code::WrongSetting, format!("unknown setting `{author}`"), format!("did you mean `{meant}`?"));
            } else if let Some(old) = redefined.filter(|old| old.type_id() != value.type_id()) {
                let message = format!("`{author}` is {} in the rules, but {} here", kind_of(old), kind_of(&value));
                report(Code::HouseConstant, message, "write a value of the same kind".to_owned());
            } else if is_house(layer)
                && redefined.is_none()
                && let Some(help) = self.unread(&author, position)
            {
                report(Code::HouseConstant, format!("nothing uses the constant `{author}`"), help);
            } else if self.constants.contains_key(name) && layer == 0 {
                let message = format!("duplicate constant `{author}`");
                report(Code::DuplicateName, message, "rename one of them".to_owned());
            } else {
                self.constants.insert(name.to_owned(), Constant { value, position });
            }
        }
        if is_house(layer) {
            self.settings.push(settings);
        }
        wrong
    }

    /// Returns the functions of one script without those of all others.
    fn alone(&self, ast: &AST) -> Self {
        let mut alone = Self::of(self.texts.clone());
        for (.., def) in ast.shared_lib().iter_script_fn_info() {
            let key = (def.name.to_string(), def.params.len());
            alone.put(key, Function { def: Definition::of(Shared::clone(def)), layer: 0 });
        }
        alone
    }

    /// Returns help for a constant that its file reads nowhere; `None` if it does.
    fn unread(&self, name: &str, position: Position) -> Option<String> {
        let label = self.texts.label(rules_place(position))?;
        if tokens::reads(label.source.text(), name) {
            return None;
        }
        let known = || self.constants.keys().map(String::as_str).filter(|known| !is_internal(known));
        Some(did_you_mean(name, known()).unwrap_or_else(|| match one_of(known(), 9) {
            list if list.is_empty() => "use it in a function of the house rule, or remove it".to_owned(),
            list => format!("use it in a function of the house rule, or redefine a constant of the rules: {list}"),
        }))
    }

    fn insert(&mut self, layer: usize, def: &Shared<ScriptFuncDef>) -> Option<Diagnostic> {
        let name = def.name.to_string();
        let key = (name.clone(), def.params.len());
        let new = Function { def: Definition::of(Shared::clone(def)), layer };
        if let Some(old) = self.functions.get(&key).filter(|_| layer == 0 && !name.starts_with("anon$")) {
            let (label, first) = (self.name_of(def)?, self.name_of(&old.def)?);
            let message = format!("duplicate function `{name}` with {}", counted(key.1, "parameter"));
            let wrong = Diagnostic::new(Code::DuplicateName, &label.source, label.span, message);
            return Some(wrong.also(&first.source, first.span, "first defined here").help("rename one of them"));
        }
        if is_house(layer) && !name.starts_with("anon$") && !is_internal(&name) {
            let wrong = |message: String, help: String| {
                let label = self.name_of(def)?;
                Some(Diagnostic::new(Code::HouseFunction, &label.source, label.span, message).help(help))
            };
            let old = self.functions.get(&key).cloned();
            match old.filter(|old| !is_private(&old.def)) {
                _ if is_private(def) => {
                    return wrong(
                        format!("the rules already have a function `{name}`"),
                        "choose another name for the helper".to_owned(),
                    );
                }
                None if self.functions.contains_key(&key) => {
                    return wrong(
                        format!("a house rule cannot redefine the private function `{name}`"),
                        format!("write `private fn {name}(…)` for a helper of the house rule"),
                    );
                }
                None => {
                    let help = self.near(&key).unwrap_or_else(|| {
                        format!("redefine a function of the rules, or write `private fn {name}(…)` for a helper")
                    });
                    let message =
                        format!("the rules have no function `{name}` with {} to redefine", counted(key.1, "parameter"));
                    return wrong(message, help);
                }
                Some(old) => self.keep_below(layer, &key, &old),
            }
        }
        self.put(key, new);
        None
    }

    fn put(&mut self, key: (String, usize), function: Function) {
        let arities = self.names.entry(key.0.clone()).or_default();
        if let Err(at) = arities.binary_search(&key.1) {
            arities.insert(at, key.1);
        }
        self.functions.insert(key, function);
    }

    /// Returns the location of the name of the function with this name and number of parameters.
    pub(crate) fn label_of(&self, name: &str, parameters: usize) -> Option<Label> {
        self.name_of(&self.functions.get(&(name.to_owned(), parameters))?.def)
    }

    /// Returns whether a function is a helper of its file.
    pub(crate) fn is_private(&self, name: &str, parameters: usize) -> bool {
        self.functions.get(&(name.to_owned(), parameters)).is_some_and(|function| is_private(&function.def))
    }

    /// Returns the location of a function's name in its file.
    pub(crate) fn name_of(&self, def: &ScriptFuncDef) -> Option<Label> {
        let body = def.body.start_position();
        let text = self.texts.of_position(body)?;
        let named = text.token(body).and_then(|opens| {
            let brackets = text.tokens().partner(opens.checked_sub(1)?)?;
            text.tokens().get(brackets.checked_sub(1)?)
        });
        match named {
            Some(name) => Some(Label { source: Arc::clone(text.source()), span: name.span, text: String::new() }),
            None => self.texts.label(rules_place(body)),
        }
    }

    fn near(&self, key: &(String, usize)) -> Option<String> {
        let arities: Vec<usize> = self.arities(&key.0).collect();
        let Some((last, others)) = arities.split_last() else {
            let public = self.functions.iter().filter(|(_, function)| !is_private(&function.def));
            return did_you_mean(&key.0, public.map(|((name, _), _)| name.as_str()).filter(|name| !is_internal(name)));
        };
        let others: String = others.iter().map(|arity| format!("{arity} or ")).collect();
        Some(format!("the rules have `{}` with {others}{}", key.0, counted(*last, "parameter")))
    }
}

/// Returns the name and the position of a constant; `None` for any other statement.
fn constant(stmt: &Stmt) -> Option<(&str, Position)> {
    declared(stmt).map(|(name, position, _)| (name, position))
}

/// Returns the name of the constant that a statement declares, its position, and what it is declared as.
pub(crate) fn declared(stmt: &Stmt) -> Option<(&str, Position, &Expr)> {
    match stmt {
        Stmt::Var(parts, flags, _) if flags.intersects(rhai::ASTFlags::CONSTANT) => {
            Some((parts.0.name.as_str(), parts.0.pos, &parts.1))
        }
        _ => None,
    }
}

/// Returns whether a house rule has neither a function nor a constant that could replace another one.
fn changes_nothing(ast: &AST) -> bool {
    let constants = ast.statements().iter().filter_map(constant).any(|(name, _)| !is_internal(name));
    let public = |def: &ScriptFuncDef| !is_private(def) && !def.name.starts_with("anon$");
    !constants && !ast.shared_lib().iter_script_fn_info().any(|(_, _, _, _, def)| public(def))
}

/// Returns how many operations the constants of a script may take: one for each value and operator, and some for loops.
fn operations(ast: &AST) -> u64 {
    const LOOPS: u64 = 20_000;
    let mut nodes = 0;
    ast.walk(&mut |_| {
        nodes += 1;
        true
    });
    LOOPS + nodes
}

/// Returns whether a text has the head of a function of this name.
fn has_header(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = text.split_at_checked(at).unwrap_or_default();
        let parameters = after.get(name.len()..).unwrap_or_default();
        before.ends_with(char::is_whitespace)
            && before.trim_end().ends_with("fn")
            && parameters.trim_start().starts_with('(')
    })
}

pub(crate) const fn is_house(layer: usize) -> bool {
    layer > 0 && layer < BUILT_IN
}

fn is_private(def: &ScriptFuncDef) -> bool {
    def.access == FnAccess::Private
}
