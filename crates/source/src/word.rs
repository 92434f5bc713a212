//! A word of a line, and what it consists of.
//!
//! The grammar cuts a line into words; only the names of a game say what they mean, and placeholders may stand for any of
//! them. So this is the one place that cuts a word into its parts: a move into cells, `ann:Pooga` and `red.score` at their
//! marks. Who reads a word decides which of these it is.

use std::sync::Arc;

use super::quotes::quotations;
use super::{Source, Span};

/// One word of a line with its location: `red`, `e5`, or `"block 1"`, stored without its quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'s> {
    /// The text that the word is in.
    pub source: &'s Arc<Source>,
    /// The text, without quotes.
    pub text: &'s str,
    /// The location, quotes included.
    pub span: Span,
    /// Whether it is written in quotes: then it is a name, never a keyword.
    pub quoted: bool,
}

/// A cell of a move, and the mark before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathPart<'s> {
    /// The mark before the cell; `None` for the first one.
    pub mark: Option<Mark>,
    /// The cell.
    pub cell: Word<'s>,
}

/// The mark between two cells of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `-`
    Moves,
    /// `x`
    Captures,
}

impl Mark {
    /// Returns the mark as it is written.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Moves => '-',
            Self::Captures => 'x',
        }
    }

    const fn of(letter: char) -> Option<Self> {
        match letter {
            '-' => Some(Self::Moves),
            'x' => Some(Self::Captures),
            _ => None,
        }
    }
}

impl<'s> Word<'s> {
    /// Returns a word without quotes.
    #[must_use]
    pub const fn plain(source: &'s Arc<Source>, text: &'s str, span: Span) -> Self {
        Self { source, text, span, quoted: false }
    }

    /// Returns the text of a word that may be a keyword; an empty text for a word in quotes.
    #[must_use]
    pub const fn keyword(&self) -> &'s str {
        if self.quoted { "" } else { self.text }
    }

    /// Returns whether it is this keyword.
    #[must_use]
    pub fn is(&self, keyword: &str) -> bool {
        !self.quoted && self.text == keyword
    }

    /// Returns whether it is one of these keywords.
    #[must_use]
    pub fn is_any(&self, keywords: &[&str]) -> bool {
        !self.quoted && keywords.contains(&self.text)
    }

    /// Returns the number that it is.
    #[must_use]
    pub fn number(&self) -> Option<i64> {
        self.text.parse().ok()
    }

    /// Returns the name of the placeholder that it is.
    #[must_use]
    pub fn placeholder(&self) -> Option<&'s str> {
        let inside = self.text.strip_prefix('{')?.strip_suffix('}')?;
        (!self.quoted).then(|| inside.trim())
    }

    /// Returns the words before and after the colon of `ann:Pooga`, `ann:"Mira, Keeper"`, `ann:("Red: again")`.
    #[must_use]
    pub fn prefixed(&self) -> Option<(Self, Self)> {
        if self.quoted {
            return None;
        }
        let string = self.text.split_once(':').filter(|(_, right)| right.starts_with('"') || right.starts_with("(\""));
        let (left, right) = string.or_else(|| self.text.rsplit_once(':'))?;
        let after = self.part(left.len() + 1, right);
        let inner = right.strip_prefix('"').and_then(|right| right.strip_suffix('"'));
        Some((self.part(0, left), inner.map_or(after, |text| Self { text, quoted: true, ..after })))
    }

    /// Returns the words before and after the first dot of `red.score`.
    #[must_use]
    pub fn dotted(&self) -> Option<(Self, Self)> {
        let (left, right) = self.text.split_once('.').filter(|_| !self.quoted)?;
        Some((self.part(0, left), self.part(left.len() + 1, right)))
    }

    /// Returns the word inside of parentheses: `R3` of `(R3)`, `Red 3` of `("Red 3")`, `0,1` of `(0,1)`.
    #[must_use]
    pub fn inside_parentheses(&self) -> Option<Self> {
        let inside = self.text.strip_prefix('(')?.strip_suffix(')').filter(|_| !self.quoted)?;
        let word = self.part(1, inside);
        let inner = inside.strip_prefix('"').and_then(|inside| inside.strip_suffix('"'));
        Some(inner.map_or(word, |text| Self { text, quoted: true, ..word }))
    }

    /// Returns the parts of a move: cells, which end with a digit or a parenthesis, with `-` or `x` between them.
    #[must_use]
    pub fn path(&self) -> Vec<PathPart<'s>> {
        let mut parts = Vec::new();
        let (mut mark, mut start, mut ends) = (None, 0, false);
        for (at, letter) in self.text.char_indices() {
            if let Some(next) = Mark::of(letter).filter(|_| ends) {
                parts.push(PathPart { mark, cell: self.part(start, self.text.get(start..at).unwrap_or_default()) });
                (mark, start) = (Some(next), at + 1);
            }
            ends = letter.is_ascii_digit() || letter == ')';
        }
        parts.push(PathPart { mark, cell: self.part(start, self.text.get(start..).unwrap_or_default()) });
        parts
    }

    /// Returns the part of it that begins at this byte of its text.
    fn part(&self, at: usize, text: &'s str) -> Self {
        let start = self.span.range().start + usize::from(self.quoted) + at;
        Self::plain(self.source, text, Span::new(start..start + text.len()))
    }
}

