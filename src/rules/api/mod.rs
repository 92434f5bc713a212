//! The functions that rules may call, one file per subject.
//!
//! Each function is registered with its signature and its description; both become the reference, and the signature is
//! what scripts are checked against when they are loaded.

mod asks;
mod board;
mod cards;
mod cells;
mod distances;
mod ends;
mod face_down;
mod lines;
mod moves;
mod pieces;
mod players;
mod properties;
mod telling;
mod ways;

use std::sync::Arc;

use rhai::{Dynamic, Engine, Module, RhaiNativeFunc, Variant};

use crate::rules::host::Link;
use crate::rules::layers::Entry;
use crate::rules::values::{GameItself, Native};
use crate::rules::vm::{IntoNative, Kept, Natives, Several};
use crate::table::Schema;

pub(crate) use cards::{DealingFunction, dealing_function, perform};

/// The engine while functions are registered with it.
pub(crate) struct Api<'e> {
    engine: &'e mut Engine,
    link: Link,
    schema: Arc<Schema>,
    subject: &'static str,
    entries: Vec<Entry>,
    natives: Natives,
}

impl Api<'_> {
    /// Registers a function under the name that its signature begins with.
    fn add<A: 'static, const N: usize, const X: bool, R: Variant + Clone, const F: bool, Q>(
        &mut self,
        signature: &str,
        doc: &'static str,
        function: impl RhaiNativeFunc<A, N, X, R, F> + IntoNative<Q> + Clone + 'static,
    ) {
        let entry = Entry { subject: self.subject, signature: signature.to_owned(), doc };
        self.native(entry.name(), function);
        self.entries.push(entry);
    }

    /// Registers a function of one value that gives a value or nothing: the machine gets it without a detour.
    fn maybe<A: Variant + Clone + Kept, R: Variant + Clone + Kept>(
        &mut self,
        signature: &str,
        doc: &'static str,
        function: impl Fn(A) -> Native<Option<R>> + Clone + 'static,
    ) {
        let entry = Entry { subject: self.subject, signature: signature.to_owned(), doc };
        self.natives.add(entry.name(), function.clone().native());
        self.engine.register_fn(entry.name(), move |one: A| function(one).map(or_nothing));
        self.entries.push(entry);
    }

    /// The same for a function of two values.
    fn maybe_of_two<A: Variant + Clone + Kept, B: Variant + Clone + Kept, R: Variant + Clone + Kept>(
        &mut self,
        signature: &str,
        doc: &'static str,
        function: impl Fn(A, B) -> Native<Option<R>> + Clone + 'static,
    ) {
        let entry = Entry { subject: self.subject, signature: signature.to_owned(), doc };
        self.natives.add(entry.name(), function.clone().native());
        self.engine.register_fn(entry.name(), move |one: A, other: B| function(one, other).map(or_nothing));
        self.entries.push(entry);
    }

    /// Registers a function that gives a list of players, pieces or cells: the machine gets it without a detour.
    fn list<A, R: Variant + Clone + Kept>(
        &mut self,
        signature: &str,
        doc: &'static str,
        function: impl Fn(&mut A) -> Native<Several<R>> + Clone + 'static,
    ) where
        A: Variant + Clone + Kept,
    {
        let entry = Entry { subject: self.subject, signature: signature.to_owned(), doc };
        self.natives.add(entry.name(), function.clone().native());
        self.engine.register_fn(entry.name(), move |one: &mut A| function(one).map(Several::into_array));
        self.entries.push(entry);
    }

    /// Registers a native function of this name: with the engine, and for code that does without the engine.
    fn native<A: 'static, const N: usize, const X: bool, R: Variant + Clone, const F: bool, Q>(
        &mut self,
        name: &str,
        function: impl RhaiNativeFunc<A, N, X, R, F> + IntoNative<Q> + Clone + 'static,
    ) {
        self.natives.add(name, function.clone().native());
        self.engine.register_fn(name, function);
    }

    /// Registers what is read as `value.name`.
    fn getter<T: Variant + Clone + Kept, R: Variant + Clone + Kept>(
        &mut self,
        name: &str,
        read: impl Fn(&mut T) -> R + Clone + 'static,
    ) {
        self.native(&format!("get${name}"), read);
    }

    /// Registers one more shape of the function that was registered last, under the same name.
    fn also<A: 'static, const N: usize, const X: bool, R: Variant + Clone, const F: bool, Q>(
        &mut self,
        function: impl RhaiNativeFunc<A, N, X, R, F> + IntoNative<Q> + Clone + 'static,
    ) {
        let name = self.entries.last().map(|entry| entry.name().to_owned()).unwrap_or_default();
        self.native(&name, function);
    }

    /// Returns a link for a native function to keep.
    fn link(&self) -> Link {
        self.link.clone()
    }
}

/// Returns a value, or `()`.
fn or_nothing<R: Variant + Clone>(value: Option<R>) -> Dynamic {
    value.map_or(Dynamic::UNIT, Dynamic::from)
}

/// A subject and what registers its functions.
type Subject = (&'static str, fn(&mut Api<'_>));

/// Registers everything with an engine; what is registered is returned, in order.
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
        ("Telling what happened", telling::register),
        ("Ending the game", ends::register),
    ];
    for (subject, register) in subjects {
        api.subject = subject;
        register(&mut api);
    }
    (api.entries, api.natives)
}

/// Returns the components of a game as names of the script: players, and pieces that are the only ones of their kind.
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

/// Returns every function that rules of any game may call, with its description.
#[must_use]
pub fn reference() -> Vec<Entry> {
    let schema = Arc::new(Schema::empty());
    let mut engine = Engine::new_raw();
    register(&mut engine, &Link::default(), &schema).0
}
