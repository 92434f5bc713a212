//! The layers of a script: the rules of the game, then one layer for each house rule.
//!
//! All layers share one numbering of lines, so that a position tells its file: layer after layer, each behind as many
//! empty lines as the layers before it have.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rhai::{AST, Dynamic, FnAccess, Module, Position, Scope, ScriptFuncDef, Shared, Stmt};

use super::convert::kind_of;
use super::engine::{Built, SCRIPT};
use super::fault;
use super::renaming::{author_name, base_name};
use crate::diagnostic::{Diagnostic, Label, did_you_mean};
use crate::source::{Source, Span};
use crate::trace::RulesPlace;

/// The built-in turn for rules of the kind "list the moves, make one, test for the end".
const BUILT_IN_TURN: &str =
    "fn turn(me) {\n    let move = choose(me, \"move\", moves(me));\n    apply(me, move);\n    ended(me);\n}\n";

/// The most lines that positions can tell apart.
const MOST_LINES: usize = 60_000;

/// The texts of a script and the line on which each begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts(Vec<Text>);

/// A text, the number of the line before its first, and how many lines of its file stand before that.
#[derive(Clone, Debug)]
struct Text {
    source: Arc<Source>,
    first: usize,
    skipped: usize,
}

impl Texts {
    fn push(&mut self, source: &Arc<Source>) -> usize {
        let first = self.end();
        self.0.push(Text { source: Arc::clone(source), first, skipped: 0 });
        first
    }

    /// The first line that no script has.
    pub(crate) fn end(&self) -> usize {
        self.0.last().map_or(0, |last| last.first + last.source.text().lines().count() + 1)
    }

    /// These texts and behind them an expression that begins on `line` (from 1) of another file.
    pub(crate) fn with_island(&self, source: &Arc<Source>, line: usize) -> Self {
        let mut texts = self.clone();
        texts.0.push(Text { source: Arc::clone(source), first: self.end(), skipped: line - 1 });
        texts
    }

    /// The text of a layer, the rules being layer 0.
    pub(crate) fn source(&self, layer: usize) -> Option<Arc<Source>> {
        self.0.get(layer).map(|text| Arc::clone(&text.source))
    }

    /// The place in a file for a place in the script; the word there underlined.
    pub(crate) fn label(&self, place: RulesPlace) -> Option<Label> {
        let Text { source, first, skipped } = self.0.iter().rev().find(|text| place.line > text.first)?;
        let line = place.line - first + skipped;
        let start = source.offset(line, place.column.max(1));
        let rest = source.slice(Span { start, end: source.line_span(line).end });
        let word = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
        let length = word.max(rest.chars().next().map_or(0, char::len_utf8));
        let span = Span { start, end: start + Span::new(0..length).end };
        Some(Label { source: Arc::clone(source), span, text: String::new() })
    }
}

/// A function of the script and the layer that it comes from.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) def: Shared<ScriptFuncDef>,
    pub(crate) layer: usize,
}

/// All layers compiled and merged.
pub(crate) struct Layers {
    pub(crate) texts: Texts,
    pub(crate) functions: BTreeMap<(String, usize), Function>,
    pub(crate) constants: BTreeMap<String, Dynamic>,
    /// The options that each layer above the first sets: where, and a map.
    pub(crate) settings: Vec<Option<(Position, Dynamic)>>,
}

impl Layers {
    /// Compile and merge the rules and the house rules over them, in this order.
    pub(crate) fn compile(built: &Built, sources: &[Arc<Source>]) -> Result<Self, Vec<Diagnostic>> {
        let mut layers = Self {
            texts: Texts::default(),
            functions: BTreeMap::new(),
            constants: BTreeMap::new(),
            settings: Vec::new(),
        };
        let mut wrong = Vec::new();
        for (layer, source) in sources.iter().enumerate() {
            wrong.extend(layers.add(built, layer, source));
        }
        if layers.lacks("turn", 1) && !layers.lacks("moves", 1) {
            let built_in = Arc::new(Source::new("(built in)", BUILT_IN_TURN));
            wrong.extend(layers.add(built, 0, &built_in));
        }
        if wrong.is_empty() { Ok(layers) } else { Err(wrong) }
    }

    fn lacks(&self, name: &str, arity: usize) -> bool {
        !self.functions.contains_key(&(name.to_owned(), arity))
    }

    /// The merged functions as one library.
    pub(crate) fn library(&self) -> AST {
        let mut module = Module::new();
        for function in self.functions.values() {
            module.set_script_fn(Shared::clone(&function.def));
        }
        AST::new_from_module(module)
    }