impl Source {
    /// Returns the word at `span` without its quotes.
    #[must_use]
    pub fn word(self: &Arc<Self>, span: Span) -> Word<'_> {
        let text = self.slice(span);
        match text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            Some(inner) if inner.contains('\\') => {
                let text = self.escaped(span).unwrap_or(inner);
                Word { source: self, text, span, quoted: true }
            }
            Some(inner) => Word { source: self, text: inner, span, quoted: true },
            None => Word { source: self, text, span, quoted: false },
        }
    }

    /// Returns the words of a row: what is between spaces, of which those in quotes do not count.
    #[must_use]
    pub fn tokens(self: &Arc<Self>, row: Span) -> Vec<Word<'_>> {
        let text = self.slice(row);
        let begin = row.range().start;
        let mut strings = quotations(text).peekable();
        let mut words = Vec::with_capacity(text.len() / 2 + 1);
        // Few rows have any, and there may be very many rows.
        if strings.peek().is_none() {
            let plain = |word| Word::plain(self, word, Span::of_part(begin, text, word));
            words.extend(text.split_whitespace().map(plain));
            return words;
        }
        let mut start = None;
        for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
            while strings.next_if(|string| string.end <= at).is_some() {}
            let is_quoted = strings.peek().is_some_and(|string| string.start <= at);
            match start {
                Some(from) if letter.is_whitespace() && !is_quoted => {
                    words.push(self.word(Span::new(begin + from..begin + at)));
                    start = None;
                }
                None if !letter.is_whitespace() => start = Some(at),
                _ => {}
            }
        }
        words
    }
}

/// Returns the keyword that the word at an index may be; an empty text for a word in quotes, and after the last word.
#[must_use]
pub fn keyword_at<'s>(words: &[Word<'s>], at: usize) -> &'s str {
    words.get(at).map_or("", Word::keyword)
}

/// Returns the texts of words with spaces between them.
#[must_use]
pub fn texts(words: &[Word<'_>]) -> String {
    words.iter().map(|word| word.text).collect::<Vec<_>>().join(" ")
}

/// Returns the location of words from the first to the last; `None` if there are none.
#[must_use]
pub fn span_of(words: &[Word<'_>]) -> Option<Span> {
    words.first().zip(words.last()).map(|(first, last)| first.span.to(last.span))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails may panic")]

    use std::sync::Arc;

    use super::{Mark, PathPart, Word};
    use crate::{Source, Span};

    fn source(text: &str) -> Arc<Source> {
        Arc::new(Source::new("a", text))
    }

    fn word(source: &Arc<Source>) -> Word<'_> {
        Word::plain(source, source.text(), Span::new(0..source.text().len()))
    }

    /// Every part is where its location says.
    fn placed(text: &str, part: Word<'_>) -> String {
        let source = source(text);
        assert_eq!(source.word(part.span), part, "{text}");
        part.text.to_owned()
    }

    #[test]
    fn a_word_is_cut_at_its_marks() {
        for (text, left, right) in [
            ("ann:Pooga", "ann", "Pooga"),
            ("ann:\"Mira, Keeper\"", "ann", "Mira, Keeper"),
            ("ann:\"Mira: Keeper\"", "ann", "Mira: Keeper"),
            ("a:b:c", "a:b", "c"),
            (":c", "", "c"),
            ("ann:", "ann", ""),
        ] {
            let source = source(text);
            let (before, after) = word(&source).prefixed().unwrap();
            assert_eq!((placed(text, before), placed(text, after)), (left.to_owned(), right.to_owned()));
        }
        assert_eq!(word(&source("ann")).prefixed(), None);
        assert_eq!(Word { quoted: true, ..word(&source("ann:b")) }.prefixed(), None);
        let dotted = source("red.score.x");
        let (before, after) = word(&dotted).dotted().unwrap();
        assert_eq!((placed("red.score.x", before), placed("red.score.x", after)), ("red".into(), "score.x".into()));
        for (text, inside) in [("(R3)", "R3"), ("(\"Red 3\")", "Red 3"), ("(?)", "?"), ("(0,1)", "0,1")] {
            assert_eq!(placed(text, word(&source(text)).inside_parentheses().unwrap()), inside);
        }
    }

    #[test]
    fn a_move_is_cut_into_cells() {
        let cells = |text: &str| {
            let source = source(text);
            let parts = word(&source).path();
            let shown = |part: &PathPart<'_>| {
                format!(
                    "{}{}",
                    part.mark.map_or(String::new(), |mark| mark.letter().to_string()),
                    placed(text, part.cell)
                )
            };
            parts.iter().map(shown).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(cells("c3xe5-g7"), "c3 xe5 -g7");
        assert_eq!(cells("x1xy2"), "x1 xy2");
        assert_eq!(cells("(0,-1)x(2,3)"), "(0,-1) x(2,3)");
        assert_eq!(cells("walk"), "walk");
        assert_eq!(cells("17-20"), "17 -20");
        assert_eq!(word(&source("a1xb2")).path()[1].mark, Some(Mark::Captures));
    }
}
