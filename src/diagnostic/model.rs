//! What a diagnostic holds.

use std::sync::Arc;

use crate::source::{Source, Span};

/// A place in a source text and what is to be said there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The text in which it stands.
    pub source: Arc<Source>,
    /// The underlined part.
    pub span: Span,
    /// The words beside it; may be empty.
    pub text: String,
}

/// One mistake: what is wrong, where, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// A stable code without its prefix, such as `unknown_piece`; people see `referee::unknown_piece`.
    pub code: &'static str,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where: the first label is the place, the others belong to the story.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
    /// For mistakes in a script: the calls that led there, the innermost first.
    pub trace: Vec<Label>,
}

/// The most mistakes of a file that are reported.
pub const MAX_PROBLEMS: usize = 500;

/// Cuts a list of mistakes to the first ones, and says so.
pub fn first_of(problems: &mut Vec<Diagnostic>) {
    if problems.len() > MAX_PROBLEMS {
        problems.truncate(MAX_PROBLEMS);
        let message = format!("the first {MAX_PROBLEMS} mistakes are shown");
        problems.push(Diagnostic::general("too_many_mistakes", message).help("is this the file that you meant?"));
    }
}

impl Diagnostic {
    /// Returns a diagnostic with one place.
    pub fn new(code: &'static str, source: &Arc<Source>, span: Span, message: impl Into<String>) -> Self {
        let label = Label { source: Arc::clone(source), span, text: String::new() };
        Self { code, message: message.into(), labels: vec![label], help: None, trace: Vec::new() }
    }

    /// Returns a diagnostic about a file as a whole, or about none.
    pub fn general(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), labels: Vec::new(), help: None, trace: Vec::new() }
    }

    /// Returns the same, with words beside its first place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(first) = self.labels.first_mut() {
            first.text = text.into();
        }
        self
    }

    /// Returns the same, with one more place.
    #[must_use]
    pub fn also(mut self, source: &Arc<Source>, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { source: Arc::clone(source), span, text: text.into() });
        self
    }

    /// Returns the same, with advice.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Returns the file and the line (from 1) of the first place.
    #[must_use]
    pub fn place(&self) -> Option<(&str, usize)> {
        self.labels.first().map(|label| (label.source.name(), label.source.line(label.span.start)))
    }
}
