//! What the checks of a script share: what they know, how they look things up, and how they report.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use rhai::{ImmutableString, Position};

use super::entry::Entry;
use super::values::Values;
use super::wants::Uses;
use crate::layers::{Layers, Texts, author_name, is_house, rules_place};
use crate::natives::{self, Form, OfGame};
use crate::script::{Call, Declared, Function, LocalId, Name, Node, Script, What};
use crate::values::{Kind, Sort};
use referee_diagnostic::{Diagnostic, Label, did_you_mean, one_of};
use referee_source::Span;
use referee_table::{Board, BoardSpec, Each, NameMap, Schema};

/// The maximum number of reported errors.
const MOST: usize = 500;

/// What scripts are checked against.
#[derive(Clone, Copy)]
pub(crate) struct Checked<'l> {
    pub(crate) layers: &'l Layers,
    pub(crate) script: &'l Script,
    pub(crate) of_game: &'l OfGame,
    pub(crate) schema: &'l Schema,
}

/// What is looked at, and what was found.
pub(crate) struct Linter<'l> {
    pub(super) layers: &'l Layers,
    pub(super) script: &'l Script,
    pub(super) of_game: &'l OfGame,
    pub(super) schema: &'l Schema,
    pub(super) texts: &'l Texts,
    /// The present function.
    pub(super) function: &'l Function,
    /// What is known of the values of its variables.
    pub(super) values: Values<'l>,
    /// How many closures the present node is in. An expression outside of scripts counts as one: it cannot ask, either.
    pub(super) closures: usize,
    /// Whether this is an expression outside of scripts.
    pub(super) alone: bool,
    /// Whether the present node is set, and not read.
    pub(super) is_set: bool,
    /// The functions from which calls can reach an ask.
    pub(super) askers: BTreeSet<ImmutableString>,
    /// The places of functions whose name was reported as one that needs quotes or brackets.
    pub(super) unquoted: Vec<Position>,
    /// What functions use their parameters as, by name, number of parameters and number of the parameter.
    pub(super) uses: BTreeMap<(ImmutableString, usize, usize), Option<Uses>>,
    /// The board without a variant, once it was needed.
    board: OnceCell<Option<Board>>,
    /// The other boards of variants, once they were needed; `None` if there may be still others.
    others: OnceCell<Option<Vec<Board>>>,
    pub(super) wrong: Vec<Diagnostic>,
}

impl<'l> Linter<'l> {
    pub(super) fn new(checked: Checked<'l>, texts: &'l Texts, function: &'l Function) -> Self {
        let Checked { layers, script, of_game, schema } = checked;
        Self {
            layers,
            script,
            of_game,
            schema,
            texts,
            function,
            values: Values::default(),
            closures: 0,
            alone: false,
            is_set: false,
            askers: askers(script),
            unquoted: Vec::new(),
            uses: BTreeMap::new(),
            board: OnceCell::new(),
            others: OnceCell::new(),
            wrong: Vec::new(),
        }
    }

    /// Returns whether so much is wrong that no more is looked for.
    pub(super) fn is_full(&self) -> bool {
        self.wrong.len() >= MOST
    }

    // ---- What there is

