//! Tests of the parser through its public functions: texts in, lines and diagnostics out.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails may panic")]

mod diagnostics;
mod game;
mod hostile;
mod language;
mod recovery;
mod scenario;
mod words;

use std::sync::Arc;

use super::{FileKind, ast::File, parse};
use referee_diagnostic::Diagnostic;
use referee_source::{Source, Span};

fn read(kind: FileKind, text: &str) -> (File, Vec<Diagnostic>) {
    let name = if kind == FileKind::Game { "test.game" } else { "test.scenario" };
    parse(&Arc::new(Source::new(name, text)), kind)
}

/// Returns the lines of a file without errors, one per row, each span as its text in «».
fn tree(kind: FileKind, text: &str) -> String {
    let (file, mistakes) = read(kind, text);
    assert!(mistakes.is_empty(), "{}", rendered(&mistakes));
    lines(&file)
}

fn game(text: &str) -> String {
    tree(FileKind::Game, text)
}

fn scenario(text: &str) -> String {
    tree(FileKind::Scenario, text)
}

fn lines(file: &File) -> String {
    let lines: Vec<String> =
        file.lines.iter().map(|line| with_texts(&format!("{:?}", line.kind), &file.source)).collect();
    lines.join("\n")
}

/// Returns `debug` with each span replaced by its text.
fn with_texts(debug: &str, source: &Source) -> String {
    let mut parts = debug.split("Span { start: ");
    let mut out = parts.next().unwrap().to_owned();
    for part in parts {
        let (start, rest) = part.split_once(", end: ").unwrap();
        let (end, rest) = rest.split_once(" }").unwrap();
        let span = Span { start: start.parse().unwrap(), end: end.parse().unwrap() };
        out.push_str(&format!("«{}»{rest}", source.slice(span)));
    }
    out
}

/// Returns diagnostics as text: code, line, underlined text, message, label, help.
fn rendered(mistakes: &[Diagnostic]) -> String {
    let tell = |mistake: &Diagnostic| {
        let label = &mistake.labels[0];
        let line = label.source.line(label.span.start);
        let under = label.source.slice(label.span);
        let mut story = format!("{} in line {line}: {}\n    «{under}» {}", mistake.code, mistake.message, label.text);
        for help in mistake.help.iter().flat_map(|help| help.lines()) {
            story.push_str(&format!("\n    {help}"));
        }
        story
    };
    mistakes.iter().map(tell).collect::<Vec<_>>().join("\n")
}
