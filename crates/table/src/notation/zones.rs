//! Zones and cards in the words of lines, and dealing.

use super::likely::{likely_name, listed_names, written_name};
use super::names::Names;
use super::phrase::Phrase;
use crate::{Dealing, PieceId, PlayerId, ZoneId, times};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_source::{Span, Word};

/// The maximum number of cards that a line deals to one zone.
const MAX_DEALT: u32 = 10_000;

/// The cards that a line lists.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    /// The cards, each with its location.
    pub cards: Vec<(PieceId, Span)>,
    /// The location of `…`, if unknown cards follow.
    pub more: Option<Span>,
    /// The number of unknown cards, `4 unknown`, and its location.
    pub unknown: Option<(u32, Span)>,
}

impl Listed {
    /// Returns the cards without their locations.
    #[must_use]
    pub fn order(&self) -> Vec<PieceId> {
        self.cards.iter().map(|(card, _)| *card).collect()
    }

    /// Returns the number of unknown cards.
    #[must_use]
    pub fn unknown(&self) -> u32 {
        self.unknown.map_or(0, |(count, _)| count)
    }
}

impl Names<'_> {
    /// Takes a zone: `deck`, `hand red`, `hand of red`.
    ///
    /// # Errors
    /// Returns an error if the zone is unknown, or its player is missing.
    pub fn zone(&self, words: &mut Phrase<'_>) -> Result<ZoneId, Diagnostic> {
        let schema = self.schema;
        let all = || {
            let mut all: Vec<&str> = schema.zones.iter().map(|zone| zone.name.as_str()).collect();
            all.dedup();
            match one_of(all, 9) {
                list if list.is_empty() => "this game has no zones".to_owned(),
                list => format!("the zones are {list}"),
            }
        };
        let Some(first) = words.first() else {
            return Err(words.missing("a zone is missing here").help(all()));
        };
        if let Some(zone) = schema.zone(first.text, None) {
            words.skip(1);
            return Ok(zone);
        }
        if !schema.is_zone(first.text) {
            let near = did_you_mean(first.text, schema.zones.iter().map(|zone| zone.name.as_str()));
            let help = near.or_else(|| self.player_for_zone(words.words())).unwrap_or_else(all);
            let message = format!("unknown zone `{}`", first.text);
            return Err(Diagnostic::on(Code::UnknownZone, first, message).help(help));
        }
        words.skip(1);
        words.takes("of");
        // Words that may follow a zone; none of them can be the name of a player.
        let follows = |word: &Word<'_>| word.is_any(&["=", "count", "empty"]);
        let second = words.take();
        let place = if second.is_some() { first.span } else { words.end() };
        let Some(second) = second.filter(|word| !follows(word)) else {
            let message = format!("the player of this `{}` is missing", first.text);
            let somebody = schema.players.first().map_or("red", String::as_str);
            let help = format!("write for example `{} {somebody}`", first.text);
            return Err(words.wrong(Code::MissingValue, place, message).help(help));
        };
        let zone = schema.zone(first.text, Some(self.player(second)?));
        zone.ok_or_else(|| Diagnostic::on(Code::UnknownZone, first, "this player has no such zone"))
    }

    /// Returns the help for `ann: …` and `ann hand: …`: a decision does not have a colon, and a zone is named first.
    fn player_for_zone(&self, words: &[Word<'_>]) -> Option<String> {
        let player = words.first().and_then(|first| self.schema.player(first.text))?;
        let player = self.schema.player_name(player);
        Some(match words.get(1).filter(|second| self.schema.is_zone(second.text)) {
            Some(zone) => format!("write the zone first: `{} {player}: CARD …`", zone.text),
            None => format!("write a decision without a colon: `{player} {}`", self.schema.asks.first()?),
        })
    }

    /// Returns the zone that all these words name.
    ///
    /// # Errors
    /// Returns an error as [`Names::zone`] does, or if there are more words.
    pub fn whole_zone(&self, mut words: Phrase<'_>, help: &str) -> Result<ZoneId, Diagnostic> {
        let zone = self.zone(&mut words)?;
        words.extra().map_or(Ok(zone), |extra| Err(extra.help(help)))
    }

    /// Returns the zone that all these words name, if its cards have an order.
    ///
    /// # Errors
    /// Returns an error as [`Names::whole_zone`] does, or if the cards have no order.
    pub fn ordered_zone(&self, words: Phrase<'_>) -> Result<ZoneId, Diagnostic> {
        let zone = self.whole_zone(words, "shuffle one zone: `shuffle deck`")?;
        if self.schema.is_ordered(zone) {
            return Ok(zone);
        }
        let message = format!("the cards of {} have no order", self.schema.zone_name(zone));
        let help = "shuffle a zone that is declared `hidden` (no player sees its cards) or `pile` (all players do)";
        Err(words.wrong(Code::WrongZone, words.span(), message).help(help))
    }

    /// Returns the cards that all words that are left list, of which none is unknown: `bounce squash …`, or `none`.
    ///
    /// # Errors
    /// Returns an error as [`Names::cards`] does, or if some are unknown.
    pub fn certain_cards(&self, words: Phrase<'_>) -> Result<Listed, Diagnostic> {
        let listed = self.cards(words)?;
        let Some((_, span)) = listed.unknown else { return Ok(listed) };
        let wrong = words.wrong(Code::WrongForm, span, "this line must name the cards");
        Err(wrong.help("only a position and an expectation can have unknown cards: `hand PLAYER: 4 unknown`"))
    }

    /// Returns the cards that all words that are left list: `bounce squash …`, `bounce 4 unknown`, or `none`.
    ///
    /// # Errors
    /// Returns an error if there are no words, or one of them is not a card.
    pub fn cards(&self, mut words: Phrase<'_>) -> Result<Listed, Diagnostic> {
        let mut listed = Listed::default();
        if matches!(words.words(), [only] if only.is("none")) {
            return Ok(listed);
        }
        if words.is_empty() {
            return Err(words.missing("the cards are missing here").help("list them, or write `none`"));
        }
        while let Some(first) = words.first() {
            if first.is_any(&["…", "..."]) {
                if let Some(extra) = words.get(1) {
                    let misread = Diagnostic::on(Code::WrongForm, extra, "no card can follow `…`");
                    return Err(misread.help("write `…` last: it means the other cards that begin there"));
                }
                if listed.unknown.is_some() {
                    let misread = Diagnostic::on(Code::WrongForm, first, "the unknown cards are already counted");
                    return Err(misread.help("remove `…`, or write it instead of the number of unknown cards"));
                }
                listed.more = Some(first.span);
                return Ok(listed);
            }
            let all = words;
            if let Some(count) = self.unknown_cards(words)? {
                words.skip(2);
                if listed.unknown.is_some() {
                    let wrong =
                        all.wrong(Code::WrongForm, all.before(words).span(), "unknown cards are already counted");
                    return Err(wrong.help("write the number of unknown cards once, for all of them"));
                }
                listed.unknown = Some((count, all.before(words).span()));
                continue;
            }
            let card = self.card(&mut words)?;
            let count = self.copies(&mut words, card)?;
            listed.cards.extend(std::iter::repeat_n((card, all.before(words).span()), count));
        }
        Ok(listed)
    }

    /// Returns how many unknown cards the next words list: `4 unknown`.
    fn unknown_cards(&self, words: Phrase<'_>) -> Result<Option<u32>, Diagnostic> {
        let (Some(number), "unknown") = (words.first(), words.keyword(1)) else {
            if words.keyword(0) == "unknown" && self.schema.piece("unknown").is_none() {
                let wrong =
                    words.wrong(Code::MissingValue, words.next_span(), "the number of unknown cards is missing");
                return Err(wrong.help("write the number before the word: `4 unknown`"));
            }
            return Ok(None);
        };
        // A card with a number as its name is meant in quotes before this word.
        if number.quoted || self.schema.piece("unknown").is_some() {
            return Ok(None);
        }
        if let Some(count) = number.text.parse().ok().filter(|count| (1..=MAX_DEALT).contains(count)) {
            return Ok(Some(count));
        }
        if number.text.parse::<i64>().is_err() {
            return Ok(None);
        }
        let message = format!("there cannot be {} unknown cards", number.text);
        let wrong = Diagnostic::on(Code::NotANumber, number, message);
        Err(wrong.help(format!("write a whole number from 1 to {MAX_DEALT}, or `none` for no cards")))
    }

    /// Takes `x3` after a card, if it stands there, and returns the number; otherwise 1.
    fn copies(&self, words: &mut Phrase<'_>, card: PieceId) -> Result<usize, Diagnostic> {
        let counted = words.first().filter(|word| !word.quoted && self.schema.piece(word.text).is_none());
        let Some((word, count)) = counted.and_then(|word| Some((word, times(word.text)?))) else { return Ok(1) };
        let copies = self.schema.card(card).map_or(0, |card| card.copies as usize);
        if !(1..=copies).contains(&count) {
            let name = self.schema.piece_name(card);
            let message = format!("there are no {count} copies of `{name}`");
            return Err(Diagnostic::on(Code::TooManyCards, word, message)
                .help(format!("write 1 to {copies} of them: the game has no more")));
        }
        words.skip(1);
        Ok(count)
    }

    /// Takes a card.
    ///
    /// # Errors
    /// Returns an error if the card is unknown.
    pub fn card(&self, words: &mut Phrase<'_>) -> Result<PieceId, Diagnostic> {
        let schema = self.schema;
        if let Some((piece, rest)) = self.known_piece(*words).filter(|(piece, _)| schema.card(*piece).is_some()) {
            *words = rest;
            return Ok(piece);
        }
        let text = words.first().map_or("", |word| word.text);
        let all = || schema.pieces.iter().filter(|piece| piece.card.is_some()).map(|piece| piece.name.as_str());
        let help = self.cards_meant(words.words()).or_else(|| likely_name(words.words(), all())).unwrap_or_else(|| {
            match listed_names(all(), 12) {
                list if list.is_empty() => "this game has no cards".to_owned(),
                list => format!("the cards are {list}"),
            }
        });
        Err(words.wrong(Code::UnknownCard, words.next_span(), format!("unknown card `{text}`")).help(help))
    }

    /// Returns help for words that are no cards in a list of them: a number of copies, `2 Eel`, or a word between cards.
    fn cards_meant(&self, words: &[Word<'_>]) -> Option<String> {
        let (first, rest) = words.split_first()?;
        let card = |words: &[Word<'_>]| {
            let (piece, _) = self.longest(words)?;
            self.schema.card(piece).map(|_| written_name(self.schema.piece_name(piece)))
        };
        if first.is_any(&["and", "&", "+", "then", "or", ";"]) {
            let next = card(rest)?;
            return Some(format!("leave out `{}`: names follow one another, as in `… {next}`", first.text));
        }
        const NUMBERS: [&str; 5] = ["two", "three", "four", "five", "six"];
        let spelt = NUMBERS.iter().position(|number| *number == first.text).map(|at| at + 2);
        let number = first.text.strip_suffix(['x', '*', '×']).or(first.text.strip_prefix(['x', '*', '×']));
        let count = spelt.or(number.unwrap_or(first.text).parse().ok()).filter(|_| !first.quoted)?;
        let rest =
            rest.split_first().filter(|(of, _)| ["of", "x", "×"].contains(&of.text)).map_or(rest, |(_, rest)| rest);
        match card(rest) {
            Some(name) => Some(format!("write the number after the card: `{name} x{count}`")),
            None if number.is_none() => None,
            None => Some("write each copy by the name of its card, without a number".to_owned()),
        }
    }

    /// Reads `deal NUMBER from FROM to TO` for all players of the game.
    ///
    /// # Errors
    /// Returns an error if the number is out of range, or a zone is unknown or unsuitable.
    pub fn dealing(&self, number: Phrase<'_>, from: Phrase<'_>, to: Phrase<'_>) -> Result<Dealing, Diagnostic> {
        const FORM: &str = "write `deal NUMBER from ZONE to ZONE`, and `of PLAYER` or `of each player` after a zone that each player has";
        let count = dealt(number)?;
        if let Some(each) = from.words().iter().skip(1).find(|word| word.is("each")) {
            let misread = Diagnostic::on(Code::WrongForm, each, "cards can be dealt from one zone only");
            return Err(misread.help(FORM));
        }
        let source = self.whole_zone(from, FORM)?;
        let plain = |at: usize| to.keyword(at);
        if let ("each", Some(first)) = (plain(0), to.first()) {
            let misread = Diagnostic::on(Code::WrongForm, first, "the zone before `each player` is missing");
            return Err(misread.help(FORM));
        }
        if let ("board", Some(first)) = (plain(0), to.first()) {
            return self.dealing_to_board((count, source), from, to.from(1).ending(first.span));
        }
        let of = 1 + usize::from(plain(1) == "of");
        if (plain(of), plain(of + 1)) != ("each", "player") {
            let zone = self.whole_zone(to, FORM)?;
            if zone == source {
                let message = "the cards cannot be dealt to the zone that they come from";
                return Err(to.wrong(Code::WrongZone, to.next_span(), message).help(FORM));
            }
            return Ok(Dealing::Deal { number: count, from: source, to: vec![zone] });
        }
        if let Some(extra) = to.from(of + 2).extra() {
            return Err(extra.help(FORM));
        }
        let players = (0..self.schema.players.len()).map(PlayerId::at);
        let zones: Vec<ZoneId> = players.filter_map(|player| self.schema.zone(plain(0), Some(player))).collect();
        if zones.is_empty() {
            // Either the zone is unknown, or all players share it.
            let mut named = to;
            let zone = self.zone(&mut named)?;
            let name = self.schema.zone_name(zone);
            let message = format!("there is only one {name}, not one for each player");
            let misread = to.wrong(Code::WrongZone, to.next_span(), message);
            return Err(misread.help(format!("write `to {name}`, or declare `zone {name} for each player`")));
        }
        Ok(Dealing::Deal { number: count, from: source, to: zones })
    }
}

/// Reads the number of cards to deal.
fn dealt(number: Phrase<'_>) -> Result<u32, Diagnostic> {
    let read = match number.words() {
        [word] => word.text.parse().ok().filter(|number| (1..=MAX_DEALT).contains(number)),
        _ => None,
    };
    read.ok_or_else(|| {
        let message = format!("expected a number of cards, found `{}`", number.texts());
        let misread = number.wrong(Code::NotANumber, number.next_span(), message);
        misread.help(format!("write a whole number from 1 to {MAX_DEALT}"))
    })
}

impl Names<'_> {
    /// Reads `deal 9 from deck to board face down`, of which `side` is what follows `board`.
    fn dealing_to_board(
        &self,
        (number, from): (u32, ZoneId),
        source: Phrase<'_>,
        side: Phrase<'_>,
    ) -> Result<Dealing, Diagnostic> {
        const FORM: &str = "write `deal 9 from deck to board face down`, or `face up`";
        let up = match (side.keyword(0), side.keyword(1)) {
            ("face", "up") => true,
            ("face", "down") => false,
            _ => {
                let message = "`face down` or `face up` is missing here";
                return Err(side.wrong(Code::WrongForm, side.next_span(), message).help(FORM));
            }
        };
        if let Some(extra) = side.from(2).extra() {
            return Err(extra.help(FORM));
        }
        if !self.schema.is_ordered(from) {
            let message =
                format!("the cards of {} have no order, so there is no next one", self.schema.zone_name(from));
            let help = "deal from a zone that is declared `hidden` or `pile`";
            return Err(source.wrong(Code::WrongZone, source.span(), message).help(help));
        }
        Ok(Dealing::Board { number, from, up })
    }
}
