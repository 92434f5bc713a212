//! Cuts a text into lines: sets blank lines and comments aside, distinguishes rows from statements, and finds the ends
//! of embedded expressions.

use referee_diagnostic::Code;
use std::ops::Range;

use super::ast::Trivia;
use super::expression::{self, DEEPEST, NoEnd};
use super::keywords::first_word;
use super::mistakes::Mistakes;
use super::visible::{LONGEST, foreign_mark, readable, spaces_of_row};
use super::when::opens_expression;
use referee_source::{Span, closing_quote, quotations};

/// A line that is neither blank nor a comment.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece {
    /// A line of words.
    Statement(Statement),
    /// A `|` row: its text.
    Bar(Span),
    /// A `>` row: its text.
    Arrow(Span),
    /// An unreadable line of words; its error has been noted.
    Bad,
    /// An unreadable row or comment; its error has been noted.
    BadRow,
}

/// A line of words, without indentation and comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statement {
    /// Its location; an embedded expression may extend it over several lines of the text.
    pub(crate) span: Span,
    /// Its first embedded expression.
    pub(super) expression: Option<Span>,
}

/// Cuts a text into lines.
pub(super) struct Cutter<'s> {
    text: &'s str,
    at: usize,
    /// The byte budget for failed brace searches; prevents quadratic time.
    patience: usize,
    /// Comments and blank lines so far.
    pub(super) trivia: Trivia,
}

/// The parts found in one line.
struct Scan {
    end: usize,
    comment: Option<usize>,
    expression: Option<Span>,
}

/// Where a brace begins an embedded expression instead of a placeholder.
#[derive(Clone, Copy)]
enum Expressions {
    Nowhere,
    Anywhere,
    /// After words that the function accepts.
    Behind(fn(&str) -> bool),
}

impl Expressions {
    fn at(self, before: &str) -> bool {
        match self {
            Self::Nowhere => false,
            Self::Anywhere => true,
            Self::Behind(opens) => opens(before),
        }
    }
}

impl<'s> Cutter<'s> {
    /// Returns a cutter at the beginning of `text`; skips a byte order mark.
    pub(super) fn new(text: &'s str) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self::within(text, at..text.len())
    }

    /// Returns a cutter of a part of `text`, which begins and ends between two lines.
    pub(super) fn within(text: &'s str, part: Range<usize>) -> Self {
        let text = text.get(..part.end).unwrap_or(text);
        Self { text, at: part.start, patience: 4 * text.len() + (1 << 20), trivia: Trivia::default() }
    }

