//! Players before pieces, `ann:Pooga`, in the lines of a position and in drawings that are expected.

use crate::scenario::plan::actions::taking_part;
use crate::scenario::plan::resolver::Resolver;
use crate::source::{Span, Word};
use crate::table::{Drawn, Owner, PieceId, PlayerId, Prefixes, PropertyId, State, Table, Value};

/// Where a position line stands; what stands nearer to the play may change what stands further away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// In a shared position.
    Shared,
    /// In the scenario.
    Scenario,
    /// In its branch.
    Branch,
}

/// Returns whether all players of a drawing take part; who does not is reported.
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

/// Gives a piece on the board the player who is written before it in a drawing or a `place` line.
pub(crate) fn put_player(
    resolver: &mut Resolver<'_>,
    (state, said): (&mut State, &mut Prefixes<Origin>),
    (piece, player): (PieceId, Option<PlayerId>),
    place: (Origin, Span),
) {
    let Some(property) = state.schema().drawn_property(piece) else { return };
    match said.say((state.schema(), resolver.source), piece, (player, false), place) {
        Ok(()) => state.set_value(property, Owner::Piece(piece), player.map_or(Value::Nothing, Value::Player)),
        Err(wrong) => resolver.say(*wrong),
    }
}

/// Returns whether a `set` line may give a value: of a property that drawings show it is a player who takes part, and
/// no drawing says otherwise. `last` is the word with the value.
pub(crate) fn may_set(
    resolver: &mut Resolver<'_>,
    (state, said): (&State, &mut Prefixes<Origin>),
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
    let told = said.say((state.schema(), resolver.source), piece, (value.player(), true), place);
    told.map_err(|wrong| resolver.say(*wrong)).is_ok()
}
