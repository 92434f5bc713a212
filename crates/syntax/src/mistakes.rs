//! The errors of one file, in order and limited in number.

use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_source::{Source, Span};

/// The maximum number of errors. Reading stops there: the text is probably not a file of this language.
const MOST: usize = 500;

/// The errors found in one source.
pub(super) struct Mistakes {
    source: Arc<Source>,
    list: Vec<Diagnostic>,
}

impl Mistakes {
    /// Returns an empty list.
    pub(super) fn new(source: &Arc<Source>) -> Self {
        Self { source: Arc::clone(source), list: Vec::new() }
    }

    /// Adds an error with a help text.
    pub(super) fn add(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.list
            .push(Diagnostic::new(code, &self.source, span, message).label(label).help(help).with_strange_character());
    }

    /// Adds a related location to the last error.
    pub(super) fn also(&mut self, span: Span, text: &str) {
        if let Some(last) = self.list.pop() {
            self.list.push(last.also(&self.source, span, text));
        }
    }

    /// Returns the number of errors.
    pub(super) fn count(&self) -> usize {
        self.list.len()
    }

    /// Returns whether to stop reading; if so, reports that at the last error.
    pub(super) fn full(&mut self) -> bool {
        let full = self.list.len() >= MOST;
        if full {
            let last = self.list.last().and_then(|mistake| mistake.labels.first());
            let at = last.map_or_else(Span::default, |label| label.span);
            let message = format!("only the first {MOST} errors are shown; the rest of this file was not read");
            self.add(Code::TooManyMistakes, at, message, "", "check that this is the right file");
        }
        full
    }

    /// Returns all errors.
    pub(super) fn into_list(self) -> Vec<Diagnostic> {
        self.list
    }
}
