//! What a player cannot see.

use crate::table::{PlayerId, State, ZoneId};

/// The zones of which a player does not know what lies where, though the state does; none where what the player sees
/// leaves one possibility alone, such as a single covered zone in no order: its cards are all that lie nowhere else.
pub(super) fn hidden(state: &State, player: PlayerId) -> Vec<ZoneId> {
    if state.schema().zones.iter().all(|zone| zone.sight.is_open()) {
        return Vec::new();
    }
    let view = state.view(player);
    // Where cards can be told apart by where they lie: each place of a known order, and all that is in no order.
    let places =
        |zone: &ZoneId| state.zone(*zone).map_or(0, |zone| zone.known().len() + usize::from(!zone.bag().is_empty()));
    let covered: Vec<ZoneId> = view.covered.iter().filter(|(_, count)| *count > 0).map(|(zone, _)| *zone).collect();
    let sorts = view.unseen.values().filter(|count| **count > 0).count();
    if sorts < 2 || covered.iter().map(places).sum::<usize>() < 2 { Vec::new() } else { covered }
}
