//! The names that a file mentions: in its lines, in its rows, in its embedded expressions, in a script.

use std::sync::Arc;

use super::names::{Key, NameKind, Names};
use super::scopes::{Role, roles};
use crate::game::clause_places;
use crate::rules::{ScriptToken, ScriptTokenKind};
use crate::source::{Source, Span};
use crate::syntax::ast::{Expect, File, LineKind, Row};
use crate::syntax::{FileKind, RowKind, parse_words};

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

/// The names of the games that a file plays.
pub(super) trait Games {
    /// Returns the names of a game, as the file names it; those of the game itself for an empty name.
    fn names(&self, game: &str) -> Option<&Names>;
}

/// Returns the names that a `.game` or `.scenario` file mentions, in order.
pub(super) fn in_lines(file: &File, kind: FileKind, games: &dyn Games) -> Vec<Mention> {
    let mut finder = Finder { source: &file.source, games, game: String::new(), found: Vec::new() };
    let mut of_file = String::new();
    let mut in_scenario = false;
    for line in &file.lines {
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
            }
            _ => {}
        }
        finder.line(&line.kind, line.span, kind);
    }
    finder.found.sort_by_key(|mention| (mention.span, mention.key.kind));
    finder.found.dedup_by_key(|mention| mention.span);
    finder.found
}

/// Returns the names that a script mentions, in order.
pub(super) fn in_script(source: &Arc<Source>, games: &dyn Games) -> Vec<Mention> {
    let mut finder = Finder { source, games, game: String::new(), found: Vec::new() };
    finder.script(Span::new(0..source.text().len()));
    finder.found
}

/// Returns the clauses that a Markdown text mentions in brackets.
pub(super) fn in_rulebook(source: &Source, games: &dyn Games) -> Vec<Mention> {
    let Some(names) = games.names("") else { return Vec::new() };
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

/// The most words of the name of a card.
const MOST_WORDS: usize = 8;

struct Finder<'f> {
    source: &'f Arc<Source>,
    games: &'f dyn Games,
    game: String,
    found: Vec<Mention>,
}

