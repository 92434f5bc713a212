//! The names that a file mentions: in its lines, in its rows, in its embedded expressions, in a script.

use std::rc::Rc;
use std::sync::Arc;

use super::known::Known;
use super::names::{Key, NameKind, Names};
use referee_game::{NameInData, OfData, clause_places, names_in_data};
use referee_rules::{Meaning, Occurrence, Role, Variable};
use referee_source::{Source, Span};
use referee_syntax::ast::{Expect, File, LineKind, Row};
use referee_syntax::{FileKind, RowKind, parse_words};

/// A name in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Its place, without quotes.
    pub span: Span,
    /// The name.
    pub key: Key,
    /// The game that has it, as the file names it; empty in the files of a game.
    pub game: String,
}

/// The kinds of names that a word of a line may be, preferred ones first.
const IN_LINES: [NameKind; 10] = [
    NameKind::Player,
    NameKind::Ask,
    NameKind::Piece,
    NameKind::Card,
    NameKind::Zone,
    NameKind::Die,
    NameKind::Property,
    NameKind::Value,
    NameKind::Option,
    NameKind::Event,
];

/// The kinds of names that a word of an event row may be.
const IN_EVENTS: [NameKind; 6] =
    [NameKind::Event, NameKind::Player, NameKind::Piece, NameKind::Card, NameKind::Zone, NameKind::Value];

/// The games that a file plays.
pub(super) trait Games {
    /// Returns a game, as the file names it; the game itself for an empty name.
    fn known(&self, game: &str) -> Option<&Rc<Known>>;
}

/// The names of a file.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    /// Those that a game, the file or a function has, in order.
    pub(super) found: Vec<Mention>,
    /// All names in scripts and embedded expressions with the names of their games, in order.
    pub(super) in_rules: Vec<(String, Occurrence)>,
}

/// Returns the names that a `.game`, `.house` or `.scenario` file mentions, in order.
pub(super) fn in_lines(file: &File, kind: FileKind, games: &dyn Games) -> Mentions {
    let mut finder = Finder::of(&file.source, games);
    let mut of_file = String::new();
    let mut in_scenario = false;
    for (at, line) in file.lines.iter().enumerate() {
        match &line.kind {
            LineKind::Use { game, .. } => {
                finder.game = file.source.word(*game).text.to_owned();
                if !in_scenario {
                    of_file.clone_from(&finder.game);
                }
            }
            LineKind::Scenario(_) | LineKind::Position(_) => {
                in_scenario = true;
                finder.game.clone_from(&of_file);
                finder.columns = columns(file, at);
            }
            _ => {}
        }
        finder.line(&line.kind, line.span, kind);
    }
    finder.in_order()
}

/// Returns the places of the names of the columns of the scenario that begins with a line.
fn columns(file: &File, at: usize) -> Vec<Span> {
    let lines = file.lines.iter().skip(at + 1);
    let own = lines.take_while(|line| !matches!(line.kind, LineKind::Scenario(_) | LineKind::Position(_)));
    let heads = own.filter_map(|line| match &line.kind {
        LineKind::Examples(rows) => rows.first(),
        _ => None,
    });
    heads.flat_map(|head| file.source.tokens(*head)).filter(|word| word.text != "|").map(|word| word.span).collect()
}

/// Returns the names that a script mentions, in order.
pub(super) fn in_script(source: &Arc<Source>, games: &dyn Games) -> Mentions {
    let mut finder = Finder::of(source, games);
    if let Some(known) = games.known("").map(Rc::clone) {
        let scripts = known.scripts_of(source.name());
        finder.occurrences(&known.names, scripts.names(source.name()), Span::default());
        finder.in_rules = scripts.names(source.name()).iter().map(|name| (String::new(), name.clone())).collect();
    }
    finder.in_order()
}

