//! Registers native functions: with Rhai's engine, and with the machine.

use std::sync::Arc;

use rhai::{Dynamic, Engine, FuncRegistration, RhaiNativeFunc, Variant};

use super::native::{IntoNative, Kept, Natives, Several};
use crate::host::Link;
use crate::values::Native;
use referee_table::Schema;

/// Registers functions with the engine and the machine.
pub(crate) struct Api<'e> {
    pub(super) engine: &'e mut Engine,
    pub(super) link: Link,
    pub(super) schema: Arc<Schema>,
    /// The name under which a function is registered: that of the present entry.
    pub(super) name: String,
    pub(super) natives: Natives,
}

impl Api<'_> {
    /// Registers a function of the present entry.
    pub(super) fn add<A: 'static, const N: usize, const X: bool, R: Variant + Clone, const F: bool, Q>(
        &mut self,
        function: impl RhaiNativeFunc<A, N, X, R, F> + IntoNative<Q> + Clone + 'static,
    ) {
        self.natives.add(&self.name, function.clone().native());
        to_engine(self.engine, &self.name, function);
    }

    /// Registers a function with one parameter that returns a value or `None`. The machine calls it without a
    /// `Dynamic`.
    pub(super) fn maybe<A: Variant + Clone + Kept, R: Variant + Clone + Kept>(
        &mut self,
        function: impl Fn(A) -> Native<Option<R>> + Clone + 'static,
    ) {
        self.natives.add(&self.name, function.clone().native());
        to_engine(self.engine, &self.name, move |one: A| function(one).map(or_nothing));
    }

    /// Does the same as `maybe` for a function with two parameters.
    pub(super) fn maybe_of_two<A: Variant + Clone + Kept, B: Variant + Clone + Kept, R: Variant + Clone + Kept>(
        &mut self,
        function: impl Fn(A, B) -> Native<Option<R>> + Clone + 'static,
    ) {
        self.natives.add(&self.name, function.clone().native());
        to_engine(self.engine, &self.name, move |one: A, other: B| function(one, other).map(or_nothing));
    }

    /// Registers a function that returns a list of players, pieces or cells. The machine calls it without a `Dynamic`.
    pub(super) fn list<A, R: Variant + Clone + Kept>(
        &mut self,
        function: impl Fn(&mut A) -> Native<Several<R>> + Clone + 'static,
    ) where
        A: Variant + Clone + Kept,
    {
        self.natives.add(&self.name, function.clone().native());
        to_engine(self.engine, &self.name, move |one: &mut A| function(one).map(Several::into_array));
    }

    /// Registers a function that belongs to no entry: rules cannot call it, or it is part of another one.
    pub(super) fn besides<A: 'static, const N: usize, const X: bool, R: Variant + Clone, const F: bool, Q>(
        &mut self,
        name: &str,
        function: impl RhaiNativeFunc<A, N, X, R, F> + IntoNative<Q> + Clone + 'static,
    ) {
        self.natives.add(name, function.clone().native());
        to_engine(self.engine, name, function);
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

/// Registers a function of the present entry with one to eight values after its first argument.
macro_rules! variadic {
    ($api:ident, $function:ident, $most:ident) => {{
        let _ = $most;
        variadic!(@ $api, $function, a);
        variadic!(@ $api, $function, a, b);
        variadic!(@ $api, $function, a, b, c);
        variadic!(@ $api, $function, a, b, c, d);
        variadic!(@ $api, $function, a, b, c, d, e);
        variadic!(@ $api, $function, a, b, c, d, e, f);
        variadic!(@ $api, $function, a, b, c, d, e, f, g);
        variadic!(@ $api, $function, a, b, c, d, e, f, g, h);
    }};
    (@ $api:ident, $function:ident, $($arg:ident),+) => {{
        let link = $api.link();
        $api.add(move |first: rhai::ImmutableString, $($arg: rhai::Dynamic),+| $function(&link, &first, &[$($arg),+]));
    }};
}

pub(super) use variadic;
