//! The data of a diagnostic.

use crate::Code;
use std::borrow::Cow;
use std::sync::Arc;

use super::alike::strange_character;
use super::counted;
use referee_source::{Source, Span, Word};

/// A location in a source text and the note shown there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The source text.
    pub source: Arc<Source>,
    /// The underlined part.
    pub span: Span,
    /// The note beside it; may be empty.
    pub text: String,
}

impl Label {
    /// Returns a label at this location; of a text that joins several, in the one that the location is from.
    pub fn new(source: &Arc<Source>, span: Span, text: impl Into<String>) -> Self {
        let (source, span) = source.of_part(span);
        Self { source, span, text: text.into() }
    }
}

/// What a caller may do differently for an error. Nothing else may depend on a code or a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Nature {
    /// Nothing.
    #[default]
    Plain,
    /// It is an error of the program itself.
    Internal,
    /// It lies in what the user asks, although its label may be in the rules.
    Question,
    /// Its line cannot be understood as a whole, although each of its words can be read.
    Unread,
}

/// One error: its message, its locations, and the correction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    nature: Nature,
    /// A stable code without its prefix: `unknown_piece` is shown as `referee::unknown_piece`.
    pub code: Code,
    /// The error, in one clause without a full stop.
    pub message: String,
    /// The locations: the first is that of the error, the others are related.
    pub labels: Vec<Label>,
    /// The help: the correction.
    pub help: Option<String>,
    /// For errors in a script: the calls that led there, the innermost first.
    pub trace: Vec<Label>,
}

/// The maximum number of errors reported for a file.
pub const MAX_PROBLEMS: usize = 500;

/// The approximate maximum number of errors that are kept of many files together.
const MAX_TOGETHER: usize = 50_000;

/// Cuts the errors of one of `files` files to its share of those that are kept of all together, and adds a note about the
/// cut. The share depends on the number of files alone, so it is the same in whatever order the files are read.
pub fn share_of(problems: &mut Vec<Diagnostic>, file: &str, files: usize) {
    // One is the note of a file that is cut already.
    let most = (MAX_TOGETHER / files.max(1)).clamp(1, MAX_PROBLEMS + 1);
    if problems.len() > most {
        problems.truncate(most);
        problems.shrink_to_fit();
        let shown = counted(most, "error");
        let message = format!("only the first {shown} of {file} are shown, because there are {files} files");
        let wrong = Diagnostic::general(Code::TooManyMistakes, message);
        problems.push(wrong.help("name fewer files, or check that these are the right ones"));
    }
}

/// Cuts a list of errors to the first [`MAX_PROBLEMS`], and adds a note about the cut.
pub fn first_of(problems: &mut Vec<Diagnostic>) {
    if problems.len() > MAX_PROBLEMS {
        problems.truncate(MAX_PROBLEMS);
        let message = format!("only the first {MAX_PROBLEMS} errors are shown");
        problems.push(Diagnostic::general(Code::TooManyMistakes, message).help("check that this is the right file"));
    }
}

impl Diagnostic {
    /// Returns a diagnostic with one location.
    pub fn new(code: Code, source: &Arc<Source>, span: Span, message: impl Into<String>) -> Self {
        Self::general(code, message).at(source, span)
    }

    /// Returns a diagnostic whose location is a word.
    pub fn on(code: Code, word: &Word<'_>, message: impl Into<String>) -> Self {
        Self::new(code, word.source, word.span, message)
    }

    /// Returns a diagnostic without a location.
    pub fn general(code: Code, message: impl Into<String>) -> Self {
        let nature = Nature::default();
        Self { nature, code, message: message.into(), labels: Vec::new(), help: None, trace: Vec::new() }
    }

    /// Returns the diagnostic for an error of the program itself: `what` must not happen.
    pub fn internal(what: impl std::fmt::Display) -> Self {
        let wrong = Self::general(Code::InternalError, format!("internal error: {what}"));
        Self { nature: Nature::Internal, ..wrong }.help("please report this with the files that lead to it")
    }

