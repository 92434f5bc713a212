//! From the text of a `.game` or `.scenario` file to lines with spans.

pub mod ast;
