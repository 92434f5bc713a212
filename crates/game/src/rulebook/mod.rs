//! The clauses of a rulebook: paragraphs, items of lists and cells of tables that begin with `[B4]`.

mod beginnings;
mod labels;
mod marks;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use beginnings::{Beginning, Place, beginnings};
use marks::{Mark, brackets, letters_of};
use referee_diagnostic::{Code, Diagnostic};
use referee_source::{Markup, Source, Span, within};
use referee_table::Clause;

/// The maximum number of clauses in a rulebook.
const MOST: usize = 10_000;

/// A number at the beginning of a clause.
struct Candidate<'t> {
    id: &'t str,
    at: usize,
    /// Whether the beginning is one of [`Place::Paragraph`].
    place: Place,
}

/// Returns the clauses of a rulebook in Markdown, in order. `below` are those of the rulebooks that it adds to, which it may
/// name.
pub(super) fn clauses(source: &Arc<Source>, below: &[Clause]) -> (Vec<Clause>, Vec<Diagnostic>) {
    let mut clauses: Vec<Clause> = Vec::new();
    let mut places: BTreeMap<&str, Span> = BTreeMap::new();
    let mut wrong = Vec::new();
    let markup = Markup::of(source.text());
    let beginnings = beginnings(source.text(), &markup);
    for (id, at) in chosen(source.text(), &beginnings) {
        let span = Span::new(at..at + id.len());
        if let Some(first) = places.get(id) {
            wrong.push(
                Diagnostic::new(Code::DuplicateClause, source, span, format!("there are two clauses `{id}`"))
                    .also(source, *first, "the first one")
                    .help("number each clause differently"),
            );
        } else if clauses.len() >= MOST {
            let message = format!("a rulebook has at most {MOST} clauses");
            wrong
                .push(Diagnostic::new(Code::TooMany, source, span, message).help("split the rules into several games"));
            break;
        } else {
            places.insert(id, span);
            clauses.push(Clause { id: id.to_owned() });
        }
    }
    let ids = places.keys().copied().chain(below.iter().map(|clause| clause.id.as_str())).collect();
    wrong.extend(misread(source, &beginnings, &ids));
    wrong.extend(unknown(source, &markup, &beginnings, &ids));
    wrong.extend(labels::bare(source, &markup, &ids));
    (clauses, wrong)
}

/// Returns the ids of the clauses of a text in Markdown, each with its index in the text: also those that occur twice.
#[must_use]
pub fn clause_places(text: &str) -> Vec<(&str, usize)> {
    chosen(text, &beginnings(text, &Markup::of(text)))
}

/// Returns the clauses among these beginnings. A number in a place where rulebooks often name another clause, such as a
/// cell of a table, begins a clause only if no other place does.
fn chosen<'t>(text: &'t str, beginnings: &[Beginning]) -> Vec<(&'t str, usize)> {
    let read = |beginning: &Beginning| {
        let mark = Mark::read(text, beginning.at)?;
        let id = mark.id().filter(|_| beginning.place.is_read())?;
        Some(Candidate { id, at: mark.inside, place: beginning.place })
    };
    let candidates: Vec<Candidate<'_>> = beginnings.iter().filter_map(read).collect();
    let of = |place: Place| -> BTreeSet<&str> {
        candidates.iter().filter(|one| one.place == place).map(|one| one.id).collect()
    };
    let (paragraphs, items) = (of(Place::Paragraph), of(Place::Item));
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for one in &candidates {
        let is_chosen = match one.place {
            Place::Paragraph => true,
            Place::Item => !paragraphs.contains(one.id),
            _ => !paragraphs.contains(one.id) && !items.contains(one.id) && seen.insert(one.id),
        };
        found.extend(is_chosen.then_some((one.id, one.at)));
    }
    found
}