impl Finder<'_> {
    fn names(&self) -> Option<&Names> {
        self.games.names(&self.game)
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

    /// Adds a word that may be any of these kinds.
    fn word(&mut self, mut span: Span, kinds: &[NameKind]) {
        loop {
            let word = self.source.word(span);
            let found = self.names().and_then(|names| names.first(word.text, kinds, self.source.name()));
            if let Some(definition) = found {
                let key = definition.key.clone();
                return self.add(span, key);
            }
            let inside = self.source.slice(span).strip_prefix('(').and_then(|inside| inside.strip_suffix(')'));
            let Some(length) = inside.map(str::len) else { return self.parts(span, kinds) };
            let start = span.start + 1;
            span = Span { start, end: start + Span::new(0..length).end };
        }
    }

    /// Adds the parts of a word with dots, colons or hyphens: `red.score`, `red:`, `ann:Pooga`.
    fn parts(&mut self, span: Span, kinds: &[NameKind]) {
        let text = self.source.slice(span).to_owned();
        if self.source.word(span).quoted || !text.contains(['.', ':']) || text.contains(['{', '}']) {
            return;
        }
        let mut at = span.start;
        let mut in_quotes = false;
        let ends = |letter: char| {
            in_quotes ^= letter == '"';
            !in_quotes && matches!(letter, '.' | ':')
        };
        for part in text.split(ends) {
            let end = at + Span::new(0..part.len()).end;
            // After a quote that is not closed, nothing ends a part.
            if !part.is_empty() && part.len() < text.len() {
                self.word(Span { start: at, end }, kinds);
            }
            at = end + 1;
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
            LineKind::Ask { .. } if file == FileKind::Game => self.declared(span, NameKind::Ask),
            LineKind::Event { .. } if file == FileKind::Game => self.declared(span, NameKind::Event),
            LineKind::Game { id, .. } => self.only(*id, NameKind::Game),
            LineKind::Rules(_) | LineKind::Rulebook(_) | LineKind::Arrows(_) => {}
            other => {
                self.plain(span);
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

    /// Adds the words of a line, except in embedded expressions.
    fn plain(&mut self, span: Span) {
        let text = self.source.slice(span);
        let end = text.find('{').filter(|at| !is_placeholder(text.get(*at..).unwrap_or_default()));
        let end = end.map_or(span.end, |at| span.start + Span::new(0..at).end);
        let words = parse_words(self.source, Span { end, ..span });
        let roll = words.iter().position(|word| self.source.slice(*word) == "roll").unwrap_or(words.len());
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
        kind.expression().into_iter().for_each(|expression| self.script(expression));
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

    /// Adds the names of a script, or of an expression.
    fn script(&mut self, span: Span) {
        let base = span.start;
        let text = self.source.slice(span).to_owned();
        let found = roles(&text);
        for (at, (token, role)) in found.iter().enumerate() {
            let span = Span { start: base + token.span.start, end: base + token.span.end };
            let slice = |at: Option<usize>| {
                let token = at.and_then(|at| found.get(at));
                token.and_then(|(token, _)| text.get(token.span.range())).unwrap_or_default()
            };
            let (before, after) = (slice(at.checked_sub(1)), slice(Some(at + 1)));
            match token.kind {
                ScriptTokenKind::Word if before == "." || before == "?." => match after {
                    "(" => self.call(span),
                    _ => self.word(span, &[NameKind::Property]),
                },
                ScriptTokenKind::Word if *role == Role::Own => {}
                ScriptTokenKind::Word if after == "(" => self.call(span),
                ScriptTokenKind::Word => self.word(
                    span,
                    &[NameKind::Constant, NameKind::Player, NameKind::Piece, NameKind::Zone, NameKind::Function],
                ),
                ScriptTokenKind::Text => {
                    // The call in whose arguments it is: `choose(me, "walk", …)`, `clause("S1")`.
                    let callee = callee(&text, &found, at);
                    self.text(span, callee);
                }
                ScriptTokenKind::Number | ScriptTokenKind::Sign => {}
            }
        }
    }

    /// Adds the name of a function that is called: one of the rules, one of the layer below a house rule, or one that a
    /// name of the game makes, such as `hand(me)`.
    fn call(&mut self, span: Span) {
        const CALLED: [NameKind; 4] = [NameKind::Function, NameKind::Property, NameKind::Piece, NameKind::Zone];
        const BELOW: &str = "base_";
        let word = self.source.slice(span);
        let known = self.names().is_some_and(|names| names.first(word, &CALLED, self.source.name()).is_some());
        if word.starts_with(BELOW) && !known {
            let start = span.start + Span::new(0..BELOW.len()).end;
            return self.only(Span { start, ..span }, NameKind::Function);
        }
        self.word(span, &CALLED);
    }

    /// Adds the name in a string of a script.
    fn text(&mut self, span: Span, callee: &str) {
        let kinds: &[NameKind] = match callee {
            "clause" => &[NameKind::Clause],
            "option" => &[NameKind::Option],
            "event" => &[NameKind::Event, NameKind::Value],
            "roll" => &[NameKind::Die],
            "variant" => &[NameKind::Variant],
            // Phases and procedures are named by strings.
            "then" | "Fn" | "perform" => &[NameKind::Function],
            _ => &[NameKind::Ask, NameKind::Value, NameKind::Variant, NameKind::Property, NameKind::Card],
        };
        if self.source.word(span).quoted {
            let word = self.source.word(span).text;
            let key = self
                .names()
                .and_then(|names| names.first(word, kinds, self.source.name()))
                .map(|found| found.key.clone());
            key.into_iter().for_each(|key| self.add(span, key));
        }
    }
}

/// Returns whether braces hold only the name of a placeholder.
fn is_placeholder(text: &str) -> bool {
    let inner = text.trim_start_matches('{').split('}').next().unwrap_or_default();
    inner.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns the function in whose arguments a token is; empty if there is none.
fn callee<'t>(text: &'t str, found: &[(ScriptToken, Role)], at: usize) -> &'t str {
    let mut depth = 0_usize;
    for before in (0..at).rev() {
        let Some((token, _)) = found.get(before) else { break };
        match text.get(token.span.range()).unwrap_or_default() {
            ")" | "]" | "}" => depth += 1,
            "(" if depth == 0 => {
                let name = before.checked_sub(1).and_then(|before| found.get(before));
                let name = name.filter(|(token, _)| token.kind == ScriptTokenKind::Word);
                return name.and_then(|(token, _)| text.get(token.span.range())).unwrap_or_default();
            }
            "(" | "[" | "{" | "#{" => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => continue,
            },
            ";" if depth == 0 => break,
            _ => {}
        }
    }
    ""
}
