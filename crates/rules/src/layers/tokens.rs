//! The tokens of a script with their places. Rhai's own say where they begin, and not where they end.

use std::ops::Range;

use referee_source::Span;

/// The deepest nesting of strings in backquotes whose expressions are looked into.
const DEPTH: usize = 8;

/// The most letters after a `\` that stand for one letter: `'\U0001F600'`.
const LONGEST_LETTER: usize = 12;

/// The most `#` before a string that are looked at.
const MOST_MARKS: usize = 32;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptTokenKind {
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// A text, with its quotes.
    Text,
    /// A sign, such as `+=`.
    Sign,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub struct ScriptToken {
    pub kind: ScriptTokenKind,
    pub span: Span,
    /// Whether it is a `|` around the parameters of a closure.
    pub(crate) of_closure: bool,
}

/// The signs of more than one letter, longer ones first.
const SIGNS: [&str; 21] = [
    "..=", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "=>", "..", "??", "?.", "?[",
    "#{", "::",
];

/// Returns the tokens of a script without its comments.
pub fn tokens(text: &str) -> Vec<ScriptToken> {
    let mut tokens: Vec<ScriptToken> = Vec::new();
    let mut at = 0;
    // Whether the last `|` began the parameters of a closure.
    let mut in_parameters = false;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(length) = skipped(rest) {
            at += length;
            continue;
        }
        let (kind, length) = token(rest, DEPTH);
        let sign = rest.get(..length).unwrap_or_default();
        let after_value = tokens.last().is_some_and(|last| match last.kind {
            ScriptTokenKind::Sign => matches!(text.get(last.span.range()), Some(")" | "]" | "}")),
            _ => true,
        });
        let of_closure = match sign {
            "|" if in_parameters => true,
            "|" => !after_value,
            // No parameters.
            "||" => !after_value,
            _ => false,
        };
        if sign == "|" && of_closure {
            in_parameters = !in_parameters;
        }
        tokens.push(ScriptToken { kind, span: Span::new(at..at + length), of_closure });
        at += length;
    }
    tokens
}

/// The tokens of a script, found by their places: also those within strings in backquotes, each after its string.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    all: Vec<ScriptToken>,
    /// The number of the other bracket of each bracket; that of the token itself for all others.
    partners: Vec<usize>,
}

impl Tokens {
    /// Returns the tokens of a part of a text; their places are those in the text.
    pub(crate) fn of(text: &str, part: Span) -> Self {
        let mut all = Vec::new();
        add(text, part, DEPTH, &mut all);
        let mut partners: Vec<usize> = (0..all.len()).collect();
        let mut open: Vec<usize> = Vec::new();
        for (at, token) in all.iter().enumerate() {
            let closes = match text.get(token.span.range()) {
                _ if token.kind != ScriptTokenKind::Sign => continue,
                Some("(" | "[" | "?[" | "{" | "#{") => {
                    open.push(at);
                    continue;
                }
                Some(")") => ["(", "("],
                Some("]") => ["[", "?["],
                Some("}") => ["{", "#{"],
                _ => continue,
            };
            // A bracket that closes nothing is passed over, and one that is not closed is left open.
            let is_open = |opened: &usize| {
                let opened = all.get(*opened).and_then(|token| text.get(token.span.range()));
                opened.is_some_and(|opened| closes.contains(&opened))
            };
            if let Some(found) = open.iter().rposition(is_open) {
                if let Some(opened) = open.get(found).copied() {
                    partners.iter_mut().skip(opened).take(1).for_each(|partner| *partner = at);
                    partners.iter_mut().skip(at).take(1).for_each(|partner| *partner = opened);
                }
                open.truncate(found);
            }
        }
        Self { all, partners }
    }

    /// Returns all tokens in the order of their beginnings.
    pub(crate) fn all(&self) -> &[ScriptToken] {
        &self.all
    }

    /// Returns the token with a number.
    pub(crate) fn get(&self, number: usize) -> Option<&ScriptToken> {
        self.all.get(number)
    }

    /// Returns the number of the token that begins at a byte.
    pub(crate) fn at(&self, byte: u32) -> Option<usize> {
        self.all.binary_search_by_key(&byte, |token| token.span.start).ok()
    }

