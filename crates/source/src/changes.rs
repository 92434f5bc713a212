//! How two texts differ, line by line.
//!
//! The library is generic, and has several ways to compare: only the one that is named here becomes part of the program, and only
//! once.

use std::fmt::Write as _;
use std::ops::Range;

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{ChangeTag, DiffOp, group_diff_ops};

/// The lines of two texts, with their line ends, and what becomes of them.
struct Lines<'t> {
    before: Vec<&'t str>,
    after: Vec<&'t str>,
}

impl<'t> Lines<'t> {
    fn of(before: &'t str, after: &'t str) -> Self {
        let [before, after] = [before, after].map(|text| text.split_inclusive('\n').collect());
        Self { before, after }
    }

    fn changes(&self) -> Vec<DiffOp> {
        let (before, after) = (self.before.as_slice(), self.after.as_slice());
        let mut found = Compact::new(Replace::new(Capture::new()), before, after);
        let Ok(()) = myers::diff(&mut found, before, 0..before.len(), after, 0..after.len());
        found.into_inner().into_inner().into_ops()
    }

    /// Returns the lines of a change, with the sign before each.
    fn signed(&self, change: &DiffOp) -> impl Iterator<Item = (char, &'t str)> {
        change.iter_changes(self.before.as_slice(), self.after.as_slice()).map(|line| {
            let sign = match line.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            (sign, line.value())
        })
    }
}

/// Returns the changes from one text to another as a unified diff without the names of files, with one line around each.
#[must_use]
pub fn unified_changes(before: &str, after: &str) -> String {
    let lines = Lines::of(before, after);
    let mut text = String::new();
    for group in group_diff_ops(lines.changes(), 1) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let [before, after] =
            [DiffOp::old_range, DiffOp::new_range].map(|of| written(&(of(first).start..of(last).end)));
        let _ = writeln!(text, "@@ -{before} +{after} @@");
        for (sign, line) in group.iter().flat_map(|change| lines.signed(change)) {
            let _ = write!(text, "{sign}{line}");
            if !line.ends_with('\n') {
                text.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
    text
}

/// Returns the numbers of some lines as a unified diff has them: the first one, and how many there are; for none, that before.
fn written(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        count => format!("{},{count}", lines.start + 1),
    }
}

/// Returns all lines of two texts: `-` before those that only the first one has, `+` before those of the second one.
#[must_use]
pub fn all_changes(before: &str, after: &str) -> String {
    // A last line is the same with and without a line end.
    let [before, after] = [before, after].map(|text| format!("{}\n", text.trim_end_matches('\n')));
    let lines = Lines::of(&before, &after);
    let mut text = String::new();
    for (sign, line) in lines.changes().iter().flat_map(|change| lines.signed(change)) {
        let _ = writeln!(text, "{sign} {}", line.trim_end_matches('\n'));
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use similar::TextDiff;

    use super::{all_changes, unified_changes};

    /// Texts of up to seven lines of two words, the last one with or without its end.
    fn texts() -> Vec<String> {
        let line = |number: u32, at: u32| if number >> at & 1 == 1 { "one\n" } else { "two\n" };
        let whole = (0..8).flat_map(|count: u32| {
            (0..1 << count).map(move |number| (0..count).map(|at| line(number, at)).collect::<String>())
        });
        whole.flat_map(|text: String| [text.trim_end().to_owned(), text]).collect()
    }

    #[test]
    fn changes_are_those_of_the_library() {
        let texts = texts();
        for (at, before) in texts.iter().enumerate() {
            for after in texts.iter().skip(at % 7).step_by(7) {
                let diff = TextDiff::from_lines(before.as_str(), after.as_str());
                let unified = diff.unified_diff().context_radius(1).to_string();
                assert_eq!(unified_changes(before, after), unified, "{before:?} {after:?}");
            }
        }
    }

    #[test]
    fn all_lines_are_told() {
        assert_eq!(all_changes("a\nb\n", "a\nc"), "  a\n- b\n+ c");
        assert_eq!(all_changes("", "a"), "- \n+ a");
    }
}
