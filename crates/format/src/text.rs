//! Puts the lines of a file together again.

use super::align::align;
use super::items::{Content, Item};

/// Returns the lines of a text: aligned, without blank lines at its ends, with at most one in a row, and with one before
/// each scenario, position and variant.
pub(super) fn lines(mut items: Vec<Item>) -> Vec<String> {
    align(&mut items);
    let mut lines: Vec<String> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let is_blank = matches!(item.content, Content::Blank);
        let after_blank = lines.last().is_none_or(String::is_empty);
        if is_blank && after_blank {
            continue;
        }
        if !after_blank && !is_blank && is_headed(items.get(at..).unwrap_or_default()) && !ends_comment(&items, at) {
            lines.push(String::new());
        }
        let line = format!("{}{}", item.line(), item.comment.as_deref().unwrap_or_default());
        lines.push(line.trim_end().to_owned());
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Returns whether these lines begin with a head, or with comments directly above one.
fn is_headed(items: &[Item]) -> bool {
    let after = items.iter().find(|item| !matches!(item.content, Content::Comment(_)));
    let outer = items.first().is_some_and(|item| item.indent == 0);
    outer && matches!(after.map(|item| &item.content), Some(Content::Line { is_head: true, .. }))
}

/// Returns whether the line before an item is a comment that belongs to it.
fn ends_comment(items: &[Item], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| items.get(at));
    before.is_some_and(|item| matches!(item.content, Content::Comment(_)) && item.indent == 0)
}
