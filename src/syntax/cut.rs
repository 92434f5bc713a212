//! From a text to its lines: blank lines and comments put aside, rows told from statements, islands followed to their end.

use super::ast::Trivia;
use super::island::{self, DEEPEST, NoEnd};
use super::keywords::first_word;
use super::mistakes::Mistakes;
use crate::source::Span;

/// The longest line, and the longest island, in bytes: what people write is far below.
pub(super) const LONGEST: usize = 1 << 16;

/// A line that says something.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece {
    /// A line of words.
    Statement(Statement),
    /// A `|` row: its text.
    Bar(Span),
    /// A `>` row: its text.
    Arrow(Span),
    /// A line of words that cannot be read; its mistake has been noted.
    Bad,
    /// A row that cannot be read; its mistake has been noted.
    BadRow,
}

/// A line of words, without indentation and comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statement {
    /// Where it stands; an island may take it over several lines of the text.
    pub(super) span: Span,
    /// Its first island of Rhai.
    pub(super) island: Option<Span>,
}

/// Cuts a text into lines.
pub(super) struct Cutter<'s> {
    text: &'s str,
    at: usize,
    /// How many bytes may still be searched in vain for closing braces: keeps hostile texts from taking square time.
    patience: usize,
    /// Comments and blank lines so far.
    pub(super) trivia: Trivia,
}

/// What was found in one line.
struct Scan {
    end: usize,
    comment: Option<usize>,
    island: Option<Span>,
}

impl<'s> Cutter<'s> {
    /// A cutter at the beginning of `text`; a byte order mark is passed over.
    pub(super) fn new(text: &'s str) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { text, at, patience: 4 * text.len() + (1 << 20), trivia: Trivia::default() }
    }

    /// The next line that says something.
    pub(super) fn next(&mut self, mistakes: &mut Mistakes) -> Option<Piece> {
        while self.at < self.text.len() {
            let line = self.at;
            let end = self.line_end(line);
            let content = self.slice(line, end);
            let start = end - content.trim_start_matches([' ', '\t']).len();
            let content = self.slice(start, end).trim_end_matches([' ', '\t', '\r']);
            self.at = end + 1;
            let piece = match content.as_bytes().first() {
                None => {
                    self.trivia.blanks.push(Span::new(line..line).start);
                    continue;
                }
                Some(b'|' | b'>') if !readable(content, start, mistakes) => Piece::BadRow,
                Some(_) if !readable(content, start, mistakes) => Piece::Bad,
                Some(b'#') => {
                    self.trivia.comments.push(Span::new(start..start + content.len()));
                    continue;
                }
                Some(b'|') => Piece::Bar(self.bar_row(start + 1, start + content.len())),
                Some(b'>') => self.arrow_row(start + 1, start + content.len(), mistakes),
                Some(_) => self.statement(start, start + content.len(), mistakes),
            };
            return Some(piece);
        }
        None
    }

    /// The text of a `|` row between `start` and `end`; a `#` is a comment only behind a blank.
    fn bar_row(&mut self, start: usize, end: usize) -> Span {
        let mut quoted = false;
        let mut before = b' ';
        for (at, byte) in self.slice(start, end).bytes().enumerate() {
            match byte {
                b'"' => quoted = !quoted && self.slice(start + at + 1, end).contains('"'),
                b'#' if !quoted && matches!(before, b' ' | b'\t') => return self.trimmed(start, end, Some(start + at)),
                _ => {}
            }
            before = byte;
        }
        self.trimmed(start, end, None)
    }

    /// A `>` row between `start` and `end`.
    fn arrow_row(&mut self, start: usize, end: usize, mistakes: &mut Mistakes) -> Piece {
        match self.scan(start, end, false, mistakes) {
            Some(scan) => Piece::Arrow(self.trimmed(start, scan.end, scan.comment)),
            None => Piece::BadRow,
        }
    }

