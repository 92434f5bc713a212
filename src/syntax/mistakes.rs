//! The mistakes of one file, in order and not without end.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};

/// After so many mistakes the rest of the file is not read: it is no file of ours.
const MOST: usize = 500;

/// What was found wrong with one source.
pub(super) struct Mistakes {
    source: Arc<Source>,
    list: Vec<Diagnostic>,
}

impl Mistakes {
    /// No mistakes yet.
    pub(super) fn new(source: &Arc<Source>) -> Self {
        Self { source: Arc::clone(source), list: Vec::new() }
    }

    /// One more, with advice.
    pub(super) fn add(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.list.push(Diagnostic::new(code, &self.source, span, message).label(label).help(help));
    }

    /// One more place that belongs to the last one.
    pub(super) fn also(&mut self, span: Span, text: &str) {
        if let Some(last) = self.list.pop() {
            self.list.push(last.also(&self.source, span, text));
        }
    }

    /// Returns how many there are.
    pub(super) fn count(&self) -> usize {
        self.list.len()
    }

    /// Returns whether to stop reading; if so, says it at the last mistake.
    pub(super) fn full(&mut self) -> bool {
        let full = self.list.len() >= MOST;
        if full {
            let last = self.list.last().and_then(|mistake| mistake.labels.first());
            let at = last.map_or_else(Span::default, |label| label.span);
            let message = format!("the first {MOST} mistakes of this file are shown; from here on it was not read");
            self.add("too_many_mistakes", at, message, "", "is this the file that you meant?");
        }
        full
    }

    /// Returns all of them.
    pub(super) fn into_list(self) -> Vec<Diagnostic> {
        self.list
    }
}
