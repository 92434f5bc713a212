//! A source text and its lines.

use super::{Span, Word};

/// A text with the name under which people know it (a path, as it was given).
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    text: String,
    /// The text as people see it, where that is another of the same length: a Markdown file around its blocks.
    shown: Option<String>,
    lines: Vec<u32>,
}

/// Where a byte stands: line and column, both counted from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Source {
    /// Returns a source from its name and text.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(at, _)| Span::new(0..at + 1).end)).collect();
        Self { name: name.into(), text, shown: None, lines }
    }

    /// Returns a source of which only `text` is read, though people see `shown`; both have the same length and the same
    /// lines.
    #[must_use]
    pub fn masked(name: impl Into<String>, text: impl Into<String>, shown: impl Into<String>) -> Self {
        Self { shown: Some(shown.into()), ..Self::new(name, text) }
    }

    /// Returns the text as people see it.
    #[must_use]
    pub fn shown(&self) -> &str {
        self.shown.as_deref().unwrap_or(&self.text)
    }

    /// Returns the name under which people know it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text at `span`; empty where the span does not fit this text.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Returns the word at `span`, its quotes taken off.
    #[must_use]
    pub fn word(&self, span: Span) -> Word<'_> {
        let text = self.slice(span);
        match text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            Some(inner) => Word { text: inner, span, quoted: true },
            None => Word { text, span, quoted: false },
        }
    }

    /// Returns the words of a row, separated by blanks; quotes mean nothing there.
    #[must_use]
    pub fn tokens(&self, row: Span) -> Vec<Word<'_>> {
        let text = self.slice(row);
        let mut words = Vec::new();
        let mut at = 0;
        for token in text.split_whitespace() {
            let start = text.get(at..).and_then(|rest| rest.find(token)).map_or(at, |found| at + found);
            at = start + token.len();
            let begin = row.range().start;
            words.push(Word { text: token, span: Span::new(begin + start..begin + at), quoted: false });
        }
        words
    }

    /// Line and column of the byte `at`.
    #[must_use]
    pub fn position(&self, at: u32) -> Position {
        let line = self.lines.partition_point(|start| *start <= at);
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let before = self.slice(Span { start, end: at });
        Position { line, column: before.chars().count() + 1 }
    }

    /// Returns the line of the byte `at`, from 1.
    #[must_use]
    pub fn line(&self, at: u32) -> usize {
        self.lines.partition_point(|start| *start <= at)
    }

    /// Returns the span of line `line` (from 1), without its line end.
    #[must_use]
    pub fn line_span(&self, line: usize) -> Span {
        let end_of_text = Span::new(0..self.text.len()).end;
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or(end_of_text);
        let end = self.lines.get(line).map_or(end_of_text, |next| next - 1);
        let trimmed = self.slice(Span { start, end }).trim_end().len();
        Span { start, end: start + Span::new(0..trimmed).end }
    }

    /// Returns the byte at `line` and `column` (both from 1, the column in characters); the end of the line where it is
    /// shorter.
    #[must_use]
    pub fn offset(&self, line: usize, column: usize) -> u32 {
        let span = self.line_span(line);
        let text = self.slice(span);
        let at = text.char_indices().nth(column.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
        span.start + Span::new(0..at).end
    }
}
