//! The names of scripts: where each is, and what it stands for there.

use std::collections::BTreeSet;

use super::names::Names;
use super::read::Outside;
use super::spans::Within;
use super::tree::{Declared, Function, LocalId, Name, Node, Target, What};
use crate::host::Role;
use crate::layers::{ScriptTokenKind, Text, Texts};
use crate::natives::{self, Named, OfGame, Special};
use crate::values::{Kind, Sort};
use referee_source::Span;
use referee_table::Schema;

/// A name in a script.
#[derive(Clone, Debug)]
pub struct Occurrence {
    /// Its place, without quotes.
    pub span: Span,
    /// The name.
    pub name: String,
    /// What it stands for.
    pub meaning: Meaning,
    /// Whether it is declared here.
    pub declares: bool,
    /// The kind of the value, of the result for a function.
    pub(crate) kind: Kind,
}

/// A variable or a parameter: the number of its function among those of the scripts, and its own among the variables of
/// the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Variable {
    /// The number of the function.
    pub function: usize,
    /// The number of the variable.
    pub number: usize,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A variable or a parameter.
    Variable(Variable),
    /// A column of the table of a scenario.
    Column,
    /// A function of the scripts.
    Function,
    /// A function of the layer below a house rule: the name without `base_`.
    Below,
    /// A constant of the scripts.
    Constant,
    /// A player, a piece, a zone, or the game.
    Component,
    /// A name after the dot of a value that may have properties: a flag, a counter, a property, or what is printed on
    /// cards, if the game declares it.
    Property,
    /// A key of a map, or of a move.
    Key,
    /// A function that every game has.
    Native,
    /// A function that a kind of pieces or a zone makes.
    Made,
    /// A text, with what it names there.
    Text(Role),
    /// Nothing that is known.
    Unknown,
}

/// The words of the language, which are no names.
pub const WORDS: [&str; 22] = [
    "fn", "let", "const", "if", "else", "for", "in", "while", "loop", "return", "break", "continue", "switch", "true",
    "false", "do", "until", "private", "this", "throw", "try", "catch",
];

/// A number of arguments that no function takes.
const MANY: usize = 1000;

/// Where a variable is visible.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    pub(crate) local: LocalId,
    pub(crate) span: Span,
}

/// Returns the variables that are visible at the place of a node in a function.
pub(crate) fn visible_at(function: &Function, is_place: &dyn Fn(&Node) -> bool) -> Vec<LocalId> {
    fn look(node: &Node, seen: &mut Vec<LocalId>, is_place: &dyn Fn(&Node) -> bool) -> Option<Vec<LocalId>> {
        if is_place(node) {
            return Some(seen.clone());
        }
        let before = seen.len();
        match &node.what {
            What::For(parts) => {
                if let Some(found) = look(&parts.over, seen, is_place) {
                    return Some(found);
                }
                seen.extend([parts.local].into_iter().chain(parts.counter));
                let found = look(&parts.body, seen, is_place);
                seen.truncate(before);
                return found;
            }
            What::Closure(closure) => seen.extend(&closure.params),
            _ => {}
        }
        let mut found = None;
        node.for_each_part(&mut |part| found = found.take().or_else(|| look(part, seen, is_place)));
        match &node.what {
            What::Let { local, .. } => seen.push(*local),
            What::Block(_) | What::Closure(_) | What::Try(_) => seen.truncate(before),
            _ => {}
        }
        found
    }
    let mut seen: Vec<LocalId> = (0..function.parameters).collect();
    look(&function.body, &mut seen, is_place).unwrap_or_default()
}

/// Finds the names of functions.
pub(crate) struct Finder<'f> {
    /// What the game adds to the functions that rules may call.
    pub(super) natives: &'f OfGame,
    pub(super) names: &'f Names<'f>,
    pub(super) schema: &'f Schema,
    pub(super) texts: &'f Texts,
}

/// The names of one function.
struct Found<'f> {
    finder: &'f Finder<'f>,
    text: &'f Text,
    function: &'f Function,
    /// The number of the function among those of the scripts.
    number: usize,
    names: Vec<Occurrence>,
}