/// Returns the clauses that a Markdown text mentions in brackets.
pub(super) fn in_rulebook(source: &Source, games: &dyn Games) -> Vec<Mention> {
    let Some(names) = games.known("").map(|known| &known.names) else { return Vec::new() };
    let text = source.shown();
    let known =
        |span: &Span| names.first(text.get(span.range()).unwrap_or_default(), &[NameKind::Clause], "").is_some();
    let place = |(id, at): (&str, usize)| Span::new(at..at + id.len());
    let mut spans: Vec<Span> = clause_places(text).into_iter().map(place).collect();
    for (at, _) in text.match_indices('[') {
        let rest = text.get(at + 1..).unwrap_or_default();
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
        spans.push(Span::new(at + 1..at + 1 + end));
    }
    spans.sort();
    spans.dedup();
    let key = |span: &Span| Key::new(NameKind::Clause, text.get(span.range()).unwrap_or_default());
    let spans = spans.into_iter().filter(known);
    spans.map(|span| Mention { span, key: key(&span), game: String::new() }).collect()
}

/// Returns the names that a data file mentions, in order.
pub(super) fn in_data(source: &Arc<Source>, games: &dyn Games) -> Vec<Mention> {
    let Some(names) = games.known("").map(|known| &known.names) else { return Vec::new() };
    let mention = |name: NameInData| {
        let kind = match name.of {
            OfData::Card => NameKind::Card,
            OfData::Printed => NameKind::Printed,
            OfData::Function => NameKind::Function,
            OfData::Die => NameKind::Die,
        };
        let key = names.first(&name.name, &[kind], source.name())?.key.clone();
        Some(Mention { span: name.span, key, game: String::new() })
    };
    names_in_data(source).into_iter().filter_map(mention).collect()
}

/// The most words of the name of a card.
const MOST_WORDS: usize = 8;

/// The most parts of a word that are looked at.
const MOST_PARTS: usize = 64;

struct Finder<'f> {
    source: &'f Arc<Source>,
    games: &'f dyn Games,
    game: String,
    /// The columns of the table of the present scenario.
    columns: Vec<Span>,
    found: Vec<Mention>,
    in_rules: Vec<(String, Occurrence)>,
}

impl<'f> Finder<'f> {
    fn of(source: &'f Arc<Source>, games: &'f dyn Games) -> Self {
        Self { source, games, game: String::new(), columns: Vec::new(), found: Vec::new(), in_rules: Vec::new() }
    }

    fn in_order(mut self) -> Mentions {
        self.found.sort_by_key(|mention| (mention.span, mention.key.kind));
        self.found.dedup_by_key(|mention| mention.span);
        self.in_rules.sort_by_key(|(_, name)| name.span);
        Mentions { found: self.found, in_rules: self.in_rules }
    }

    fn names(&self) -> Option<&Names> {
        self.games.known(&self.game).map(|known| &known.names)
    }

    fn add(&mut self, span: Span, key: Key) {
        let quotes = u32::from(self.source.word(span).quoted);
        let span = Span { start: span.start + quotes, end: span.end - quotes };
        self.found.push(Mention { span, key, game: self.game.clone() });
    }

    /// Adds a word that can be only of this kind, if the game has it.
    fn only(&mut self, span: Span, kind: NameKind) {
        let word = self.source.word(span).text;
        if self.names().is_some_and(|names| names.first(word, &[kind], self.source.name()).is_some()) {
            self.add(span, Key::new(kind, word));
        }
    }

    /// Adds a word that may be any of these kinds, or the names that it consists of: `red.score`, `red:`, `ann:Pooga`,
    /// `(R3)`.
    fn word(&mut self, span: Span, kinds: &[NameKind]) {
        let mut parts = vec![span];
        for _ in 0..MOST_PARTS {
            let Some(span) = parts.pop() else { return };
            let word = self.source.word(span);
            let found = self.names().and_then(|names| names.first(word.text, kinds, self.source.name()));
            if let Some(definition) = found {
                let key = definition.key.clone();
                self.add(span, key);
            } else if let Some(inside) = word.inside_parentheses() {
                parts.push(inside.span);
            } else if let Some((left, right)) = word.prefixed().or_else(|| word.dotted()) {
                parts.extend([right.span, left.span]);
            }
        }
    }

