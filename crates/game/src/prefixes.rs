//! The players before pieces, `ann:Pooga`, in the lines of one position.

use std::collections::BTreeMap;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_source::{Source, Span};
use referee_table::{PieceId, PlayerId, Schema};

/// The players before pieces in the lines of a position. `L` orders the lines: a line of a later level may override
/// earlier lines.
#[derive(Clone, Debug)]
pub(super) struct Prefixes<L>(BTreeMap<PieceId, PrefixLine<L>>);

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
    pub(super) const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Adds the player that a diagram, a `place` line or a `set` line gives to a piece.
    ///
    /// # Errors
    /// Returns an error if another of these lines contradicts it.
    pub(super) fn report(
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
        let wrong = Diagnostic::new(Code::Contradiction, source, span, message).also(source, first.span, "here");
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
