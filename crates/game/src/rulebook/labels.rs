//! Numbers without brackets where a clause would begin: `B4. …`, `**B4** …`, `## B4 …`.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::marks::letters_of;
use referee_diagnostic::{Code, Diagnostic};
use referee_source::{Markup, Source, Span, within};

/// The most letters and digits of a number.
const LONGEST: usize = 6;

/// Returns an error for each line that begins with a number like those of the clauses, but without brackets. In ordinary
/// prose, no such number is set off: by a point, a colon, a dash or emphasis, or as a title.
pub(super) fn bare(source: &Arc<Source>, markup: &Markup, clauses: &BTreeSet<&str>) -> Vec<Diagnostic> {
    let known: BTreeSet<&str> = clauses.iter().map(|id| letters_of(id)).collect();
    let text = source.text();
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let wrong = starts.filter_map(|start| {
        let line = text.get(start..)?.lines().next()?;
        let (at, id) = label(line)?;
        let at = start + at;
        let hidden = [&markup.code, &markup.indented, &markup.comments];
        if !known.contains(letters_of(id))
            || clauses.contains(id)
            || hidden.iter().any(|part| within(part, at).is_some())
        {
            return None;
        }
        let span = Span::new(at..at + id.len());
        let wrong = Diagnostic::new(Code::MisreadClause, source, span, format!("`{id}` begins no clause"));
        Some(wrong.help(format!("begin a paragraph or an item of a list with `[{id}]`")))
    });
    wrong.collect()
}

/// Returns the number that is set off at the beginning of a line, with its index.
fn label(line: &str) -> Option<(usize, &str)> {
    let marks = [' ', '\t', '-', '*', '+', '>', '#', '|', '_', '~'];
    let rest = line.trim_start_matches(marks);
    // `1. A2. …`
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let item = rest.get(digits..).and_then(|after| after.strip_prefix(['.', ')'])).filter(|_| digits > 0);
    let rest = item.map_or(rest, |after| after.trim_start_matches(marks));
    let at = line.len() - rest.len();
    let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let id = rest.get(..length).filter(|id| id.len() <= LONGEST)?;
    let letters = letters_of(id);
    let numbered =
        !letters.is_empty() && letters.len() < id.len() && letters.bytes().all(|one| one.is_ascii_uppercase());
    let after = rest.get(length..).filter(|_| numbered)?;
    let is_emphasised =
        line.get(..at)?.ends_with(['*', '_']) && after.trim_start_matches(['.', ':']).starts_with(['*', '_']);
    let plain = after.trim_start();
    let is_title = line.trim_start().starts_with('#') && (after.starts_with([' ', '.', ':']) || after.is_empty());
    let follows = |mark: char| after.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    let has_dash = after.starts_with(' ') && ["– ", "— ", "- "].iter().any(|dash| plain.starts_with(dash));
    (is_emphasised || is_title || ['.', ':', ')'].into_iter().any(follows) || has_dash).then_some((at, id))
}