    /// Returns the statements of the present function, or of an expression without its braces.
    pub(super) fn statements(&self) -> &'l [Node] {
        let statements = self.function.body.statements();
        match statements {
            [one] if self.alone && matches!(one.what, What::Block(_)) => one.statements(),
            _ => statements,
        }
    }

    /// Returns whether the scripts have a function with this name.
    pub(super) fn is_own(&self, name: &str) -> bool {
        self.layers.has_function(name)
    }

    /// Returns the forms of the rules API and of the game for functions with this name.
    pub(super) fn of_api(&self, name: &str) -> Vec<&'l Form> {
        self.of_game.of_api(name).collect()
    }

    /// Returns whether the rules API or the game has a function with this name.
    pub(super) fn is_native(&self, name: &str) -> bool {
        self.of_game.of_api(name).next().is_some()
    }

    /// Returns all forms of functions that are not of the scripts, with the name that is called.
    fn named(&self, call: &Call) -> impl Iterator<Item = &'l Form> + Clone + use<'l> {
        call.natives.iter().chain(self.of_game.functions(&call.name))
    }

    /// Returns those of them that take so many arguments.
    pub(super) fn forms(&self, call: &Call) -> impl Iterator<Item = &'l Form> + Clone + use<'l> {
        let count = call.args.len();
        self.named(call).filter(move |form| form.counts().contains(&count))
    }

    /// Returns the form that tells best what a call of a function of the rules API takes.
    pub(super) fn best_form(&self, call: &Call) -> Option<&'l Form> {
        let mut all = self.named(call).filter(|form| !form.is_of_library());
        all.clone().find(|form| form.counts().contains(&call.args.len())).or_else(|| all.next())
    }

    /// Returns the names of the functions of the rules API, in alphabetical order.
    pub(super) fn names_of_natives(&self) -> BTreeSet<&'l str> {
        self.of_game.all_of_api().map(Form::name).collect()
    }

    /// Returns the possible numbers of arguments in the brackets for functions of this name. In a method call, the object is
    /// the first argument of a native function, but an additional `this` for a function of the script.
    pub(super) fn arities(&self, name: &str, method: bool) -> BTreeSet<usize> {
        let objects = usize::from(method);
        let natives = natives::functions(name).iter().copied().chain(self.of_game.functions(name));
        let natives = natives.flat_map(Form::counts).filter_map(|count| count.checked_sub(objects));
        self.layers.arities(name).chain(natives).collect()
    }

    /// Returns whether rules name a component so.
    pub(super) fn is_component(&self, name: &str) -> bool {
        self.of_game.component(name).is_some()
    }

    /// Returns the name of a variable of the present function.
    pub(super) fn local(&self, local: LocalId) -> &'l str {
        self.function.local(local).map_or("", |local| local.name.as_str())
    }

    /// Returns whether a variable or a parameter of the present function has this name.
    pub(super) fn is_local(&self, name: &str) -> bool {
        self.function.locals.iter().any(|local| local.name == name)
    }

    /// Returns whether something has a name after a dot: a key of a map, a property, or what is printed on cards.
    pub(super) fn is_declared(&self, name: &str) -> bool {
        self.schema.properties.iter().any(|property| property.name == name) || self.schema.printed(name).is_some()
    }

    pub(super) fn is_key(&self, name: &str) -> bool {
        self.script.keys.contains(name)
    }

    // ---- The board

    pub(super) fn is_direction(&self, name: &str) -> bool {
        self.board().is_some_and(|board| board.direction(name).is_some())
    }

    pub(super) fn is_cell(&self, name: &str) -> bool {
        self.board().is_some_and(|board| board.cell(name).is_some())
    }

    /// Returns the board without a variant.
    pub(super) fn board(&self) -> Option<&Board> {
        self.board.get_or_init(|| self.schema.build_board(&self.schema.board).ok()).as_ref()
    }

    /// Returns whether no board of the game has a cell of this name. An expression of a scenario may have another board,
    /// and so may a house rule.
    pub(super) fn lacks_cell(&self, name: &str) -> bool {
        if self.alone || matches!(self.schema.board, BoardSpec::None | BoardSpec::Open) {
            return false;
        }
        match self.others.get_or_init(|| self.other_boards()) {
            Some(others) => self.board().into_iter().chain(others).all(|board| board.cell(name).is_none()),
            None => false,
        }
    }

    /// Returns the other boards that variants have, each once; `None` if a house rule may have another one.
    fn other_boards(&self) -> Option<Vec<Board>> {
        if self.script.functions.iter().any(|function| is_house(function.layer)) {
            return None;
        }
        let variants = 0..self.schema.variants.len().max(1);
        let mut shapes = Vec::new();
        for shape in variants.map(|variant| self.schema.board_of(variant)) {
            if shape != self.schema.board && !shapes.contains(&shape) {
                shapes.push(shape);
            }
        }
        Some(shapes.into_iter().filter_map(|shape| self.schema.build_board(shape).ok()).collect())
    }

    // ---- How things are written

    /// Returns a value as it is written: a name, a plain value, what follows a dot, a call. Returns `None` if it has
    /// operators or closures, or is long.
    pub(super) fn written(&self, value: &Node) -> Option<String> {
        /// The length of a value that a help repeats, in bytes.
        const LONGEST: usize = 60;
        let all = |parts: &[Node]| {
            let parts: Option<Vec<String>> = parts.iter().map(|part| self.written(part)).collect();
            parts.map(|parts| parts.join(", "))
        };
        let text = match &value.what {
            What::Name(Name::Local(local)) => self.local(*local).to_owned(),
            What::Name(Name::Function(name)) => author_name(name),
            What::Name(Name::Constant(name) | Name::Component(name) | Name::Unknown(name)) => author_name(name),
            What::This => "this".to_owned(),
            What::Number(number) => number.to_string(),
            What::Truth(truth) => truth.to_string(),
            What::Text(text) if !text.contains(['"', '\\', '\n']) => format!("\"{text}\""),
            What::Nothing => "()".to_owned(),
            What::Call(call) => {
                let before = call.before_dot().map(|of| self.written(of).map(|of| format!("{of}.")));
                let before = before.unwrap_or_else(|| Some(String::new()))?;
                format!("{before}{}({})", author_name(&call.name), all(call.in_brackets())?)
            }
            What::List(items) => format!("[{}]", all(items)?),
            What::Field { of, name, .. } => format!("{}.{name}", self.written(of)?),
            What::Index { of, index, .. } => format!("{}[{}]", self.written(of)?, self.written(index)?),
            _ => return None,
        };
        (text.len() <= LONGEST).then_some(text)
    }

    /// Returns a value as it is written, or another word for it.
    pub(super) fn written_or(&self, value: &Node, otherwise: &str) -> String {
        self.written(value).unwrap_or_else(|| otherwise.to_owned())
    }

    /// Returns a player as examples have it: `me` in the rules, and where an expression may use it.
    pub(super) fn somebody(&self) -> &'l str {
        if self.alone && !self.is_local("me") { self.schema.example_players()[0] } else { "me" }
    }

    /// Returns the call for a zone or a piece: `hand(me)`, `pit(1)`.
    pub(super) fn called(&self, name: &str) -> String {
        let kind = self.schema.kinds.iter().find(|kind| kind.name == name);
        match kind.map(|kind| kind.each) {
            Some(Each::Number(first, _)) => format!("{name}({first})"),
            Some(Each::PlayerNumber(first, _)) => format!("{name}({}, {first})", self.somebody()),
            _ => format!("{name}({})", self.somebody()),
        }
    }

    /// Returns the piece of a player, of the first kind for each player.
    pub(super) fn piece_of(&self, player: &str) -> Option<String> {
        let kind = self.schema.kinds.iter().find(|kind| kind.each == Each::Player && self.is_native(&kind.name))?;
        Some(format!("{}({player})", kind.name))
    }

    /// Returns where the kind of a variable comes from, if that says more than its declaration: `it comes from `around`, line
    /// 12`.
    pub(super) fn origin(&self, value: &Node) -> Option<String> {
        let local = self.function.local(value.local()?)?;
        let from = local.from.as_ref().filter(|from| !from.called.is_empty())?;
        let label = self.texts.label(rules_place(from.at))?;
        let (name, called) = (&local.name, author_name(&from.called));
        let (line, file) = (label.source.line(label.span.start), label.source.name());
        // The built-in turn is in no file: it passes on what the player has chosen.
        if self.layers.built_in.is_some_and(|turn| turn.holds(from.at)) {
            return Some(format!("`{name}` is one of those that `moves` returns"));
        }
        let is_here = self.label(value.at).is_some_and(|here| here.source.name() == file);
        let place = if is_here { format!("line {line}") } else { format!("line {line} of {file}") };
        Some(match local.how {
            Declared::Parameter => format!("`{name}` is passed to `{called}` in {place}"),
            _ => format!("`{name}` comes from `{called}`, {place}"),
        })
    }

    /// Adds to help for two values where one of them comes from. If one is what brackets give that are not meant, this is the
    /// help.
    pub(super) fn with_origin(&self, help: String, values: [&Node; 2]) -> String {
        if let Some(meant) = values.into_iter().find_map(|value| self.in_brackets(value)) {
            return meant;
        }
        let origin = values.into_iter().find_map(|value| self.origin(value));
        origin.map_or(help.clone(), |origin| format!("{help}; {origin}"))
    }

    /// Returns what brackets give that are probably not meant: a bit of a number, or the value of a key that a map does not
    /// have. A variable may have it.
    fn in_brackets(&self, value: &Node) -> Option<String> {
        let value = value.local().and_then(|local| self.values.fixed(local)).unwrap_or(value);
        let What::Index { of, index, .. } = &value.what else { return None };
        let name = self.written(of);
        if of.kind.is_or_nothing(Sort::Number) {
            let written = name.unwrap_or_else(|| "the number".to_owned());
            return Some(format!("brackets after a number give one of its bits: write `{written}` without them"));
        }
        let (fields, key) = (of.kind.fields()?, index.text()?);
        if fields.contains_key(key.as_str()) {
            return None;
        }
        let name = name.map_or_else(|| "the map".to_owned(), |name| format!("`{name}`"));
        let keys = || fields.keys().map(|key| &**key);
        Some(match (did_you_mean(key, keys()), one_of(keys(), 9)) {
            (Some(near), _) => format!("{name} has no `{key}`: {near}"),
            (None, all) if all.is_empty() => format!("{name} has no keys"),
            (None, all) => format!("{name} has no `{key}`, only {all}"),
        })
    }

    // ---- Reporting

    pub(super) fn label(&self, at: Position) -> Option<Label> {
        self.texts.label(rules_place(at))
    }

    pub(super) fn report(
        &mut self,
        entry: &'static Entry,
        at: Position,
        message: String,
        help: impl Into<Option<String>>,
    ) {
        let Some(Label { source, span, .. }) = self.label(at) else { return };
        self.wrong.push(with_help(entry.at(&source, span, message), help.into()));
    }

    /// Reports something, unless something is reported there already.
    pub(super) fn report_once(&mut self, entry: &'static Entry, at: Position, message: String, help: String) {
        let before = self.wrong.len();
        self.report(entry, at, message, help);
        let place = |wrong: &Diagnostic| {
            let label = wrong.labels.first();
            label.map(|label| (label.source.name().to_owned(), label.span.start))
        };
        let is_known = self.wrong.get(before).is_some_and(|new| {
            let at = place(new);
            self.wrong.iter().take(before).any(|known| place(known) == at)
        });
        if is_known {
            self.wrong.truncate(before);
        }
    }

    /// Reports an error at a value: at a string with its quotes, at `()`, otherwise where it begins.
    pub(super) fn report_value(&mut self, entry: &'static Entry, value: &Node, message: String, help: String) {
        match &value.what {
            What::Text(text) => self.report_text(entry, value.at, text, message, help),
            What::Nothing => self.report_found(entry, value.at, ("()", |_, _| true), message, help),
            _ => self.report(entry, value.start(), message, help),
        }
    }

    /// Reports an error at a string constant, including its quotes.
    pub(super) fn report_text(
        &mut self,
        entry: &'static Entry,
        at: Position,
        text: &str,
        message: String,
        help: impl Into<Option<String>>,
    ) {
        let Some(Label { source, span, .. }) = self.label(at) else { return };
        let end = span.start + Span::new(0..text.len()).end + 2;
        let span = Span { start: span.start, end: end.min(Span::new(0..source.text().len()).end) };
        self.wrong.push(with_help(entry.at(&source, span, message), help.into()));
    }

    /// Reports an error at the first string constant with this text after a place.
    pub(super) fn report_string(
        &mut self,
        entry: &'static Entry,
        after: Position,
        text: &str,
        message: String,
        help: String,
    ) {
        let quoted = format!("\"{text}\"");
        self.report_found(entry, after, (&quoted, |_, _| true), message, help);
    }

    /// Reports an error at the first such number after a place.
    pub(super) fn report_number(
        &mut self,
        entry: &'static Entry,
        after: Position,
        number: i64,
        message: String,
        help: String,
    ) {
        self.report_word(entry, after, &number.to_string(), message, help);
    }

    /// Reports an error at the first such number or name after a place.
    pub(super) fn report_word(
        &mut self,
        entry: &'static Entry,
        after: Position,
        word: &str,
        message: String,
        help: String,
    ) {
        let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
        let alone =
            |before: &str, behind: &str| !is_part(before.chars().next_back()) && !is_part(behind.chars().next());
        self.report_found(entry, after, (word, alone), message, help);
    }

    /// Reports an error at the first place of a text after a position of which `fits` holds, given what is before and
    /// behind it.
    fn report_found(
        &mut self,
        entry: &'static Entry,
        after: Position,
        (text, fits): (&str, impl Fn(&str, &str) -> bool),
        message: String,
        help: String,
    ) {
        let Some(Label { source, span, .. }) = self.label(after) else { return };
        let rest = source.text().get(span.range().start..).unwrap_or_default();
        let found = rest.match_indices(text).find(|(at, _)| {
            let (before, behind) = rest.split_at_checked(*at).unwrap_or_default();
            fits(before, behind.get(text.len()..).unwrap_or_default())
        });
        let start = found.map(|(at, _)| span.range().start + at);
        let span = start.map_or(span, |start| Span::new(start..start + text.len()));
        self.wrong.push(entry.at(&source, span, message).help(help));
    }
}

fn with_help(diagnostic: Diagnostic, help: Option<String>) -> Diagnostic {
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// Returns the functions from which calls can reach an ask, the natives that ask included.
fn askers(script: &Script) -> BTreeSet<ImmutableString> {
    let mut callers: NameMap<Vec<&ImmutableString>, &str> = NameMap::default();
    let mut found: Vec<&str> = natives::askers().filter(|name| !script.has_function(name)).collect();
    for function in &script.functions {
        function.body.walk(&mut |node| {
            let Some(call) = node.call() else { return };
            let of_this = callers.entry(&call.name).or_default();
            if of_this.last() != Some(&&function.name) {
                of_this.push(&function.name);
            }
        });
    }
    let mut askers: BTreeSet<ImmutableString> = BTreeSet::new();
    while let Some(asker) = found.pop() {
        if askers.insert(asker.into()) {
            found.extend(callers.get(asker).into_iter().flatten().map(|name| name.as_str()));
        }
    }
    askers
}

/// Returns whether the sort of each value of a kind is known, and none is `()` alone: only then does it say something.
pub(super) fn known(kind: &Kind) -> Option<&Kind> {
    (!kind.is_any() && !kind.is_never() && !kind.is(Sort::Nothing)).then_some(kind)
}