/// Returns an error for each beginning that looks like that of a clause and is none: `[w2]`, `[W 2]`, `## [W2]`, `[W02]`,
/// `[W2a]`. `clauses` are the ids of this rulebook.
fn misread(source: &Arc<Source>, beginnings: &[Beginning], clauses: &BTreeSet<&str>) -> Vec<Diagnostic> {
    let known: BTreeSet<&str> = clauses.iter().map(|id| letters_of(id)).collect();
    let text = source.text();
    let misread = |beginning: &Beginning| {
        let mark = Mark::read(text, beginning.at)?;
        let meant = mark.meant()?;
        let is_read = beginning.place.is_read() && mark.id() == Some(meant.right().as_str());
        let is_likely = known.contains(meant.letters.as_str())
            || (!meant.is_part
                && meant.letters.chars().count() <= 2
                && (mark.is_capital() || known.is_empty())
                && (mark.is_square() || (known.is_empty() && mark.is_capital())));
        if is_read || !is_likely || mark.is_link() || !beginning.place.has(&mark) {
            return None;
        }
        // A line may also begin with a reference to another clause: `(W2)`, or `[W2, W3]`.
        let is_old = matches!(beginning.place, Place::Paragraph | Place::Apart);
        let may_refer = !is_old || !mark.is_square();
        let refers = may_refer && meant.suffix.is_empty() && clauses.contains(meant.right().as_str());
        if refers || mark.several().is_some_and(|ids| ids.iter().all(|id| clauses.contains(id))) {
            return None;
        }
        let span = Span::new(mark.start..mark.end);
        let wrong = Diagnostic::new(Code::MisreadClause, source, span, format!("`{}` begins no clause", mark.shown()));
        let help = if meant.is_plain() {
            format!("begin a paragraph or an item of a list with `[{}]`", meant.right())
        } else {
            let letters = meant.plain_letters(&known);
            let own = Some(format!("{letters}{}", meant.number)).filter(|own| !clauses.contains(own.as_str()));
            let free =
                || (1_u64..).map(|number| format!("{letters}{number}")).find(|id| !clauses.contains(id.as_str()));
            let free = own.or_else(free).unwrap_or_default();
            format!("a number is capital letters from A to Z and digits: write one that is free, such as `[{free}]`")
        };
        Some(wrong.help(help))
    };
    beginnings.iter().filter_map(misread).collect()
}

/// Returns an error for each number within a line that looks like that of a clause of this rulebook and is none, such as
/// `[W2]` after the title of the clause.
fn unknown(
    source: &Arc<Source>,
    markup: &Markup,
    beginnings: &[Beginning],
    clauses: &BTreeSet<&str>,
) -> Vec<Diagnostic> {
    let known: BTreeSet<&str> = clauses.iter().map(|id| letters_of(id)).collect();
    let text = source.text();
    let unknown = |at: usize| {
        let is_hidden =
            [&markup.code, &markup.indented, &markup.comments].iter().any(|part| within(part, at).is_some());
        let is_beginning = beginnings.binary_search_by_key(&at, |beginning| beginning.at).is_ok();
        let mark = Mark::read(text, at).filter(|_| !is_hidden && !is_beginning)?;
        let meant = mark.meant().filter(|meant| known.contains(meant.letters.as_str()) && mark.is_capital())?;
        let is_one = clauses.contains(meant.right().as_str()) && (meant.suffix.is_empty() || meant.is_part);
        if is_one || mark.several().is_some_and(|ids| ids.iter().all(|id| clauses.contains(id))) {
            return None;
        }
        let is_escaped = text.get(..at)?.ends_with('\\');
        let has_inner = brackets(text.get(mark.inside..mark.end)?).next().is_some();
        if is_escaped || has_inner || mark.leads_on() {
            return None;
        }
        let span = Span::new(mark.start..mark.end);
        let wrong = Diagnostic::new(Code::MisreadClause, source, span, format!("`{}` begins no clause", mark.shown()));
        let help =
            "a clause begins a paragraph or an item of a list: put the number there, or name another clause here";
        Some(wrong.help(help))
    };
    brackets(text).filter_map(unknown).collect()
}

#[cfg(test)]
mod tests;
