//! The functions that the kinds of pieces and the zones of a game are, and its components.

use std::sync::Arc;

use rhai::Module;

use super::registry::Api;
use crate::values::{GameItself, failure};
use referee_table::{Each, KindId, PieceDef, PieceId, PlayerId, Schema, ZoneId};

/// Returns the names of the zones that each player has.
pub(super) fn owned_zones(schema: &Schema) -> Vec<&str> {
    let owned = schema.zones.iter().filter(|zone| zone.owner.is_some());
    let mut names: Vec<&str> = owned.map(|zone| zone.name.as_str()).collect();
    names.dedup();
    names
}

/// Registers the functions of a game.
pub(super) fn register(api: &mut Api) {
    let schema = Arc::clone(&api.schema);
    for (at, kind) in schema.kinds.iter().enumerate() {
        let pieces: Vec<(PieceId, PieceDef)> = schema
            .pieces_of(KindId::at(at))
            .filter_map(|id| Some((id, schema.pieces.get(id.index())?.clone())))
            .collect();
        let name = kind.name.clone();
        let link = api.link();
        match kind.each {
            Each::One | Each::Card => {}
            Each::Player => api.besides(&kind.name, move |player: PlayerId| {
                link.meter.work(pieces.len() as u64 / 32);
                let mine = pieces.iter().find(|(_, piece)| piece.owner == Some(player));
                mine.map(|(id, _)| *id).ok_or_else(|| failure(format!("this player has no {name}")))
            }),
            Each::Number(..) => api.besides(&kind.name, move |number: i64| {
                link.meter.work(pieces.len() as u64 / 32);
                let mine = pieces.iter().find(|(_, piece)| piece.number == Some(number));
                mine.map(|(id, _)| *id).ok_or_else(|| failure(format!("unknown piece `{name} {number}`")))
            }),
            Each::PlayerNumber(first, last) => api.besides(&kind.name, move |player: PlayerId, number: i64| {
                link.meter.work(pieces.len() as u64 / 32);
                let is_it = |piece: &PieceDef| (piece.owner, piece.number) == (Some(player), Some(number));
                let mine = pieces.iter().find(|(_, piece)| is_it(piece));
                mine.map(|(id, _)| *id).ok_or_else(|| {
                    failure(format!("this player has no {name} {number}: their numbers are {first} to {last}"))
                })
            }),
        }
    }
    for name in owned_zones(&schema) {
        let zones: Vec<Option<ZoneId>> =
            (0..schema.players.len()).map(|at| schema.zone(name, Some(PlayerId::at(at)))).collect();
        let own = name.to_owned();
        api.besides(name, move |player: PlayerId| {
            zones.get(player.index()).copied().flatten().ok_or_else(|| failure(format!("this player has no {own}")))
        });
    }
}

/// Returns the components of a game that scripts use by name: players, pieces that are the only ones of their kind, and
/// zones without an owner.
pub(crate) fn components(schema: &Schema) -> Module {
    let mut module = Module::new();
    for (at, name) in schema.players.iter().enumerate() {
        module.set_var(name.as_str(), PlayerId::at(at));
    }
    for (at, piece) in schema.pieces.iter().enumerate() {
        if piece.is_alone() {
            module.set_var(piece.name.as_str(), PieceId::at(at));
        }
    }
    for (at, zone) in schema.zones.iter().enumerate() {
        if zone.owner.is_none() {
            module.set_var(zone.name.as_str(), ZoneId::at(at));
        }
    }
    module.set_var("game", GameItself);
    module
}
