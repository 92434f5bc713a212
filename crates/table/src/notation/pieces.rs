//! The names of pieces, of several words and with or without a player before them; and where a piece is placed.

use std::sync::Arc;

use super::likely::{likely_name, listed_names};
use super::names::Names;
use super::phrase::Phrase;
use crate::{Cell, Each, MOST_ON_A_CELL, PieceDef, PieceId, PlayerId, times};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_source::{Source, Span, Spanned, Word, texts, unescaped};

/// A piece, and the player written before it with the location in the file.
pub type Prefixed = (PieceId, Option<Spanned<PlayerId>>);

/// A piece and where it is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placing {
    /// The piece.
    pub piece: PieceId,
    /// The player written before it, with the location in the file.
    pub player: Option<Spanned<PlayerId>>,
    /// The cell, with the location in the file; `None` for a piece off the board.
    pub cell: Option<(Cell, Span)>,
    /// How many of them; more than one only where they stack.
    pub count: usize,
}

impl<'a> Names<'a> {
    /// Returns the player before the colon of a word like `ann:Pooga`, and the word after it.
    ///
    /// # Errors
    /// Returns an error if the player is unknown, or one side of the colon is empty.
    pub fn prefix<'w>(&self, word: &Word<'w>) -> Result<(Option<Spanned<PlayerId>>, Word<'w>), Diagnostic>
    where
        'a: 'w,
    {
        let whole = Ok((None, *word));
        let Some((before, after)) = word.prefixed() else { return whole };
        let shown = self.schema.properties.iter().any(|property| property.in_drawings);
        let piece = || self.schema.pieces.iter().any(|piece| piece.symbol == word.text || piece.name == word.text);
        if !shown && (self.schema.player(before.text).is_none() || piece()) {
            return whole;
        }
        let missing = |what: &str| {
            let [player, _] = self.schema.example_players();
            let help = format!("write `{player}:PIECE`, or the piece alone");
            Err(Diagnostic::on(Code::MissingValue, word, format!("{what} the colon is missing")).help(help))
        };
        if before.text.is_empty() {
            return missing("the player before");
        }
        if after.span.range().is_empty() {
            return missing("the piece after");
        }
        let player = self.player(&before)?;
        // The text of a word is a part of the line, or a name of the game.
        let known = self.schema.pieces.iter().filter(|_| after.quoted && after.text.contains('\\'));
        let known = known.map(|piece| piece.name.as_str()).find(|name| *name == unescaped(after.text));
        Ok((Some(Spanned::new(player, before.span)), Word { text: known.unwrap_or(after.text), ..after }))
    }

    /// Takes a piece, with or without a player before it.
    ///
    /// # Errors
    /// Returns an error if the piece or the player is unknown, or such a piece cannot have a player before it.
    pub fn prefixed_piece(&self, words: &mut Phrase<'_>) -> Result<Prefixed, Diagnostic> {
        let Some((first, more)) = words.words().split_first() else {
            return self.piece(words).map(|piece| (piece, None));
        };
        let (player, first) = self.prefix(first)?;
        let own: Vec<Word<'_>> = std::iter::once(first).chain(more.iter().copied()).collect();
        let mut own = words.with(&own);
        let piece = self.piece(&mut own)?;
        words.skip(words.len() - own.len());
        self.fits_prefix(words.source(), player, piece)?;
        Ok((piece, player))
    }

    /// Checks that a piece may have a player before it.
    pub(crate) fn fits_prefix(
        &self,
        source: &Arc<Source>,
        player: Option<Spanned<PlayerId>>,
        piece: PieceId,
    ) -> Result<(), Diagnostic> {
        let Some(player) = player.filter(|_| self.schema.drawn_property(piece).is_none()) else { return Ok(()) };
        let kind = self.schema.pieces.get(piece.index()).and_then(|piece| self.schema.kinds.get(piece.kind.index()));
        let kind = kind.map_or("KIND", |kind| kind.name.as_str());
        let name = self.schema.player_name(player.node);
        let message = format!("`{kind}` cannot have a player before it: it has no property `in drawings`");
        let help = format!("remove `{name}:`, or declare `property controller for each {kind} PLAYER in drawings`");
        Err(Diagnostic::new(Code::UnknownProperty, source, player.span, message).help(help))
    }

    /// Takes a piece: the one with the longest name that fits. A word in quotes is the whole name.
    ///
    /// # Errors
    /// Returns an error if no piece has such a name.
    pub fn piece(&self, words: &mut Phrase<'_>) -> Result<PieceId, Diagnostic> {
        let (piece, rest) = self.known_piece(*words).ok_or_else(|| self.unknown_piece(*words))?;
        if rest.first().is_some_and(|next| self.numbered_kind(next).is_some())
            && let Some(misread) = self.misnumbered(*words)
        {
            return Err(misread);
        }
        *words = rest;
        Ok(piece)
    }

    /// Returns the piece that the next words name, as [`Self::piece`] does, and the words after it; `None` if there is none.
    #[must_use]
    pub fn known_piece<'w>(&self, words: Phrase<'w>) -> Option<(PieceId, Phrase<'w>)> {
        let (piece, taken) = self.longest(words.words())?;
        Some((piece, words.from(taken)))
    }

    /// Returns the piece with the longest name that words begin with, and the number of these words.
    pub(super) fn longest(&self, words: &[Word<'_>]) -> Option<(PieceId, usize)> {
        self.longest_by(|piece, def| self.taken_with_kind(piece, words).or_else(|| taken_by(&def.name, words)))
    }

    /// Takes a piece whose name does not go on with its kind: `white` of `white king`.
    pub(super) fn piece_without_kind(&self, words: &mut Phrase<'_>) -> Option<PieceId> {
        let (piece, taken) = self.longest_by(|_, def| taken_by(&def.name, words.words()))?;
        words.skip(taken);
        Some(piece)
    }

    /// Returns the piece of whose name most words are taken, and their number.
    fn longest_by(&self, taken: impl Fn(PieceId, &PieceDef) -> Option<usize>) -> Option<(PieceId, usize)> {
        let mut best: Option<(PieceId, usize)> = None;
        for (at, piece) in self.schema.pieces.iter().enumerate().filter(|(_, piece)| !piece.is_back()) {
            let id = PieceId::at(at);
            if let Some(taken) = taken(id, piece).filter(|taken| best.is_none_or(|(_, most)| *taken > most)) {
                best = Some((id, taken));
            }
        }
        best
    }

    /// Returns the number of words of `white king`, if the king of white is named `white` alone.
    fn taken_with_kind(&self, piece: PieceId, words: &[Word<'_>]) -> Option<usize> {
        let def = self.schema.pieces.get(piece.index())?;
        let second = words.get(1).filter(|second| !second.quoted)?;
        let owner = words.first().filter(|first| !first.quoted && first.text == def.name)?;
        self.schema.player(owner.text).filter(|player| def.owner == Some(*player))?;
        self.schema.kinds.get(def.kind.index()).filter(|kind| kind.name == second.text).map(|_| 2)
    }

    /// Returns the kind that a word names, and the first and the last number, if each player has several numbered pieces
    /// of it.
    fn numbered_kind<'k>(&'k self, word: &Word<'_>) -> Option<(&'k str, (i64, i64))> {
        let kind = self.schema.kinds.iter().find(|kind| word.is(&kind.name))?;
        match kind.each {
            Each::PlayerNumber(first, last) => Some((&kind.name, (first, last))),
            _ => None,
        }
    }

    /// Returns the error for words that are meant as a numbered piece of a player and do not name one: `white man`, `white
    /// man 9`, `man 3`, `man 3 of white`, `white 3`. `None` for other words.
    #[must_use]
    pub fn misnumbered(&self, phrase: Phrase<'_>) -> Option<Diagnostic> {
        let schema = self.schema;
        let mut only = schema.kinds.iter().filter(|kind| matches!(kind.each, Each::PlayerNumber(..)));
        let only = only.next().filter(|_| only.next().is_none());
        let (mut player, mut kind, mut number, mut written) = (None, None, None, Vec::new());
        for word in phrase.words().iter().take(4).filter(|word| !word.quoted) {
            let named = self.numbered_kind(word);
            match word.text.parse::<i64>().ok() {
                Some(found) if number.is_none() => number = Some(found),
                None if player.is_none() && schema.player(word.text).is_some() => player = Some(word.text),
                None if kind.is_none() && named.is_some() => kind = named,
                None if word.is("of") && !written.is_empty() => {}
                _ => break,
            }
            written.push(*word);
        }
        if kind.is_none() && player.is_some() && number.is_some() {
            kind = only.and_then(|kind| match kind.each {
                Each::PlayerNumber(first, last) => Some((kind.name.as_str(), (first, last))),
                _ => None,
            });
        }
        let (kind, (first, last)) = kind?;
        let span = written.first()?.span.to(written.last()?.span);
        let text = texts(&written);
        let who = player.unwrap_or_else(|| schema.example_players()[0]);
        let named = |number: i64| format!("{who} {kind} {number}");
        let is_known = |number: &i64| (first..=last).contains(number);
        let all = || match first == last {
            true => format!("write `{}`", named(first)),
            false => format!("write `{}` … `{}`", named(first), named(last)),
        };
        let (message, help) = match (number, player) {
            (Some(number), Some(_)) if is_known(&number) && text == named(number) => return None,
            (Some(number), Some(_)) if is_known(&number) => {
                (format!("unknown piece `{text}`"), format!("write `{}`", named(number)))
            }
            (Some(_), Some(_)) => (format!("unknown piece `{text}`"), all()),
            (Some(number), None) if is_known(&number) => {
                (format!("`{text}` names a piece of each player"), format!("write for example `{}`", named(number)))
            }
            _ => (format!("`{text}` names several pieces"), all()),
        };
        Some(phrase.wrong(Code::UnknownPiece, span, message).help(help))
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
    #[must_use]
    pub fn continued(&self, known: PieceId, word: &Word<'_>) -> Option<String> {
        let kind = self.schema.name_with_kind(known);
        let known = self.schema.piece_name(known);
        let names = self.schema.pieces.iter().map(|piece| piece.name.as_str()).chain(kind.as_deref());
        did_you_mean(word.text, names.filter_map(|name| name.strip_prefix(known)?.strip_prefix(' ')))
    }

    /// Returns a placed piece and its cell from the words before and after `at`; `at` is `None` for `off`.
    ///
    /// # Errors
    /// Returns an error if the piece or the cell is unknown, or a word is left over.
    pub fn placing(&self, mut words: Phrase<'_>, at: Option<Phrase<'_>>) -> Result<Placing, Diagnostic> {
        let all = words;
        let (piece, player) = self.prefixed_piece(&mut words)?;
        let counted = words.first().copied();
        let count = self.times(&mut words, piece)?;
        if let Some((extra, wrong)) = words.first().zip(words.extra()) {
            if let Some(misread) = self.misnumbered(all) {
                return Err(misread);
            }
            let named = self.misnamed(all.words()).or_else(|| self.continued(piece, extra));
            let named = named.unwrap_or_else(|| "write `place PIECE at CELL` or `place PIECE off`".to_owned());
            return Err(wrong.help(named));
        }
        let Some(at) = at else {
            if let Some(player) = player {
                let message = "a piece that is off the board has no player before it";
                let help = format!("write `place {} off`", self.schema.piece_name(piece));
                return Err(all.wrong(Code::WrongForm, player.span, message).help(help));
            }
            return Ok(Placing { piece, player, cell: None, count });
        };
        let Some(first) = at.first() else { return Err(at.missing("a cell is missing here")) };
        let is_start = self.board.is_numbered() && first.is("start");
        if self.schema.is_zone(first.text) && self.board.cell(first.text).is_none() {
            let zone =
                at.words().iter().map(|word| word.text).filter(|word| *word != "of").collect::<Vec<_>>().join(" ");
            let message = format!("`{}` is a zone, not a cell", first.text);
            let help = format!("write `{zone}: {}`, with the other cards of the zone", self.schema.piece_name(piece));
            return Err(Diagnostic::on(Code::UnknownCell, first, message).help(help));
        }
        let cell = if is_start { None } else { Some((self.cell(first)?, first.span)) };
        if let Some(extra) = at.from(1).extra() {
            let name = self.schema.piece_name(piece);
            let more = at.words().iter().skip(1).filter(|word| self.board.cell(word.text).is_some());
            let more: Vec<&str> = more.map(|word| word.text).filter(|_| self.schema.is_many(piece)).collect();
            let each = more.iter().map(|cell| format!(", {name} at {cell}")).collect::<String>();
            let each = if each.is_empty() { ", …".to_owned() } else { each };
            let count = at.get(1).filter(|word| times(word.text).is_some());
            let help = count.map(|count| format!("write `place {name} {} at {}`", count.text, first.text));
            let help = help.unwrap_or_else(|| {
                format!(
                    "place a piece on one cell, and separate placements by commas: `place {name} at {}{each}`",
                    first.text
                )
            });
            return Err(extra.help(help));
        }
        if let (Some((cell, _)), Some(word)) = (cell, counted)
            && count > 1
            && !self.board.stacks(cell)
        {
            let message = format!("only one piece can be on {}", self.board.name(cell));
            let help =
                "place each on a cell of its own, or declare in the game file that pieces stack: `board … stacks`";
            return Err(Diagnostic::on(Code::Occupied, &word, message).help(help));
        }
        Ok(Placing { piece, player, cell, count })
    }

    /// Takes `x3` after a piece, if it stands there, and returns the number; otherwise 1.
    ///
    /// # Errors
    /// Returns an error if there cannot be so many.
    pub fn times(&self, words: &mut Phrase<'_>, piece: PieceId) -> Result<usize, Diagnostic> {
        let Some((word, count)) = words.first().and_then(|word| Some((word, times(word.text)?))) else { return Ok(1) };
        if word.quoted || self.schema.piece(word.text).is_some() {
            return Ok(1);
        }
        let name = self.schema.piece_name(piece);
        let wrong = match count {
            0 => Some((
                format!("`{}` is no piece at all", word.text),
                "leave this out, or write how many: `x2`".to_owned(),
            )),
            1 => None,
            count if count > MOST_ON_A_CELL => {
                Some((format!("a cell holds at most {MOST_ON_A_CELL} pieces"), "write fewer".to_owned()))
            }
            _ if self.schema.is_many(piece) => None,
            _ => {
                let kind = self.schema.pieces.get(piece.index()).map(|piece| self.schema.kind_name(piece.kind));
                let many = kind.map(|kind| format!(", or `piece {kind} many …` in the game file if there are more"));
                Some((format!("there is only one {name}"), format!("write `{name}` alone{}", many.unwrap_or_default())))
            }
        };
        words.skip(1);
        wrong.map_or(Ok(count), |(message, help)| Err(Diagnostic::on(Code::WrongForm, word, message).help(help)))
    }

    /// Returns the second word of a name: `ulla` of `boat ulla` and `boat of ulla`.
    fn second<'w, 's>(words: &'w [Word<'s>]) -> Option<&'w Word<'s>> {
        let second = words.get(1)?;
        if second.is("of") { words.get(2) } else { Some(second) }
    }

    /// Returns the error for words that name no piece.
    #[must_use]
    pub fn unknown_piece(&self, phrase: Phrase<'_>) -> Diagnostic {
        let words = phrase.words();
        let Some(first) = words.first() else { return phrase.missing("a piece is missing here") };
        if let Some(misread) = self.misnumbered(phrase) {
            return misread;
        }
        if let Some((help, second)) = self.misnamed(words).zip(Self::second(words)) {
            let of = if words.get(1) == Some(second) { "" } else { "of " };
            let message = format!("unknown piece `{} {of}{}`", first.text, second.text);
            return phrase.wrong(Code::UnknownPiece, first.span.to(second.span), message).help(help);
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
            return Diagnostic::on(Code::UnknownPiece, first, message).help(format!("write {}", one_of(same, 9)));
        }
        if let Some(misread) = Self::no_such_rest(words, names) {
            return misread;
        }
        let advice = likely_name(words, names()).unwrap_or_else(|| match listed_names(names(), 14) {
            none if none.is_empty() => "this game has no pieces".to_owned(),
            list => format!("the pieces are {list}"),
        });
        Diagnostic::on(Code::UnknownPiece, first, format!("unknown piece `{}`", first.text)).help(advice)
    }

    /// Returns the error for `oak 7`, if some names begin with `oak` and none goes on with `7`.
    fn no_such_rest<'n, I: Iterator<Item = &'n str> + Clone>(
        words: &[Word<'_>],
        names: impl Fn() -> I,
    ) -> Option<Diagnostic> {
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
        Some(Diagnostic::new(Code::UnknownPiece, first.source, first.span.to(second.span), message).help(help))
    }
}

/// Returns the number of words of `name` if `words` begin with it.
fn taken_by(name: &str, words: &[Word<'_>]) -> Option<usize> {
    if words.first().is_some_and(|word| word.text == name) {
        return Some(1);
    }
    let mut taken = 0;
    for part in name.split(' ') {
        words.get(taken).filter(|word| word.is(part))?;
        taken += 1;
    }
    Some(taken)
}
