//! The lines of a game file or a scenario as their readers see them: words, and a list of errors.

use std::sync::Arc;

use referee_diagnostic::Diagnostic;
use referee_source::{Source, Span, Word};

/// A file whose lines are read.
pub trait Lines<'f> {
    /// Returns the text of the file.
    fn source(&self) -> &'f Arc<Source>;

    /// Returns the words of a line; placeholders are filled.
    fn words(&mut self, spans: &[Span]) -> Vec<Word<'f>>;

    /// Returns the tokens of a diagram's row; placeholders are filled.
    fn tokens(&mut self, row: Span) -> Vec<Word<'f>>;

    /// Adds an error.
    fn report(&mut self, wrong: Diagnostic);

    /// Returns the errors until now.
    fn errors(&mut self) -> &mut Vec<Diagnostic>;

    /// Returns the value of a result; adds its error.
    fn get<T>(&mut self, read: Result<T, Diagnostic>) -> Option<T> {
        read.map_err(|wrong| self.report(wrong)).ok()
    }
}