    /// Returns the next line that is neither blank nor a comment.
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
                Some(b'|' | b'>' | b'#') if !readable(content, start, mistakes) => Piece::BadRow,
                Some(_) if !readable(content, start, mistakes) => Piece::Bad,
                Some(b'#') => {
                    self.trivia.comments.push(Span::new(start..start + content.len()));
                    continue;
                }
                Some(b'|') => {
                    spaces_of_row(content, start, mistakes);
                    Piece::Bar(self.bar_row(start + 1, start + content.len()))
                }
                Some(b'>') => self.arrow_row(start + 1, start + content.len(), mistakes),
                Some(_) => self.statement(start, start + content.len(), mistakes),
            };
            return Some(piece);
        }
        None
    }

    /// Returns the text of a `|` row between `start` and `end`; a `#` begins a comment only after a space.
    fn bar_row(&mut self, start: usize, end: usize) -> Span {
        let text = self.slice(start, end);
        let mut strings = quotations(text).peekable();
        let mut before = b' ';
        for (at, byte) in text.bytes().enumerate() {
            if byte == b'#' && matches!(before, b' ' | b'\t') {
                while strings.next_if(|string| string.end <= at).is_some() {}
                if strings.peek().is_none_or(|string| string.start > at) {
                    return self.trimmed(start, end, Some(start + at));
                }
            }
            before = byte;
        }
        self.trimmed(start, end, None)
    }

    /// Returns a `>` row between `start` and `end`.
    fn arrow_row(&mut self, start: usize, end: usize, mistakes: &mut Mistakes) -> Piece {
        match self.scan(start, end, Expressions::Nowhere, mistakes) {
            Some(scan) => Piece::Arrow(self.trimmed(start, scan.end, scan.comment)),
            None => Piece::BadRow,
        }
    }

    /// Returns the line of words between `start` and `end`; an embedded expression may extend it beyond `end`.
    fn statement(&mut self, start: usize, end: usize, mistakes: &mut Mistakes) -> Piece {
        let expressions = match first_word(self.slice(start, end)) {
            "expect" | "always" => Expressions::Anywhere,
            "when" => Expressions::Behind(opens_expression),
            _ => Expressions::Nowhere,
        };
        match self.scan(start, end, expressions, mistakes) {
            Some(scan) => {
                if scan.end > end {
                    self.at = self.line_end(scan.end) + 1;
                }
                Piece::Statement(Statement {
                    span: self.trimmed(start, scan.end, scan.comment),
                    expression: scan.expression,
                })
            }
            None => Piece::Bad,
        }
    }

    /// Matches quotes, braces and parentheses from `start` to the end of the line or its comment.
    fn scan(
        &mut self,
        start: usize,
        mut end: usize,
        expressions: Expressions,
        mistakes: &mut Mistakes,
    ) -> Option<Scan> {
        let text = self.text;
        let bytes = text.as_bytes();
        let (mut expression, mut comment) = (None, None);
        let mut groups: Vec<usize> = Vec::new();
        let mut brackets = 0;
        let mut at = start;
        while at < end {
            match bytes.get(at)? {
                b'"' => match closing_quote(self.slice(at + 1, end)) {
                    Some(length) => at += length + 1,
                    None => return unclosed_quote(text, at, end, mistakes),
                },
                b'#' => {
                    comment = Some(at);
                    break;
                }
                b'{' if expressions.at(self.slice(start, at)) => {
                    let close = self.expression(at, mistakes)?;
                    expression = expression.or(Some(Span::new(at..close)));
                    if close > end {
                        end = close + self.slice(close, self.line_end(close)).trim_end().len();
                        if !readable(self.slice(close, end), close, mistakes) {
                            return None;
                        }
                    }
                    at = close - 1;
                }
                b'{' => at = self.placeholder(at, end, mistakes)? - 1,
                b'(' => groups.push(at),
                b')' => {
                    groups.pop();
                }
                b'[' => brackets += 1,
                b']' => brackets -= usize::from(brackets > 0),
                0xC2 | 0xD8 | 0xE1..=0xE3 | 0xEF => foreign_mark(self.slice(at, end), at, mistakes)?,
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
                mistakes.add(Code::UnclosedParenthesis, span, "this parenthesis is not closed", "opened here", help);
                None
            }
            None => Some(Scan { end, comment, expression }),
        }
    }

    /// Returns the end of the embedded expression that opens at `open`.
    fn expression(&mut self, open: usize, mistakes: &mut Mistakes) -> Option<usize> {
        let reach = if self.patience == 0 { self.line_end(open) } else { self.text.len().min(open + LONGEST) };
        let bytes = self.text.as_bytes().get(..reach)?;
        let error = match expression::end(bytes, open) {
            Ok(close) if readable(self.slice(open, close), open, mistakes) => return Some(close),
            Ok(close) => {
                self.at = self.line_end(close) + 1;
                return None;
            }
            Err(error) => error,
        };
        // Continue after the line with the brace, wherever the search ended: an unclosed brace costs one line.
        self.at = self.line_end(open) + 1;
        let (NoEnd::Text(searched) | NoEnd::Deep(searched) | NoEnd::Brace(searched)) = error;
        self.patience = self.patience.saturating_sub(searched - open);
        let line = self.line_end(open);
        match error {
            NoEnd::Text(at) if at < line => return unclosed_quote(self.text, at, line, mistakes),
            NoEnd::Deep(at) => return too_deep(at, mistakes),
            NoEnd::Text(_) | NoEnd::Brace(_) => {}
        }
        let span = Span::new(open..open + 1);
        let help = "close it with `}`, as in `always { EXPRESSION }`; braces in strings and comments do not count";
        mistakes.add(Code::UnclosedExpression, span, "this brace is not closed", "opened here", help);
        if let NoEnd::Text(at) = error {
            mistakes.also(Span::new(at..self.line_end(at)), "the search for `}` ended at this unclosed string");
        }
        None
    }

    /// Returns the end of the placeholder `{name}` that opens at `open`.
    fn placeholder(&self, open: usize, end: usize, mistakes: &mut Mistakes) -> Option<usize> {
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
        let message = "invalid placeholder: expected the name of a column in braces";
        let label = if close.is_some() { "not a column name" } else { "opened here and not closed" };
        let help = "write `{COLUMN}` for a column of the `examples` table; expressions `{ … }` are allowed only after `expect`, `always` and `if`";
        mistakes.add(Code::BadPlaceholder, Span::new(open..open + length), message, label, help);
        None
    }

    /// Returns the text from `start` to its comment or `end`, without surrounding spaces; sets the comment aside.
    fn trimmed(&mut self, start: usize, end: usize, comment: Option<usize>) -> Span {
        if let Some(comment) = comment {
            self.trivia.comments.push(Span::new(comment..end));
        }
        let text = self.slice(start, comment.unwrap_or(end));
        let inner = text.trim_start_matches([' ', '\t']);
        let start = start + text.len() - inner.len();
        Span::new(start..start + inner.trim_end_matches([' ', '\t']).len())
    }

    /// Returns the end of the line with the byte `at`.
    fn line_end(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        rest.find('\n').map_or(self.text.len(), |length| at + length)
    }

    fn slice(&self, start: usize, end: usize) -> &'s str {
        self.text.get(start..end).unwrap_or_default()
    }
}

/// Reports the quote at `at`, which nothing closes before `end`.
fn unclosed_quote<T>(text: &str, at: usize, end: usize, mistakes: &mut Mistakes) -> Option<T> {
    let escaped = text.get(at..end).is_some_and(|string| string.contains("\\\""));
    let help = match escaped {
        true => {
            "close it with `\"` on the same line: `\\\"` is a quote within the string, and a backslash is written `\\\\`"
        }
        false => "close it with `\"` on the same line",
    };
    mistakes.add(Code::UnclosedQuote, Span::new(at..end), "this string is not closed", "opened here", help);
    None
}

fn too_deep<T>(at: usize, mistakes: &mut Mistakes) -> Option<T> {
    let message = format!("braces, brackets or parentheses are nested more than {DEEPEST} deep");
    mistakes.add(
        Code::NestedTooDeep,
        Span::new(at..at + 1),
        message,
        "one too many",
        "check whether one of them is not closed",
    );
    None
}
