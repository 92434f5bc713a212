//! A word of a line, as the grammar cuts it and the resolver reads it.

use super::Span;

/// One word of a line with its place: `red`, `e5`, `"block 1"` (then quoted, and without the quotes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Word<'s> {
    /// The text, without quotes.
    pub text: &'s str,
    /// The place, quotes included.
    pub span: Span,
    /// Written in quotes: a name, never a keyword.
    pub quoted: bool,
}