impl Finder<'_> {
    /// Returns the names in a function, in no order.
    pub(crate) fn of_function(&self, function: &Function, number: usize) -> Vec<Occurrence> {
        let Some(text) = self.texts.of_position(function.body.at) else { return Vec::new() };
        let mut found = Found { finder: self, text, function, number, names: Vec::new() };
        for local in 0..function.locals.len() {
            found.declared(local);
        }
        found.node(&function.body);
        found.names
    }

    /// Returns where the variables of a function are visible.
    pub(crate) fn scopes(&self, function: &Function, whole: Span) -> Vec<Scope> {
        let mut scopes: Vec<Scope> = (0..function.parameters).map(|local| Scope { local, span: whole }).collect();
        let Some(text) = self.texts.of_position(function.body.at) else { return scopes };
        let within = Within { text };
        scopes_of(within, &function.body, whole, &mut scopes);
        scopes
    }

    /// Returns the names in a part of a text that could not be read, where these variables are visible.
    pub(crate) fn of_part(
        &self,
        text: &Text,
        part: Span,
        (scopes, function): (&[Scope], Option<(&Function, usize)>),
    ) -> Vec<Occurrence> {
        let tokens = text.tokens();
        let mut found = Vec::new();
        let is_visible = |name: &str, at: u32| {
            let (function, number) = function?;
            let fits = |scope: &&Scope| {
                let is_named = function.local(scope.local).is_some_and(|local| local.name == name);
                is_named && scope.span.start <= at && at < scope.span.end
            };
            // The innermost begins last.
            let scope = scopes.iter().filter(fits).max_by_key(|scope| scope.span.start)?;
            let kind = function.local(scope.local).map_or(Kind::ANY, |local| local.kind.clone());
            Some((Variable { function: number, number: scope.local }, kind))
        };
        for at in tokens.from(part.start)..tokens.from(part.end) {
            let Some(token) = tokens.get(at) else { break };
            let word = text.slice(at);
            let before = at.checked_sub(1).map_or("", |before| text.slice(before));
            let after = text.slice(at + 1);
            let mut add = |meaning: Meaning, kind: Kind| found.extend(occurrence(text, at, meaning, kind));
            match token.kind {
                ScriptTokenKind::Text => add(Meaning::Text(self.role_by_tokens(text, at)), Kind::TEXT),
                ScriptTokenKind::Word if WORDS.contains(&word) => {}
                ScriptTokenKind::Word if matches!(before, "." | "?.") && after != "(" => {
                    add(Meaning::Property, Kind::ANY);
                }
                ScriptTokenKind::Word if after == ":" && matches!(before, "#{" | ",") => add(Meaning::Key, Kind::ANY),
                ScriptTokenKind::Word if after == "(" => {
                    let target = self.names.target((word, Named::of(word)), MANY, false);
                    add(self.called(target, word, word), Kind::ANY);
                }
                ScriptTokenKind::Word => match is_visible(word, token.span.start) {
                    Some((variable, kind)) => add(Meaning::Variable(variable), kind),
                    None => add(of_name(&self.names.name(&word.into())), Kind::ANY),
                },
                ScriptTokenKind::Number | ScriptTokenKind::Sign => {}
            }
        }
        found
    }

    /// Returns what a call calls.
    fn called(&self, target: Target, name: &str, written: &str) -> Meaning {
        let is_made = self.schema.kinds.iter().any(|kind| kind.name == name)
            || self.schema.zones.iter().any(|zone| zone.name == name);
        match target {
            Target::Script | Target::OtherScript if written.starts_with("base_") && name != written => Meaning::Below,
            Target::Script | Target::OtherScript => Meaning::Function,
            Target::Native if is_made => Meaning::Made,
            Target::Native => Meaning::Native,
            Target::Unknown => Meaning::Unknown,
        }
    }

    /// Returns what a text names as an argument with this number of a function.
    fn role(&self, function: &str, number: usize) -> Role {
        // A line of a game.
        if (function, number) == ("perform", 0) {
            return Role::Phase;
        }
        let forms = natives::functions(function).iter().copied().chain(self.natives.functions(function));
        let mut roles = forms.filter_map(|form| Some(form.parameters.get(number)?.role));
        roles.find(|role| *role != Role::Plain).unwrap_or(Role::Plain)
    }

    /// Returns what a text that is a token of its own names, by the brackets of a call around it.
    pub(crate) fn role_by_tokens(&self, text: &Text, at: usize) -> Role {
        self.argument(text, at).map_or(Role::Plain, |(function, number)| self.role(function, number))
    }

    /// Returns the function and the number of the argument that a token is.
    fn argument<'t>(&self, text: &'t Text, at: usize) -> Option<(&'t str, usize)> {
        let mut number = 0;
        let mut before = at;
        loop {
            before = before.checked_sub(1)?;
            match text.slice(before) {
                ")" | "]" | "}" => before = text.tokens().partner(before)?,
                "," => number += 1,
                "(" => {
                    let name = before.checked_sub(1)?;
                    let is_method = name.checked_sub(1).is_some_and(|dot| matches!(text.slice(dot), "." | "?."));
                    return Some((text.slice(name), number + usize::from(is_method)));
                }
                ";" | "{" | "[" | "#{" => return None,
                _ => {}
            }
        }
    }
}

/// Returns what a name without brackets stands for outside of all variables.
fn of_name(name: &Name) -> Meaning {
    match name {
        Name::Constant(_) => Meaning::Constant,
        Name::Component(_) => Meaning::Component,
        Name::Function(_) => Meaning::Function,
        Name::Local(_) | Name::Unknown(_) => Meaning::Unknown,
    }
}

/// Returns a name at a token; `None` if there is no name.
fn occurrence(text: &Text, token: usize, meaning: Meaning, kind: Kind) -> Option<Occurrence> {
    let token = text.tokens().get(token)?;
    let mut span = token.span;
    let written = text.source().slice(span);
    match token.kind {
        ScriptTokenKind::Word => {}
        ScriptTokenKind::Text if written.starts_with('"') && written.len() > 1 && written.ends_with('"') => {
            span = Span { start: span.start + 1, end: span.end - 1 };
        }
        _ => return None,
    }
    if meaning == Meaning::Below {
        span.start += Span::new(0.."base_".len()).end;
    }
    let name = match token.kind {
        ScriptTokenKind::Text => referee_source::unescaped(text.source().slice(span)).into_owned(),
        _ => text.source().slice(span).to_owned(),
    };
    Some(Occurrence { span, name, meaning, declares: false, kind })
}

