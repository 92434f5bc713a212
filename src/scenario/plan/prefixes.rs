//! Players before pieces, `ann:Pooga`, in the lines of a position and in expected diagrams.

use crate::scenario::plan::actions::taking_part;
use crate::scenario::plan::resolver::Resolver;
use crate::source::{Span, Word};
use crate::table::{Drawn, Owner, PieceId, PlayerId, Prefixes, PropertyId, State, Table, Value};

/// The block of a position line. A line of a later block may override a line of an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// A shared position.
    Shared,
    /// The scenario.
    Scenario,
    /// A branch of the scenario.
    Branch,
}

/// Returns whether all players of a diagram take part; reports those who do not.
pub(crate) fn take_part(resolver: &mut Resolver<'_>, table: &Table, drawn: &[Drawn]) -> bool {
    let mut all = true;
    for (_, token, span) in drawn {
        let Some(player) = token.player() else { continue };
        let name = table.schema.player_name(player);
        let start = span.range().start;
        let word = Word { text: name, span: Span::new(start..start + name.len()), quoted: false };
        all &= taking_part(resolver, table, player, &word).is_some();
    }
    all
}

/// Sets the player of a piece that a diagram or a `place` line writes before it.
pub(crate) fn put_player(
    resolver: &mut Resolver<'_>,
    (state, prefixes): (&mut State, &mut Prefixes<Origin>),
    (piece, player): (PieceId, Option<PlayerId>),
    place: (Origin, Span),
) {
    let Some(property) = state.schema().drawn_property(piece) else { return };
    match prefixes.report((state.schema(), resolver.source), piece, (player, false), place) {
        Ok(()) => state.set_value(property, Owner::Piece(piece), player.map_or(Value::Nothing, Value::Player)),
        Err(wrong) => resolver.report(*wrong),
    }
}

/// Returns whether a `set` line may set a value. For a property that diagrams show, the value must be a player who
/// takes part, and must not contradict a diagram. `last` is the word with the value.
pub(crate) fn may_set(
    resolver: &mut Resolver<'_>,
    (state, prefixes): (&State, &mut Prefixes<Origin>),
    (property, owner, value): (PropertyId, Owner, &Value),
    last: Option<&Word<'_>>,
    place: (Origin, Span),
) -> bool {
    let Owner::Piece(piece) = owner else { return true };
    if state.schema().drawn_property(piece) != Some(property) {
        return true;
    }
    if let Some((player, word)) = value.player().zip(last)
        && taking_part(resolver, &state.table, player, word).is_none()
    {
        return false;
    }
    let reported = prefixes.report((state.schema(), resolver.source), piece, (value.player(), true), place);
    reported.map_err(|wrong| resolver.report(*wrong)).is_ok()
}
