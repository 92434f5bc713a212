//! Players who are written before pieces, `ann:Pooga`: the value of the property that a kind of pieces has `in drawings`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::names::Taken;
use super::{Each, Face, Misread, Names, Owner, PieceId, PlayerId, PropertyEach, PropertyId, Schema, State, Value};
use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span, Spanned, Word};

/// A piece, and the player who is written before it with the location in the file.
pub type Prefixed = (PieceId, Option<Spanned<PlayerId>>);

/// What separates the player from the piece.
const COLON: char = ':';

impl Schema {
    /// Returns the property of a piece that drawings show.
    #[must_use]
    pub fn drawn_property(&self, piece: PieceId) -> Option<PropertyId> {
        let each = PropertyEach::Kind(self.pieces.get(piece.index())?.kind);
        let found = self.properties.iter().position(|property| property.in_drawings && property.each == each);
        found.map(PropertyId::at)
    }

    /// Returns whether drawings show a property of cards.
    #[must_use]
    pub fn shows_cards(&self) -> bool {
        self.properties.iter().filter(|property| property.in_drawings).any(|property| match property.each {
            PropertyEach::Kind(kind) => self.kinds.get(kind.index()).is_some_and(|kind| kind.each == Each::Card),
            _ => false,
        })
    }

    /// Returns a piece as drawings and lines write it: `symbol`, with the player before it.
    #[must_use]
    pub fn prefixed(&self, player: Option<PlayerId>, symbol: &str) -> String {
        match player {
            Some(player) => format!("{}{COLON}{symbol}", self.player_name(player)),
            None => symbol.to_owned(),
        }
    }

    /// Returns a symbol or name of a piece that could be taken for a piece with a player before it.
    #[must_use]
    pub fn ambiguous_prefix(&self) -> Option<&str> {
        let shown = self.properties.iter().any(|property| property.in_drawings);
        let mut texts = self.pieces.iter().flat_map(|piece| [piece.symbol.as_str(), piece.name.as_str()]);
        texts.find(|text| shown && text.contains(COLON))
    }
}

impl Names<'_> {
    /// Returns the player before the colon of a word like `ann:Pooga`, and the word after it.
    ///
    /// # Errors
    /// There is no such player, or nothing on one side of the colon.
    pub fn prefix<'w>(&self, word: &Word<'w>) -> Result<(Option<Spanned<PlayerId>>, Word<'w>), Misread> {
        let whole = Ok((None, *word));
        let Some((left, right)) = word.text.rsplit_once(COLON).filter(|_| !word.quoted) else { return whole };
        let shown = self.schema.properties.iter().any(|property| property.in_drawings);
        let piece = || self.schema.pieces.iter().any(|piece| piece.symbol == word.text || piece.name == word.text);
        if !shown && (self.schema.player(left).is_none() || piece()) {
            return whole;
        }
        let start = word.span.range().start;
        let split = start + left.len();
        let span = Span::new(start..split);
        let missing = |what: &str| {
            let [player, _] = self.schema.example_players();
            let help = format!("write `{player}:PIECE`, or the piece alone");
            Err(Misread::new("missing_value", word.span, format!("{what} of the colon is missing")).help(help))
        };
        if left.is_empty() {
            return missing("the player on the left");
        }
        if right.is_empty() {
            return missing("the piece on the right");
        }
        let player = self.player(&Word { text: left, span, quoted: false })?;
        let rest = Word { text: right, span: Span { start: span.end + 1, end: word.span.end }, quoted: false };
        Ok((Some(Spanned::new(player, span)), rest))
    }

    /// Returns the piece that the first words name, with or without a player before it, and how many words that takes.
    ///
    /// # Errors
    /// There is no such piece or player, or no player is written before such a piece.
    pub fn prefixed_piece(&self, words: &[Word<'_>]) -> Taken<Prefixed> {
        let Some((first, more)) = words.split_first() else {
            return self.piece(words).map(|(piece, taken)| ((piece, None), taken));
        };
        let (player, first) = self.prefix(first)?;
        let words: Vec<Word<'_>> = std::iter::once(first).chain(more.iter().copied()).collect();
        let (piece, taken) = self.piece(&words)?;
        self.fits_prefix(player, piece)?;
        Ok(((piece, player), taken))
    }

    /// Checks that a player may be written before a piece.
    pub(super) fn fits_prefix(&self, player: Option<Spanned<PlayerId>>, piece: PieceId) -> Result<(), Misread> {
        let Some(player) = player.filter(|_| self.schema.drawn_property(piece).is_none()) else { return Ok(()) };
        let kind = self.schema.pieces.get(piece.index()).and_then(|piece| self.schema.kinds.get(piece.kind.index()));
        let kind = kind.map_or("KIND", |kind| kind.name.as_str());
        let name = self.schema.player_name(player.node);
        let message = format!("no property of each {kind} is `in drawings`, so that no player stands before it");
        let help =
            format!("leave `{name}{COLON}` out, or declare `property controller for each {kind} PLAYER in drawings`");
        Err(Misread::new("unknown_property", player.span, message).help(help))
    }
}

