//! A source text and its lines.

use std::sync::Arc;

use super::Span;
use super::quotes::Escaped;

/// A text and its name: the path of the file as the user gave it.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    origin: Origin,
    text: String,
    /// The text shown in excerpts, if it differs from `text`: the whole Markdown file, of the same length.
    shown: Option<String>,
    lines: Vec<u32>,
    escaped: Escaped,
    /// The texts that it joins, each with the byte at which it begins; none for a text of its own.
    parts: Vec<(u32, Arc<Self>)>,
}

/// Where a text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    File,
    /// A file of a bundled game: the program has it, and no host.
    Bundled,
    CommandLine,
    /// The program itself.
    BuiltIn,
}

/// The line and column of a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// Returns the bytes with which the lines of a text begin.
fn line_starts(text: &str) -> Vec<u32> {
    let mut starts = vec![0];
    let mut add = |bytes: &[u8], before: usize| {
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        starts.extend(ends.map(|(at, _)| Span::new(0..before + at + 1).end));
    };
    // Few chunks have a line feed, and the bytes of a chunk are compared at once.
    let (chunks, rest) = text.as_bytes().as_chunks::<16>();
    for (number, chunk) in chunks.iter().enumerate() {
        if chunk.iter().fold(false, |found, byte| found | (*byte == b'\n')) {
            add(chunk, number * chunk.len());
        }
    }
    add(rest, text.len() - rest.len());
    starts.shrink_to_fit();
    starts
}

impl Source {
    /// Returns a source from its name and text.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let lines = line_starts(&text);
        Self {
            name: name.into(),
            origin: Origin::File,
            text,
            shown: None,
            lines,
            escaped: Escaped::default(),
            parts: Vec::new(),
        }
    }

    /// Returns a source of words of the command line.
    #[must_use]
    pub fn command_line(text: impl Into<String>) -> Self {
        Self { origin: Origin::CommandLine, ..Self::new("(command line)", text) }
    }

    /// Returns a source of the program itself.
    #[must_use]
    pub fn built_in(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { origin: Origin::BuiltIn, ..Self::new(name, text) }
    }

    /// Returns a source of a file that is bundled with the program.
    #[must_use]
    pub fn bundled(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { origin: Origin::Bundled, ..Self::new(name, text) }
    }

    /// Returns whether it is a file of a bundled game, so that no host has it.
    #[must_use]
    pub fn is_bundled(&self) -> bool {
        self.origin == Origin::Bundled
    }

    /// Returns whether it is words of the command line.
    #[must_use]
    pub fn is_command_line(&self) -> bool {
        self.origin == Origin::CommandLine
    }

    /// Returns whether it is the text of a file, of a host or bundled.
    #[must_use]
    pub fn is_file(&self) -> bool {
        matches!(self.origin, Origin::File | Origin::Bundled)
    }

    /// Returns a source that is parsed as `text` and shown in excerpts as `shown`. Both must have the same length and
    /// the same lines.
    #[must_use]
    pub fn masked(name: impl Into<String>, text: impl Into<String>, shown: impl Into<String>) -> Self {
        Self { shown: Some(shown.into()), ..Self::new(name, text) }
    }

    /// Returns several texts as one, which begins with the first and has its name, and the span of each in it. Locations
    /// in it are shown in the text that they are from: see [`Self::of_part`].
    #[must_use]
    pub fn joined(parts: &[Arc<Self>]) -> (Self, Vec<Span>) {
        let (mut text, mut spans, mut from) = (String::new(), Vec::new(), Vec::new());
        for part in parts {
            let start = text.len();
            text.push_str(part.text());
            let span = Span::new(start..text.len());
            from.push((span.start, Arc::clone(part)));
            spans.push(span);
            text.push('\n');
        }
        let first = parts.first();
        let (name, origin) = first.map_or(("", Origin::BuiltIn), |first| (first.name(), first.origin));
        (Self { origin, parts: from, ..Self::new(name, text) }, spans)
    }

    /// Returns the text that a location is from, and the location in it: another one only if this text joins several.
    #[must_use]
    pub fn of_part(self: &Arc<Self>, span: Span) -> (Arc<Self>, Span) {
        let at = self.parts.partition_point(|(start, _)| *start <= span.start);
        match at.checked_sub(1).and_then(|at| self.parts.get(at)) {
            Some((start, part)) => {
                let end = part.text.len();
                let within = |at: u32| (at.saturating_sub(*start) as usize).min(end);
                (Arc::clone(part), Span::new(within(span.start)..within(span.end)))
            }
            None => (Arc::clone(self), span),
        }
    }

    /// Returns the text shown in excerpts.
    #[must_use]
    pub fn shown(&self) -> &str {
        self.shown.as_deref().unwrap_or(&self.text)
    }

    /// Returns the name shown to the user.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the number of lines. A line feed ends a line, so after the last one there is no further line.
    #[must_use]
    pub fn line_count(&self) -> usize {
        let ended = self.text.is_empty() || self.text.ends_with('\n');
        self.lines.len() - usize::from(ended)
    }

    /// Returns the text at `span`; empty if the span is outside the text.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Returns the text that a string in quotes at `span` means, if it has escapes.
    pub(super) fn escaped(&self, span: Span) -> Option<&str> {
        self.escaped.get(&self.text, span)
    }

    /// Returns the line and column of the byte `at`.
    #[must_use]
    pub fn position(&self, at: u32) -> Position {
        let line = self.lines.partition_point(|start| *start <= at);
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let before = self.slice(Span { start, end: at });
        Position { line, column: before.chars().count() + 1 }
    }

    /// Returns the line of the byte `at`, counted from 1.
    #[must_use]
    pub fn line(&self, at: u32) -> usize {
        self.lines.partition_point(|start| *start <= at)
    }

    /// Returns the span of line `line` (counted from 1), without its line end.
    #[must_use]
    pub fn line_span(&self, line: usize) -> Span {
        let end_of_text = Span::new(0..self.text.len()).end;
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or(end_of_text);
        let end = self.lines.get(line).map_or(end_of_text, |next| next - 1);
        let trimmed = self.slice(Span { start, end }).trim_end().len();
        Span { start, end: start + Span::new(0..trimmed).end }
    }

    /// Returns the byte at `line` and `column`, both counted from 1, the column in characters; the end of the line if
    /// the line is shorter.
    #[must_use]
    pub fn offset(&self, line: usize, column: usize) -> u32 {
        let span = self.line_span(line);
        let text = self.slice(span);
        let at = text.char_indices().nth(column.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
        span.start + Span::new(0..at).end
    }
}
