//! The width of text in columns, as in a terminal, and its invisible characters.

use unicode_width::UnicodeWidthStr;

/// Returns the number of columns that a text takes: wide characters, such as those of East Asia and pictures, take two.
#[must_use]
pub fn display_width(text: &str) -> usize {
    text.width()
}

/// Returns a text with spaces after it, so that it takes at least this number of columns.
#[must_use]
pub fn padded(text: &str, wide: usize) -> String {
    format!("{text}{}", " ".repeat(wide.saturating_sub(display_width(text))))
}

/// Returns a text with spaces before it, so that it takes at least this number of columns.
#[must_use]
pub fn padded_left(text: &str, wide: usize) -> String {
    format!("{}{text}", " ".repeat(wide.saturating_sub(display_width(text))))
}

/// Returns whether a character is invisible: a control character, one without width, or one that changes the direction
/// of the text after it.
#[must_use]
pub fn is_invisible(letter: char) -> bool {
    let marks = matches!(letter, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    marks || letter.is_control()
}