impl Value {
    /// Returns the player that it is.
    #[must_use]
    pub const fn player(&self) -> Option<PlayerId> {
        match self {
            Self::Player(player) => Some(*player),
            _ => None,
        }
    }
}

impl State {
    /// Returns the player who is written before a piece.
    #[must_use]
    pub fn drawn_player(&self, piece: PieceId) -> Option<PlayerId> {
        let property = self.schema().drawn_property(piece)?;
        self.value(property, Owner::Piece(piece)).and_then(Value::player)
    }

    /// Returns whether a drawing of this state shows the value of a property: that of a piece which lies on the board.
    #[must_use]
    pub fn is_in_drawing(&self, property: PropertyId, owner: Owner) -> bool {
        let Owner::Piece(piece) = owner else { return false };
        let shown = self.schema().properties.get(property.index()).is_some_and(|property| property.in_drawings);
        let down = || self.faces().values().filter_map(Face::card).any(|card| card == piece);
        shown && (!self.is_off(piece) || down())
    }
}

/// What the lines of a position say of the players before pieces. `L` tells lines that may change what others say.
#[derive(Clone, Debug)]
pub struct Prefixes<L>(BTreeMap<PieceId, Said<L>>);

#[derive(Clone, Debug)]
struct Said<L> {
    level: L,
    player: Option<PlayerId>,
    /// Whether a `set` line says it. The last `set` line counts, as for every property.
    set: bool,
    span: Span,
}

impl<L: Copy + Ord> Prefixes<L> {
    /// Nothing was said yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Notes what a drawing, a `place` line or a `set` line says.
    ///
    /// # Errors
    /// Another of them says otherwise.
    pub fn say(
        &mut self,
        (schema, source): (&Schema, &Arc<Source>),
        piece: PieceId,
        (player, set): (Option<PlayerId>, bool),
        (level, span): (L, Span),
    ) -> Result<(), Box<Diagnostic>> {
        let Some(first) = self.0.get(&piece) else {
            self.0.insert(piece, Said { level, player, set, span });
            return Ok(());
        };
        // Equal pieces have one value, whoever says it.
        let changes = first.level < level && (!schema.is_many(piece) || set || first.set);
        if first.player == player || changes || set && first.set {
            if changes || first.set {
                self.0.insert(piece, Said { level, player, set, span });
            }
            return Ok(());
        }
        let property = schema.drawn_property(piece).and_then(|property| schema.properties.get(property.index()));
        let property = property.map_or("", |property| property.name.as_str());
        let name = schema.piece_name(piece);
        let said = |player: Option<PlayerId>| player.map_or("none", |player| schema.player_name(player));
        let (now, before) = (said(player), said(first.player));
        let message = format!("this says that the {property} of {name} is {now}, and another line that it is {before}");
        let wrong = Diagnostic::new("contradiction", source, span, message).also(source, first.span, "here");
        let help = match schema.is_many(piece) {
            true => format!("there are several of {name}, and all have one {property}"),
            false => "a piece without a player before it has none; let both say the same, or leave one out".to_owned(),
        };
        Err(Box::new(wrong.help(help)))
    }
}

impl<L: Copy + Ord> Default for Prefixes<L> {
    fn default() -> Self {
        Self::new()
    }
}