    fn words(&mut self, words: &[Span], kinds: &[NameKind]) {
        let mut rest = words;
        while let Some((first, others)) = rest.split_first() {
            rest = match self.card_of_words(rest, kinds) {
                Some((count, span, key)) => {
                    self.add(span, key);
                    rest.get(count..).unwrap_or_default()
                }
                None => {
                    self.word(*first, kinds);
                    others
                }
            };
        }
    }

    /// Returns the card whose name several words without quotes are: their number, their place, and its key.
    fn card_of_words(&self, words: &[Span], kinds: &[NameKind]) -> Option<(usize, Span, Key)> {
        let names = self.names().filter(|_| kinds.contains(&NameKind::Card))?;
        let most = words.iter().take_while(|word| !self.source.word(**word).quoted).take(MOST_WORDS).count();
        (2..=most).rev().find_map(|count| {
            let span = words.first()?.to(*words.get(count - 1)?);
            let found = names.first(self.source.slice(span), &[NameKind::Card], self.source.name())?;
            Some((count, span, found.key.clone()))
        })
    }

    /// Adds the names of a line and its rows.
    fn line(&mut self, kind: &LineKind, span: Span, file: FileKind) {
        let of_file = self.source.name().to_owned();
        let text = |finder: &Self, span: Span| finder.source.word(span).text.to_owned();
        match kind {
            LineKind::Scenario(_) | LineKind::Branch(_) | LineKind::Cites(_) => {}
            LineKind::Use { game, variant } => {
                self.only(*game, NameKind::Game);
                variant.iter().for_each(|variant| self.only(*variant, NameKind::Variant));
            }
            LineKind::Position(name) | LineKind::From(name) => {
                let name = (*name, text(self, *name));
                if !name.1.contains('{') {
                    self.add(name.0, Key::of(NameKind::Position, &name.1, &of_file));
                }
            }
            LineKind::Covers(clauses) | LineKind::Clause(clauses) => {
                clauses.iter().for_each(|clause| self.only(*clause, NameKind::Clause));
            }
            LineKind::Resume(words) | LineKind::Do(words) => {
                let (first, rest) =
                    words.split_first().map_or((None, words.as_slice()), |(first, rest)| (Some(first), rest));
                first.into_iter().for_each(|first| self.only(*first, NameKind::Function));
                self.words(rest, &IN_LINES);
            }
            LineKind::WithHouse(house) => self.only(*house, NameKind::House),
            LineKind::With { name, value } => {
                self.only(*name, NameKind::Option);
                self.value(*value, &text(self, *name));
            }
            LineKind::Option { name, values, .. } => {
                self.only(*name, NameKind::Option);
                let of = text(self, *name);
                values.iter().for_each(|value| self.value(*value, &of));
            }
            LineKind::Variant { name, .. } => self.only(*name, NameKind::Variant),
            LineKind::Ask { .. } if file != FileKind::Scenario => self.declared(span, NameKind::Ask),
            LineKind::Event { .. } if file != FileKind::Scenario => self.declared(span, NameKind::Event),
            LineKind::Game { id, .. } => self.only(*id, NameKind::Game),
            LineKind::House { name, .. } => self.only(*name, NameKind::House),
            LineKind::Rules(_) | LineKind::Rulebook(_) | LineKind::Arrows(_) => {}
            other => {
                self.plain(other, span);
                self.below(other);
            }
        }
    }

    /// Adds the value of an option.
    fn value(&mut self, span: Span, option: &str) {
        let value = self.source.word(span).text;
        let key = Key::of(NameKind::Value, value, option);
        if self.names().is_some_and(|names| names.of_key(&key).next().is_some()) {
            self.add(span, key);
        }
    }

    /// Adds the verb that a line of a game file declares.
    fn declared(&mut self, span: Span, kind: NameKind) {
        let Some(names) = self.names() else { return };
        let here = |definition: &&super::names::Definition| {
            definition.key.kind == kind && definition.whole == span && definition.source.name() == self.source.name()
        };
        let found = names.of_kind(kind).find(here).map(|definition| (definition.span, definition.key.clone()));
        found.into_iter().for_each(|(span, key)| self.add(span, key));
    }