    /// The line of words between `start` and `end`, with an island maybe further.
    fn statement(&mut self, start: usize, end: usize, mistakes: &mut Mistakes) -> Piece {
        let islands = matches!(first_word(self.slice(start, end)), "expect" | "always");
        match self.scan(start, end, islands, mistakes) {
            Some(scan) => {
                if scan.end > end {
                    self.at = self.line_end(scan.end) + 1;
                }
                Piece::Statement(Statement { span: self.trimmed(start, scan.end, scan.comment), island: scan.island })
            }
            None => Piece::Bad,
        }
    }

    /// Follows quotes, braces and parentheses from `start` to the end of the line or its comment.
    fn scan(&mut self, start: usize, mut end: usize, islands: bool, mistakes: &mut Mistakes) -> Option<Scan> {
        let text = self.text;
        let bytes = text.as_bytes();
        let (mut island, mut comment) = (None, None);
        let mut groups: Vec<usize> = Vec::new();
        let mut brackets = 0;
        let mut at = start;
        while at < end {
            match bytes.get(at)? {
                b'"' => match self.slice(at + 1, end).find('"') {
                    Some(length) => at += length + 1,
                    None => return unclosed_quote(at, end, mistakes),
                },
                b'#' => {
                    comment = Some(at);
                    break;
                }
                b'{' if islands => {
                    let close = self.island(at, mistakes)?;
                    island = island.or(Some(Span::new(at..close)));
                    if close > end {
                        end = close + self.slice(close, self.line_end(close)).trim_end().len();
                        if !readable(self.slice(close, end), close, mistakes) {
                            return None;
                        }
                    }
                    at = close - 1;
                }
                b'{' => at = self.hole(at, end, mistakes)? - 1,
                b'(' => groups.push(at),
                b')' => {
                    groups.pop();
                }
                b'[' => brackets += 1,
                b']' => brackets -= usize::from(brackets > 0),
                0xC2 | 0xE2 => foreign_mark(self.slice(at, end), at, mistakes)?,
                _ => {}
            }
            if groups.len() + brackets > DEEPEST {
                return too_deep(at, mistakes);
            }
            at += 1;
        }
        match groups.first() {
            Some(open) => {
                let help = "close it with `)` on the same line, or write it in quotes";
                let span = Span::new(*open..*open + 1);
                mistakes.add("unclosed_parenthesis", span, "this parenthesis is not closed", "opened here", help);
                None
            }
            None => Some(Scan { end, comment, island }),
        }
    }

    /// The end of the island that opens at `open`.
    fn island(&mut self, open: usize, mistakes: &mut Mistakes) -> Option<usize> {
        let reach = if self.patience == 0 { self.line_end(open) } else { self.text.len().min(open + LONGEST) };
        let bytes = self.text.as_bytes().get(..reach)?;
        let error = match island::end(bytes, open) {
            Ok(close) if readable(self.slice(open, close), open, mistakes) => return Some(close),
            Ok(close) => {
                self.at = self.line_end(close) + 1;
                return None;
            }
            Err(error) => error,
        };
        // Go on below the line with the brace, wherever the search ended.
        self.at = self.line_end(open) + 1;
        let (NoEnd::Text(searched) | NoEnd::Deep(searched) | NoEnd::Brace(searched)) = error;
        self.patience = self.patience.saturating_sub(searched - open);
        let line = self.line_end(open);
        match error {
            NoEnd::Text(at) if at < line => return unclosed_quote(at, line, mistakes),
            NoEnd::Deep(at) => return too_deep(at, mistakes),
            NoEnd::Text(_) | NoEnd::Brace(_) => {}
        }
        let span = Span::new(open..open + 1);
        let help = "every `{` needs a `}`, except in texts and comments; for example `always { count(\"red\") < 4 }`";
        mistakes.add("unclosed_island", span, "this brace is not closed", "opened here", help);
        if let NoEnd::Text(at) = error {
            mistakes.also(Span::new(at..self.line_end(at)), "it was looked for up to this text, which is not closed");
        }
        None
    }

