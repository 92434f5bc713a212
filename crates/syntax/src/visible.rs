//! Rejects unreadable lines: too long, with invisible characters, or with typographic quotes.

use super::mistakes::Mistakes;
use referee_diagnostic::Code;
use referee_source::{Span, is_invisible, quotations};

/// The maximum length of a line and of an embedded expression, in bytes; far above what files contain.
pub(super) const LONGEST: usize = 1 << 16;

/// Returns whether `text`, which begins at `start`, is not too long and has no invisible character.
pub(super) fn readable(text: &str, start: usize, mistakes: &mut Mistakes) -> bool {
    if text.len() > LONGEST {
        let first = text.chars().next().map_or(0, char::len_utf8);
        let message = format!("this line is longer than {LONGEST} bytes");
        let span = Span::new(start..start + first);
        mistakes.add(
            Code::LineTooLong,
            span,
            message,
            "begins here",
            "split it into several lines; a line end may be missing",
        );
        return false;
    }
    // Without branches, so that ordinary lines are checked at memory speed.
    let plain = |byte: u8| byte.is_ascii() & ((byte >= b' ') | (byte == b'\t') | (byte == b'\n')) & (byte != 0x7F);
    if text.bytes().fold(true, |all, byte| all & plain(byte)) {
        return true;
    }
    let hidden = |(at, char): &(usize, char)| match char {
        '\t' | '\n' => false,
        '\r' => text.as_bytes().get(at + 1) != Some(&b'\n'),
        char => is_invisible(*char),
    };
    match text.char_indices().find(hidden) {
        Some((at, char)) => invisible::<()>(start + at, char, mistakes).is_some(),
        None => true,
    }
}

/// Reports a space of another kind, such as U+00A0, or a typographic quote at the beginning of `text`, which is at `start`.
pub(super) fn foreign_mark(text: &str, start: usize, mistakes: &mut Mistakes) -> Option<()> {
    match text.chars().next() {
        Some(space) if is_strange_space(space) => invisible(start, space, mistakes),
        Some(mark @ ('“' | '”' | '„' | '«' | '»')) => {
            let span = Span::new(start..start + mark.len_utf8());
            let help = "use straight quotes: \"like this\"";
            mistakes.add(Code::CurlyQuote, span, format!("`{mark}` is not a straight quote"), "", help);
            None
        }
        _ => Some(()),
    }
}

/// Reports the first space of another kind in a row, outside of its strings. The row is read with it.
pub(super) fn spaces_of_row(row: &str, start: usize, mistakes: &mut Mistakes) {
    if row.is_ascii() {
        return;
    }
    let mut strings = quotations(row).peekable();
    let strange = row.char_indices().find(|(at, letter)| {
        while strings.next_if(|string| string.end <= *at).is_some() {}
        is_strange_space(*letter) && strings.peek().is_none_or(|string| string.start > *at)
    });
    if let Some((at, letter)) = strange {
        let _ = invisible::<()>(start + at, letter, mistakes);
    }
}

/// Returns whether a character looks like a space or like nothing, and separates no words.
const fn is_strange_space(letter: char) -> bool {
    matches!(
        letter,
        '\u{a0}' | '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{1680}' | '\u{180e}' | '\u{2000}'..='\u{200a}'
            | '\u{202f}' | '\u{205f}'..='\u{2064}' | '\u{3000}' | '\u{3164}' | '\u{ffa0}'
    )
}

fn invisible<T>(at: usize, char: char, mistakes: &mut Mistakes) -> Option<T> {
    let message = format!("invisible character U+{:04X} in this line", u32::from(char));
    let help = "delete it, or replace it by a space; it may come from copied text";
    mistakes.add(Code::InvisibleCharacter, Span::new(at..at + char.len_utf8()), message, "here", help);
    None
}
