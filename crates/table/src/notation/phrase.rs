//! The words of a line, from which readers take one after another.

use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_source::{Source, Span, Word, keyword_at, span_of, texts};

/// The words of a line, or of a part of it, that are not read yet. A reader takes those that it understands from the front.
/// A copy takes words on its own: so a reader can look ahead.
#[derive(Clone, Copy, Debug)]
pub struct Phrase<'w> {
    source: &'w Arc<Source>,
    words: &'w [Word<'w>],
    /// The location after the last word.
    end: Span,
}

impl<'w> Phrase<'w> {
    /// Returns all of `words`; `line` is the location of an error about missing words if there are none.
    #[must_use]
    pub fn new(source: &'w Arc<Source>, words: &'w [Word<'w>], line: Span) -> Self {
        let end = words.last().map_or(line.end, |word| word.span.end);
        Self { source, words, end: Span { start: end, end } }
    }

    /// Returns the same words with another location for errors about missing words.
    #[must_use]
    pub const fn ending(self, end: Span) -> Self {
        Self { end, ..self }
    }

    /// Returns these words in place of those that are left.
    #[must_use]
    pub const fn with<'o>(self, words: &'o [Word<'o>]) -> Phrase<'o>
    where
        'w: 'o,
    {
        Phrase { source: self.source, words, end: self.end }
    }

    /// Returns the text of the file.
    #[must_use]
    pub const fn source(&self) -> &'w Arc<Source> {
        self.source
    }

    /// Returns the words that are left.
    #[must_use]
    pub const fn words(&self) -> &'w [Word<'w>] {
        self.words
    }

    /// Returns the location after the last word.
    #[must_use]
    pub const fn end(&self) -> Span {
        self.end
    }

    /// Returns whether no word is left.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns the number of words that are left.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns the word at an index, counted from the next one.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<&'w Word<'w>> {
        self.words.get(at)
    }

    /// Returns the next word.
    #[must_use]
    pub fn first(&self) -> Option<&'w Word<'w>> {
        self.words.first()
    }

    /// Returns the keyword that the word at an index may be; an empty text for a word in quotes, and after the last word.
    #[must_use]
    pub fn keyword(&self, at: usize) -> &'w str {
        keyword_at(self.words, at)
    }

    /// Returns the texts of the words that are left.
    #[must_use]
    pub fn texts(&self) -> String {
        texts(self.words)
    }

    /// Returns the location of the words that are left; that after the last word if there are none.
    #[must_use]
    pub fn span(&self) -> Span {
        span_of(self.words).unwrap_or(self.end)
    }

    /// Returns the location of the next word; that after the last word if there is none.
    #[must_use]
    pub fn next_span(&self) -> Span {
        self.words.first().map_or(self.end, |word| word.span)
    }

    /// Takes the next word.
    pub fn take(&mut self) -> Option<&'w Word<'w>> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    /// Takes the next word if it is this keyword; returns whether it is.
    pub fn takes(&mut self, keyword: &str) -> bool {
        let is = self.first().is_some_and(|word| word.is(keyword));
        self.skip(usize::from(is));
        is
    }

    /// Takes this number of words.
    pub fn skip(&mut self, count: usize) {
        self.words = self.words.get(count..).unwrap_or_default();
    }

    /// Returns the words from this index on.
    #[must_use]
    pub fn from(mut self, at: usize) -> Self {
        self.skip(at);
        self
    }

    /// Returns the words before `rest`, which is what a reader has left of these.
    #[must_use]
    pub fn before(&self, rest: Self) -> Self {
        Self { words: self.words.get(..self.len().saturating_sub(rest.len())).unwrap_or_default(), ..*self }
    }

    /// Returns the error for a word or more that are missing at the end.
    pub fn missing(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Code::MissingValue, self.source, self.end, message)
    }

    /// Returns an error at a location of this line.
    pub fn wrong(&self, code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, self.source, span, message)
    }

    /// Returns the error for a word that is left over.
    #[must_use]
    pub fn extra(&self) -> Option<Diagnostic> {
        self.first()
            .map(|extra| Diagnostic::on(Code::WrongForm, extra, format!("`{}` does not belong here", extra.text)))
    }

    /// Checks that no word is left.
    ///
    /// # Errors
    /// Returns an error if a word is left over.
    pub fn finished(&self) -> Result<(), Diagnostic> {
        self.extra().map_or(Ok(()), Err)
    }
}
