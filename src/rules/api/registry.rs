//! Registers functions: with the engine, with the machine, and with their signatures for the check and the reference.

use std::sync::Arc;

use rhai::{Dynamic, Engine, FuncRegistration, RhaiNativeFunc, Variant};

use crate::rules::host::Link;
use crate::rules::layers::Entry;
use crate::rules::values::Native;
use crate::rules::vm::{IntoNative, Kept, Natives, Several};
use crate::table::Schema;

/// Registers functions with the engine and the machine.
pub(crate) struct Api<'e> {
    pub(super) engine: &'e mut Engine,
    pub(super) link: Link,
    pub(super) schema: Arc<Schema>,
    pub(super) subject: &'static str,
    pub(super) entries: Vec<Entry>,
    pub(super) natives: Natives,
}

impl Api<'_> {
    /// Registers a function. Its signature begins with its name.
    pub(super) fn add<A: 'static, const N: usize, const X: bool, R: Variant + Clone, const F: bool, Q>(
        &mut self,
        signature: &str,
        doc: &'static str,
        function: impl RhaiNativeFunc<A, N, X, R, F> + IntoNative<Q> + Clone + 'static,
    ) {
        let entry = Entry { subject: self.subject, signature: signature.to_owned(), doc };
        self.native(entry.name(), function);
        self.entries.push(entry);
    }

    /// Registers a function with one parameter that returns a value or `None`. The machine calls it without a
    /// `Dynamic`.
    pub(super) fn maybe<A: Variant + Clone + Kept, R: Variant + Clone + Kept>(
        &mut self,
        signature: &str,
        doc: &'static str,
        function: impl Fn(A) -> Native<Option<R>> + Clone + 'static,
    ) {
        let entry = Entry { subject: self.subject, signature: signature.to_owned(), doc };
        self.natives.add(entry.name(), function.clone().native());
        to_engine(self.engine, entry.name(), move |one: A| function(one).map(or_nothing));
        self.entries.push(entry);
    }

    /// Does the same as `maybe` for a function with two parameters.
    pub(super) fn maybe_of_two<A: Variant + Clone + Kept, B: Variant + Clone + Kept, R: Variant + Clone + Kept>(
        &mut self,
        signature: &str,
        doc: &'static str,
        function: impl Fn(A, B) -> Native<Option<R>> + Clone + 'static,
    ) {
        let entry = Entry { subject: self.subject, signature: signature.to_owned(), doc };
        self.natives.add(entry.name(), function.clone().native());
        to_engine(self.engine, entry.name(), move |one: A, other: B| function(one, other).map(or_nothing));
        self.entries.push(entry);
    }

    /// Registers a function that returns a list of players, pieces or cells. The machine calls it without a `Dynamic`.
    pub(super) fn list<A, R: Variant + Clone + Kept>(
        &mut self,
        signature: &str,
        doc: &'static str,
        function: impl Fn(&mut A) -> Native<Several<R>> + Clone + 'static,
    ) where
        A: Variant + Clone + Kept,
    {
        let entry = Entry { subject: self.subject, signature: signature.to_owned(), doc };
        self.natives.add(entry.name(), function.clone().native());
        to_engine(self.engine, entry.name(), move |one: &mut A| function(one).map(Several::into_array));
        self.entries.push(entry);
    }

    /// Registers a native function with the engine and with the machine.
    pub(super) fn native<A: 'static, const N: usize, const X: bool, R: Variant + Clone, const F: bool, Q>(
        &mut self,
        name: &str,
        function: impl RhaiNativeFunc<A, N, X, R, F> + IntoNative<Q> + Clone + 'static,
    ) {
        self.natives.add(name, function.clone().native());
        to_engine(self.engine, name, function);
    }

    /// Registers a property that scripts read as `value.name`.
    pub(super) fn getter<T: Variant + Clone + Kept, R: Variant + Clone + Kept>(
        &mut self,
        name: &str,
        read: impl Fn(&mut T) -> R + Clone + 'static,
    ) {
        self.native(&format!("get${name}"), read);
    }

    /// Registers an overload of the function that was registered last.
    pub(super) fn also<A: 'static, const N: usize, const X: bool, R: Variant + Clone, const F: bool, Q>(
        &mut self,
        function: impl RhaiNativeFunc<A, N, X, R, F> + IntoNative<Q> + Clone + 'static,
    ) {
        let name = self.entries.last().map(|entry| entry.name().to_owned()).unwrap_or_default();
        self.native(&name, function);
    }

    /// Returns a copy of the link for a native function.
    pub(super) fn link(&self) -> Link {
        self.link.clone()
    }
}

/// Registers a function with the engine. Rhai writes down the types of the parameters unless it is given something else;
/// nothing reads them.
fn to_engine<A: 'static, const N: usize, const X: bool, R: Variant + Clone, const F: bool>(
    engine: &mut Engine,
    name: &str,
    function: impl RhaiNativeFunc<A, N, X, R, F> + 'static,
) {
    FuncRegistration::new(name).with_params_info(["_"]).register_into_engine(engine, function);
}

/// Returns a value, or `()`.
fn or_nothing<R: Variant + Clone>(value: Option<R>) -> Dynamic {
    value.map_or(Dynamic::UNIT, Dynamic::from)
}
