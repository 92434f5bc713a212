//! The tokens of a script with their places. Rhai's own say where they begin, and not where they end.

use crate::source::Span;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScriptTokenKind {
    Word,
    Number,
    Text,
    Sign,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScriptToken {
    pub(crate) kind: ScriptTokenKind,
    pub(crate) span: Span,
    /// Whether it is a `|` around the parameters of a closure.
    pub(crate) of_closure: bool,
}

/// The signs of more than one letter, longer ones first.
const SIGNS: [&str; 21] = [
    "..=", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "=>", "..", "??", "?.", "?[",
    "#{", "::",
];

/// Returns the tokens of a script without its comments.
pub(crate) fn tokens(text: &str) -> Vec<ScriptToken> {
    let mut tokens: Vec<ScriptToken> = Vec::new();
    let mut at = 0;
    // Whether the last `|` began the parameters of a closure.
    let mut in_parameters = false;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(length) = skipped(rest) {
            at += length;
            continue;
        }
        let (kind, length) = token(rest);
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

/// Returns the kind and the length of the token with which a text begins.
fn token(rest: &str) -> (ScriptTokenKind, usize) {
    let first = rest.chars().next().unwrap_or(' ');
    let while_fits = |fits: fn(char) -> bool| rest.find(|letter| !fits(letter)).unwrap_or(rest.len());
    match first {
        '"' | '`' => (ScriptTokenKind::Text, text_length(rest, first)),
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

/// Returns the length of the string with which a text begins.
fn text_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quote == '"' => escaped = true,
            letter if letter == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}
