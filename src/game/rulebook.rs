//! The clauses of a rulebook: paragraphs that begin with `[B4]`.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};
use crate::table::Clause;

/// The clauses of a rulebook in Markdown, in order.
pub(super) fn clauses(source: &Arc<Source>) -> (Vec<Clause>, Vec<Diagnostic>) {
    let mut clauses: Vec<(Clause, Span)> = Vec::new();
    let mut wrong = Vec::new();
    let mut fenced = false;
    let mut start = 0;
    for line in source.text().split_inclusive('\n') {
        let at = start;
        start += line.len();
        fenced ^= line.trim_start().starts_with("```");
        let Some((id, offset)) = (!fenced).then(|| clause(line)).flatten() else { continue };
        let span = Span::new(at + offset..at + offset + id.len());
        match clauses.iter().find(|(clause, _)| clause.id == id) {
            Some((_, first)) => wrong.push(
                Diagnostic::new("duplicate_clause", source, span, format!("there are two clauses `{id}`"))
                    .also(source, *first, "the first one")
                    .help("number each clause differently"),
            ),
            None => clauses.push((Clause { id: id.to_owned() }, span)),
        }
    }
    (clauses.into_iter().map(|(clause, _)| clause).collect(), wrong)
}

/// The id of the clause that a line begins, and where it stands: a capital letter, more letters, a number.
fn clause(line: &str) -> Option<(&str, usize)> {
    let text = line.trim_start_matches([' ', '-', '*']);
    let inside = text.strip_prefix('[')?;
    let (id, behind) = inside.split_once(']')?;
    let letters = id.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let numbered =
        letters.len() < id.len() && !letters.is_empty() && letters.chars().all(|letter| letter.is_ascii_uppercase());
    let plain = !behind.starts_with('(') && !behind.starts_with(':');
    (numbered && plain).then(|| (id, line.len() - inside.len()))
}
