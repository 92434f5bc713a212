//! Finds functions that begin with another word than `fn`.

use rhai::ParseErrorType;

use super::tokens::{ScriptToken, tokens};
use referee_source::Span;

/// The words with which other languages begin a function, and misspellings of `fn`.
const WORDS: [&str; 11] = ["fun", "func", "def", "function", "Fn", "FN", "fnc", "nf", "proc", "sub", "fonction"];

/// Returns the location of the word with which a function begins in place of `fn`, if it may be the reason why a script
/// cannot be read at a byte.
pub(super) fn wrong(error: &ParseErrorType, text: &str, at: usize) -> Option<Span> {
    let tokens = tokens(text);
    let word = |token: Option<&ScriptToken>| token.and_then(|token| text.get(token.span.range())).unwrap_or_default();
    // Rhai reports a comment `///` that is not above a function where it begins.
    let after = matches!(error, ParseErrorType::WrongDocComment);
    let last = match tokens.iter().position(|token| token.span.range().end > at) {
        Some(next) => next + usize::from(after),
        None => tokens.len(),
    };
    (0..=last).find_map(|place| {
        let before = if place == 0 { "}" } else { word(tokens.get(place - 1)) };
        let named = word(tokens.get(place + 1)).starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        let head = matches!(before, "}" | ";" | "private") && named && word(tokens.get(place + 2)) == "(";
        let found = tokens.get(place).filter(|token| head && WORDS.contains(&word(Some(token))))?;
        Some(found.span)
    })
}

/// Returns the location of a word below a comment `///` instead of the expected function, if this is the syntax error
/// at a byte of a script.
pub(super) fn after_comment(error: &ParseErrorType, text: &str, at: usize) -> Option<Span> {
    if !matches!(error, ParseErrorType::WrongDocComment) {
        return None;
    }
    let next = tokens(text).into_iter().find(|token| token.span.range().start > at)?;
    let word = text.get(next.span.range()).filter(|word| word.starts_with(char::is_alphabetic))?;
    (!matches!(word, "fn" | "private")).then_some(next.span)
}
