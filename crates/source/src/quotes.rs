//! Words in quotes: `\"` is a quote in them and `\\` a backslash; a backslash before another character is itself.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use super::{Span, is_invisible};

/// Returns the index of the closing quote in a text that follows an opening one on its line.
#[must_use]
pub fn closing_quote(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += text.get(at..)?.find(['"', '\\'])?;
        match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b'"'), _) => return Some(at),
            (_, Some(b'"' | b'\\')) => at += 2,
            _ => at += 1,
        }
    }
}

/// Returns the strings in quotes of a line, with their quotes. An unclosed quote is an ordinary character.
pub fn quotations(line: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        let open = from + line.get(from..)?.find('"')?;
        let length = closing_quote(line.get(open + 1..)?);
        from = length.map_or(line.len(), |length| open + length + 2);
        length.map(|_| open..from)
    })
}

/// Returns the text that a string stands for, without its quotes.
#[must_use]
pub fn unescaped(inner: &str) -> Cow<'_, str> {
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut text = String::with_capacity(inner.len());
    let mut letters = inner.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = letters.next_if(|next| letter == '\\' && matches!(next, '"' | '\\'));
        text.push(escaped.unwrap_or(letter));
    }
    Cow::Owned(text)
}

/// Returns a text in quotes, as files have it.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        quoted.extend(matches!(letter, '"' | '\\').then_some('\\'));
        quoted.push(letter);
    }
    quoted.push('"');
    quoted
}

/// Words that mean something else between the words of a line, unless they are in quotes.
const MEANT: [&str; 12] = ["none", "because", "if", "at", "off", "to", "from", "of", "in", "cell", "game", "…"];

/// Returns a text as a line has it: a word, or in quotes if it is no plain word.
#[must_use]
pub fn worded(text: &str) -> Cow<'_, str> {
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '\'' | '’');
    let begins = text.starts_with(char::is_alphanumeric) || text.parse::<i64>().is_ok();
    match begins && text.chars().all(plain) && !MEANT.contains(&text) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(quoted(text)),
    }
}

/// Returns a word of a command as a shell has it: as it is, or in quotes in which nothing means something to the shell.
#[must_use]
pub fn shell_word(word: &str) -> Cow<'_, str> {
    let plain = |letter: char| letter.is_alphanumeric() || "-_=./,:+".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return Cow::Borrowed(word);
    }
    match word.contains(['"', '$', '`', '\\', '!']) {
        false => Cow::Owned(format!("\"{word}\"")),
        true => Cow::Owned(format!("'{}'", word.replace('\'', "'\\''"))),
    }
}

/// The maximum length of a text that lines can have, in bytes: with the quotes before its quotes and the words before
/// it, a line stays shorter than a line may be.
const LONGEST_TEXT: usize = 16 << 10;

/// Returns why no line can have a text; `None` if one can.
#[must_use]
pub fn unwritable(text: &str) -> Option<String> {
    if text.len() > LONGEST_TEXT {
        return Some(format!("is longer than {LONGEST_TEXT} bytes"));
    }
    match text.chars().find(|letter| *letter != '\t' && is_invisible(*letter))? {
        '\n' | '\r' => Some("has a line end".to_owned()),
        letter => Some(format!("has the invisible character U+{:04X}", u32::from(letter))),
    }
}

/// The strings of a text that are not written as they are, computed when the first of them is asked for.
#[derive(Debug, Default)]
pub(super) struct Escaped(OnceLock<BTreeMap<u32, (u32, Box<str>)>>);

impl Escaped {
    /// Returns the text of the string at `span` of `source`.
    pub(super) fn get<'s>(&'s self, source: &str, span: Span) -> Option<&'s str> {
        let (end, text) = self.0.get_or_init(|| escaped(source)).get(&span.start)?;
        (*end == span.end).then_some(text)
    }
}

/// Two sources are equal if their texts are.
impl PartialEq for Escaped {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Escaped {}

/// Returns the texts between two quotes of one line in which a backslash means something, by the index of the first
/// quote. Whether it begins a string depends on the words before it.
fn escaped(source: &str) -> BTreeMap<u32, (u32, Box<str>)> {
    let mut found = BTreeMap::new();
    let mut open: Option<usize> = None;
    let mut escapes = 0;
    for (at, byte) in source.bytes().enumerate() {
        match byte {
            b'\\' => {
                escapes += 1;
                continue;
            }
            b'\n' => open = None,
            b'"' if escapes % 2 == 0 => {
                let inner = open.and_then(|open| source.get(open + 1..at));
                if let (Some(open), Some(inner)) = (open, inner.filter(|inner| inner.contains('\\'))) {
                    let span = Span::new(open..at + 1);
                    found.insert(span.start, (span.end, unescaped(inner).into()));
                }
                open = Some(at);
            }
            _ => {}
        }
        escapes = 0;
    }
    found
}