    fn add(&mut self, built: &Built, layer: usize, source: &Arc<Source>) -> Vec<Diagnostic> {
        if source.text().len() > SCRIPT {
            let message = format!("this script is larger than {SCRIPT} bytes");
            return vec![Diagnostic::new("script_too_large", source, Span::default(), message)];
        }
        let first = self.texts.push(source);
        if first + source.text().lines().count() > MOST_LINES {
            let message = format!("the scripts have more than {MOST_LINES} lines together");
            return vec![Diagnostic::new("script_too_large", source, Span::default(), message)];
        }
        let text = format!("{}{}", "\n".repeat(first), plain_comments(source.text()));
        let compile = |own: BTreeSet<String>| {
            built.renaming.begin(layer, own);
            let compiled = built.engine.compile(&text);
            built.renaming.begin(0, BTreeSet::new());
            compiled.map_err(|error| vec![fault::syntax(&error, &self.texts, source)])
        };
        // What a house rule has for itself is known once it was read; then it is read again under names of its own.
        let read = compile(BTreeSet::new()).and_then(|ast| match self.own(layer, &ast) {
            own if own.is_empty() => Ok(ast),
            own => compile(own),
        });
        let ast = match read {
            Ok(ast) => ast,
            Err(wrong) => return wrong,
        };
        let mut wrong = self.top_level(&ast);
        if wrong.is_empty() {
            wrong.extend(self.constants(built, &ast, layer));
        }
        for (_, _, _, _, def) in ast.shared_lib().iter_script_fn_info() {
            wrong.extend(self.insert(layer, def));
        }
        wrong
    }

    /// The private functions of a house rule, and its constants that are none of the rules.
    fn own(&self, layer: usize, ast: &AST) -> BTreeSet<String> {
        if layer == 0 {
            return BTreeSet::new();
        }
        let functions = ast.shared_lib().iter_script_fn_info().filter(|(_, _, _, _, def)| is_private(def));
        let functions = functions.map(|(_, _, _, _, def)| def.name.to_string());
        let constants = ast.statements().iter().filter_map(constant).map(|(name, _)| name.to_owned());
        let constants = constants.filter(|name| name != OPTIONS && !self.constants.contains_key(name));
        functions.filter(|name| !self.is_public(name)).chain(constants).collect()
    }

    /// Whether a function of this name can be redefined.
    fn is_public(&self, name: &str) -> bool {
        self.functions.iter().any(|((other, _), function)| other == name && !is_private(&function.def))
    }

    /// Only functions and constants may stand at the top level: what else stood there would never run.
    fn top_level(&self, ast: &AST) -> Vec<Diagnostic> {
        let strange = |stmt: &&Stmt| !matches!(stmt, Stmt::Noop(_)) && constant(stmt).is_none();
        let word = |stmt: &Stmt| {
            let label = self.texts.label(fault::place(stmt.position()))?;
            Some(
                Diagnostic::new(
                    "top_level_statement",
                    &label.source,
                    label.span,
                    "only functions and constants may stand at the top level of a script",
                )
                .help("put it into a function; the rules begin with `fn turn(me) { … }`"),
            )
        };
        ast.statements().iter().filter(strange).filter_map(word).collect()
    }

    fn constants(&mut self, built: &Built, ast: &AST, layer: usize) -> Vec<Diagnostic> {
        let mut scope = Scope::new();
        built.meter.reset(0);
        let done = built.engine.run_ast_with_scope(&mut scope, ast);
        if built.meter.excess().is_some() {
            return vec![fault::excess(&built.meter, done.err().as_deref(), &self.texts)];
        }
        if let Err(error) = done {
            return vec![fault::runtime(&error, &self.texts)];
        }
        let mut wrong = Vec::new();
        let mut settings = None;
        for (name, position) in ast.statements().iter().filter_map(constant) {
            let Some(value) = scope.get(name).cloned() else { continue };
            let author = author_name(name);
            let mut say = |code, message: String, help: String| {
                let label = self.texts.label(fault::place(position));
                wrong.extend(label.map(|label| Diagnostic::new(code, &label.source, label.span, message).help(help)));
            };
            let redefined = self.constants.get(name).filter(|_| layer > 0);
            let slip = did_you_mean(&author.to_uppercase(), [OPTIONS]).is_some() && redefined.is_none();
            if name == OPTIONS && layer == 0 {
                say(
                    "wrong_options",
                    "the rules of a game do not set its options".to_owned(),
                    "their defaults stand in the game file; a house rule may set others".to_owned(),
                );
            } else if name == OPTIONS && value.is_map() {
                settings = Some((position, value));
            } else if name == OPTIONS {
                let help = "write the names of options with their values: `const OPTIONS = #{ goal: 3 };`".to_owned();
                say("wrong_options", format!("options are set by a map, not by {}", kind_of(&value)), help);
            } else if layer > 0 && value.is_map() && (slip || author.eq_ignore_ascii_case(OPTIONS)) {
                say(
                    "wrong_options",
                    format!("nothing reads a constant `{author}`"),
                    "did you mean `OPTIONS`?".to_owned(),
                );
            } else if let Some(old) = redefined.filter(|old| old.type_id() != value.type_id()) {
                let message = format!("in the rules `{author}` is {}, here {}", kind_of(old), kind_of(&value));
                say("house_constant", message, "a house rule may change its value, not what it is".to_owned());
            } else {
                self.constants.insert(name.to_owned(), value);
            }
        }
        if layer > 0 {
            self.settings.push(settings);
        }
        wrong
    }