    /// Returns a diagnostic without a location for a question that cannot be answered as it is asked.
    pub fn question(code: Code, message: impl Into<String>) -> Self {
        Self { nature: Nature::Question, ..Self::general(code, message) }
    }

    /// Returns a diagnostic for a line that does not belong where it is, or that nothing can be made of.
    pub fn unread(code: Code, source: &Arc<Source>, span: Span, message: impl Into<String>) -> Self {
        Self { nature: Nature::Unread, ..Self::new(code, source, span, message) }
    }

    /// Returns whether this is an error of the program itself.
    #[must_use]
    pub fn is_internal(&self) -> bool {
        self.nature == Nature::Internal
    }

    /// Returns whether it lies in what the user asks: see [`Self::question`].
    #[must_use]
    pub fn is_of_question(&self) -> bool {
        self.nature == Nature::Question
    }

    /// Returns whether its line as a whole is not understood: see [`Self::unread`].
    #[must_use]
    pub fn is_unread(&self) -> bool {
        self.nature == Nature::Unread
    }

    /// Returns the same diagnostic with a note at its first location.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(first) = self.labels.first_mut() {
            first.text = text.into();
        }
        self
    }

    /// Returns the same diagnostic with these locations in place of its own.
    #[must_use]
    pub fn labelled(self, labels: impl IntoIterator<Item = Label>) -> Self {
        Self { labels: labels.into_iter().collect(), ..self }
    }

    /// Returns the same diagnostic at this location, for an error whose location was not known where it was found.
    #[must_use]
    pub fn at(self, source: &Arc<Source>, span: Span) -> Self {
        self.labelled([Label::new(source, span, "")])
    }

    /// Returns the same diagnostic at the locations of another one, which it explains, and with its calls.
    #[must_use]
    pub fn in_place_of(self, other: Self) -> Self {
        Self { labels: other.labels, trace: other.trace, ..self }
    }

    /// Returns the same diagnostic with one more location.
    #[must_use]
    pub fn also(mut self, source: &Arc<Source>, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label::new(source, span, text));
        self
    }

    /// Returns the same diagnostic with a help text.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Returns the same diagnostic with a help text, if there is one.
    #[must_use]
    pub fn maybe_help(mut self, text: Option<String>) -> Self {
        self.help = text.or(self.help);
        self
    }

    /// Returns the same diagnostic with a note about a character in its text that only looks like another one.
    #[must_use]
    pub fn with_strange_character(mut self) -> Self {
        let text = self.labels.first().map_or("", |label| label.source.slice(label.span));
        if let Some(noted) = self.noted(text) {
            self.help = Some(noted);
        }
        self
    }

    /// Returns the help as it is shown: with a note about a character in its word that only looks like another one. What
    /// several words say may contain any characters.
    #[must_use]
    pub fn shown_help(&self) -> Option<Cow<'_, str>> {
        let text = self.labels.first().map_or(self.message.as_str(), |label| label.source.slice(label.span));
        let noted = self.labels.is_empty() || !text.contains([' ', '\n']);
        let noted = if noted { self.noted(text) } else { None };
        noted.map(Cow::Owned).or(self.help.as_deref().map(Cow::Borrowed))
    }

    /// Returns the help with a note about a strange character in this text; `None` if there is none, or if the message
    /// or the help has one.
    fn noted(&self, text: &str) -> Option<String> {
        let help = self.help.as_ref();
        if [Some(&self.message), help].into_iter().flatten().any(|text| text.contains("U+")) {
            return None;
        }
        let note = strange_character(text)?;
        Some(help.map_or_else(|| note.clone(), |help| format!("{help}\n{note}")))
    }

    /// Returns the file and the line (counted from 1) of the first location.
    #[must_use]
    pub fn place(&self) -> Option<(&str, usize)> {
        self.labels.first().map(|label| (label.source.name(), label.source.line(label.span.start)))
    }
}
