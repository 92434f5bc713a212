//! Texts that do not come from the program, made harmless: titles, reasons, values, names of files.
//!
//! Every format of a report takes such texts through one of these functions.

use std::borrow::Cow;

/// Replaces characters that could move a terminal's cursor, hide text, or that no XML may contain, by visible ones of
/// the same length in bytes. Line ends and tabs stay.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(safe).collect()
}

/// Returns whether a character neither moves a terminal's cursor nor hides text; true for line ends and tabs.
#[must_use]
pub fn is_printable(letter: char) -> bool {
    safe(letter) == letter
}

/// Returns a text on one line: as [`printable`], and with its line ends made visible. For every text that others have
/// written and that is a part of a line of ours.
#[must_use]
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\r' if letters.peek() == Some(&'\n') => {}
            '\n' | '\r' => line.push(LINE_END),
            letter => line.push(safe(letter)),
        }
    }
    line
}

/// Returns texts as lines: each on one, whatever it contains.
#[must_use]
pub fn as_lines<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> String {
    texts.into_iter().map(|text| one_line(text.as_ref())).collect::<Vec<_>>().join("\n")
}

/// Returns text of which no line is a command for the system that runs the program. Such systems read all output: GitHub
/// takes a line that begins with `::` for a command, and others take `##[…]`, `##vso[…]` or `##teamcity[…]` anywhere in a
/// line. A backslash before the mark shows that it is text.
#[must_use]
pub fn inert(text: &str) -> Cow<'_, str> {
    if !text.contains("::") && !text.contains("##") {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for line in text.split_inclusive('\n') {
        let rest = line.trim_start();
        let (blank, rest) = line.split_at(line.len() - rest.len());
        safe.push_str(blank);
        if rest.starts_with("::") {
            safe.push('\\');
        }
        without_marks(rest, &mut safe);
    }
    Cow::Owned(safe)
}

/// Appends a text with a backslash in each `##word[`.
fn without_marks(text: &str, to: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find("##") {
        let (before, after) = rest.split_at(at + 2);
        let word = after.trim_start_matches(|letter: char| letter == '#' || letter.is_ascii_alphanumeric());
        let (word, after) = after.split_at(after.len() - word.len());
        to.push_str(before);
        to.push_str(word);
        if after.starts_with('[') {
            to.push('\\');
        }
        rest = after;
    }
    to.push_str(rest);
}

/// Returns a text on one line in which nothing has a meaning in Markdown, nor in HTML.
#[must_use]
pub fn in_markdown(text: &str) -> String {
    let mut escaped = String::new();
    for letter in one_line(text).chars() {
        if matches!(letter, '|' | '\\' | '*' | '_' | '[' | ']' | '<' | '>' | '`' | '#' | '&' | '~') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// How a line end inside a text is shown.
const LINE_END: char = '␤';

/// Returns the character itself, or a visible one of the same length in bytes.
const fn safe(letter: char) -> char {
    match letter {
        '\n' | '\t' => letter,
        '\r' => ' ',
        '\0'..='\u{1f}' | '\u{7f}' => '?',
        '\u{80}'..='\u{9f}' => '¿',
        '\u{ad}' | '\u{61c}' => '¿',
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => '□',
        '\u{feff}' | '\u{fff9}'..='\u{fffb}' => '□',
        // Noncharacters. XML 1.0, section 2.2, excludes U+FFFE and U+FFFF, and discourages the others.
        '\u{fdd0}'..='\u{fdef}' | '\u{fffe}' | '\u{ffff}' => '□',
        '\u{e0000}'..='\u{e0fff}' => '\u{1f78e}',
        _ if letter as u32 & 0xfffe == 0xfffe => '\u{1f78e}',
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::{as_lines, in_markdown, inert, one_line, printable};

    /// Returns whether XML 1.0 allows a character (section 2.2, production 2).
    fn is_xml(letter: char) -> bool {
        matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
    }

    #[test]
    fn every_character_can_be_shown_and_keeps_its_length() {
        for letter in '\0'..=char::MAX {
            let shown = printable(&letter.to_string());
            assert_eq!(shown.len(), letter.len_utf8(), "{letter:?}");
            assert!(
                shown.chars().all(|one| is_xml(one) && (one == '\n' || one == '\t' || !one.is_control())),
                "{letter:?}"
            );
        }
    }

    #[test]
    fn line_ends_of_others_are_made_visible() {
        assert_eq!(one_line("a\r\nb\nc\rd"), "a␤b␤c␤d");
        assert_eq!(as_lines(["a\nb", "c"]), "a␤b\nc");
        assert_eq!(in_markdown("a|<b>\n&amp;"), "a\\|\\<b\\>␤\\&amp;");
    }

    #[test]
    fn no_line_is_a_command() {
        for (text, wanted) in [
            ("a::b\n ok", "a::b\n ok"),
            ("::error::x", "\\::error::x"),
            ("a\n \t\u{a0}\u{3000}::error::x\n", "a\n \t\u{a0}\u{3000}\\::error::x\n"),
            (
                "x ##[error]y ##vso[task] ####teamcity[a] ## [b] ###",
                "x ##\\[error]y ##vso\\[task] ####teamcity\\[a] ## [b] ###",
            ),
        ] {
            assert_eq!(inert(text), wanted);
            assert_eq!(inert(&inert(text)), inert(text));
        }
    }
}