/// Notes where the variables that a node and its parts declare are visible. `block` is what they are declared in.
fn scopes_of(within: Within<'_>, node: &Node, block: Span, scopes: &mut Vec<Scope>) {
    let mut add = |local: LocalId, span: Option<Span>| scopes.extend(span.map(|span| Scope { local, span }));
    let mut block = block;
    match &node.what {
        What::Block(_) => block = within.whole(node).unwrap_or(block),
        What::Let { local, .. } => {
            add(*local, within.whole(node).map(|whole| Span { start: whole.end, end: block.end }));
        }
        What::For(parts) => {
            let body = within.whole(&parts.body);
            add(parts.local, body);
            parts.counter.into_iter().for_each(|counter| add(counter, body));
        }
        What::Try(parts) => {
            let handler = within.whole(&parts.handler);
            parts.caught.into_iter().for_each(|caught| add(caught, handler));
        }
        What::Closure(closure) => {
            let whole = within.whole(node);
            closure.params.iter().for_each(|param| add(*param, whole));
        }
        _ => {}
    }
    node.for_each_part(&mut |part| scopes_of(within, part, block, scopes));
}

impl Found<'_> {
    fn add(&mut self, at: rhai::Position, meaning: Meaning, kind: &Kind) {
        if let Some(token) = self.text.token(at) {
            self.names.extend(occurrence(self.text, token, meaning, kind.clone()));
        }
    }

    /// Adds the declaration of a variable.
    fn declared(&mut self, number: LocalId) {
        let Some(local) = self.function.local(number).filter(|local| local.how != Declared::Given) else { return };
        let Some(token) = self.text.token(local.at) else { return };
        if self.text.slice(token) == local.name {
            let meaning = Meaning::Variable(Variable { function: self.number, number });
            let found = occurrence(self.text, token, meaning, local.kind.clone());
            self.names.extend(found.map(|found| Occurrence { declares: true, ..found }));
        }
    }

    fn node(&mut self, node: &Node) {
        match &node.what {
            What::Name(Name::Local(number)) => {
                let is_given = self.function.local(*number).is_some_and(|local| local.how == Declared::Given);
                let variable = Variable { function: self.number, number: *number };
                let meaning = if is_given { Meaning::Column } else { Meaning::Variable(variable) };
                self.add(node.at, meaning, &node.kind);
            }
            What::Name(name) => self.name(node, name),
            What::Text(_) => self.add(node.at, Meaning::Text(Role::Plain), &node.kind),
            What::Map(pairs) => {
                pairs.iter().for_each(|(key, value)| self.add(key.at, Meaning::Key, &value.kind));
            }
            What::Field { of, .. } => {
                let is_key = of.kind.is(Sort::Map) || of.kind.is(Sort::Move);
                let meaning = if is_key { Meaning::Key } else { Meaning::Property };
                self.add(node.at, meaning, &node.kind);
            }
            What::Call(call) => {
                if let Some(token) = self.text.token(node.at) {
                    let meaning = self.finder.called(call.target, &call.name, self.text.slice(token));
                    self.names.extend(occurrence(self.text, token, meaning, node.kind.clone()));
                }
                for (number, arg) in call.args.iter().enumerate() {
                    match &arg.what {
                        What::Text(_) => {
                            let role = self.finder.role(&call.name, number);
                            self.add(arg.at, Meaning::Text(role), &arg.kind);
                        }
                        _ => self.node(arg),
                    }
                }
                return;
            }
            _ => {}
        }
        node.for_each_part(&mut |part| self.node(part));
    }

    /// Adds a name that is no variable, also one in `Fn("name")`.
    fn name(&mut self, node: &Node, name: &Name) {
        let Some(token) = self.text.token(node.at) else { return };
        let is_made =
            Named::of(self.text.slice(token)).special() == Some(Special::Pointer) && self.text.slice(token + 1) == "(";
        let (token, meaning) = match is_made {
            true => (token + 2, Meaning::Text(Role::Phase)),
            false if matches!(name, Name::Function(_)) && self.text.slice(token).starts_with("base_") => {
                let is_below = matches!(name, Name::Function(name) if name != self.text.slice(token));
                (token, if is_below { Meaning::Below } else { Meaning::Function })
            }
            false => (token, of_name(name)),
        };
        self.names.extend(occurrence(self.text, token, meaning, node.kind.clone()));
    }
}

/// Sorts names by their places, each place once.
pub(crate) fn in_order(mut names: Vec<Occurrence>) -> Vec<Occurrence> {
    names.sort_by_key(|name| (name.span, !name.declares));
    let mut known: BTreeSet<Span> = BTreeSet::new();
    names.retain(|name| known.insert(name.span));
    names
}
