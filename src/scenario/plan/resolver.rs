//! What every resolver of lines needs: the words of a line, table holes filled, and a place for mistakes.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span, Word};
use crate::table::{Misread, Names, Schema, Table};

/// The values of a table's row by the names of its columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row<'f> {
    pub(crate) number: usize,
    pub(crate) span: Span,
    /// The name of the column, the cell, and the words in it.
    pub(crate) values: Vec<(&'f str, Span, Vec<Span>)>,
}

impl Row<'_> {
    /// Returns the first word of the value of the hole at `span`.
    pub(crate) fn value(&self, source: &Source, span: Span) -> Option<Span> {
        let word = source.word(span);
        let name = hole(&word)?;
        let (_, _, words) = self.values.iter().find(|(column, _, _)| *column == name)?;
        words.first().copied()
    }
}

/// Reads lines of one scenario.
pub(crate) struct Resolver<'f> {
    pub(crate) source: &'f Arc<Source>,
    pub(crate) row: Option<Row<'f>>,
    pub(crate) wrong: Vec<Diagnostic>,
}

impl<'f> Resolver<'f> {
    /// Notes a mistake.
    pub(crate) fn say(&mut self, diagnostic: Diagnostic) {
        // Of a line whose hole has no value, all else that is wrong comes of that.
        let line = |wrong: &Diagnostic| {
            let first = wrong.labels.first().filter(|label| Arc::ptr_eq(&label.source, self.source));
            first.map(|label| self.source.line(label.span.start))
        };
        let unfilled = self.wrong.last().filter(|last| last.code == "unknown_hole");
        if unfilled.is_none_or(|last| last.code == diagnostic.code || line(last) != line(&diagnostic)) {
            self.wrong.push(diagnostic);
        }
    }

    /// Notes words that cannot be read; nothing comes of them.
    pub(crate) fn misread<T>(&mut self, misread: Misread) -> Option<T> {
        let diagnostic = Diagnostic::new(misread.code, self.source, misread.span, misread.message);
        self.say(misread.help.into_iter().fold(diagnostic, Diagnostic::help));
        None
    }

    /// Returns the value of a result, its mistake noted.
    pub(crate) fn get<T>(&mut self, result: Result<T, Misread>) -> Option<T> {
        result.map_or_else(|misread| self.misread(misread), Some)
    }

    /// Returns the words of a line; a hole `{name}` is the words of the row's value, underlined in the row.
    pub(crate) fn words(&mut self, spans: &[Span]) -> Vec<Word<'f>> {
        let mut words = Vec::with_capacity(spans.len());
        for span in spans {
            let word = self.source.word(*span);
            match hole(&word) {
                None if word.quoted && self.names_column(word.text) => {
                    let wrong = Diagnostic::new("bad_hole", self.source, *span, "a hole is not filled inside quotes");
                    self.say(wrong.help("let the hole be the whole word: write the quotes into the table"));
                }
                None if !word.quoted && word.text.contains('{') => {
                    let wrong = Diagnostic::new("bad_hole", self.source, *span, "a hole cannot be a part of a word");
                    self.say(wrong.help("let the hole be the whole word, and write whole words into the table"));
                }
                None => words.push(word),
                Some(name) => words.extend(self.filled(name, *span)),
            }
        }
        words
    }

    /// Returns the words of a list with commas: where an item is a hole alone, the commas in its value count.
    pub(crate) fn list(&mut self, items: &[Vec<Span>]) -> Vec<Vec<Word<'f>>> {
        let source = self.source;
        let mut list: Vec<Vec<Word<'f>>> = Vec::new();
        for spans in items {
            let words = self.words(spans);
            let alone = matches!(spans.as_slice(), [span] if hole(&source.word(*span)).is_some());
            let mut item: Vec<Word<'f>> = Vec::new();
            for word in words {
                let between = item.last().map(|last| Span { start: last.span.end, end: word.span.start });
                if alone && between.is_some_and(|between| source.slice(between).contains(',')) {
                    list.push(std::mem::take(&mut item));
                }
                item.push(word);
            }
            list.push(item);
        }
        list
    }

    /// Returns whether a text holds what looks like a hole for a column of the table.
    fn names_column(&self, text: &str) -> bool {
        let values = self.row.iter().flat_map(|row| &row.values);
        text.contains('{') && values.into_iter().any(|(name, _, _)| text.contains(&format!("{{{name}}}")))
    }

    pub(crate) fn filled(&mut self, name: &str, span: Span) -> Vec<Word<'f>> {
        let source = self.source;
        let Some(row) = &self.row else {
            self.say(
                Diagnostic::new("unknown_hole", source, span, "this scenario has no table of examples")
                    .help("add a line `examples` with a table below it whose first row names the holes"),
            );
            return Vec::new();
        };
        if let Some((_, _, spans)) = row.values.iter().find(|(column, _, _)| *column == name) {
            return spans.iter().map(|span| source.word(*span)).collect();
        }
        let columns: Vec<&str> = row.values.iter().map(|(column, _, _)| *column).collect();
        let help = crate::diagnostic::did_you_mean(name, columns.iter().copied())
            .unwrap_or_else(|| format!("the columns are {}", crate::diagnostic::one_of(columns.iter().copied(), 12)));
        self.say(Diagnostic::new("unknown_hole", source, span, format!("the table has no column `{name}`")).help(help));
        Vec::new()
    }
}

/// Returns the name of a hole.
pub(crate) fn hole<'w>(word: &Word<'w>) -> Option<&'w str> {
    let inside = word.text.strip_prefix('{')?.strip_suffix('}')?;
    (!word.quoted).then(|| inside.trim())
}

/// Returns the place behind the last of some words, or behind `line` if there is none.
pub(crate) fn end_of(words: &[Word<'_>], line: Span) -> Span {
    let end = words.last().map_or(line.end, |word| word.span.end);
    Span { start: end, end }
}

/// Returns the names of a table.
pub(crate) fn names(table: &Table) -> Names<'_> {
    let schema: &Schema = &table.schema;
    Names { schema, board: &table.board }
}
