//! The words after `when`: a player and an answer, with an optional condition in braces; or a policy, whose expression
//! extends to the end of the line.

use super::ast::Tail;
use referee_source::{Span, quotations};

/// The beginning of the policy `greedy`, before its expression.
const GREEDY: &str = "greedy:";

/// Returns the words before a condition or an expression of `greedy`, and the condition or expression; `None` if the
/// line has only words.
pub(super) fn tail(text: &str, start: usize) -> Option<(Span, Tail)> {
    let place = |from: usize, to: usize| Span::new(start + from..start + to);
    if let Some(at) = greedy(text) {
        return Some((place(0, at), Tail::Greedy(place(at, at + GREEDY.len()), place(at + GREEDY.len(), text.len()))));
    }
    let opens = |(at, _): &(usize, &str)| condition_opens(text.get(..*at).unwrap_or_default());
    let (open, _) = text.match_indices('{').find(opens)?;
    let before = text.get(..open)?.trim_end();
    Some((place(0, before.len() - "if".len()), Tail::If(place(open, text.len()))))
}

/// Returns whether a `{` after these words of a `when` line begins an embedded expression instead of a placeholder.
pub(super) fn opens_expression(before: &str) -> bool {
    greedy(before).is_some() || condition_opens(before)
}

fn condition_opens(before: &str) -> bool {
    let rest = before.trim_end().strip_suffix("if");
    rest.is_some_and(|rest| rest.ends_with([' ', '\t']) && !within_quotes(rest))
}

/// Returns whether a string is open at the end of a text.
fn within_quotes(text: &str) -> bool {
    let closed = quotations(text).last().map_or(0, |string| string.end);
    text.get(closed..).is_some_and(|rest| rest.contains('"'))
}

/// Returns the index of `greedy:` after `policy`.
fn greedy(text: &str) -> Option<usize> {
    let (at, _) = text.match_indices(GREEDY).next()?;
    let before = text.get(..at)?;
    (before.ends_with([' ', '\t']) && before.trim_end().ends_with("policy")).then_some(at)
}
