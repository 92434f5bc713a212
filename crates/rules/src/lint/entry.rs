//! What is said of a code.

use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_source::{Source, Span};

/// A code, and what docs/mistakes.md and `referee explain` say of it: what it means, an example, and how to mend it.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    pub(super) code: Code,
    pub(super) text: &'static str,
}

impl Entry {
    /// Returns the code, without the prefix of messages.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// Returns what is said of it, as Markdown.
    #[must_use]
    pub const fn text(&self) -> &'static str {
        self.text.trim_ascii()
    }

    /// Returns an error of this code.
    pub(super) fn at(&self, source: &Arc<Source>, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.code, source, span, message)
    }
}
