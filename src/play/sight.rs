//! What a player cannot see.

use crate::table::{Face, PlayerId, State, ZoneId};

/// Where cards lie that a player does not see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unseen {
    /// In a zone.
    Zone(ZoneId),
    /// Face down on the board.
    Board,
}

/// Returns where cards lie of which a player does not know what lies where, though the state does; none where what the
/// player sees leaves one possibility alone, such as a single covered zone in no order: its cards are all that lie
/// nowhere else.
pub(super) fn hidden(state: &State, player: PlayerId) -> Vec<Unseen> {
    if state.faces().is_empty() && state.schema().zones.iter().all(|zone| zone.sight.is_open()) {
        return Vec::new();
    }
    let view = state.view(player);
    // Where cards can be distinguished by where they lie: each place of a known order, and all that is in no order.
    let places =
        |zone: &ZoneId| state.zone(*zone).map_or(0, |zone| zone.known().len() + usize::from(!zone.bag().is_empty()));
    let covered: Vec<ZoneId> = view.covered.iter().filter(|(_, count)| *count > 0).map(|(zone, _)| *zone).collect();
    // A card that nobody has seen is one of its zone's in no order: it is no place of its own.
    let hides = |face: &&Face| matches!(face, Face::Card { seen, .. } if !seen.contains(&player));
    let down = state.faces().values().filter(hides).count();
    let sorts = view.unseen.values().filter(|count| **count > 0).count();
    if sorts < 2 || covered.iter().map(places).sum::<usize>() + down < 2 {
        return Vec::new();
    }
    let board = (down > 0).then_some(Unseen::Board);
    covered.into_iter().map(Unseen::Zone).chain(board).collect()
}
