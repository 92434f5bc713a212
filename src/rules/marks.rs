//! Remarks of authors in comments of a script: a line that no example can run, a change that no example can notice.

use crate::source::Source;

/// The subject of a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// `// not covered: REASON`: no example can run this line.
    NotCovered,
    /// `// equivalent: REASON`: the changes of this line that no example notices mean the same.
    Equivalent,
}

impl MarkKind {
    /// Returns the words with which the comment begins.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::NotCovered => "not covered:",
            Self::Equivalent => "equivalent:",
        }
    }
}

/// A remark about a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its subject.
    pub kind: MarkKind,
    /// The line that it is about, from 1: its own, or the next if the comment has a line of its own.
    pub line: usize,
    /// The line of the comment, from 1.
    pub written: usize,
    /// The reason; empty if it is missing.
    pub reason: String,
}

/// Returns the remarks in a script, in the order of the lines.
#[must_use]
pub fn marks(source: &Source) -> Vec<Mark> {
    let lines: Vec<&str> = source.text().lines().collect();
    let mut marks = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(comment) = comment(line) else { continue };
        let text = line.get(comment + 2..).unwrap_or_default().trim();
        let kinds = [MarkKind::NotCovered, MarkKind::Equivalent].into_iter();
        let Some((kind, reason)) = kinds.filter_map(|kind| Some((kind, text.strip_prefix(kind.words())?))).next()
        else {
            continue;
        };
        let alone = line.get(..comment).is_some_and(|before| before.trim().is_empty());
        let code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
        let next = lines.iter().skip(at + 1).position(code).map(|next| at + 1 + next);
        let about = if alone { next.unwrap_or(at) } else { at };
        marks.push(Mark { kind, line: about + 1, written: at + 1, reason: reason.trim().to_owned() });
    }
    marks
}

/// Returns the byte at which the comment of a line begins.
fn comment(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let mut quoted = false;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (byte, quoted) {
            (b'\\', true) => at += 1,
            (b'"', _) => quoted = !quoted,
            (b'/', false) if bytes.get(at + 1) == Some(&b'/') => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{MarkKind, marks};
    use crate::source::Source;

    #[test]
    fn a_remark_is_about_its_line_or_the_next() {
        let text =
            "a(); // not covered: why\n// equivalent: so\n// more\n\nb(\"// equivalent: no\");\nc(); // equivalent:\n";
        let found: Vec<_> = marks(&Source::new("x", text))
            .into_iter()
            .map(|mark| (mark.kind, mark.line, mark.written, mark.reason))
            .collect();
        let wanted = [
            (MarkKind::NotCovered, 1, 1, "why".to_owned()),
            (MarkKind::Equivalent, 5, 2, "so".to_owned()),
            (MarkKind::Equivalent, 6, 6, String::new()),
        ];
        assert_eq!(found, wanted);
    }
}
