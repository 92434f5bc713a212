//! The scripts of a game as an editor asks about them: every name with its meaning and its kind, also in scripts with
//! errors.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rhai::ImmutableString;

use super::host::{Link, Role};
use super::layers::{
    Item, Layers, Reading, ScriptTokenKind, Text, Texts, Tokens, author_name, before, cut_off, is_internal, items,
};
use super::natives::{self, Form};
use super::program::{Built, build};
use super::script::{
    Declared, Finder, Function, Local, Meaning, Name, Node, Occurrence, Script, Variable, What, in_order, is_closure,
    visible_at,
};
use super::values::{Kind, Sort};
use referee_source::{Source, Span};
use referee_table::{PropertyEach, PropertyKind, Schema};

/// The word that stands for what is being written.
const WRITTEN: &str = "written_here";

/// The number of the function that the constants of a text are read as.
const CONSTANTS: usize = usize::MAX;

/// The number of an expression outside of the scripts.
const EXPRESSION: usize = usize::MAX - 1;

/// The scripts of a game with one house rule at most.
pub struct Scripts {
    built: Built,
    schema: Arc<Schema>,
    layers: Layers,
    script: Script,
    /// The names in each file.
    found: BTreeMap<String, Vec<Occurrence>>,
}

/// A function or a constant that a script declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredInScript {
    /// The place of its name.
    pub name: Span,
    /// Whether it is a constant.
    pub is_constant: bool,
    /// Whether no other script sees it.
    pub is_private: bool,
    /// All of it.
    pub whole: Span,
}

/// Returns the functions and constants that a script declares, also one with errors.
#[must_use]
pub fn declared_in_script(source: &Source) -> Vec<DeclaredInScript> {
    let tokens = Tokens::of(source.text(), Span::new(0..source.text().len()));
    let declared = |Item { name, params, is_private, whole }| DeclaredInScript {
        name,
        is_constant: params.is_none(),
        is_private,
        whole,
    };
    items(source, &tokens).into_iter().map(declared).collect()
}

/// Something that can be written at a place of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    /// The name.
    pub name: String,
    /// What it is.
    pub kind: OfferedKind,
    /// Its signature or its kind; may be empty.
    pub note: String,
}

/// What an offered name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferedKind {
    /// A variable or a parameter.
    Variable,
    /// A flag, a counter, a property, or what is printed on cards.
    Property,
    /// A key of a map.
    Key,
    /// A function of the scripts.
    Function,
    /// A function that every game has, or one of the library.
    Native,
}

/// What fits at a place of a script.
#[derive(Clone, Debug)]
pub enum Place {
    /// After a dot: what the value before it has, and nothing else.
    AfterDot(Vec<Offered>),
    /// At another place: the variables there, and whatever else the game has.
    Anywhere(Vec<Offered>),
}

impl Scripts {
    /// Reads the scripts of a game, and what can be read of those with errors. The first is the one that the game file
    /// names.
    #[must_use]
    pub fn read(schema: &Arc<Schema>, scripts: &[Arc<Source>], house: Option<&Arc<Source>>) -> Self {
        let link = Link::default();
        let built = build(&link, schema);
        let (first, beside) = scripts.split_at(scripts.len().min(1));
        let layered = first.iter().chain(house).cloned().collect();
        let (layers, _) = Layers::read(&Reading { mends: true, ..built.reading() }, &[layered, beside.to_vec()]);
        let script = Script::read(&layers, &built.of_game, schema);
        let mut scripts = Self { built, schema: Arc::clone(schema), layers, script, found: BTreeMap::new() };
        scripts.found = scripts.all_found();
        scripts
    }

    /// Returns the names in a file, in order.
    #[must_use]
    pub fn names(&self, file: &str) -> &[Occurrence] {
        self.found.get(file).map(Vec::as_slice).unwrap_or_default()
    }

