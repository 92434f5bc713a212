//! The parts of a picture of a position besides the board: the cards of zones, and the pieces that have moved.

use std::collections::BTreeMap;

use super::{Cell, DrawnMove, DrawnZone, PieceId, PlayerId, State, Visibility, ZoneId};

/// Who looks at a picture of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onlooker {
    /// The author of an example, who sees the cards of all zones.
    Author,
    /// A player, who sees their own secret zones.
    Player(PlayerId),
    /// Everybody: only what all players see.
    Public,
}

/// Returns the zones of the players who take part, and those without an owner, as somebody sees them. Cards that they do
/// not see are only counted, and so are those whose order nobody knows.
#[must_use]
pub fn drawn_zones(state: &State, onlooker: Onlooker) -> Vec<DrawnZone> {
    let schema = state.schema();
    let shown = schema.zones.iter().enumerate().filter_map(|(at, def)| {
        let (id, players) = (ZoneId::at(at), &state.table.players);
        let zone = state.zone(id).filter(|_| def.owner.is_none_or(|owner| players.contains(&owner)))?;
        let name = |card: PieceId| schema.piece_name(card).to_owned();
        let sees = match onlooker {
            Onlooker::Author => true,
            Onlooker::Player(player) => schema.sees(player, id),
            Onlooker::Public => def.visibility.is_open(),
        };
        let mut cards: Vec<(String, u64)> = Vec::new();
        if sees && schema.is_ordered(id) {
            zone.known().iter().for_each(|card| cards.push((name(*card), 1)));
            // The cards below are known on a pile: it was turned face up.
            let rest = zone.bag().iter().filter(|_| zone.rest() > 0 && def.visibility == Visibility::Pile);
            rest.for_each(|(card, count)| cards.push((name(*card), u64::from(*count))));
        } else if sees {
            cards = zone.counts().into_iter().map(|(card, count)| (name(card), u64::from(count))).collect();
        }
        let seen = cards.iter().map(|(_, count)| count).sum();
        Some(DrawnZone {
            name: schema.zone_name(id),
            player: def.owner,
            hidden: zone.len().saturating_sub(seen),
            cards,
        })
    });
    shown.collect()
}

/// Returns the pieces that have gone from one place on the board to another between two states of one table.
///
/// Of which there are many, a piece has moved if its owner has left exactly one cell and reached exactly one.
#[must_use]
pub fn drawn_moves(before: &State, after: &State) -> Vec<DrawnMove> {
    let (board, schema) = (after.board(), after.schema());
    let mut moves = Vec::new();
    let mut gone: BTreeMap<Option<PlayerId>, [Vec<Cell>; 2]> = BTreeMap::new();
    let mut seen: Vec<PieceId> = Vec::new();
    for cell in board.cells() {
        let (was, is) = (before.at(cell), after.at(cell));
        if was == is {
            continue;
        }
        for (at, piece) in [was, is].into_iter().enumerate() {
            let Some(piece) = piece.filter(|piece| !schema.is_back(*piece)) else { continue };
            if schema.is_many(piece) || schema.card(piece).is_some() {
                let owner = schema.pieces.get(piece.index()).and_then(|piece| piece.owner);
                gone.entry(owner).or_default().get_mut(at).into_iter().for_each(|cells| cells.push(cell));
            } else if !seen.contains(&piece) {
                seen.push(piece);
                let [from, to] = [before, after].map(|state| state.covered(piece).iter().collect::<Vec<_>>());
                moves.extend((!from.is_empty() && !to.is_empty()).then_some(DrawnMove { from, to }));
            }
        }
    }
    for [from, to] in gone.into_values() {
        moves.extend((from.len() == 1 && to.len() == 1).then_some(DrawnMove { from, to }));
    }
    moves
}
