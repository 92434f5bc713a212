//! Players written before pieces, `ann:Pooga`: the value of the property that a kind of pieces has `in drawings`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::names::Taken;
use super::{Each, Face, Names, Owner, PieceId, PlayerId, PropertyEach, PropertyId, Schema, State, Value, WordError};
use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span, Spanned, Word, unescaped};

/// A piece, and the player written before it with the location in the file.
pub type Prefixed = (PieceId, Option<Spanned<PlayerId>>);

/// The separator between the player and the piece.
const COLON: char = ':';

impl Schema {
    /// Returns the property of a piece that diagrams show.
    #[must_use]
    pub fn drawn_property(&self, piece: PieceId) -> Option<PropertyId> {
        let each = PropertyEach::Kind(self.pieces.get(piece.index())?.kind);
        let found = self.properties.iter().position(|property| property.in_drawings && property.each == each);
        found.map(PropertyId::at)
    }

    /// Returns whether diagrams show a property of cards.
    #[must_use]
    pub fn shows_cards(&self) -> bool {
        self.properties.iter().filter(|property| property.in_drawings).any(|property| match property.each {
            PropertyEach::Kind(kind) => self.kinds.get(kind.index()).is_some_and(|kind| kind.each == Each::Card),
            _ => false,
        })
    }

    /// Returns a piece as diagrams and lines write it: `symbol` with the player before it.
    #[must_use]
    pub fn prefixed(&self, player: Option<PlayerId>, symbol: &str) -> String {
        match player {
            Some(player) => format!("{}{COLON}{symbol}", self.player_name(player)),
            None => symbol.to_owned(),
        }
    }

    /// Returns a symbol or name of a piece that could be read as a piece with a player before it.
    #[must_use]
    pub fn ambiguous_prefix(&self) -> Option<&str> {
        let shown = self.properties.iter().any(|property| property.in_drawings);
        let symbols = self.pieces.iter().map(|piece| (piece, piece.symbol.as_str()));
        let mut plain = symbols.filter(|(_, symbol)| shown && symbol.contains(COLON));
        plain.find(|(piece, symbol)| piece.drawn() == *symbol).map(|(_, symbol)| symbol)
    }
}

impl<'a> Names<'a> {
    /// Returns the player before the colon of a word like `ann:Pooga`, and the word after it.
    ///
    /// # Errors
    /// Returns an error if the player is unknown, or one side of the colon is empty.
    pub fn prefix<'w>(&self, word: &Word<'w>) -> Result<(Option<Spanned<PlayerId>>, Word<'w>), WordError>
    where
        'a: 'w,
    {
        let whole = Ok((None, *word));
        // `ann:"Mira, Keeper"`, `ann:("Red: again")`
        let string =
            word.text.split_once(COLON).filter(|(_, right)| right.starts_with('"') || right.starts_with("(\""));
        let parts = string.or_else(|| word.text.rsplit_once(COLON)).filter(|_| !word.quoted);
        let Some((left, right)) = parts else { return whole };
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
            Err(WordError::new("missing_value", word.span, format!("{what} the colon is missing")).help(help))
        };
        if left.is_empty() {
            return missing("the player before");
        }
        if right.is_empty() {
            return missing("the piece after");
        }
        let player = self.player(&Word { text: left, span, quoted: false })?;
        let inner = right.strip_prefix('"').and_then(|right| right.strip_suffix('"'));
        let (right, quoted) = inner.map_or((right, false), |inner| (inner, true));
        // The text of a word is a part of the line, or a name of the game.
        let known = self.schema.pieces.iter().filter(|_| quoted && right.contains('\\'));
        let known = known.map(|piece| piece.name.as_str()).find(|name| *name == unescaped(right));
        let text = known.unwrap_or(right);
        let rest = Word { text, span: Span { start: span.end + 1, end: word.span.end }, quoted };
        Ok((Some(Spanned::new(player, span)), rest))
    }

    /// Returns the piece that the first words name, with or without a player before it, and the number of these words.
    ///
    /// # Errors
    /// Returns an error if the piece or the player is unknown, or such a piece cannot have a player before it.
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

    /// Checks that a piece may have a player before it.
    pub(super) fn fits_prefix(&self, player: Option<Spanned<PlayerId>>, piece: PieceId) -> Result<(), WordError> {
        let Some(player) = player.filter(|_| self.schema.drawn_property(piece).is_none()) else { return Ok(()) };
        let kind = self.schema.pieces.get(piece.index()).and_then(|piece| self.schema.kinds.get(piece.kind.index()));
        let kind = kind.map_or("KIND", |kind| kind.name.as_str());
        let name = self.schema.player_name(player.node);
        let message = format!("`{kind}` cannot have a player before it: it has no property `in drawings`");
        let help =
            format!("remove `{name}{COLON}`, or declare `property controller for each {kind} PLAYER in drawings`");
        Err(WordError::new("unknown_property", player.span, message).help(help))
    }
}

