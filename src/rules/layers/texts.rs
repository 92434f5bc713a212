//! The texts of a script, and the location in a file of each position.

use std::rc::Rc;
use std::sync::Arc;

use crate::diagnostic::Label;
use crate::rules::natives::OfGame;
use crate::source::{Source, Span};
use crate::trace::RulesPlace;

/// The texts of a script, with the line on which each begins, and the functions that the script may call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    texts: Vec<Text>,
    natives: Rc<OfGame>,
}

/// A text, the number of the line before its first, and the number of lines in its file before the text.
#[derive(Clone, Debug)]
struct Text {
    source: Arc<Source>,
    first: usize,
    skipped: usize,
    is_house: bool,
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
        self.texts.push(Text { source: Arc::clone(source), first, skipped: 0, is_house });
        first
    }

    /// Returns the first line after all texts.
    pub(crate) fn end(&self) -> usize {
        self.texts.last().map_or(0, |last| last.first + last.source.line_count() + 1)
    }

    /// Returns these texts followed by an expression that begins on `line` (from 1) of another file.
    pub(crate) fn with_expression(&self, source: &Arc<Source>, line: usize) -> Self {
        let mut texts = self.clone();
        let (first, skipped) = (self.end(), line - 1);
        texts.texts.push(Text { source: Arc::clone(source), first, skipped, is_house: false });
        texts
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