    /// Returns the number of the first token that begins at a byte or after it.
    pub(crate) fn from(&self, byte: u32) -> usize {
        self.all.partition_point(|token| token.span.start < byte)
    }

    /// Returns the number of the other bracket; `None` for what is no bracket, and for one that is alone.
    pub(crate) fn partner(&self, number: usize) -> Option<usize> {
        self.partners.get(number).copied().filter(|partner| *partner != number)
    }
}

/// Adds the tokens of a part of a text.
fn add(text: &str, part: Span, depth: usize, all: &mut Vec<ScriptToken>) {
    let written = text.get(part.range()).unwrap_or_default();
    for token in tokens(written) {
        let span = Span { start: part.start + token.span.start, end: part.start + token.span.end };
        all.push(ScriptToken { span, ..token });
        let string = written.get(token.span.range()).unwrap_or_default();
        if depth == 0 || token.kind != ScriptTokenKind::Text || !string.starts_with('`') {
            continue;
        }
        for block in blocks(string) {
            let block = Span::new(block);
            add(text, Span { start: span.start + block.start, end: span.start + block.end }, depth - 1, all);
        }
    }
}

/// Returns the places of the blocks in a string in backquotes, with their braces.
fn blocks(string: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 1;
    while let Some(opens) = string.get(at..).and_then(|rest| rest.find("${")) {
        let start = at + opens + 1;
        let length = block_length(string.get(start..).unwrap_or_default(), DEPTH);
        found.push(start..start + length);
        at = start + length;
    }
    found
}

