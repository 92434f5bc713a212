//! The names of a game, and values of one word or of several.

use super::phrase::Phrase;
use crate::{Board, Cell, Cells, Direction, Kind, PlaceKind, PlayerId, Schema, Value};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_source::{Source, Span, Word, texts};
use std::sync::Arc;

/// Returns `2` for `02` and `+2`.
fn plain_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let odd = digits.len() < text.len() || digits.len() > 1 && digits.starts_with('0');
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten().filter(|_| odd)
}

/// The most words of the name of a place.
const LONGEST_NAME: usize = 8;

/// The names of a game on one of its boards.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The declarations of the game.
    pub schema: &'a Schema,
    /// The board.
    pub board: &'a Board,
}

impl Names<'_> {
    /// Returns whether the first words are the name of a place of the board, and others follow.
    #[must_use]
    pub fn begins_with_place(&self, words: Phrase<'_>) -> bool {
        let is_place =
            |count: usize| words.words().get(..count).is_some_and(|words| self.board.cell(&texts(words)).is_some());
        (1..words.len().min(LONGEST_NAME)).any(is_place)
    }

    /// Takes a value of `kind`.
    ///
    /// # Errors
    /// Returns an error if there are no words, or they do not name such a value.
    pub fn value(&self, kind: &Kind, words: &mut Phrase<'_>) -> Result<Value, Diagnostic> {
        let Some(first) = words.first() else {
            let missing = words.missing(format!("{kind} is missing here"));
            // For other kinds the caller adds the form of the line.
            let is_number = matches!(kind, Kind::Number);
            return Err(if is_number { missing.help("write one at the end of this line") } else { missing });
        };
        let value = match kind {
            Kind::Piece => return self.piece(words).map(Value::Piece),
            Kind::Amount => return self.amount(words),
            Kind::Many(several, one) if !first.is("none") => return self.several(*several, one, words),
            Kind::Many(..) => kind.initial(),
            Kind::Cell => Value::Cell(self.cell(first)?),
            Kind::Player => Value::Player(self.player(first)?),
            Kind::Number => Value::Int(self.number(first)?),
            Kind::Direction => Value::Int(i64::from(self.direction(first)?.0)),
            Kind::Move => Value::Move(self.moved(first)?),
            Kind::Text => Value::text(first.text),
            Kind::Word(choices) if choices.iter().any(|choice| choice == first.text) => Value::text(first.text),
            Kind::Word(choices) => {
                let choices = choices.iter().map(String::as_str);
                return Err(Diagnostic::on(Code::UnknownWord, first, format!("unknown word `{}`", first.text))
                    .help(format!("write {}", one_of(choices, 8))));
            }
        };
        words.skip(1);
        Ok(value)
    }

    /// Returns the cell that a word names.
    ///
    /// # Errors
    /// Returns an error if the board has no such cell.
    pub fn cell(&self, word: &Word<'_>) -> Result<Cell, Diagnostic> {
        if let Some(cell) = self.board.cell(word.text) {
            return Ok(cell);
        }
        if !self.board.has_cells() {
            let message = format!("unknown cell `{}`: this game has no board", word.text);
            return Err(no_board(word.source, word.span, message));
        }
        let misread = Diagnostic::on(Code::UnknownCell, word, format!("unknown cell `{}`", word.text));
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
        if self.board.as_graph().is_some() {
            let places = || self.board.names();
            let links = || self.board.seconds().map(|link| self.board.name(link));
            let longer = places().find(|name| name.strip_prefix(word.text).is_some_and(|rest| rest.starts_with(' ')));
            let help = match longer.filter(|_| !word.quoted) {
                Some(longer) => format!("write a name of several words in quotes: `\"{longer}\"`"),
                None => did_you_mean(word.text, places().chain(links()))
                    .unwrap_or_else(|| format!("the places are {}", one_of(places(), 12))),
            };
            return Err(misread.help(help));
        }
        if let Some(help) = self.second_help(word.text) {
            return Err(misread.help(help));
        }
        let last = self.board.names().last().unwrap_or_default();
        let first = self.board.names().next().unwrap_or_default();
        Err(misread.help(format!("the board is {}: its cells are `{first}` to `{last}`", self.board.words())))
    }

    /// Returns the help for a word that is written like a side or a corner; `None` if it is not.
    fn second_help(&self, text: &str) -> Option<String> {
        let (mark, kind, what, example) = match text.contains('/') {
            true => ('/', PlaceKind::Side, "sides", "N"),
            false => ('^', PlaceKind::Corner, "corners", "NE"),
        };
        let (cell, _) = text.split_once(mark)?;
        if !self.board.is_even() && !self.board.has_second() || self.board.is_numbered() || self.board.is_open() {
            return None;
        }
        let Some(places) = self.board.places(kind) else {
            return Some(format!("this board has no {what} as places: `board … with {what}` has them"));
        };
        let own = self.board.cell(cell).map(|cell| self.board.joined(&Cells::of(self.board.size(), [cell]), kind));
        let names: Vec<&str> = own.as_ref().unwrap_or(places).iter().map(|place| self.board.name(place)).collect();
        let cell = if own.is_some() { cell } else { "a1" };
        Some(format!(
            "write the cell and a direction, such as `{cell}{mark}{example}`: {what} are {}",
            one_of(names.into_iter(), 6)
        ))
    }

    /// Returns the player that a word names.
    ///
    /// # Errors
    /// Returns an error if the game has no such player.
    pub fn player(&self, word: &Word<'_>) -> Result<PlayerId, Diagnostic> {
        let names = || self.schema.players.iter().map(String::as_str);
        self.schema.player(word.text).ok_or_else(|| {
            Diagnostic::on(Code::UnknownPlayer, word, format!("unknown player `{}`", word.text)).help(
                did_you_mean(word.text, names()).unwrap_or_else(|| format!("the players are {}", one_of(names(), 9))),
            )
        })
    }

    /// Returns the number that a word is, or the number of the direction that it names.
    ///
    /// # Errors
    /// Returns an error if the word is neither a number nor a direction.
    pub fn number(&self, word: &Word<'_>) -> Result<i64, Diagnostic> {
        if let Some(direction) = self.board.direction(word.text) {
            return Ok(i64::from(direction.0));
        }
        if let Some(plain) = plain_number(word.text) {
            let message = format!("`{}` is not written as a number is", word.text);
            return Err(Diagnostic::on(Code::NotANumber, word, message).help(format!("write `{plain}`")));
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
            Diagnostic::on(Code::NotANumber, word, format!("`{}` is not a number", word.text)).help(help)
        })
    }

    /// Returns the direction that a word names, by number or by name.
    ///
    /// # Errors
    /// Returns an error if the board has no such direction.
    pub fn direction(&self, word: &Word<'_>) -> Result<Direction, Diagnostic> {
        let numbered = || word.text.parse::<u8>().ok().map(Direction);
        let found = self.board.direction(word.text).or_else(numbered);
        found.filter(|direction| self.board.heading(*direction).is_some()).ok_or_else(|| {
            let names = || self.board.headings().iter().map(|heading| heading.name);
            let advice = did_you_mean(word.text, names())
                .unwrap_or_else(|| format!("the directions are {}, or their numbers from 1", one_of(names(), 8)));
            Diagnostic::on(Code::UnknownDirection, word, format!("unknown direction `{}`", word.text)).help(advice)
        })
    }
}

/// Returns an error about something that needs a board, in a game without one.
#[must_use]
pub fn no_board(source: &Arc<Source>, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::NoBoard, source, span, message).help("declare a board in the game file: `board grid 8x8`")
}
