//! The names of a game, and values of one word or of several.

use crate::{Board, Cell, Direction, Kind, PlayerId, Schema, Value};
use referee_diagnostic::{did_you_mean, one_of};
use referee_source::{Span, Word};

/// An error in the words of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordError {
    /// The code of the diagnostic.
    pub code: &'static str,
    /// The location of the wrong words, or the end of the line.
    pub span: Span,
    /// The message.
    pub message: String,
    /// The help: the text to write instead.
    pub help: Option<String>,
}

impl WordError {
    /// Returns an error at `span`.
    pub fn new(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { code, span, message: message.into(), help: None }
    }

    /// Returns the same error with a help text.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Returns the same error with a help text, if there is one.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }
}

/// A value and the number of words it took.
pub(super) type Taken<T> = Result<(T, usize), WordError>;

/// Returns the value if it took all of `words`.
///
/// # Errors
/// Returns an error if a word is left over.
pub fn whole<T>(words: &[Word<'_>], (value, taken): (T, usize)) -> Result<T, WordError> {
    match words.get(taken) {
        None => Ok(value),
        Some(extra) => {
            let message = format!("`{}` does not belong here", extra.text);
            Err(WordError::new("wrong_form", extra.span, message))
        }
    }
}

/// Returns `2` for `02` and `+2`.
fn plain_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let odd = digits.len() < text.len() || digits.len() > 1 && digits.starts_with('0');
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten().filter(|_| odd)
}

/// The names of a game on one of its boards.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The declarations of the game.
    pub schema: &'a Schema,
    /// The board.
    pub board: &'a Board,
}

