//! The cards that the lines of a position put into zones.

use std::sync::Arc;

use super::{Counts, Laid, Listed, PieceId, Schema, ZoneId};
use referee_diagnostic::{Code, Diagnostic};
use referee_source::{Source, Span};

/// Returns the zone for the cards that no line lists and that begin in `home`: `home` itself, unless its line lists all
/// of its cards. Then they go to the zone with `…` in which no cards begin, if there is one; otherwise they are out of
/// the game, as cards are that begin there.
pub(super) fn rest_of(schema: &Schema, laid: &[Laid], home: Option<ZoneId>) -> Option<ZoneId> {
    let stays = |home: &ZoneId| laid.iter().find(|laid| laid.zone == *home).is_none_or(|laid| laid.more);
    let foreign = || laid.iter().find(|laid| laid.more && !is_home(schema, laid.zone)).map(|laid| laid.zone);
    let home = home?;
    if stays(&home) { Some(home) } else { foreign() }
}

/// Returns whether cards begin in a zone.
fn is_home(schema: &Schema, zone: ZoneId) -> bool {
    schema.kinds.iter().any(|kind| kind.home == Some(zone))
}

/// Collects the cards that the lines of a position put into zones.
#[derive(Clone, Debug)]
pub struct Layout<'s> {
    schema: &'s Schema,
    /// The text of the lines.
    source: &'s Arc<Source>,
    /// The cards that no line has named yet.
    pool: Counts,
    laid: Vec<(Laid, Span)>,
    /// The `…` of a zone in which no cards begin.
    foreign: Option<Span>,
}

impl<'s> Layout<'s> {
    /// Returns an empty layout; `pool` holds the available cards.
    #[must_use]
    pub const fn new(schema: &'s Schema, source: &'s Arc<Source>, pool: Counts) -> Self {
        Self { schema, source, pool, laid: Vec::new(), foreign: None }
    }

    /// Returns the collected contents of zones.
    pub fn laid(self) -> Vec<Laid> {
        self.laid.into_iter().map(|(laid, _)| laid).collect()
    }

    /// Returns the earlier line about a zone, if there is one.
    #[must_use]
    pub fn line_of(&self, zone: ZoneId) -> Option<Span> {
        self.laid.iter().find(|(laid, _)| laid.zone == zone).map(|(_, span)| *span)
    }

    /// Returns the error for a `…` that stands for no cards: none begin in its zone, and all others are where they begin.
    #[must_use]
    pub fn idle_rest(&self) -> Option<Diagnostic> {
        let foreign = self.laid.iter().find(|(laid, _)| laid.more && !is_home(self.schema, laid.zone));
        let (Laid { zone, .. }, line) = foreign?;
        let laid: Vec<Laid> = self.laid.iter().map(|(laid, _)| laid.clone()).collect();
        let home = |card: &PieceId| {
            let kind = self.schema.pieces.get(card.index())?.kind;
            self.schema.kinds.get(kind.index())?.home
        };
        if self.pool.keys().any(|card| rest_of(self.schema, &laid, home(card)) == Some(*zone)) {
            return None;
        }
        let name = self.schema.zone_name(*zone);
        let message = format!("`…` stands for no cards: none begin in {name}");
        let begin = self.pool.keys().find_map(home);
        let kind_of = |card: &PieceId| self.schema.kinds.get(self.schema.pieces.get(card.index())?.kind.index());
        let outside = self.pool.keys().filter_map(kind_of).find(|kind| kind.home.is_none());
        let help = match begin.map(|zone| (self.schema.zone_name(zone), self.line_of(zone).is_some())) {
            Some((home, false)) => {
                format!("list the cards of {name} one by one, or take the others out of {home}: `{home}: none`")
            }
            Some((home, true)) => format!("list the cards of {name} one by one, or remove `…` from the line of {home}"),
            None => match outside {
                Some(kind) => format!(
                    "these begin out of the game: add `in {name}` to the line `card {} …` of the game file, or list the cards one by one",
                    kind.name
                ),
                None => "remove `…`: the lines list all cards".to_owned(),
            },
        };
        Some(Diagnostic::new(Code::WrongForm, self.source, self.foreign.unwrap_or(*line), message).help(help))
    }

