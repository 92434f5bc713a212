//! What names stand for that no variable has.

use std::cell::RefCell;
use std::collections::BTreeSet;

use rhai::{ImmutableString, Position};

use super::read::Outside;
use super::spans;
use super::tree::{Function, Name, Node, Target, What, is_closure};
use crate::layers::{Definition, Layers, Texts};
use crate::natives::{Form, Named, OfGame};
use referee_table::{Schema, Value};

/// The names of scripts, of the game, and of the functions that rules may call.
pub(super) struct Names<'n> {
    layers: &'n Layers,
    /// What the game adds to the functions that rules may call.
    natives: &'n OfGame,
    /// The closures of an expression outside of the scripts.
    closures: &'n [Definition],
    /// The closures that were read as parts of functions.
    read: RefCell<BTreeSet<String>>,
    /// The texts of the scripts, and of the expression.
    texts: &'n Texts,
}

impl<'n> Names<'n> {
    pub(super) fn of(
        layers: &'n Layers,
        natives: &'n OfGame,
        (closures, texts): (&'n [Definition], &'n Texts),
    ) -> Self {
        Self { layers, natives, closures, read: RefCell::default(), texts }
    }

    /// Returns whether a closure was read as a part of a function. Others are in constants.
    pub(super) fn has_read(&self, closure: &str) -> bool {
        self.read.borrow().contains(closure)
    }

    fn is_native(&self, (name, natives): (&str, Named), count: usize) -> bool {
        natives.are_known(count)
            || self.natives.functions(name).iter().any(|form| form.counts().contains(&count))
            || of_language(name, count)
    }

    fn is_known(&self, (name, natives): (&str, Named)) -> bool {
        !natives.is_empty() || !self.natives.functions(name).is_empty() || (0..=9).any(|count| of_language(name, count))
    }
}

/// Returns whether this is a function that inspects the script, which rules may not use.
fn of_language(name: &str, count: usize) -> bool {
    match name {
        "is_shared" | "is_def_var" => count == 1,
        "is_def_fn" => count == 2,
        _ => false,
    }
}

impl Outside for Names<'_> {
    fn name(&self, name: &ImmutableString) -> Name {
        if self.layers.constants.contains_key(name.as_str()) {
            Name::Constant(name.clone())
        } else if self.natives.component(name).is_some() {
            Name::Component(name.clone())
        } else if self.layers.has_function(name) {
            Name::Function(name.clone())
        } else {
            Name::Unknown(name.clone())
        }
    }

    fn target(&self, named @ (name, _): (&str, Named), in_brackets: usize, method: bool) -> Target {
        if self.layers.arities(name).any(|count| count == in_brackets) {
            Target::Script
        } else if self.is_native(named, in_brackets + usize::from(method)) {
            Target::Native
        } else if self.layers.has_function(name) {
            Target::OtherScript
        } else if self.is_known(named) {
            Target::Native
        } else {
            Target::Unknown
        }
    }

    fn parameters(&self, at: Position) -> Vec<Position> {
        spans::parameters(self.texts, at)
    }

    fn closure(&self, name: &str) -> Option<Definition> {
        if !is_closure(name) {
            return None;
        }
        let alone = self.closures.iter().find(|def| def.name == name).cloned();
        alone.or_else(|| {
            let (found, function) = self.layers.functions.range((name.to_owned(), 0)..).next()?;
            let def = (found.0 == name).then(|| function.def.clone())?;
            self.read.borrow_mut().insert(name.to_owned());
            Some(def)
        })
    }
}

/// No names of a game.
pub(super) struct Bare<'n> {
    pub(super) closures: &'n [Definition],
}

impl Outside for Bare<'_> {
    fn parameters(&self, _: Position) -> Vec<Position> {
        Vec::new()
    }

    fn name(&self, name: &ImmutableString) -> Name {
        Name::Unknown(name.clone())
    }

    fn target(&self, _: (&str, Named), _: usize, _: bool) -> Target {
        Target::Unknown
    }

    fn closure(&self, name: &str) -> Option<Definition> {
        self.closures.iter().find(|def| def.name == name).cloned()
    }
}

/// Returns the keys of all maps that scripts write or that are printed on cards.
pub(super) fn keys(functions: &[Function], layers: &Layers, schema: &Schema) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    layers.constants.values().for_each(|constant| constant_keys(&constant.value, &mut keys));
    for function in functions {
        let mut maps = BTreeSet::new();
        function.body.walk(&mut |node| {
            if let What::Let { local, value } = &node.what
                && matches!(value.what, What::Map(_))
            {
                maps.insert(*local);
            }
        });
        let is_map = |local: Option<usize>| local.is_some_and(|local| maps.contains(&local));
        function.body.walk(&mut |node| match &node.what {
            // So do `totals.anna = 0` and `totals.set("anna", 0)`.
            What::Assign(assign) => {
                if let What::Field { of, name, .. } = &assign.to.what
                    && is_map(of.local())
                {
                    keys.insert(name.to_string());
                }
            }
            What::Call(call)
                if call.method
                    && call.natives.filling().any(Form::sets_key)
                    && is_map(call.args.first().and_then(Node::local)) =>
            {
                keys.extend(call.args.get(1).and_then(Node::text).map(ToString::to_string));
            }
            What::Map(pairs) => keys.extend(pairs.iter().map(|(key, _)| key.name.to_string())),
            What::Constant(value) => constant_keys(value, &mut keys),
            // `totals["anna"] = 0` makes a key as well.
            What::Index { index, .. } => {
                keys.extend(index.text().map(ToString::to_string));
            }
            _ => {}
        });
    }
    let cards = schema.pieces.iter().filter_map(|piece| piece.card.as_ref());
    cards.flat_map(|card| &card.printed).for_each(|(_, value)| value_keys(value, &mut keys));
    keys
}

/// Adds the keys of the maps in a constant, and in the lists and maps in it.
fn constant_keys(value: &rhai::Dynamic, keys: &mut BTreeSet<String>) {
    if let Some(map) = value.read_lock::<rhai::Map>() {
        for (key, value) in map.iter() {
            keys.insert(key.to_string());
            constant_keys(value, keys);
        }
    } else if let Some(list) = value.read_lock::<rhai::Array>() {
        list.iter().for_each(|value| constant_keys(value, keys));
    }
}

/// Adds the keys of the maps in a value.
fn value_keys(value: &Value, keys: &mut BTreeSet<String>) {
    match value {
        Value::Map(map) => map.iter().for_each(|(name, value)| {
            keys.insert(name.to_string());
            value_keys(value, keys);
        }),
        Value::List(list) => list.iter().for_each(|value| value_keys(value, keys)),
        _ => {}
    }
}
