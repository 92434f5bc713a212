//! Reading values from the words of a line, and writing them again.

use super::{Board, Cell, Direction, Kind, PieceId, PlayerId, Schema, Value};
use crate::diagnostic::{did_you_mean, one_of};
use crate::source::{Span, Spanned, Word};

/// Why words do not say what they should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// The code of the diagnostic.
    pub code: &'static str,
    /// The words that are wrong, or the end of the line.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl Misread {
    /// Something wrong at `span`.
    pub fn new(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { code, span, message: message.into(), help: None }
    }

    /// Returns the same, with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Returns the same, with advice where there is some.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }
}

/// A value and how many words it took.
pub(super) type Taken<T> = Result<(T, usize), Misread>;

/// Returns the value if it took all of `words`.
///
/// # Errors
/// A word is left over: it means nothing, and no line holds such a word.
pub fn whole<T>(words: &[Word<'_>], (value, taken): (T, usize)) -> Result<T, Misread> {
    match words.get(taken) {
        None => Ok(value),
        Some(extra) => {
            let message = format!("`{}` does not belong here", extra.text);
            Err(Misread::new("wrong_form", extra.span, message))
        }
    }
}

/// A piece that is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placing {
    /// The piece.
    pub piece: PieceId,
    /// The player who is written before it, with the location in the file.
    pub player: Option<Spanned<PlayerId>>,
    /// The cell on which it is placed with its location in the file; without a cell it is off the board.
    pub cell: Option<(Cell, Span)>,
}

/// The names of a game on a board of a certain size.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// What the game declares.
    pub schema: &'a Schema,
    /// The board.
    pub board: &'a Board,
}