impl Names<'_> {
    /// Returns a value of `kind` from the first of `words`; `end` is the location after the last word.
    ///
    /// # Errors
    /// Returns an error if there are no words, or they do not name such a value.
    pub fn value(&self, kind: &Kind, words: &[Word<'_>], end: Span) -> Taken<Value> {
        let Some(first) = words.first() else {
            let misread = WordError::new("missing_value", end, format!("{kind} is missing here"));
            // For other kinds the caller adds the form of the line.
            let is_number = matches!(kind, Kind::Number);
            return Err(if is_number { misread.help("write one at the end of this line") } else { misread });
        };
        let one = |value: Value| Ok((value, 1));
        match kind {
            Kind::Cell => one(Value::Cell(self.cell(first)?)),
            Kind::Player => one(Value::Player(self.player(first)?)),
            Kind::Number => one(Value::Int(self.number(first)?)),
            Kind::Direction => one(Value::Int(i64::from(self.direction(first)?.0))),
            Kind::Piece => self.piece(words).map(|(piece, taken)| (Value::Piece(piece), taken)),
            Kind::Move => one(Value::Move(self.moved(first)?)),
            Kind::Text => one(Value::text(first.text)),
            Kind::Word(choices) if choices.iter().any(|choice| choice == first.text) => one(Value::text(first.text)),
            Kind::Word(choices) => {
                let choices = choices.iter().map(String::as_str);
                Err(WordError::new("unknown_word", first.span, format!("unknown word `{}`", first.text))
                    .help(format!("write {}", one_of(choices, 8))))
            }
            Kind::Many(_) if first.is("none") => one(Value::Set(Default::default())),
            Kind::Many(kind) => self.several(kind, words, end),
        }
    }

    /// Returns the values of `kind` that follow one another, at least one.
    fn several(&self, kind: &Kind, words: &[Word<'_>], end: Span) -> Taken<Value> {
        let (value, mut taken) = self.value(kind, words, end)?;
        let mut set = std::collections::BTreeSet::from([value]);
        while let Some(rest) = words.get(taken..).filter(|rest| !rest.is_empty()) {
            let Ok((value, more)) = self.value(kind, rest, end) else { break };
            let written = rest.get(..more).unwrap_or_default();
            if let Some((first, last)) = written.first().zip(written.last()).filter(|_| set.contains(&value)) {
                let message = format!("`{}` is listed twice", self.write(Some(kind), &value));
                let plural = Kind::Many(Box::new(kind.clone())).name();
                return Err(WordError::new("listed_twice", first.span.to(last.span), message)
                    .help(format!("write each value once: `{plural}` is a set")));
            }
            set.insert(value);
            taken += more;
        }
        Ok((Value::Set(set), taken))
    }

    /// Returns the cell that a word names.
    ///
    /// # Errors
    /// Returns an error if the board has no such cell.
    pub fn cell(&self, word: &Word<'_>) -> Result<Cell, WordError> {
        if let Some(cell) = self.board.cell(word.text) {
            return Ok(cell);
        }
        if !self.board.has_cells() {
            return Err(no_board(word.span, format!("unknown cell `{}`: this game has no board", word.text)));
        }
        let misread = WordError::new("unknown_cell", word.span, format!("unknown cell `{}`", word.text));
        let lower = word.text.to_lowercase();
        let without_mark = word.text.trim_end_matches(['.', ';', '!']);
        if without_mark != word.text && self.board.cell(without_mark).is_some() {
            return Err(misread.help(format!("leave out the mark at its end: `{without_mark}`")));
        }
        if self.board.cell(&lower).is_some() {
            return Err(misread.help(format!("write cells in lower case: `{lower}`")));
        }
        // `5e` for `e5`
        let letters = word.text.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let turned = format!("{letters}{}", word.text.strip_suffix(letters).unwrap_or_default());
        if self.board.cell(&turned).is_some() {
            return Err(misread.help(format!("did you mean `{turned}`?")));
        }
        let last = self.board.names().last().unwrap_or_default();
        let first = self.board.names().next().unwrap_or_default();
        Err(misread.help(format!("the board is {}: its cells are `{first}` to `{last}`", self.board.words())))
    }

    /// Returns the player that a word names.
    ///
    /// # Errors
    /// Returns an error if the game has no such player.
    pub fn player(&self, word: &Word<'_>) -> Result<PlayerId, WordError> {
        let names = || self.schema.players.iter().map(String::as_str);
        self.schema.player(word.text).ok_or_else(|| {
            WordError::new("unknown_player", word.span, format!("unknown player `{}`", word.text)).help(
                did_you_mean(word.text, names()).unwrap_or_else(|| format!("the players are {}", one_of(names(), 9))),
            )
        })
    }

    /// Returns the number that a word is, or the number of the direction that it names.
    ///
    /// # Errors
    /// Returns an error if the word is neither a number nor a direction.
    pub fn number(&self, word: &Word<'_>) -> Result<i64, WordError> {
        if let Some(direction) = self.board.direction(word.text) {
            return Ok(i64::from(direction.0));
        }
        if let Some(plain) = plain_number(word.text) {
            let message = format!("`{}` is not written as a number is", word.text);
            return Err(WordError::new("not_a_number", word.span, message).help(format!("write `{plain}`")));
        }
        word.text.parse().map_err(|_| {
            // The names of directions are in capitals.
            let as_direction = word.text.chars().all(|letter| letter.is_ascii_uppercase());
            let names = one_of(self.board.headings().iter().map(|heading| heading.name), 12);
            let help = match names.as_str() {
                names if as_direction && !names.is_empty() => {
                    format!("write a whole number, such as `5`, or a direction: {names}")
                }
                _ => "write a whole number, such as `5`".to_owned(),
            };
            WordError::new("not_a_number", word.span, format!("`{}` is not a number", word.text)).help(help)
        })
    }

    /// Returns the direction that a word names, by number or by name.
    ///
    /// # Errors
    /// Returns an error if the board has no such direction.
    pub fn direction(&self, word: &Word<'_>) -> Result<Direction, WordError> {
        let numbered = || word.text.parse::<u8>().ok().map(Direction);
        let found = self.board.direction(word.text).or_else(numbered);
        found.filter(|direction| self.board.heading(*direction).is_some()).ok_or_else(|| {
            let names = || self.board.headings().iter().map(|heading| heading.name);
            let advice = did_you_mean(word.text, names())
                .unwrap_or_else(|| format!("the directions are {}, or their numbers from 1", one_of(names(), 8)));
            WordError::new("unknown_direction", word.span, format!("unknown direction `{}`", word.text)).help(advice)
        })
    }
}

/// Returns an error about something that needs a board, in a game without one.
#[must_use]
pub fn no_board(span: Span, message: impl Into<String>) -> WordError {
    WordError::new("no_board", span, message).help("declare a board in the game file: `board grid 8x8`")
}
