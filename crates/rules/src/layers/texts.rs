//! The texts of a script, and the location in a file of each position.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use rhai::Position;

use super::tokens::Tokens;
use crate::natives::OfGame;
use referee_diagnostic::Label;
use referee_source::{Source, Span};
use referee_trace::RulesPlace;

/// The texts of a script, with the line on which each begins, and the functions that the script may call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    texts: Vec<Text>,
    natives: Rc<OfGame>,
}

/// A text of a script, or an expression in another file.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    source: Arc<Source>,
    /// The number of the line before its first.
    first: usize,
    /// The number of lines in its file before the text.
    skipped: usize,
    is_house: bool,
    /// The part of the file that is a script.
    part: Span,
    tokens: Rc<OnceCell<Tokens>>,
}

impl Text {
    fn of(source: &Arc<Source>, first: usize, part: Span) -> Self {
        let skipped = source.line(part.start) - 1;
        Self { source: Arc::clone(source), first, skipped, is_house: false, part, tokens: Rc::default() }
    }

    pub(crate) const fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Returns its tokens.
    pub(crate) fn tokens(&self) -> &Tokens {
        self.tokens.get_or_init(|| Tokens::of(self.source.text(), self.part))
    }

    /// Returns the byte at a position of the engine.
    pub(crate) fn byte(&self, at: Position) -> Option<u32> {
        let line = at.line()?.checked_sub(self.first)? + self.skipped;
        Some(self.source.offset(line, at.position().unwrap_or(1)))
    }

    /// Returns the number of the token at a position of the engine.
    pub(crate) fn token(&self, at: Position) -> Option<usize> {
        self.tokens().at(self.byte(at)?)
    }

    /// Returns the text of a token; empty if there is none.
    pub(crate) fn slice(&self, token: usize) -> &str {
        self.tokens().get(token).map_or("", |token| self.source.slice(token.span))
    }

    /// Returns the position of the engine at a byte.
    pub(crate) fn position(&self, byte: u32) -> Position {
        let at = self.source.position(byte);
        let number = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        match number(at.line + self.first - self.skipped) {
            0 => Position::NONE,
            line => Position::new(line, number(at.column)),
        }
    }
}

impl Texts {
    /// Returns no texts yet, for a script that may call these functions.
    pub(crate) fn of(natives: &Rc<OfGame>) -> Self {
        Self { texts: Vec::new(), natives: Rc::clone(natives) }
    }

    /// Returns the functions that the script may call.
    pub(crate) fn natives(&self) -> &OfGame {
        &self.natives
    }

    /// Returns the text of the rules themselves.
    pub(crate) fn rules(&self) -> Option<&Arc<Source>> {
        self.texts.first().map(|text| &text.source)
    }

    /// Returns whether this is the text of a house rule.
    pub(crate) fn is_house(&self, source: &Arc<Source>) -> bool {
        self.texts.iter().any(|text| text.is_house && Arc::ptr_eq(&text.source, source))
    }

    pub(super) fn push(&mut self, source: &Arc<Source>, is_house: bool) -> usize {
        let first = self.end();
        let whole = Span::new(0..source.text().len());
        self.texts.push(Text { is_house, ..Text::of(source, first, whole) });
        first
    }

    /// Returns the first line after all texts.
    pub(crate) fn end(&self) -> usize {
        self.texts.last().map_or(0, |last| last.first + last.source.line_count() + 1)
    }

    /// Returns these texts followed by an expression in another file.
    pub(crate) fn with_expression(&self, source: &Arc<Source>, span: Span) -> Self {
        let mut texts = self.clone();
        texts.texts.push(Text::of(source, self.end(), span));
        texts
    }

    /// Returns the text with a position of the engine.
    pub(crate) fn of_position(&self, at: Position) -> Option<&Text> {
        let line = at.line()?;
        self.texts.iter().rev().find(|text| line > text.first)
    }

    /// Returns all texts in order.
    pub(crate) fn all(&self) -> &[Text] {
        &self.texts
    }

    /// Returns the location in a file for a place in the script: the word at that place.
    pub(crate) fn label(&self, place: RulesPlace) -> Option<Label> {
        let Text { source, first, skipped, .. } = self.texts.iter().rev().find(|text| place.line > text.first)?;
        let line = place.line - first + skipped;
        let start = source.offset(line, place.column.max(1));
        let rest = source.slice(Span { start, end: source.line_span(line).end });
        let word = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
        let length = word.max(rest.chars().next().map_or(0, char::len_utf8));
        let span = Span { start, end: start + Span::new(0..length).end };
        Some(Label { source: Arc::clone(source), span, text: String::new() })
    }
}
