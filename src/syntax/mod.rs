//! From the text of a `.game` or `.scenario` file to lines with spans.

pub mod ast;
mod cut;
mod game_lines;
mod grammar;
mod island;
mod keywords;
mod mistakes;
mod reader;
mod scenario_lines;
#[cfg(test)]
mod tests;
mod tokens;
mod visible;
mod when;
mod wording;

use std::sync::Arc;

pub use keywords::{FileKind, is_keyword, near_expectation, near_keyword};

use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};

/// Returns the lines of `source`, and everything that is wrong with them. Lines that cannot be read are left out.
#[must_use]
pub fn parse(source: &Arc<Source>, kind: FileKind) -> (ast::File, Vec<Diagnostic>) {
    reader::Reader::new(source, kind).read()
}

/// Returns the words at `span`, such as a `>` row or a cell of a table.
///
/// Never fails: where the words are not well formed they are cut at blanks.
#[must_use]
pub fn parse_words(source: &Source, span: Span) -> ast::Words {
    reader::words(source, span)
}

/// Returns the words of what stands behind `when` at `span`, up to a condition or an expression, and that.
#[must_use]
pub fn parse_when(source: &Source, span: Span) -> (ast::Words, Option<ast::Tail>) {
    match when::tail(source.slice(span), span.range().start) {
        Some((words, tail)) => (reader::words(source, words), Some(tail)),
        None => (reader::words(source, span), None),
    }
}
