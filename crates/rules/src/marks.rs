//! Remarks of authors in comments of a script: a line that no example can run, a change that no example can notice.

use referee_source::Source;

/// The subject of a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// `// not covered: REASON`: no example can run this line.
    NotCovered,
    /// `// equivalent: REASON`: the change of this line that no example notices means the same. `// equivalent >=: REASON`
    /// says which change is meant if there are several.
    Equivalent,
}

impl MarkKind {
    /// Reads a comment: the kind, the named changes and the reason. Returns `None` for a comment that is no remark.
    fn read(comment: &str) -> Option<(Self, Vec<String>, &str)> {
        if let Some(reason) = comment.strip_prefix("not covered:") {
            return Some((Self::NotCovered, Vec::new(), reason));
        }
        let rest = comment.strip_prefix("equivalent")?;
        if let Some(reason) = rest.strip_prefix(':') {
            return Some((Self::Equivalent, Vec::new(), reason));
        }
        let mut rest = rest.strip_prefix(' ')?;
        let mut names = Vec::new();
        loop {
            let (name, after) = name(rest.trim_start())?;
            names.push(name.to_owned());
            match after.strip_prefix(',') {
                Some(more) => rest = more,
                None => return Some((Self::Equivalent, names, after.strip_prefix(':')?)),
            }
        }
    }
}

/// Reads the text of a change, one word or any text in backticks, and returns what is after it.
fn name(text: &str) -> Option<(&str, &str)> {
    let (name, after) = match text.strip_prefix('`') {
        Some(quoted) => quoted.split_once('`')?,
        None => text.split_at_checked(text.find([',', ':'])?)?,
    };
    let is_word = text.starts_with('`') || !name.contains(char::is_whitespace);
    (is_word && !name.is_empty()).then_some((name, after))
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
    /// The texts whose changes it is about; empty if it names none.
    pub names: Vec<String>,
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
        let Some((kind, names, reason)) = MarkKind::read(text) else { continue };
        let alone = line.get(..comment).is_some_and(|before| before.trim().is_empty());
        let code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
        let next = lines.iter().skip(at + 1).position(code).map(|next| at + 1 + next);
        let about = if alone { next.unwrap_or(at) } else { at };
        marks.push(Mark { kind, line: about + 1, written: at + 1, names, reason: reason.trim().to_owned() });
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
    use referee_source::Source;

    #[test]
    fn a_remark_may_name_changes() {
        let names = |comment: &str| marks(&Source::new("x", format!("a(); // {comment}"))).pop().map(|mark| mark.names);
        let named = |all: &[&str]| Some(all.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(names("equivalent: so"), named(&[]));
        assert_eq!(names("equivalent >=: so"), named(&[">="]));
        assert_eq!(names("equivalent `f(a: 1)`, 7,\"N\" : so"), None);
        assert_eq!(names("equivalent `f(a: 1)`, 7, \"N\": so"), named(&["f(a: 1)", "7", "\"N\""]));
        assert_eq!(names("equivalent to that: so"), None);
        assert_eq!(names("equivalents: so"), None);
    }

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
