//! The clauses of a rulebook: paragraphs that begin with `[B4]`.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span, fences};
use crate::table::Clause;

/// The maximum number of clauses in a rulebook.
const MOST: usize = 10_000;

/// Returns the clauses of a rulebook in Markdown, in order.
pub(super) fn clauses(source: &Arc<Source>) -> (Vec<Clause>, Vec<Diagnostic>) {
    let mut clauses: Vec<Clause> = Vec::new();
    let mut places: BTreeMap<&str, Span> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (id, at) in clause_places(source.text()) {
        let span = Span::new(at..at + id.len());
        if let Some(first) = places.get(id) {
            wrong.push(
                Diagnostic::new("duplicate_clause", source, span, format!("there are two clauses `{id}`"))
                    .also(source, *first, "the first one")
                    .help("number each clause differently"),
            );
        } else if clauses.len() >= MOST {
            let message = format!("a rulebook has at most {MOST} clauses");
            wrong.push(Diagnostic::new("too_many", source, span, message).help("split the rules into several games"));
            break;
        } else {
            places.insert(id, span);
            clauses.push(Clause { id: id.to_owned() });
        }
    }
    (clauses, wrong)
}

/// Returns the ids of the clauses of a text in Markdown, each with its index in the text: also those that occur twice.
#[must_use]
pub fn clause_places(text: &str) -> Vec<(&str, usize)> {
    let fenced: Vec<_> = fences(text).into_iter().map(|fence| fence.range).collect();
    let mut places = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        let Some((id, offset)) = clause(line) else { continue };
        let before = fenced.partition_point(|fence| fence.start <= at + offset);
        if !fenced.get(before.wrapping_sub(1)).is_some_and(|fence| fence.contains(&(at + offset))) {
            places.push((id, at + offset));
        }
    }
    places
}

/// Returns the id of the clause that begins on a line, and its index there. An id is capital letters and a number.
fn clause(line: &str) -> Option<(&str, usize)> {
    let text = line.trim_start_matches([' ', '-', '*']);
    let inside = text.strip_prefix('[')?;
    let (id, after) = inside.split_once(']')?;
    let letters = id.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let numbered =
        letters.len() < id.len() && !letters.is_empty() && letters.chars().all(|letter| letter.is_ascii_uppercase());
    let plain = !after.starts_with('(') && !after.starts_with(':');
    (numbered && plain).then(|| (id, line.len() - inside.len()))
}