impl Names<'_> {
    /// Returns a value of `kind` from the first of `words`; `end` is the place behind the last word.
    ///
    /// # Errors
    /// No word, or none that names such a value; with a suggestion where one is near.
    pub fn value(&self, kind: &Kind, words: &[Word<'_>], end: Span) -> Taken<Value> {
        let Some(first) = words.first() else {
            let misread = Misread::new("missing_value", end, format!("{kind} is missing here"));
            // Of other kinds the caller knows the form of the line.
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
                Err(Misread::new("unknown_word", first.span, format!("`{}` cannot stand here", first.text))
                    .help(format!("write {}", one_of(choices, 8))))
            }
            Kind::Many(_) if first.text == "none" && !first.quoted => one(Value::Set(Default::default())),
            Kind::Many(kind) => self.several(kind, words, end),
        }
    }

    /// As many values of `kind` as follow one another, at least one.
    fn several(&self, kind: &Kind, words: &[Word<'_>], end: Span) -> Taken<Value> {
        let (value, mut taken) = self.value(kind, words, end)?;
        let mut set = std::collections::BTreeSet::from([value]);
        while let Some(rest) = words.get(taken..).filter(|rest| !rest.is_empty()) {
            let Ok((value, more)) = self.value(kind, rest, end) else { break };
            set.insert(value);
            taken += more;
        }
        Ok((Value::Set(set), taken))
    }

    /// Returns the cell that a word names.
    ///
    /// # Errors
    /// The board has no such cell.
    pub fn cell(&self, word: &Word<'_>) -> Result<Cell, Misread> {
        if let Some(cell) = self.board.cell(word.text) {
            return Ok(cell);
        }
        if !self.board.has_cells() {
            return Err(no_board(word.span, format!("this game has no board, and so no cell `{}`", word.text)));
        }
        let misread = Misread::new("unknown_cell", word.span, format!("the board has no cell `{}`", word.text));
        let lower = word.text.to_lowercase();
        if self.board.cell(&lower).is_some() {
            return Err(misread.help(format!("cells are written in small letters: `{lower}`")));
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
    /// The game has no such player.
    pub fn player(&self, word: &Word<'_>) -> Result<PlayerId, Misread> {
        let names = || self.schema.players.iter().map(String::as_str);
        self.schema.player(word.text).ok_or_else(|| {
            Misread::new("unknown_player", word.span, format!("there is no player `{}`", word.text)).help(
                did_you_mean(word.text, names()).unwrap_or_else(|| format!("the players are {}", one_of(names(), 9))),
            )
        })
    }

    /// Returns the number that a word says, or the number of the direction that it names.
    ///
    /// # Errors
    /// It is neither.
    pub fn number(&self, word: &Word<'_>) -> Result<i64, Misread> {
        if let Some(direction) = self.board.direction(word.text) {
            return Ok(i64::from(direction.0));
        }
        word.text.parse().map_err(|_| {
            // Numbers can be directions, which are written in capital letters.
            let as_direction = word.text.chars().all(|letter| letter.is_ascii_uppercase());
            let names = one_of(self.board.headings().iter().map(|heading| heading.name), 12);
            let help = match names.as_str() {
                names if as_direction && !names.is_empty() => {
                    format!("write a whole number, such as `5`, or a direction: {names}")
                }
                _ => "write a whole number, such as `5`".to_owned(),
            };
            Misread::new("not_a_number", word.span, format!("`{}` is not a number", word.text)).help(help)
        })
    }

    /// Returns the direction that a word names, by number or by name.
    ///
    /// # Errors
    /// The board has no such direction.
    pub fn direction(&self, word: &Word<'_>) -> Result<Direction, Misread> {
        let numbered = || word.text.parse::<u8>().ok().map(Direction);
        let found = self.board.direction(word.text).or_else(numbered);
        found.filter(|direction| self.board.heading(*direction).is_some()).ok_or_else(|| {
            let names = || self.board.headings().iter().map(|heading| heading.name);
            let advice = did_you_mean(word.text, names())
                .unwrap_or_else(|| format!("the directions are {}, or their numbers from 1", one_of(names(), 8)));
            Misread::new("unknown_direction", word.span, format!("there is no direction `{}`", word.text)).help(advice)
        })
    }

    /// Returns the piece that the first words name: the longest name that fits. A word in quotes is the whole name.
    ///
    /// # Errors
    /// No piece is called so.
    pub fn piece(&self, words: &[Word<'_>]) -> Taken<PieceId> {
        let mut best: Option<(PieceId, usize)> = None;
        for (at, piece) in self.schema.pieces.iter().enumerate().filter(|(_, piece)| !piece.is_back()) {
            if let Some(taken) = taken_by(&piece.name, words).filter(|taken| best.is_none_or(|(_, most)| *taken > most))
            {
                best = Some((PieceId::at(at), taken));
            }
        }
        best.ok_or_else(|| self.no_piece(words))
    }

    /// What is to be written where words name a kind and a player otherwise: `king black` for `black king`, `black man` for
    /// the man that is called `black`.
    #[must_use]
    pub fn misnamed(&self, words: &[Word<'_>]) -> Option<String> {
        let (first, second) = words.first().zip(words.get(1))?;
        let [kind, player] = [(first, second), (second, first)].into_iter().find_map(|(kind, player)| {
            self.schema.player(player.text)?;
            self.schema.kind(kind.text).map(|_| [kind.text, player.text])
        })?;
        let piece = self.schema.piece_of(self.schema.kind(kind)?, self.schema.player(player)?)?;
        let name = self.schema.piece_name(piece);
        Some(match name == player {
            true => format!("the {kind} of {player} is called `{name}`"),
            false => format!("write `{name}`"),
        })
    }

    /// Returns the piece that is placed and its cell, from the words before and after `at`; `at` is `None` for `off`.
    ///
    /// # Errors
    /// There is no such piece or cell, or a word is left over.
    pub fn placing(&self, piece: &[Word<'_>], at: Option<&[Word<'_>]>, end: Span) -> Result<Placing, Misread> {
        let read = self.prefixed_piece(piece)?;
        let (piece, player) = whole(piece, read).map_err(|extra| {
            let named = self.misnamed(piece);
            extra.help(named.unwrap_or_else(|| "write `place PIECE at CELL` or `place PIECE off`".to_owned()))
        })?;
        let Some(at) = at else {
            if let Some(player) = player {
                let message = "a player stands before a piece that lies on the board";
                let help = format!("write `place {} off`", self.schema.piece_name(piece));
                return Err(Misread::new("wrong_form", player.span, message).help(help));
            }
            return Ok(Placing { piece, player, cell: None });
        };
        let Some(first) = at.first() else {
            return Err(Misread::new("missing_value", end, "a cell is missing here"));
        };
        let is_start = self.board.is_numbered() && first.text == "start" && !first.quoted;
        let cell = if is_start { None } else { Some((self.cell(first)?, first.span)) };
        whole(at, (cell, 1)).map(|cell| Placing { piece, player, cell }).map_err(|extra| {
            let name = self.schema.piece_name(piece);
            let help = format!(
                "a piece is placed on one cell, and a comma begins the next: `place {name} at {}, …`",
                first.text
            );
            extra.help(help)
        })
    }

    fn no_piece(&self, words: &[Word<'_>]) -> Misread {
        let Some(first) = words.first() else {
            return Misread::new("missing_value", Span::default(), "a piece is missing here");
        };
        if let Some((help, second)) = self.misnamed(words).zip(words.get(1)) {
            let message = format!("there is no piece `{} {}`", first.text, second.text);
            return Misread::new("unknown_piece", first.span.to(second.span), message).help(help);
        }
        let named = || self.schema.pieces.iter().filter(|piece| !piece.is_back());
        let names = || named().map(|piece| piece.name.as_str());
        if self.schema.kind(first.text).is_some() {
            let start = format!("{} ", first.text);
            let kind = self.schema.kind(first.text);
            let of_kind = || self.schema.pieces.iter().filter(|piece| Some(piece.kind) == kind);
            let of_kind = || of_kind().map(|piece| piece.name.as_str());
            let same =
                of_kind().filter(|name| of_kind().all(|name| !name.starts_with(&start)) || name.starts_with(&start));
            let number = words.get(1).filter(|word| word.text.parse::<i64>().is_ok());
            let message = match number {
                Some(number) => format!("there is no piece `{} {}`", first.text, number.text),
                None => format!("there are several pieces called `{}`", first.text),
            };
            return Misread::new("unknown_piece", first.span, message).help(format!("write {}", one_of(same, 9)));
        }
        let advice =
            did_you_mean(first.text, names()).unwrap_or_else(|| format!("the pieces are {}", one_of(names(), 14)));
        Misread::new("unknown_piece", first.span, format!("there is no piece `{}`", first.text)).help(advice)
    }

    /// Returns a value in the words of a line.
    #[must_use]
    pub fn write(&self, kind: Option<&Kind>, value: &Value) -> String {
        match (kind, value) {
            (Some(Kind::Direction), Value::Int(number)) => {
                let heading = u8::try_from(*number).ok().and_then(|number| self.board.heading(Direction(number)));
                heading.map_or_else(|| number.to_string(), |heading| heading.name.to_owned())
            }
            (_, Value::Nothing) => "none".to_owned(),
            (_, Value::Bool(truth)) => truth.to_string(),
            (_, Value::Int(number)) => number.to_string(),
            (_, Value::Text(text)) if text.contains(' ') || text.is_empty() => format!("\"{text}\""),
            (_, Value::Text(text)) => text.to_string(),
            (_, Value::Player(player)) => self.schema.player_name(*player).to_owned(),
            (_, Value::Piece(piece)) => self.schema.piece_name(*piece).to_owned(),
            (_, Value::Cell(cell)) => self.board.name(*cell).to_owned(),
            (_, Value::Move(made)) => self.write_move(made),
            (_, Value::Set(set)) if set.is_empty() => "none".to_owned(),
            (_, Value::Set(set)) => self.join(kind, set.iter(), " "),
            (_, Value::List(list)) => format!("[{}]", self.join(kind, list.iter(), ", ")),
            (_, Value::Map(map)) => {
                let pairs = map.iter().map(|(name, value)| format!("{name}: {}", self.write(None, value)));
                format!("#{{{}}}", pairs.collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn join<'v>(&self, kind: Option<&Kind>, values: impl Iterator<Item = &'v Value>, between: &str) -> String {
        let one = match kind {
            Some(Kind::Many(one)) => Some(&**one),
            other => other,
        };
        let between = if matches!(one, Some(Kind::Piece)) { ", " } else { between };
        values.map(|value| self.write(one, value)).collect::<Vec<_>>().join(between)
    }
}

/// Something that needs a board, in a game without one.
pub(super) fn no_board(span: Span, message: impl Into<String>) -> Misread {
    Misread::new("no_board", span, message).help("a game with a board declares it in its game file: `board grid 8x8`")
}

/// Returns how many words the name takes at the beginning of `words`, if it stands there.
fn taken_by(name: &str, words: &[Word<'_>]) -> Option<usize> {
    if words.first().is_some_and(|word| word.text == name) {
        return Some(1);
    }
    let mut taken = 0;
    for part in name.split(' ') {
        words.get(taken).filter(|word| word.text == part && !word.quoted)?;
        taken += 1;
    }
    Some(taken)
}