    /// Adds the words of a line up to its embedded expression.
    fn plain(&mut self, kind: &LineKind, span: Span) {
        let end = kind.expression().map_or(span.end, |expression| expression.start);
        let words = parse_words(self.source, Span { end, ..span });
        let roll = words.iter().position(|word| self.source.word(*word).is("roll")).unwrap_or(words.len());
        let (before, thrown) = words.split_at(roll);
        self.words(before, &IN_LINES);
        for word in thrown {
            self.word(*word, &[&[NameKind::Die], IN_LINES.as_slice()].concat());
        }
    }

    /// Adds the names in the rows and the expressions of a line.
    fn below(&mut self, kind: &LineKind) {
        if let Some((kind, rows)) = kind.rows() {
            self.rows(
                rows,
                match kind {
                    RowKind::Events => &IN_EVENTS,
                    RowKind::Diagram => &[NameKind::Player, NameKind::Card],
                    RowKind::Table => &IN_LINES,
                },
            );
        }
        if let LineKind::Expect(Expect::Choices { list, .. }) = kind {
            list.iter().for_each(|words| self.words(words, &IN_LINES));
        }
        kind.expression().into_iter().for_each(|expression| self.expression(expression));
    }

    fn rows(&mut self, rows: &[Row], kinds: &[NameKind]) {
        for row in rows {
            let words: Vec<Span> = match kinds.contains(&NameKind::Event) && kinds.len() < IN_LINES.len() {
                true => parse_words(self.source, *row),
                false => self.source.tokens(*row).into_iter().map(|word| word.span).collect(),
            };
            self.words(&words, kinds);
        }
    }

    /// Adds the names of an embedded expression.
    fn expression(&mut self, span: Span) {
        let Some(known) = self.games.known(&self.game).map(Rc::clone) else { return };
        let columns: Vec<String> = self.columns.iter().map(|column| self.source.slice(*column).to_owned()).collect();
        let found = known.scripts().in_expression(self.source, span, &columns);
        self.occurrences(&known.names, &found, span);
        self.in_rules.extend(found.into_iter().map(|name| (self.game.clone(), name)));
    }

    /// Adds names of rules that a game has, and those of variables in the part `of` the file.
    fn occurrences(&mut self, names: &Names, found: &[Occurrence], of: Span) {
        for name in found {
            let key = key_of(names, name, self.source.name(), of);
            let game = self.game.clone();
            self.found.extend(key.map(|key| Mention { span: name.span, key, game }));
        }
    }
}

/// Returns what a name in a script stands for among the names of a game; `None` if it is none of these.
fn key_of(names: &Names, name: &Occurrence, file: &str, of: Span) -> Option<Key> {
    let kinds: &[NameKind] = match &name.meaning {
        Meaning::Variable(Variable { function, number }) => {
            let of = format!("{file} {} {function} {number}", of.start);
            return Some(Key::of(NameKind::Variable, &name.name, &of));
        }
        Meaning::Below => return Some(Key::new(NameKind::Function, &name.name)),
        Meaning::Function => &[NameKind::Function],
        Meaning::Constant => &[NameKind::Constant],
        Meaning::Component => &[NameKind::Player, NameKind::Piece, NameKind::Zone],
        Meaning::Property => &[NameKind::Property, NameKind::Printed],
        Meaning::Made => &[NameKind::Piece, NameKind::Zone],
        Meaning::Text(role) => match role {
            // What is compared with an answer, the value of an option, a face of a die.
            Role::Plain | Role::Options => {
                &[NameKind::Ask, NameKind::Value, NameKind::Variant, NameKind::Property, NameKind::Card]
            }
            role => NameKind::of_role(*role),
        },
        // A script that is read without its game's declarations.
        Meaning::Unknown => {
            &[NameKind::Constant, NameKind::Player, NameKind::Piece, NameKind::Zone, NameKind::Function]
        }
        Meaning::Key | Meaning::Native | Meaning::Column => return None,
    };
    names.first(&name.name, kinds, file).map(|found| found.key.clone())
}
