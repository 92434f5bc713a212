//! Reads values from the words of a line, and writes them.

use super::form::has_word;
use super::likely::{likely_name, listed_names};
use super::{Board, Cell, Direction, Kind, PieceDef, PieceId, PlayerId, Schema, Value};
use crate::diagnostic::{did_you_mean, one_of};
use crate::source::{Span, Spanned, Word, worded};

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

/// A piece and where it is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placing {
    /// The piece.
    pub piece: PieceId,
    /// The player written before it, with the location in the file.
    pub player: Option<Spanned<PlayerId>>,
    /// The cell, with the location in the file; `None` for a piece off the board.
    pub cell: Option<(Cell, Span)>,
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
            Kind::Many(_) if first.text == "none" && !first.quoted => one(Value::Set(Default::default())),
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

    /// Returns the piece that the first words name, by the longest matching name. A word in quotes is the whole name.
    ///
    /// # Errors
    /// Returns an error if no piece has such a name.
    pub fn piece(&self, words: &[Word<'_>]) -> Taken<PieceId> {
        let mut best: Option<(PieceId, usize)> = None;
        for (at, piece) in self.schema.pieces.iter().enumerate().filter(|(_, piece)| !piece.is_back()) {
            let taken = self.taken_with_kind(piece, words).or_else(|| taken_by(&piece.name, words));
            if let Some(taken) = taken.filter(|taken| best.is_none_or(|(_, most)| *taken > most)) {
                best = Some((PieceId::at(at), taken));
            }
        }
        best.ok_or_else(|| self.no_piece(words))
    }

    /// Returns the number of words of `white king`, if the king of white is named `white` alone, and no ask or event has
    /// the word `king`.
    fn taken_with_kind(&self, piece: &PieceDef, words: &[Word<'_>]) -> Option<usize> {
        let second = words.get(1).filter(|second| !second.quoted)?;
        let owner = words.first().filter(|first| !first.quoted && first.text == piece.name)?;
        self.schema.player(owner.text).filter(|player| piece.owner == Some(*player))?;
        let kind = self.schema.kinds.get(piece.kind.index()).filter(|kind| kind.name == second.text)?;
        let mut forms = self.schema.asks.iter().chain(&self.schema.events);
        (!forms.any(|form| has_word(&form.parts, &kind.name))).then_some(2)
    }

    /// Returns the help for words that name a piece by its kind and player in a wrong way: `king black` for `black
    /// king`, `black man` for a man named `black`.
    #[must_use]
    pub fn misnamed(&self, words: &[Word<'_>]) -> Option<String> {
        let (first, second) = words.first().zip(Self::second(words))?;
        let [kind, player] = [(first, second), (second, first)].into_iter().find_map(|(kind, player)| {
            self.schema.player(player.text)?;
            self.schema.kind(kind.text).map(|_| [kind.text, player.text])
        })?;
        let piece = self.schema.piece_of(self.schema.kind(kind)?, self.schema.player(player)?)?;
        let name = self.schema.piece_name(piece);
        Some(match name == player {
            true => format!("write `{name}`: the {kind} of {player} has this name"),
            false => format!("write `{name}`"),
        })
    }

    /// Returns the help for a word after the name of a piece, if it is nearly the rest of a longer name: `white kng`.
    fn continued(&self, known: PieceId, words: &[Word<'_>], extra: &WordError) -> Option<String> {
        let word = words.iter().find(|word| word.span == extra.span)?;
        let known = self.schema.piece_name(known);
        let names = self.schema.pieces.iter().map(|piece| piece.name.as_str());
        did_you_mean(word.text, names.filter_map(|name| name.strip_prefix(known)?.strip_prefix(' ')))
    }

    /// Returns a placed piece and its cell from the words before and after `at`; `at` is `None` for `off`.
    ///
    /// # Errors
    /// Returns an error if the piece or the cell is unknown, or a word is left over.
    pub fn placing(&self, piece: &[Word<'_>], at: Option<&[Word<'_>]>, end: Span) -> Result<Placing, WordError> {
        let read = self.prefixed_piece(piece)?;
        let (known, _) = read.0;
        let (piece, player) = whole(piece, read).map_err(|extra| {
            let named = self.misnamed(piece).or_else(|| self.continued(known, piece, &extra));
            extra.help(named.unwrap_or_else(|| "write `place PIECE at CELL` or `place PIECE off`".to_owned()))
        })?;
        let Some(at) = at else {
            if let Some(player) = player {
                let message = "a piece that is off the board has no player before it";
                let help = format!("write `place {} off`", self.schema.piece_name(piece));
                return Err(WordError::new("wrong_form", player.span, message).help(help));
            }
            return Ok(Placing { piece, player, cell: None });
        };
        let Some(first) = at.first() else {
            return Err(WordError::new("missing_value", end, "a cell is missing here"));
        };
        let is_start = self.board.is_numbered() && first.text == "start" && !first.quoted;
        if self.schema.is_zone(first.text) && self.board.cell(first.text).is_none() {
            let zone = at.iter().map(|word| word.text).filter(|word| *word != "of").collect::<Vec<_>>().join(" ");
            let message = format!("`{}` is a zone, not a cell", first.text);
            let help = format!("write `{zone}: {}`, with the other cards of the zone", self.schema.piece_name(piece));
            return Err(WordError::new("unknown_cell", first.span, message).help(help));
        }
        let cell = if is_start { None } else { Some((self.cell(first)?, first.span)) };
        whole(at, (cell, 1)).map(|cell| Placing { piece, player, cell }).map_err(|extra| {
            let name = self.schema.piece_name(piece);
            let more = at.iter().skip(1).filter(|word| self.board.cell(word.text).is_some()).map(|word| word.text);
            let more: Vec<&str> = more.filter(|_| self.schema.is_many(piece)).collect();
            let each = more.iter().map(|cell| format!(", {name} at {cell}")).collect::<String>();
            let each = if each.is_empty() { ", …".to_owned() } else { each };
            let help = format!(
                "place a piece on one cell, and separate placements by commas: `place {name} at {}{each}`",
                first.text
            );
            extra.help(help)
        })
    }

    /// Returns the second word of a name: `ulla` of `boat ulla` and `boat of ulla`.
    fn second<'w, 's>(words: &'w [Word<'s>]) -> Option<&'w Word<'s>> {
        let second = words.get(1)?;
        if second.text == "of" && !second.quoted { words.get(2) } else { Some(second) }
    }

    fn no_piece(&self, words: &[Word<'_>]) -> WordError {
        let Some(first) = words.first() else {
            return WordError::new("missing_value", Span::default(), "a piece is missing here");
        };
        if let Some((help, second)) = self.misnamed(words).zip(Self::second(words)) {
            let of = if words.get(1) == Some(second) { "" } else { "of " };
            let message = format!("unknown piece `{} {of}{}`", first.text, second.text);
            return WordError::new("unknown_piece", first.span.to(second.span), message).help(help);
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
                Some(number) => format!("unknown piece `{} {}`", first.text, number.text),
                None => format!("`{}` names several pieces", first.text),
            };
            return WordError::new("unknown_piece", first.span, message).help(format!("write {}", one_of(same, 9)));
        }
        if let Some(misread) = Self::no_such_rest(words, names) {
            return misread;
        }
        let advice = likely_name(words, names()).unwrap_or_else(|| match listed_names(names(), 14) {
            none if none.is_empty() => "this game has no pieces".to_owned(),
            list => format!("the pieces are {list}"),
        });
        WordError::new("unknown_piece", first.span, format!("unknown piece `{}`", first.text)).help(advice)
    }

    /// Returns the error for `oak 7`, if some names begin with `oak` and none goes on with `7`.
    fn no_such_rest<'n, I: Iterator<Item = &'n str> + Clone>(
        words: &[Word<'_>],
        names: impl Fn() -> I,
    ) -> Option<WordError> {
        let (first, second) =
            words.first().zip(words.get(1)).filter(|(first, second)| !first.quoted && !second.quoted)?;
        let begins =
            |name: &&str| name.split_once(' ').is_some_and(|(start, _)| start.eq_ignore_ascii_case(first.text));
        names().find(begins)?;
        let written = format!("{} {}", first.text, second.text);
        let lower = names().find(|name| name.eq_ignore_ascii_case(&written)).map(|name| format!("write `{name}`"));
        let listed = || format!("the names are {}", listed_names(names().filter(begins), 9));
        let help = lower.or_else(|| likely_name(words, names())).unwrap_or_else(listed);
        let message = format!("unknown piece `{written}`");
        Some(WordError::new("unknown_piece", first.span.to(second.span), message).help(help))
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
            (_, Value::Text(text)) => worded(text).into_owned(),
            (_, Value::Player(player)) => self.schema.player_name(*player).to_owned(),
            (_, Value::Piece(piece)) => self.schema.written_piece(*piece),
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

/// Returns an error about something that needs a board, in a game without one.
#[must_use]
pub fn no_board(span: Span, message: impl Into<String>) -> WordError {
    WordError::new("no_board", span, message).help("declare a board in the game file: `board grid 8x8`")
}

/// Returns the number of words of `name` if `words` begin with it.
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