    /// The end of the hole `{name}` that opens at `open`.
    fn hole(&self, open: usize, end: usize, mistakes: &mut Mistakes) -> Option<usize> {
        let rest = self.slice(open + 1, end);
        let close = rest.find('}');
        let name = rest.get(..close.unwrap_or(0)).unwrap_or_default().trim();
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if let Some(close) = close
            && name.bytes().all(letter)
            && name.starts_with(|first: char| !first.is_ascii_digit())
        {
            return Some(open + close + 2);
        }
        let length = close.map_or(1, |close| close + 2);
        let message = "these braces do not hold the name of a column";
        let label = if close.is_some() { "no name of a column" } else { "opened here and not closed" };
        let help = "`{distance}` is filled from a table below `examples`; scripts `{ … }` stand behind `expect` and `always` only";
        mistakes.add("bad_hole", Span::new(open..open + length), message, label, help);
        None
    }

    /// The text from `start` to its comment (which is put aside) or `end`, without blanks around.
    fn trimmed(&mut self, start: usize, end: usize, comment: Option<usize>) -> Span {
        if let Some(comment) = comment {
            self.trivia.comments.push(Span::new(comment..end));
        }
        let text = self.slice(start, comment.unwrap_or(end));
        let inner = text.trim_start_matches([' ', '\t']);
        let start = start + text.len() - inner.len();
        Span::new(start..start + inner.trim_end_matches([' ', '\t']).len())
    }

    /// Where the line with the byte `at` ends.
    fn line_end(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        rest.find('\n').map_or(self.text.len(), |length| at + length)
    }

    fn slice(&self, start: usize, end: usize) -> &'s str {
        self.text.get(start..end).unwrap_or_default()
    }
}

/// Whether `text`, which stands at `start`, is of sane length and all of it can be seen.
fn readable(text: &str, start: usize, mistakes: &mut Mistakes) -> bool {
    if text.len() > LONGEST {
        let first = text.chars().next().map_or(0, char::len_utf8);
        let message = format!("this line is longer than {LONGEST} bytes");
        let span = Span::new(start..start + first);
        mistakes.add("line_too_long", span, message, "begins here", "is a line end missing?");
        return false;
    }
    // Without branches, so that the usual line is passed at memory speed.
    let plain = |byte: u8| byte.is_ascii() & ((byte >= b' ') | (byte == b'\t') | (byte == b'\n')) & (byte != 0x7F);
    if text.bytes().fold(true, |all, byte| all & plain(byte)) {
        return true;
    }
    let hidden = |(at, char): &(usize, char)| match char {
        '\t' | '\n' => false,
        '\r' => text.as_bytes().get(at + 1) != Some(&b'\n'),
        '\u{200b}' | '\u{feff}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        char => char.is_control(),
    };
    match text.char_indices().find(hidden) {
        Some((at, char)) => invisible::<()>(start + at, char, mistakes).is_some(),
        None => true,
    }
}

/// Blanks and quotes that word processors make; `text` stands at `start`.
fn foreign_mark(text: &str, start: usize, mistakes: &mut Mistakes) -> Option<()> {
    match text.chars().next() {
        Some('\u{a0}') => invisible(start, '\u{a0}', mistakes),
        Some(mark @ ('“' | '”' | '„' | '«' | '»')) => {
            let span = Span::new(start..start + mark.len_utf8());
            let help = "write texts in straight quotes: \"like this\"";
            mistakes.add("curly_quote", span, format!("`{mark}` is no quote here"), "", help);
            None
        }
        _ => Some(()),
    }
}

fn invisible<T>(at: usize, char: char, mistakes: &mut Mistakes) -> Option<T> {
    let message = format!("a character that cannot be seen (U+{:04X}) stands in this line", u32::from(char));
    let help = "delete it, or write a blank in its place; it may have come with a copied text";
    mistakes.add("invisible_character", Span::new(at..at + char.len_utf8()), message, "here", help);
    None
}

fn unclosed_quote<T>(at: usize, end: usize, mistakes: &mut Mistakes) -> Option<T> {
    let help = "close it with `\"` on the same line";
    mistakes.add("unclosed_quote", Span::new(at..end), "this text in quotes is not closed", "opened here", help);
    None
}

fn too_deep<T>(at: usize, mistakes: &mut Mistakes) -> Option<T> {
    let message = format!("braces, brackets or parentheses are nested more than {DEEPEST} deep");
    mistakes.add("nested_too_deep", Span::new(at..at + 1), message, "one too many", "is one of them not closed?");
    None
}
