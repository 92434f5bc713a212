//! The grammar of a line, made by pest from `grammar/referee.pest`.

/// The parser that pest makes.
#[derive(pest_derive::Parser)]
#[grammar = "../grammar/referee.pest"]
pub(super) struct Grammar;
