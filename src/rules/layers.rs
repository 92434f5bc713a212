//! The layers of a script: the rules of the game, then one layer for each house rule.
//!
//! All layers share one numbering of lines, so that a position tells its file: layer after layer, each behind as many
//! empty lines as the layers before it have.

use std::collections::BTreeMap;
use std::sync::Arc;

use rhai::{AST, Dynamic, FnAccess, Module, Scope, ScriptFuncDef, Shared, Stmt};

use super::engine::{Built, SCRIPT, base_name};
use super::fault;
use crate::diagnostic::{Diagnostic, Label, did_you_mean};
use crate::source::{Source, Span};
use crate::trace::RulesPlace;

/// The built-in turn for rules of the kind "list the moves, make one, test for the end".
const BUILT_IN_TURN: &str =
    "fn turn(me) {\n    let move = choose(me, \"move\", moves(me));\n    apply(me, move);\n    ended(me);\n}\n";

/// The place of a function's call in the built-in turn, which begins behind line `first`.
pub(crate) fn call_in_turn(first: usize, function: &str) -> RulesPlace {
    let calls = |line: &str| line.find(&format!("{function}(")).map(|at| at + 1);
    let mut lines = BUILT_IN_TURN.lines().enumerate().skip(1);
    let found = lines.find_map(|(at, line)| Some((first + at + 1, calls(line)?)));
    found.map_or_else(RulesPlace::default, |(line, column)| RulesPlace { line, column })
}

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
    /// The constants of each layer above the first, which may set options.
    pub(crate) settings: Vec<BTreeMap<String, Dynamic>>,
    /// The line behind which the built-in turn begins, where the rules have no turn of their own.
    pub(crate) built_in: Option<usize>,
}

impl Layers {
    /// Compile and merge the rules and the house rules over them, in this order.
    pub(crate) fn compile(built: &Built, sources: &[Arc<Source>]) -> Result<Self, Vec<Diagnostic>> {
        let mut layers = Self {
            texts: Texts::default(),
            functions: BTreeMap::new(),
            constants: BTreeMap::new(),
            settings: Vec::new(),
            built_in: None,
        };
        let mut wrong = Vec::new();
        for (layer, source) in sources.iter().enumerate() {
            wrong.extend(layers.add(built, layer, source));
        }
        if layers.lacks("turn", 1) && !layers.lacks("moves", 1) {
            let built_in = Arc::new(Source::new("(built in)", BUILT_IN_TURN));
            layers.built_in = Some(layers.texts.end());
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
        built.layer.set(layer);
        let compiled = built.engine.compile(format!("{}{}", "\n".repeat(first), source.text()));
        built.layer.set(0);
        let ast = match compiled {
            Ok(ast) => ast,
            Err(error) => return vec![fault::syntax(&error, &self.texts, source)],
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

    /// Only functions and constants may stand at the top level: what else stood there would never run.
    fn top_level(&self, ast: &AST) -> Vec<Diagnostic> {
        let strange = |stmt: &&Stmt| !matches!(stmt, Stmt::Noop(_)) && !is_constant(stmt);
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
        let values: BTreeMap<String, Dynamic> = scope.iter().map(|(name, _, value)| (name.to_owned(), value)).collect();
        self.constants.extend(values.clone());
        if layer > 0 {
            self.settings.push(values);
        }
        Vec::new()
    }

    fn insert(&mut self, layer: usize, def: &Shared<ScriptFuncDef>) -> Option<Diagnostic> {
        let name = def.name.to_string();
        let key = (name.clone(), def.params.len());
        let new = Function { def: Shared::clone(def), layer };
        let old = self.functions.get(&key).cloned();
        let anonymous = name.starts_with("anon$");
        let wrong = |code, message: String| {
            let label = self.texts.label(fault::place(def.body.start_position()))?;
            Some(Diagnostic::new(code, &label.source, label.span, message))
        };
        if layer > 0 && !anonymous {
            let private = def.access == FnAccess::Private;
            match old {
                Some(_) if private => {
                    return wrong("house_function", format!("`{name}` is a function of the rules already"))
                        .map(|wrong| wrong.help("a helper of a house rule needs a name of its own"));
                }
                None if !private => {
                    let help = self.near(&key).unwrap_or_else(|| {
                        format!("a house rule redefines functions of the rules; a helper of its own is `private fn {name}(…)`")
                    });
                    let message = format!("the rules have no function `{name}` with {} to redefine", parameters(key.1));
                    return wrong("house_function", message).map(|wrong| wrong.help(help));
                }
                Some(old) => {
                    let kept = base_name(layer, &name);
                    let mut def = (*old.def).clone();
                    def.name = kept.clone().into();
                    self.functions.insert((kept, key.1), Function { def: Shared::new(def), layer: old.layer });
                }
                None => {}
            }
        }
        self.functions.insert(key, new);
        None
    }

    fn near(&self, key: &(String, usize)) -> Option<String> {
        let arities: Vec<String> =
            self.functions.keys().filter(|(name, _)| *name == key.0).map(|(_, arity)| arity.to_string()).collect();
        if arities.is_empty() {
            return did_you_mean(&key.0, self.functions.keys().map(|(name, _)| name.as_str()));
        }
        Some(format!("the rules have `{}` with {} parameters", key.0, arities.join(" or ")))
    }
}

fn is_constant(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Var(_, flags, _) if flags.intersects(rhai::ASTFlags::CONSTANT))
}

fn parameters(count: usize) -> String {
    format!("{count} parameter{}", if count == 1 { "" } else { "s" })
}
