//! Finds where cards are that a player cannot see.

use referee_table::{Face, PlayerId, State, ZoneId};

/// A location of cards that a player does not see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unseen {
    /// In a zone.
    Zone(ZoneId),
    /// Face down on the board.
    Board,
    /// In no place.
    Nowhere,
}

/// Returns the locations of cards that are decided in the state but unknown to a player. Returns none if only one
/// arrangement is consistent with what the player sees. For example, the cards of a single covered zone without order
/// are exactly the cards that are nowhere else.
pub(super) fn hidden(state: &State, player: PlayerId) -> Vec<Unseen> {
    if state.faces().is_empty() && state.schema().zones.iter().all(|zone| zone.visibility.is_open()) {
        return Vec::new();
    }
    let view = state.view(player);
    // Count distinguishable locations: each index of a known order, and all cards without order together.
    let places =
        |zone: &ZoneId| state.zone(*zone).map_or(0, |zone| zone.known().len() + usize::from(!zone.bag().is_empty()));
    let covered: Vec<ZoneId> = view.covered.iter().filter(|(_, count)| *count > 0).map(|(zone, _)| *zone).collect();
    // A card that no player has seen belongs to its zone's cards without order: it is not a location of its own.
    let hides = |face: &&Face| matches!(face, Face::Card { seen, .. } if !seen.contains(&player));
    let down = state.faces().values().filter(hides).count();
    let sorts = view.unseen.values().filter(|count| **count > 0).count();
    if sorts < 2 || covered.iter().map(places).sum::<usize>() + down + view.loose < 2 {
        return Vec::new();
    }
    let board = (down > 0).then_some(Unseen::Board);
    let nowhere = (view.loose > 0).then_some(Unseen::Nowhere);
    covered.into_iter().map(Unseen::Zone).chain(board).chain(nowhere).collect()
}
