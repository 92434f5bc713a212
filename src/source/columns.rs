//! How wide a text is where every character has the same width, as in a terminal.

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
