//! The clauses of a rulebook: paragraphs that begin with `[B4]`.

use std::collections::{BTreeMap, BTreeSet};
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
    let lines: Vec<(usize, &str)> = outside_blocks(source.text()).collect();
    for (id, at) in lines.iter().filter_map(begins) {
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
    wrong.extend(misread(source, &lines, &clauses));
    (clauses, wrong)
}

/// Returns an error for each line that begins nearly as a clause of this rulebook does: `[w2]`, `[W 2]`, `## [W2]`, `[W02]`.
fn misread(source: &Arc<Source>, lines: &[(usize, &str)], clauses: &[Clause]) -> Vec<Diagnostic> {
    let letters = |id: &str| id.trim_end_matches(|letter: char| letter.is_ascii_digit()).to_owned();
    let known: BTreeSet<String> = clauses.iter().map(|clause| letters(&clause.id)).collect();
    let misread = |&(at, line): &(usize, &str)| {
        let text = line.trim_start_matches([' ', '-', '*', '#', '>']);
        let (id, after, shown) = marked(text)?;
        let compact = id.split_whitespace().collect::<String>().to_uppercase();
        let compact = compact.trim_end_matches(['.', ':', ')']);
        let letters = letters(compact);
        let number = compact.strip_prefix(letters.as_str())?.trim_start_matches('0');
        let right = format!("{letters}{number}");
        let is_right = clause(line).is_some_and(|(own, _)| own == right);
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        // `[text](address)` and `[name]: address` are links.
        let is_link = after.starts_with('(') || after.strip_prefix(':').is_some_and(is_address);
        // A line may also begin with a reference to another clause: `(W2)`.
        let is_reference = !shown.ends_with(']') && clauses.iter().any(|clause| clause.id == right);
        if !is_number || !known.contains(&letters) || is_right || is_link || is_reference {
            return None;
        }
        let start = at + line.len() - text.len();
        let span = Span::new(start..start + shown.len());
        let wrong = Diagnostic::new("misread_clause", source, span, format!("`{shown}` begins no clause"));
        Some(wrong.help(format!("begin a paragraph or an item of a list with `[{right}]`")))
    };
    lines.iter().filter_map(misread).collect()
}

/// Returns whether the definition of a link goes on with an address, and not with the words of a clause.
fn is_address(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    text.split_whitespace().count() < 2 || first.contains("://") || first.starts_with(['<', '#', '/', '.'])
}

/// Returns what stands in brackets at the beginning of a line, what follows it, and both brackets with what is in them:
/// `[w2]`, `(W2)`, or `[W2` without its second bracket.
fn marked(text: &str) -> Option<(&str, &str, &str)> {
    let close = if text.starts_with('[') { ']' } else { ')' };
    let inside = text.strip_prefix(['[', '('])?;
    let whole = |id: &str, brackets: usize| text.get(..id.len() + brackets);
    match inside.split_once(close) {
        Some((id, after)) => Some((id, after, whole(id, 2)?)),
        None => {
            let id = inside.split_whitespace().next()?;
            Some((id, inside.get(id.len()..)?, whole(id, 1)?))
        }
    }
}

/// Returns the lines of a text in Markdown outside its fenced blocks, each with its index in the text.
fn outside_blocks(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let fenced: Vec<_> = fences(text).into_iter().map(|fence| fence.range).collect();
    let mut start = 0;
    let lines = text.split_inclusive('\n').map(move |line| {
        start += line.len();
        (start - line.len(), line)
    });
    lines.filter(move |(at, _)| {
        let before = fenced.partition_point(|fence| fence.start <= *at);
        !fenced.get(before.wrapping_sub(1)).is_some_and(|fence| fence.contains(at))
    })
}

/// Returns the ids of the clauses of a text in Markdown, each with its index in the text: also those that occur twice.
#[must_use]
pub fn clause_places(text: &str) -> Vec<(&str, usize)> {
    outside_blocks(text).filter_map(|line| begins(&line)).collect()
}

/// Returns the id of the clause that begins on a line with an index in the text, and its own index.
fn begins<'t>(&(at, line): &(usize, &'t str)) -> Option<(&'t str, usize)> {
    clause(line).map(|(id, offset)| (id, at + offset))
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Source, clauses};

    #[test]
    fn what_is_nearly_a_clause_is_reported_and_a_link_or_a_reference_is_not() {
        let text = "[W1] A walk.\n\n[W2]: A colon.\n\n(W3) Other brackets.\n\n[W4 No second bracket.\n\n[W5.] A point.\n\n\
                    As here\n(W1), which is one.\n\n[W6]: https://example.org \"a link\"\n\n[W7](#w1)\n\n(2) An item.\n";
        let (found, wrong) = clauses(&Arc::new(Source::new("RULES.md", text)));
        assert_eq!(found.iter().map(|clause| clause.id.as_str()).collect::<Vec<_>>(), ["W1"]);
        let told: Vec<&str> = wrong.iter().map(|wrong| wrong.message.as_str()).collect();
        let marks = ["`[W2]`", "`(W3)`", "`[W4`", "`[W5.]`"];
        assert_eq!(told, marks.map(|mark| format!("{mark} begins no clause")));
    }
}