    /// Takes one card from the pool.
    ///
    /// # Errors
    /// Returns an error if no such card is left.
    pub fn take(&mut self, card: PieceId, span: Span) -> Result<(), Diagnostic> {
        let left = self.pool.get(&card).copied().unwrap_or(0);
        match left {
            0 | 1 => self.pool.remove(&card),
            left => self.pool.insert(card, left - 1),
        };
        if left > 0 {
            return Ok(());
        }
        let copies = self.schema.card(card).map_or(0, |card| card.copies);
        let message = format!("this is one `{}` too many", self.schema.piece_name(card));
        let wrong = Diagnostic::new(Code::TooManyCards, self.source, span, message);
        Err(wrong.help(format!("use at most {copies}: the game has no more")))
    }

    /// Adds the contents of a zone in the set-up that the lines change.
    pub fn begin_with(&mut self, laid: &Laid) {
        for card in &laid.cards {
            if let Some(left) = self.pool.get_mut(card) {
                *left = left.saturating_sub(1);
            }
        }
        self.pool.retain(|_, left| *left > 0);
        self.laid.push((laid.clone(), Span::default()));
    }

    /// Returns the error for unknown cards of a zone that cannot have any.
    fn misplaced_unknown(&self, zone: ZoneId, span: Span) -> Option<Diagnostic> {
        let (schema, name) = (self.schema, self.schema.zone_name(zone));
        let hidden = schema.unknown_zone();
        let (message, help) = if hidden == Some(zone) {
            (
                format!("the unknown cards of {name} are all that are in no other place"),
                "write `…` for them, and no number".to_owned(),
            )
        } else if !schema.may_be_unknown(zone) {
            (format!("all players see the cards of {name}"), "list the cards one by one".to_owned())
        } else if hidden.is_none() {
            (
                "unknown cards come from the hidden zone in which cards begin, and there is not exactly one in this game".to_owned(),
                "list the cards one by one".to_owned(),
            )
        } else {
            return None;
        };
        Some(Diagnostic::new(Code::WrongForm, self.source, span, message).help(help))
    }

    /// Adds the first line about a zone, and returns all errors in its cards.
    pub fn line(&mut self, zone: ZoneId, line: Span, listed: &Listed) -> Vec<Diagnostic> {
        let ordered = self.schema.is_ordered(zone);
        let is_foreign = |zone| !is_home(self.schema, zone);
        let rest = is_foreign(zone) && self.laid.iter().any(|(laid, _)| laid.more && is_foreign(laid.zone));
        let laid = Laid { zone, cards: listed.order(), more: listed.more.is_some(), unknown: listed.unknown() };
        if let Some(wrong) = listed.unknown.and_then(|(_, span)| self.misplaced_unknown(zone, span)) {
            self.laid.push((Laid { more: false, unknown: 0, ..laid }, line));
            return vec![wrong];
        }
        if let Some(span) = listed.more.filter(|_| !ordered || rest) {
            // The line counts nevertheless, so that a second line about the zone is reported.
            self.laid.push((Laid { more: false, ..laid }, line));
            let message = if ordered {
                "the rest of the cards is already in another zone"
            } else {
                "only a hidden zone or a pile can hold unknown cards"
            };
            let wrong = Diagnostic::new(Code::WrongForm, self.source, span, message);
            return vec![wrong.help("list the cards one by one")];
        }
        self.laid.push((laid, line));
        self.foreign = listed.more.filter(|_| is_foreign(zone)).or(self.foreign);
        let taken = listed.cards.iter().map(|(card, span)| self.take(*card, *span));
        taken.filter_map(Result::err).collect()
    }
}