impl Value {
    /// Returns the player, if the value is one.
    #[must_use]
    pub const fn player(&self) -> Option<PlayerId> {
        match self {
            Self::Player(player) => Some(*player),
            _ => None,
        }
    }
}

impl State {
    /// Returns the player written before a piece.
    #[must_use]
    pub fn drawn_player(&self, piece: PieceId) -> Option<PlayerId> {
        let property = self.schema().drawn_property(piece)?;
        self.value(property, Owner::Piece(piece)).and_then(Value::player)
    }

    /// Returns whether a diagram of this state shows the value of a property: that of a piece on the board.
    #[must_use]
    pub fn is_in_drawing(&self, property: PropertyId, owner: Owner) -> bool {
        let Owner::Piece(piece) = owner else { return false };
        let shown = self.schema().properties.get(property.index()).is_some_and(|property| property.in_drawings);
        let down = || self.faces().values().filter_map(Face::card).any(|card| card == piece);
        shown && (!self.is_off(piece) || down())
    }
}

/// The players before pieces in the lines of a position. `L` orders the lines: a line of a later level may override
/// earlier lines.
#[derive(Clone, Debug)]
pub struct Prefixes<L>(BTreeMap<PieceId, PrefixLine<L>>);

#[derive(Clone, Debug)]
struct PrefixLine<L> {
    level: L,
    player: Option<PlayerId>,
    /// Whether it comes from a `set` line. The last `set` line counts, as for every property.
    set: bool,
    span: Span,
}

impl<L: Copy + Ord> Prefixes<L> {
    /// Returns an empty collection.
    #[must_use]
    pub const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Adds the player that a diagram, a `place` line or a `set` line gives to a piece.
    ///
    /// # Errors
    /// Returns an error if another of these lines contradicts it.
    pub fn report(
        &mut self,
        (schema, source): (&Schema, &Arc<Source>),
        piece: PieceId,
        (player, set): (Option<PlayerId>, bool),
        (level, span): (L, Span),
    ) -> Result<(), Box<Diagnostic>> {
        let Some(first) = self.0.get(&piece) else {
            self.0.insert(piece, PrefixLine { level, player, set, span });
            return Ok(());
        };
        // Equal pieces share one value, so only `set` lines may change it.
        let changes = first.level < level && (!schema.is_many(piece) || set || first.set);
        if first.player == player || changes || set && first.set {
            if changes || first.set {
                self.0.insert(piece, PrefixLine { level, player, set, span });
            }
            return Ok(());
        }
        let property = schema.drawn_property(piece).and_then(|property| schema.properties.get(property.index()));
        let property = property.map_or("", |property| property.name.as_str());
        let name = schema.piece_name(piece);
        let written = |player: Option<PlayerId>| player.map_or("none", |player| schema.player_name(player));
        let (now, before) = (written(player), written(first.player));
        let message = format!("the {property} of {name} is {now} here, but {before} on another line");
        let wrong = Diagnostic::new("contradiction", source, span, message).also(source, first.span, "here");
        let help = match schema.is_many(piece) {
            true => format!("write the same {property} everywhere: all pieces named {name} share it"),
            false => "write the same player in both places (none without a player before it), or remove one".to_owned(),
        };
        Err(Box::new(wrong.help(help)))
    }
}

impl<L: Copy + Ord> Default for Prefixes<L> {
    fn default() -> Self {
        Self::new()
    }
}
