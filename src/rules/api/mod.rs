//! The functions that rules may call, one file per subject.
//!
//! Each function is registered with its signature and its description. Both become the reference. Scripts are checked
//! against the signatures when they are loaded.

mod arguments;
mod asks;
mod board;
mod cards;
mod cells;
mod dealing;
mod distances;
mod ends;
mod face_down;
mod lacking;
mod lines;
mod moves;
mod pieces;
mod players;
mod properties;
mod registry;
mod telling;
mod ways;

use std::sync::Arc;

use rhai::{Engine, Module};

use crate::rules::host::Link;
use crate::rules::layers::Entry;
use crate::rules::values::GameItself;
use crate::rules::vm::Natives;
use crate::table::Schema;
use registry::Api;

pub(crate) use dealing::{DealingFunction, dealing_function, perform};
pub(crate) use lacking::{Asked, lacking_of_kind, lacking_of_piece};

/// A subject and the function that registers its functions.
type Subject = (&'static str, fn(&mut Api<'_>));

/// Registers all functions with an engine and returns them in order.
pub(crate) fn register(engine: &mut Engine, link: &Link, schema: &Arc<Schema>) -> (Vec<Entry>, Natives) {
    let mut api = Api {
        engine,
        link: link.clone(),
        schema: Arc::clone(schema),
        subject: "",
        entries: Vec::new(),
        natives: Natives::default(),
    };
    let subjects: [Subject; 14] = [
        ("Asking", asks::register),
        ("Pieces", pieces::register),
        ("Cards and zones", cards::register),
        ("Cards face down", face_down::register),
        ("The board", board::register),
        ("Sets of cells", cells::register),
        ("Lines, groups and moves", lines::register),
        ("Lines, groups and moves", distances::register),
        ("Lines, groups and moves", ways::register),
        ("Moves", moves::register),
        ("Players", players::register),
        ("Flags, counters, properties and options", properties::register),
        ("Events and clauses", telling::register),
        ("Ending the game", ends::register),
    ];
    for (subject, register) in subjects {
        api.subject = subject;
        register(&mut api);
    }
    (api.entries, api.natives)
}

/// Returns the components of a game that scripts use by name: players, pieces that are the only ones of their kind, and
/// zones without an owner.
pub(crate) fn components(schema: &Schema) -> Module {
    let mut module = Module::new();
    for (at, name) in schema.players.iter().enumerate() {
        module.set_var(name.as_str(), crate::table::PlayerId::at(at));
    }
    for (at, piece) in schema.pieces.iter().enumerate() {
        if piece.is_alone() {
            module.set_var(piece.name.as_str(), crate::table::PieceId::at(at));
        }
    }
    for (at, zone) in schema.zones.iter().enumerate() {
        if zone.owner.is_none() {
            module.set_var(zone.name.as_str(), crate::table::ZoneId::at(at));
        }
    }
    module.set_var("game", GameItself);
    module
}

/// Returns all functions that the rules of any game may call, with their descriptions.
#[must_use]
pub fn reference() -> Vec<Entry> {
    let schema = Arc::new(Schema::empty());
    let mut engine = Engine::new_raw();
    register(&mut engine, &Link::default(), &schema).0
}