    fn find<T>(&self, texts: &Texts, work: impl FnOnce(&Finder<'_>) -> T) -> T {
        self.script.find((&self.layers, texts), &self.schema, work)
    }

    fn text_of(&self, function: &Function) -> Option<&Text> {
        self.layers.texts.of_position(function.body.at)
    }

    /// Finds the names in all texts.
    fn all_found(&self) -> BTreeMap<String, Vec<Occurrence>> {
        let constants = self.script.constants(&self.layers, &self.schema);
        self.find(&self.layers.texts, |finder| {
            let mut all: BTreeMap<String, Vec<Occurrence>> = BTreeMap::new();
            for text in self.layers.texts.all() {
                let mut found = Vec::new();
                let is_here =
                    |function: &Function| self.text_of(function).is_some_and(|other| std::ptr::eq(other, text));
                // The closures in constants are read with them.
                let is_named = |function: &Function| !is_closure(&function.name) && is_here(function);
                let functions = self.script.functions.iter().enumerate().filter(|(_, function)| is_named(function));
                let functions: Vec<(usize, &Function)> = functions.collect();
                for (number, function) in &functions {
                    found.extend(finder.of_function(function, *number));
                }
                for function in constants.iter().filter(|function| is_here(function)) {
                    let names = finder.of_function(function, CONSTANTS).into_iter();
                    found.extend(names.map(|name| match name.meaning {
                        Meaning::Variable(Variable { function: CONSTANTS, number })
                            if function.local(number).is_some_and(|local| local.how == Declared::Const) =>
                        {
                            Occurrence { meaning: Meaning::Constant, ..name }
                        }
                        _ => name,
                    }));
                }
                self.declared_and_left_out(finder, text, (&functions, &mut found));
                all.insert(text.source().name().to_owned(), in_order(found));
            }
            all
        })
    }

    /// Adds the names of the functions and constants of a text, and the names in what could not be read.
    fn declared_and_left_out(
        &self,
        finder: &Finder<'_>,
        text: &Text,
        (functions, found): (&[(usize, &Function)], &mut Vec<Occurrence>),
    ) {
        let left_out = self.layers.left_out.iter().filter(|(source, _)| Arc::ptr_eq(source, text.source()));
        let left_out: Vec<Span> = left_out.flat_map(|(_, spans)| spans).copied().collect();
        let body = |one: &(usize, &Function)| text.byte(one.1.body.at).unwrap_or_default();
        let mut by_place: Vec<(u32, &(usize, &Function))> = functions.iter().map(|one| (body(one), one)).collect();
        by_place.sort_by_key(|(at, _)| *at);
        for item in items(text.source(), text.tokens()) {
            let name = text.source().slice(item.name).to_owned();
            let own = by_place.get(by_place.partition_point(|(at, _)| *at < item.whole.start));
            let own = own.filter(|(at, _)| *at < item.whole.end).map(|(_, own)| own);
            let meaning = if item.params.is_some() { Meaning::Function } else { Meaning::Constant };
            let kind = match own {
                Some((_, function)) => function.result.clone(),
                None => self.layers.constants.get(&name).map_or(Kind::ANY, |known| Kind::of_dynamic(&known.value)),
            };
            let is_constant = item.params.is_none();
            found.push(Occurrence { span: item.name, name, meaning, declares: true, kind });
            // A function that could not be read at all, and what was left out of one.
            let parts = match own {
                None if !is_constant => std::slice::from_ref(&item.whole),
                _ => left_out.as_slice(),
            };
            let within = |part: &&Span| item.whole.start <= part.start && part.end <= item.whole.end;
            let mut scopes = None;
            for part in parts.iter().filter(within) {
                let scopes = scopes.get_or_insert_with(|| {
                    own.map_or_else(Vec::new, |(_, function)| finder.scopes(function, item.whole))
                });
                let known = own.map(|(number, function)| (*function, *number));
                found.extend(finder.of_part(text, *part, (scopes, known)));
            }
        }
    }

    /// Returns the names in an expression outside of the scripts, braces included, which may use the columns of a table.
    #[must_use]
    pub fn in_expression(&self, source: &Arc<Source>, span: Span, columns: &[String]) -> Vec<Occurrence> {
        let texts = self.layers.texts.with_expression(source, span);
        let Some(text) = texts.all().last() else { return Vec::new() };
        let head = before(text, span.start);
        let read = self.built.engine.compile(format!("{head}{}", source.slice(span)));
        let given: Vec<(ImmutableString, Kind)> =
            columns.iter().map(|name| (name.as_str().into(), Kind::ANY)).collect();
        self.find(&texts, |finder| match read {
            Ok(ast) => {
                let ast = (&ast, &texts);
                let function = self.script.expression(&self.layers, &self.schema, ast, &given);
                in_order(finder.of_function(&function, EXPRESSION))
            }
            Err(_) => in_order(finder.of_part(text, span, (&[], None))),
        })
    }

    /// Returns what fits at a byte of a script, after what is written of a word there. `None` if nothing of it can be
    /// read.
    #[must_use]
    pub fn offered(&self, file: &str, at: u32) -> Option<Place> {
        let text = self.layers.texts.all().iter().find(|text| text.source().name() == file)?;
        let all = items(text.source(), text.tokens());
        let is_over = |item: &&Item| item.whole.end <= at && text.source().slice(item.whole).ends_with(['}', ';']);
        let item = all.iter().rfind(|item| item.whole.start < at).filter(|item| !is_over(item))?;
        let tries = cut_off(text, item.whole.start, at, WRITTEN);
        let ast = tries.iter().find_map(|written| self.built.engine.compile(written).ok())?;
        let texts = &self.layers.texts;
        let function = match item.params {
            Some(_) => self.script.written(&self.layers, &self.schema, (&ast, texts))?,
            None => self.script.expression(&self.layers, &self.schema, (&ast, texts), &[]),
        };
        Some(self.fitting(&function))
    }

    /// Does the same within an expression outside of the scripts.
    #[must_use]
    pub fn offered_in_expression(&self, source: &Arc<Source>, span: Span, at: u32) -> Option<Place> {
        let texts = self.layers.texts.with_expression(source, span);
        let text = texts.all().last()?;
        let tries = cut_off(text, span.start, at, WRITTEN);
        let ast = tries.iter().find_map(|written| self.built.engine.compile(written).ok())?;
        let function = self.script.expression(&self.layers, &self.schema, (&ast, &texts), &[]);
        Some(self.fitting(&function))
    }

    /// Returns what fits at the word that stands for what is being written.
    fn fitting(&self, function: &Function) -> Place {
        let mut of = None;
        function.body.walk(&mut |node| match &node.what {
            What::Field { of: before, name, .. } if name == WRITTEN => of = Some(before.kind.clone()),
            _ => {}
        });
        if let Some(of) = of {
            return Place::AfterDot(self.after_dot(&of));
        }
        let is_place = |node: &Node| matches!(&node.what, What::Name(Name::Unknown(name)) if name == WRITTEN);
        let variables = visible_at(function, &is_place).into_iter().filter_map(|number| function.local(number));
        let offer = |local: &Local| Offered {
            name: local.name.to_string(),
            kind: OfferedKind::Variable,
            note: in_short(&local.kind),
        };
        let mut offered: Vec<Offered> = variables.map(offer).collect();
        // The innermost is the one that is meant.
        offered.reverse();
        let mut known = BTreeSet::new();
        offered.retain(|offered| known.insert(offered.name.clone()));
        Place::Anywhere(offered)
    }

    /// Returns what values of a kind have after a dot.
    fn after_dot(&self, of: &Kind) -> Vec<Offered> {
        let is_known = !of.is_any() && !of.is_never();
        let may_be = |sort: Sort| !is_known || of.may_be(sort);
        let mut offered = Vec::new();
        let mut add = |name: &str, kind: OfferedKind, note: String| {
            let new = Offered { name: name.to_owned(), kind, note };
            if !offered.contains(&new) {
                offered.push(new);
            }
        };
        if let Some(fields) = of.fields().filter(|_| is_known) {
            fields.iter().for_each(|(name, kind)| add(name, OfferedKind::Key, in_short(kind)));
        }
        for property in &self.schema.properties {
            let fits = |each: &PropertyEach| match each {
                PropertyEach::Game => may_be(Sort::Game),
                PropertyEach::Player => may_be(Sort::Player),
                PropertyEach::Kind(_) => may_be(Sort::Piece) || may_be(Sort::Men),
                PropertyEach::Place(_) => may_be(Sort::Cell),
            };
            if property.owners.sorts().iter().any(fits) {
                add(&property.name, OfferedKind::Property, of_property(&property.kind));
            }
        }
        if may_be(Sort::Piece) {
            for printed in &self.schema.printed {
                add(&printed.name, OfferedKind::Property, printed.kind.as_ref().map_or_else(String::new, of_property));
            }
        }
        if may_be(Sort::Move) && is_known {
            for name in natives::properties_of(Sort::Move) {
                let kind = natives::property_of(Sort::Move, name).map_or_else(String::new, in_short);
                add(name, OfferedKind::Key, kind);
            }
        }
        for function in self.script.functions.iter().filter(|function| function.this && !is_internal(&function.name)) {
            add(&function.name, OfferedKind::Function, signature(function));
        }
        // Functions for just this kind first, then those that take any value.
        let takes = |form: &Form, of_any: bool| {
            let first = form.parameters.first();
            first.is_some_and(|first| first.kind.is_any() == of_any && (!is_known || !first.kind.excludes(of)))
        };
        for of_any in [false, true] {
            for form in self.built.of_game.all().filter(|form| takes(form, of_any)) {
                add(form.name(), OfferedKind::Native, form.written());
            }
        }
        offered
    }

    /// Returns what the text at a byte of a file names, as an argument of a call; `None` if the byte is in no text.
    #[must_use]
    pub fn role_at(&self, file: &str, at: u32) -> Option<Role> {
        let text = self.layers.texts.all().iter().find(|text| text.source().name() == file)?;
        self.role_in(&self.layers.texts, text, at)
    }

    /// Does the same within an expression outside of the scripts.
    #[must_use]
    pub fn role_in_expression(&self, source: &Arc<Source>, span: Span, at: u32) -> Option<Role> {
        let texts = self.layers.texts.with_expression(source, span);
        self.role_in(&texts, texts.all().last()?, at)
    }

    fn role_in(&self, texts: &Texts, text: &Text, at: u32) -> Option<Role> {
        let tokens = text.tokens();
        let token = tokens.from(at).checked_sub(1)?;
        let span = tokens.get(token).filter(|token| token.kind == ScriptTokenKind::Text)?.span;
        let is_closed = text.slice(token).len() > 1 && text.slice(token).ends_with('"');
        let is_within = at < span.end || (at == span.end && !is_closed);
        is_within.then(|| self.find(texts, |finder| finder.role_by_tokens(text, token)))
    }

    /// Returns what is known of a name in a file, in Markdown: the kind of a variable and where it comes from, the
    /// signature of a function, the kind of a property or a key. `None` if nothing is.
    #[must_use]
    pub fn about(&self, name: &Occurrence) -> Option<String> {
        let known = |word: &str, kind: &Kind| {
            let is_known = !kind.is_any() && !kind.is_never();
            is_known.then(|| format!("**{word}** {}\n\n`{}` is {}", name.name, name.name, kind.words()))
        };
        match name.meaning {
            Meaning::Variable(variable) => {
                let function = self.script.functions.get(variable.function);
                let Some(local) = function.and_then(|function| function.local(variable.number)) else {
                    return known("variable", &name.kind);
                };
                let word = word_of(local.how);
                let text = known(word, &local.kind).unwrap_or_else(|| format!("**{word}** {}", name.name));
                Some(format!("{text}{}", self.origin(local)))
            }
            Meaning::Function | Meaning::Below => {
                let is_meant =
                    |function: &&Function| author_name(&function.name).trim_start_matches("base_") == name.name;
                let all = self.script.functions.iter().filter(is_meant);
                let mut signatures: Vec<String> = all.map(signature).collect();
                signatures.dedup();
                (!signatures.is_empty()).then(|| format!("```rhai\n{}\n```", signatures.join("\n")))
            }
            Meaning::Property => known("property", &name.kind),
            Meaning::Key => known("key", &name.kind),
            Meaning::Constant => known("constant", &name.kind),
            _ => None,
        }
    }

    /// Returns where the kind of a variable comes from.
    fn origin(&self, local: &Local) -> String {
        let is_known = !local.kind.is_any() && !local.kind.is_never();
        let place = local.from.as_ref().filter(|from| is_known && !from.called.is_empty()).and_then(|from| {
            let text = self.layers.texts.of_position(from.at)?;
            let line = text.source().line(text.byte(from.at)?);
            Some((author_name(&from.called), line))
        });
        match (place, local.how) {
            (Some((called, line)), Declared::Parameter) => {
                format!(": it is given by a call of `{called}`, line {line}")
            }
            (Some((called, line)), _) => format!(": it comes from `{called}`, line {line}"),
            (None, _) => String::new(),
        }
    }
}

impl std::fmt::Debug for Scripts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Scripts({})", self.schema.id)
    }
}

