//! Parses the text of a `.game`, `.house` or `.scenario` file into lines with spans.

pub mod ast;
mod braces;
mod cut;
mod expression;
mod game_lines;
mod grammar;
mod keywords;
mod meant;
mod mistakes;
mod outline;
mod parts;
mod reader;
mod scenario_lines;
#[cfg(test)]
mod tests;
mod tokens;
mod visible;
mod when;
mod wording;

use std::sync::Arc;

pub use braces::in_one_expression;
pub use meant::what_is_there;
pub use outline::{Head, outline};
pub use parts::RowKind;

pub use keywords::{Claim, FileKind, claim, form_of, forms, is_keyword, keywords, near_expectation, near_keyword};

use referee_diagnostic::Diagnostic;
use referee_source::{Source, Span};

/// Returns the lines of `source` and all errors in them. Unreadable lines are left out.
#[must_use]
pub fn parse(source: &Arc<Source>, kind: FileKind) -> (ast::File, Vec<Diagnostic>) {
    reader::Reader::new(source, kind).read()
}

/// Returns the lines of these parts of `source`, in this order, and all errors in them. A part begins with a line that
/// takes no rows of the part before it, and ends between two lines.
#[must_use]
pub fn parse_parts(source: &Arc<Source>, kind: FileKind, parts: &[Span]) -> (ast::File, Vec<Diagnostic>) {
    reader::Reader::new(source, kind).read_parts(parts)
}

/// Returns the words at `span`, such as a `>` row or a cell of a table.
///
/// Never fails: splits malformed words at spaces.
#[must_use]
pub fn parse_words(source: &Source, span: Span) -> ast::Words {
    reader::words(source, span)
}

/// Returns the words after `when` at `span` up to a condition or an expression, and that condition or expression.
#[must_use]
pub fn parse_when(source: &Source, span: Span) -> (ast::Words, Option<ast::Tail>) {
    match when::tail(source.slice(span), span.range().start) {
        Some((words, tail)) => (reader::words(source, words), Some(tail)),
        None => (reader::words(source, span), None),
    }
}
