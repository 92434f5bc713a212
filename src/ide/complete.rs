//! What can be written at a place.

use std::path::Path;
use std::sync::Arc;

use super::names::{NameKind, Names};
use super::project::{Opened, Project, Role};
use crate::rules::reference;
use crate::scenario;
use crate::source::{Host, Source, Span};
use crate::syntax::ast::LineKind;
use crate::syntax::{FileKind, forms};

/// What a completion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A word of the language.
    Keyword,
    /// A name.
    Name(NameKind),
    /// A whole line that answers the question of the rules.
    Answer,
    /// A function of the API.
    Native,
}

/// Something that can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What is shown and written.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A short note; may be empty.
    pub detail: String,
    /// The part of the file that it replaces.
    pub span: Span,
}

/// The most answers that are offered.
const MAX_ANSWERS: usize = 200;

/// The names that can follow most words of a scenario.
const ANYWHERE: [NameKind; 7] = [
    NameKind::Player,
    NameKind::Piece,
    NameKind::Card,
    NameKind::Zone,
    NameKind::Die,
    NameKind::Property,
    NameKind::Ask,
];

/// Returns what can be written at a byte.
pub fn complete(project: &mut Project<'_>, path: &Path, at: u32) -> Vec<Completion> {
    project.refresh();
    let Some(opened) = project.open(path) else { return Vec::new() };
    let source = &opened.source;
    let number = source.line(at);
    let line = Span { end: at, ..source.line_span(number) };
    let line = Span { start: line.start.min(at), ..line };
    let written = source.slice(line).to_owned();
    let spot = Spot { opened: &opened, written: &written, at };
    match opened.role {
        Role::Script => spot.in_script(),
        Role::Data => Vec::new(),
        Role::Game => spot.in_game(),
        Role::Scenario | Role::Markdown => {
            let mut found = spot.in_scenario(project);
            let text = written.trim_start();
            // An answer is a whole line; what was written of it is replaced.
            if !spot.follows_keyword() {
                let span = Span { start: at - Span::new(0..text.len()).end, end: at };
                let lines = answers(project, path, number, MAX_ANSWERS).into_iter();
                let fits = lines.filter(|answer| answer.starts_with(text));
                let detail = "answers the rules".to_owned();
                let kind = CompletionKind::Answer;
                found.splice(0..0, fits.map(|label| Completion { label, kind, detail: detail.clone(), span }));
            }
            found
        }
    }
}

/// The place where something is to be written.
struct Spot<'s> {
    opened: &'s Opened,
    /// The line up to there.
    written: &'s str,
    at: u32,
}