/// Returns the length of the block with which a text begins: up to its closing brace, or all if it has none.
fn block_length(text: &str, depth: usize) -> usize {
    let (mut open, mut at) = (0_usize, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(length) = skipped(rest) {
            at += length;
            continue;
        }
        let (kind, length) = token(rest, depth.saturating_sub(1));
        at += length;
        match rest.get(..length) {
            _ if kind != ScriptTokenKind::Sign => {}
            Some("{" | "#{") => open += 1,
            Some("}") if open <= 1 => return at,
            Some("}") => open -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Returns whether a script has a name more than once: where it is declared, and where it is read. The expressions in a
/// string in backquotes count, too.
pub(crate) fn reads(text: &str, name: &str) -> bool {
    let has_name = |token: &ScriptToken| {
        let written = text.get(token.span.range()).unwrap_or_default();
        match token.kind {
            ScriptTokenKind::Word => written == name,
            ScriptTokenKind::Text => written.starts_with('`') && written.contains(name),
            _ => false,
        }
    };
    tokens(text).iter().filter(|token| has_name(token)).nth(1).is_some()
}

/// Returns the length of the space or the comment with which a text begins; `None` if it begins with a token.
fn skipped(rest: &str) -> Option<usize> {
    let space = rest.len() - rest.trim_start().len();
    if space > 0 {
        return Some(space);
    }
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if !rest.starts_with("/*") {
        return None;
    }
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(part) = rest.get(at..).filter(|part| !part.is_empty()) {
        let length = match part {
            part if part.starts_with("/*") => {
                depth += 1;
                2
            }
            part if part.starts_with("*/") => {
                depth -= 1;
                2
            }
            part => part.chars().next().map_or(1, char::len_utf8),
        };
        at += length;
        if depth == 0 {
            break;
        }
    }
    Some(at)
}

/// Returns the kind and the length of the token with which a text begins. In strings in backquotes, blocks are looked into
/// up to a depth.
fn token(rest: &str, depth: usize) -> (ScriptTokenKind, usize) {
    let first = rest.chars().next().unwrap_or(' ');
    let while_fits = |fits: fn(char) -> bool| rest.find(|letter| !fits(letter)).unwrap_or(rest.len());
    match first {
        '"' => (ScriptTokenKind::Text, text_length(rest)),
        '`' => (ScriptTokenKind::Text, backquoted_length(rest, depth)),
        '\'' if letter_length(rest).is_some() => (ScriptTokenKind::Text, letter_length(rest).unwrap_or(1)),
        '#' if raw_length(rest).is_some() => (ScriptTokenKind::Text, raw_length(rest).unwrap_or(1)),
        '0'..='9' => (ScriptTokenKind::Number, while_fits(|letter| letter.is_ascii_digit() || letter == '_')),
        letter if letter.is_alphabetic() || letter == '_' => {
            (ScriptTokenKind::Word, while_fits(|letter| letter.is_alphanumeric() || letter == '_'))
        }
        other => {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            (ScriptTokenKind::Sign, sign.map_or(other.len_utf8(), |sign| sign.len()))
        }
    }
}

/// Returns the length of the string with which a text begins. One that is not closed ends with its line, unless a `\` is
/// before the end.
fn text_length(rest: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            '\n' => return at,
            _ => {}
        }
    }
    rest.len()
}

/// Returns the length of the string in backquotes with which a text begins. Two backquotes in it stand for one.
fn backquoted_length(rest: &str, depth: usize) -> usize {
    let mut at = 1;
    while let Some(part) = rest.get(at..).filter(|part| !part.is_empty()) {
        at += match part {
            part if part.starts_with("``") => 2,
            part if part.starts_with('`') => return at + 1,
            part if part.starts_with("${") && depth > 0 => 1 + block_length(part.get(1..).unwrap_or_default(), depth),
            part => part.chars().next().map_or(1, char::len_utf8),
        };
    }
    rest.len()
}

/// Returns the length of the single letter in quotes, such as `'a'` or `'\n'`, with which a text begins.
fn letter_length(rest: &str) -> Option<usize> {
    let inner = rest.get(1..)?;
    let first = inner.chars().next().filter(|letter| !matches!(letter, '\'' | '\n'))?;
    let length = match first {
        '\\' => 1 + inner.chars().skip(1).take(LONGEST_LETTER).position(|letter| letter == '\'')?.max(1),
        other => other.len_utf8(),
    };
    inner.get(length..)?.starts_with('\'').then_some(length + 2)
}

/// Returns the length of the string such as `#"…"#` with which a text begins.
fn raw_length(rest: &str) -> Option<usize> {
    let marks = rest.bytes().take(MOST_MARKS).take_while(|byte| *byte == b'#').count();
    let inner = rest.get(marks..)?.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(marks));
    Some(inner.find(&end).map_or(rest.len(), |at| marks + 1 + at + end.len()))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

    use super::{Tokens, tokens};
    use referee_source::Span;

    fn words(text: &str) -> Vec<&str> {
        let all = Tokens::of(text, Span::new(0..text.len()));
        all.all().iter().map(|token| &text[token.span.range()]).collect()
    }

    #[test]
    fn strings_of_all_forms_end_where_they_end() {
        let strings = ["\"a\\\"b\"", "`a``b`", "'\"'", "'\\''", "'\\u0041'", "#\"a \"b\"#", "##\"a\"# b\"##", "`a\nb`"];
        for string in strings {
            let text = format!("a + {string} + b");
            assert_eq!(words(&text), ["a", "+", string, "+", "b"], "{string}");
        }
        // One that is not closed ends with its line.
        assert_eq!(words("f(\"a);\nb"), ["f", "(", "\"a);", "b"]);
    }

    #[test]
    fn expressions_in_strings_have_tokens() {
        let text = "`a ${b + `${c}`} d ${e}` + f";
        let found = words(text);
        assert_eq!(
            found,
            ["`a ${b + `${c}`} d ${e}`", "{", "b", "+", "`${c}`", "{", "c", "}", "}", "{", "e", "}", "+", "f"]
        );
        let all = Tokens::of(text, Span::new(0..text.len()));
        let partners: Vec<_> = (0..found.len()).filter_map(|at| Some((at, all.partner(at)?))).collect();
        assert_eq!(partners, [(1, 8), (5, 7), (7, 5), (8, 1), (9, 11), (11, 9)]);
        for at in 0..found.len() {
            assert_eq!(all.at(all.get(at).unwrap().span.start), Some(at));
        }
    }

    #[test]
    fn any_text_has_tokens() {
        let text = "fn f(a) { let x = `${#{ a: |b| b[0] }} ${`; /* */ 'a' #\"\" \"";
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            for part in [&text[..end], &text[end..]] {
                tokens(part);
                words(part);
            }
        }
        // Deeply nested strings are not looked into further.
        words(&"`${".repeat(10_000));
    }
}