/// Returns how the kind of a value is written in short; empty if it is not known.
fn in_short(kind: &Kind) -> String {
    if kind.is_any() || kind.is_never() { String::new() } else { kind.to_string() }
}

fn of_property(kind: &PropertyKind) -> String {
    match kind {
        PropertyKind::Flag => Kind::TRUTH.to_string(),
        PropertyKind::Counter { .. } => Kind::NUMBER.to_string(),
        PropertyKind::Value(kind) => Kind::of_answer(kind).or_nothing().to_string(),
    }
}

const fn word_of(how: Declared) -> &'static str {
    match how {
        Declared::Parameter | Declared::OfClosure => "parameter",
        Declared::Let | Declared::Loop | Declared::Counter | Declared::Given => "variable",
        Declared::Const => "constant",
        Declared::Caught => "error",
    }
}

/// Returns a function with the kinds of its parameters and of its result, as far as they are known.
fn signature(function: &Function) -> String {
    let with_kind = |local: &Local| match in_short(&local.kind) {
        kind if kind.is_empty() => local.name.to_string(),
        kind => format!("{}: {kind}", local.name),
    };
    let params: Vec<String> = function.params().iter().map(with_kind).collect();
    let result = match in_short(&function.result) {
        kind if kind.is_empty() || function.result.is(Sort::Nothing) => String::new(),
        kind => format!(" -> {kind}"),
    };
    format!("{}({}){result}", author_name(&function.name), params.join(", "))
}