    fn insert(&mut self, layer: usize, def: &Shared<ScriptFuncDef>) -> Option<Diagnostic> {
        let name = def.name.to_string();
        let key = (name.clone(), def.params.len());
        let new = Function { def: Shared::clone(def), layer };
        if layer > 0 && !name.starts_with("anon$") && !name.contains('$') {
            let wrong = |message: String, help: String| {
                let label = self.name_of(def)?;
                Some(Diagnostic::new("house_function", &label.source, label.span, message).help(help))
            };
            let old = self.functions.get(&key).cloned();
            match old.filter(|old| !is_private(&old.def)) {
                _ if is_private(def) => {
                    return wrong(
                        format!("`{name}` is a function of the rules already"),
                        "a helper of a house rule needs a name of its own".to_owned(),
                    );
                }
                None => {
                    let help = self.near(&key).unwrap_or_else(|| {
                        format!("a house rule redefines functions of the rules; a helper of its own is `private fn {name}(…)`")
                    });
                    let message = format!("the rules have no function `{name}` with {} to redefine", parameters(key.1));
                    return wrong(message, help);
                }
                Some(old) => {
                    let kept = base_name(layer, &name);
                    let mut def = (*old.def).clone();
                    def.name = kept.clone().into();
                    self.functions.insert((kept, key.1), Function { def: Shared::new(def), layer: old.layer });
                }
            }
        }
        self.functions.insert(key, new);
        None
    }

    /// The place of a function's name in its file.
    pub(crate) fn name_of(&self, def: &ScriptFuncDef) -> Option<Label> {
        let body = self.texts.label(fault::place(def.body.start_position()))?;
        let before = body.source.text().get(..body.span.range().start)?;
        let name = author_name(&def.name);
        let named = before.rmatch_indices("fn").find_map(|(at, _)| {
            let rest = before.get(at + 2..)?;
            let start = before.len() - rest.trim_start().len();
            let rest = before.get(start..)?.strip_prefix(name.as_str())?;
            (start > at + 2 && rest.trim_start().starts_with('(')).then_some(start)
        });
        let span = named.map_or(body.span, |start| Span::new(start..start + name.len()));
        Some(Label { span, ..body })
    }

    fn near(&self, key: &(String, usize)) -> Option<String> {
        let arities: Vec<String> =
            self.functions.keys().filter(|(name, _)| *name == key.0).map(|(_, arity)| arity.to_string()).collect();
        if arities.is_empty() {
            let public = self.functions.iter().filter(|(_, function)| !is_private(&function.def));
            return did_you_mean(&key.0, public.map(|((name, _), _)| name.as_str()).filter(|name| !name.contains('$')));
        }
        Some(format!("the rules have `{}` with {} parameters", key.0, arities.join(" or ")))
    }
}

/// The constant in which a house rule sets options.
pub(super) const OPTIONS: &str = "OPTIONS";

/// The name and the place of a constant.
fn constant(stmt: &Stmt) -> Option<(&str, Position)> {
    match stmt {
        Stmt::Var(parts, flags, _) if flags.intersects(rhai::ASTFlags::CONSTANT) => {
            Some((parts.0.name.as_str(), parts.0.pos))
        }
        _ => None,
    }
}

fn is_private(def: &ScriptFuncDef) -> bool {
    def.access == FnAccess::Private
}

/// The same text with `//` in place of `///` above constants, where Rhai knows no such comments.
fn plain_comments(text: &str) -> String {
    let mut plain: Vec<String> = Vec::new();
    let mut documented = 0;
    for line in text.split_inclusive('\n') {
        let code = line.trim_start();
        if code.starts_with("///") && !code.starts_with("////") {
            documented += 1;
        } else if code.starts_with("const ") {
            for line in plain.iter_mut().rev().take(documented) {
                *line = line.replacen("///", "// ", 1);
            }
            documented = 0;
        } else {
            documented = 0;
        }
        plain.push(line.to_owned());
    }
    plain.concat()
}

fn parameters(count: usize) -> String {
    format!("{count} parameter{}", if count == 1 { "" } else { "s" })
}
