//! A word of a line, as the parser passes it to the resolver.

use super::Span;

/// One word of a line with its location: `red`, `e5`, or `"block 1"`, stored without its quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Word<'s> {
    /// The text, without quotes.
    pub text: &'s str,
    /// The location, quotes included.
    pub span: Span,
    /// Whether it is written in quotes: then it is a name, never a keyword.
    pub quoted: bool,
}