impl Spot<'_> {
    /// Returns the words before the one that is being written.
    fn words(&self) -> Vec<&str> {
        let ends = self.written.ends_with([' ', '\t', ',', '=', '"', '{', '(', '.']);
        let mut words: Vec<&str> = self.written.split_whitespace().collect();
        if !ends && !words.is_empty() {
            words.pop();
        }
        words
    }

    /// Returns the part of a word that is written already.
    fn begun(&self) -> Span {
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
        let length = self.written.len() - self.written.trim_end_matches(is_part).len();
        Span { start: self.at - Span::new(0..length).end, end: self.at }
    }

    fn names(&self) -> Option<&Names> {
        self.opened.game_at(self.at).map(|known| &known.names)
    }

    /// Returns whether the line begins with a word of the language and a space.
    fn follows_keyword(&self) -> bool {
        let text = self.written.trim_start();
        let first = text.split([' ', '\t']).next().unwrap_or_default();
        let is_answer = matches!(first, "roll" | "draw" | "turn");
        text.len() > first.len() && crate::syntax::is_keyword(first) && !is_answer
    }

    fn keywords(&self, kind: FileKind, after_expect: bool) -> Vec<Completion> {
        let span = self.begun();
        let all = forms(kind, after_expect);
        all.map(|(word, form)| Completion {
            label: word.to_owned(),
            kind: CompletionKind::Keyword,
            detail: form.to_owned(),
            span,
        })
        .collect()
    }

    /// Returns the names of these kinds, in the order of the kinds.
    fn of_kinds(&self, kinds: &[NameKind]) -> Vec<Completion> {
        let span = self.begun();
        let Some(names) = self.names() else { return Vec::new() };
        let mut found: Vec<Completion> = Vec::new();
        for kind in kinds {
            for definition in names.of_kind(*kind) {
                let declared = definition.source.slice(definition.whole).lines().next().unwrap_or_default().trim();
                let detail = match kind {
                    NameKind::Clause => definition.about.lines().next().unwrap_or_default().to_owned(),
                    _ => declared.to_owned(),
                };
                let label = definition.key.name.clone();
                if !found.iter().any(|other| other.label == label) {
                    found.push(Completion { label, kind: CompletionKind::Name(*kind), detail, span });
                }
            }
        }
        found
    }

    /// Returns the values of an option.
    fn values(&self, option: &str) -> Vec<Completion> {
        let found = self.of_kinds(&[NameKind::Value]);
        let Some(names) = self.names() else { return Vec::new() };
        let of = |label: &str| {
            names.called(label).any(|definition| definition.key.kind == NameKind::Value && definition.key.of == option)
        };
        found.into_iter().filter(|completion| of(&completion.label)).collect()
    }

    /// Returns plain words as completions.
    fn plain(&self, words: impl Iterator<Item = String>, kind: NameKind) -> Vec<Completion> {
        let span = self.begun();
        let kind = CompletionKind::Name(kind);
        words.map(|label| Completion { label, kind, detail: String::new(), span }).collect()
    }

    fn in_scenario(&self, project: &Project<'_>) -> Vec<Completion> {
        if self.written.trim_start().starts_with('>') {
            return self.of_kinds(&[NameKind::Event, NameKind::Player, NameKind::Piece, NameKind::Card]);
        }
        if self.is_expression() {
            return self.in_script();
        }
        let words = self.words();
        match words.as_slice() {
            [] => {
                let mut found = self.of_kinds(&[NameKind::Player]);
                found.extend(self.keywords(FileKind::Scenario, false));
                found
            }
            ["use"] => self.plain(project.game_ids(&self.opened.path).into_iter(), NameKind::Game),
            ["use", _] => self.of_kinds(&[NameKind::Variant]),
            ["covers", ..] => self.of_kinds(&[NameKind::Clause]),
            ["with", "house", ..] => self.of_kinds(&[NameKind::House]),
            ["with"] => self.of_kinds(&[NameKind::Option]),
            ["with", option, ..] => self.values(option),
            ["from", ..] => self.positions(),
            ["roll"] => self.of_kinds(&[NameKind::Die]),
            ["roll", die] => self.values(die),
            ["turn"] | ["agree"] => self.of_kinds(&[NameKind::Player]),
            ["expect"] => {
                let mut found = self.keywords(FileKind::Scenario, true);
                found.extend(self.of_kinds(&ANYWHERE));
                found
            }
            ["expect", "turn" | "winner" | "winners", ..] => self.of_kinds(&[NameKind::Player]),
            ["expect", "asks"] => {
                let mut found = self.of_kinds(&[NameKind::Player]);
                found.extend(self.plain(["roll", "draw"].into_iter().map(str::to_owned), NameKind::Ask));
                found
            }
            ["expect", "asks", ..] => self.of_kinds(&[NameKind::Ask, NameKind::Die]),
            _ => {
                let mut found = self.of_kinds(&ANYWHERE);
                found.extend(self.of_kinds(&[NameKind::Value]));
                found
            }
        }
    }

    fn is_expression(&self) -> bool {
        self.written.rsplit_once('{').is_some_and(|(_, after)| !after.contains('}'))
    }

    fn positions(&self) -> Vec<Completion> {
        let source = &self.opened.source;
        let lines = self.opened.lines.iter().flat_map(|file| &file.lines);
        let names = lines.filter_map(|line| match line.kind {
            LineKind::Position(name) => Some(source.word(name).text.to_owned()),
            _ => None,
        });
        self.plain(names, NameKind::Position)
    }

    fn in_game(&self) -> Vec<Completion> {
        match self.words().as_slice() {
            [] => self.keywords(FileKind::Game, false),
            ["with"] => self.of_kinds(&[NameKind::Option]),
            ["with", option, ..] => self.values(option),
            ["clause", ..] => self.of_kinds(&[NameKind::Clause]),
            _ => self.of_kinds(&ANYWHERE),
        }
    }

    /// Returns what a script can call and name. In a string: the names that its call takes.
    fn in_script(&self) -> Vec<Completion> {
        if self.written.matches('"').count() % 2 == 1 {
            let callee = self.written.rsplit_once('"').map_or("", |(before, _)| before);
            let call = callee.rsplit_once('(').map_or("", |(call, _)| call);
            let call = call.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_').next();
            return match call.unwrap_or_default() {
                "clause" => self.of_kinds(&[NameKind::Clause]),
                "option" => self.of_kinds(&[NameKind::Option]),
                "event" => self.of_kinds(&[NameKind::Event]),
                "roll" => self.of_kinds(&[NameKind::Die]),
                "variant" => self.of_kinds(&[NameKind::Variant]),
                _ => self.of_kinds(&[NameKind::Ask, NameKind::Value, NameKind::Card]),
            };
        }
        let span = self.begun();
        let before = self.written.get(..self.written.len() - (span.end - span.start) as usize).unwrap_or_default();
        let natives = reference().into_iter().map(|entry| Completion {
            label: entry.name().to_owned(),
            kind: CompletionKind::Native,
            detail: entry.signature.clone(),
            span,
        });
        let mut found = match before.ends_with('.') {
            true => self.of_kinds(&[NameKind::Property, NameKind::Function]),
            false => {
                let kinds = [NameKind::Function, NameKind::Constant, NameKind::Player, NameKind::Piece, NameKind::Zone];
                self.of_kinds(&kinds)
            }
        };
        found.extend(natives);
        found.dedup_by(|one, other| one.label == other.label && one.detail == other.detail);
        found
    }
}

/// Returns the lines that can be written at a line, counted from 1: the answers to the question that the rules ask there.
fn answers(project: &mut Project<'_>, path: &Path, line: usize, most: usize) -> Vec<String> {
    let path = project.overlay.shown(path);
    let Ok(text) = project.overlay.read(&path) else { return Vec::new() };
    let name = path.to_string_lossy().replace('\\', "/");
    let whole = Source::new(name.clone(), text.clone());
    let begin = whole.line_span(line).range().start;
    let mut before = text;
    before.truncate(begin);
    let source = match Role::of(&path) {
        Some(Role::Markdown) => {
            before.push_str("```\n");
            scenario::markdown_source(&name, before).0
        }
        Some(Role::Scenario) => Arc::new(Source::new(name, before)),
        _ => return Vec::new(),
    };
    let suite = scenario::plan_text(&mut project.loader, &path, source, Vec::new(), &scenario::Reading::default());
    let Some(last) = suite.tests.iter().enumerate().max_by_key(|(_, test)| test.line).map(|(at, _)| at) else {
        return Vec::new();
    };
    scenario::answers(&mut project.loader, &suite, last, most)
}
