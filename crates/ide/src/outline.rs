//! The outline of a file: its symbols, and the parts that can be folded.

use std::path::Path;
use std::sync::Arc;

use super::names::NameKind;
use super::project::{Opened, Project, Role};
use referee_source::{Source, Span};
use referee_syntax::ast::LineKind;

/// The kind of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A scenario.
    Scenario,
    /// A branch of a scenario.
    Branch,
    /// A declaration of a name.
    Name(NameKind),
}

/// A part of a file with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name or title.
    pub name: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// The text.
    pub source: Arc<Source>,
    /// The name.
    pub span: Span,
    /// The whole part.
    pub whole: Span,
    /// The symbols within it.
    pub inside: Vec<Symbol>,
}

/// Lines that can be folded, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The first line, which stays visible.
    pub first: usize,
    /// The last line.
    pub last: usize,
    /// Whether it is a comment.
    pub comment: bool,
}

/// Returns the symbols of a file, in order.
pub fn symbols(project: &mut Project<'_>, path: &Path) -> Vec<Symbol> {
    project.refresh();
    let Some(opened) = project.open(path) else { return Vec::new() };
    let mut found = match opened.role {
        Role::Scenario | Role::Markdown => scenarios(&opened),
        Role::Game | Role::House | Role::Script | Role::Data => Vec::new(),
    };
    if opened.role != Role::Scenario {
        found.extend(declared(&opened));
        found.sort_by_key(|symbol| symbol.whole);
    }
    found
}

/// Returns the names that a file declares.
fn declared(opened: &Opened) -> Vec<Symbol> {
    let Some(known) = opened.games.get("") else { return Vec::new() };
    let here = known.names.definitions.iter().filter(|definition| {
        definition.source.name() == opened.source.name()
            && !matches!(definition.key.kind, NameKind::Value | NameKind::House)
    });
    here.map(|definition| Symbol {
        name: definition.key.name.clone(),
        kind: SymbolKind::Name(definition.key.kind),
        source: Arc::clone(&definition.source),
        span: definition.span,
        whole: definition.whole,
        inside: Vec::new(),
    })
    .collect()
}

/// Returns the positions and scenarios of a file, each with its branches.
fn scenarios(opened: &Opened) -> Vec<Symbol> {
    let source = &opened.source;
    let mut found: Vec<Symbol> = Vec::new();
    for line in opened.lines.iter().flat_map(|file| &file.lines) {
        let (title, kind) = match line.kind {
            LineKind::Scenario(title) => (title, SymbolKind::Scenario),
            LineKind::Position(title) => (title, SymbolKind::Name(NameKind::Position)),
            LineKind::Branch(title) => (title, SymbolKind::Branch),
            LineKind::Use { .. } if found.is_empty() => continue,
            _ => {
                let end = end_of(source, line.span, &line.kind);
                let last = found.last_mut();
                last.into_iter().for_each(|symbol| {
                    symbol.whole.end = symbol.whole.end.max(end);
                    symbol.inside.last_mut().into_iter().for_each(|branch| branch.whole.end = end);
                });
                continue;
            }
        };
        let name = source.word(title).text.to_owned();
        let symbol =
            Symbol { name, kind, source: Arc::clone(source), span: title, whole: line.span, inside: Vec::new() };
        match (kind, found.last_mut()) {
            (SymbolKind::Branch, Some(scenario)) => {
                scenario.whole.end = line.span.end;
                scenario.inside.push(symbol);
            }
            _ => found.push(symbol),
        }
    }
    found
}

/// Returns the end of a line with its rows.
fn end_of(source: &Source, span: Span, kind: &LineKind) -> u32 {
    kind.rows().and_then(|(_, rows)| rows.last()).map_or(span.end, |row| source.line_span(source.line(row.start)).end)
}

/// Returns the parts of a file that can be folded.
pub fn folds(project: &mut Project<'_>, path: &Path) -> Vec<Fold> {
    project.refresh();
    let Some(opened) = project.open(path) else { return Vec::new() };
    let source = &opened.source;
    let mut found = Vec::new();
    let mut fold = |start: u32, end: u32, comment: bool| {
        let (first, last) = (source.line(start), source.line(end));
        found.extend((last > first).then_some(Fold { first, last, comment }));
    };
    for symbol in scenarios(&opened) {
        fold(symbol.whole.start, symbol.whole.end, false);
        symbol.inside.iter().for_each(|branch| fold(branch.whole.start, branch.whole.end, false));
    }
    for line in opened.lines.iter().flat_map(|file| &file.lines) {
        fold(line.span.start, end_of(source, line.span, &line.kind), false);
    }
    if opened.role == Role::Script {
        let mut open = Vec::new();
        for token in referee_rules::tokens(source.text()) {
            match source.slice(token.span) {
                "{" | "#{" => open.push(token.span.start),
                "}" => open.pop().into_iter().for_each(|start| fold(start, token.span.end, false)),
                _ => {}
            }
        }
    }
    for (first, last) in comments(source) {
        fold(source.line_span(first).start, source.line_span(last).start, true);
    }
    found.sort_by_key(|fold| (fold.first, fold.last));
    found.dedup_by_key(|fold| (fold.first, fold.last));
    found
}

/// Returns the runs of lines that are comments: first and last lines.
fn comments(source: &Source) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, text) in source.text().lines().enumerate() {
        let text = text.trim_start();
        if !(text.starts_with('#') || text.starts_with("//")) {
            continue;
        }
        match runs.last_mut() {
            Some((_, last)) if *last == at => *last = at + 1,
            _ => runs.push((at + 1, at + 1)),
        }
    }
    runs.retain(|(first, last)| last > first);
    runs
}
