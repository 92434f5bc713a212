//! How two texts differ, line by line.
//!
//! The library is generic, so each crate that called it would have all its ways to compare texts once more.

use std::fmt::Write as _;

use similar::{ChangeTag, TextDiff};

/// Returns the changes from one text to another as a unified diff without the names of files, with one line around each.
#[must_use]
pub fn unified_changes(before: &str, after: &str) -> String {
    TextDiff::from_lines(before, after).unified_diff().context_radius(1).to_string()
}

/// Returns all lines of two texts: `-` before those that only the first one has, `+` before those of the second one.
#[must_use]
pub fn all_changes(before: &str, after: &str) -> String {
    // A last line is the same with and without a line end.
    let [before, after] = [before, after].map(|text| format!("{}\n", text.trim_end_matches('\n')));
    let mut text = String::new();
    for change in TextDiff::from_lines(&before, &after).iter_all_changes() {
        let sign = match change.tag() {
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
            ChangeTag::Equal => ' ',
        };
        let _ = writeln!(text, "{sign} {}", change.value().trim_end_matches('\n'));
    }
    text.trim_end().to_owned()
}
