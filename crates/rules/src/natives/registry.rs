//! Registers native functions.

use std::sync::Arc;

use super::native::{IntoNative, Natives};
use crate::host::Link;
use referee_table::Schema;

/// Registers the functions of entries.
pub(crate) struct Api {
    pub(super) link: Link,
    pub(super) schema: Arc<Schema>,
    /// The name under which a function is registered: that of the present entry.
    pub(super) name: String,
    pub(super) natives: Natives,
}

impl Api {
    /// Registers a function of the present entry.
    pub(super) fn add<Q>(&mut self, function: impl IntoNative<Q>) {
        self.natives.add(&self.name, function.native());
    }

    /// Registers a function that belongs to no entry: rules cannot call it, or it is part of another one.
    pub(super) fn besides<Q>(&mut self, name: &str, function: impl IntoNative<Q>) {
        self.natives.add(name, function.native());
    }

    /// Returns a copy of the link for a native function.
    pub(super) fn link(&self) -> Link {
        self.link.clone()
    }
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

/// Registers a function of an owner for each kind of owners.
macro_rules! for_owners {
    ($api:ident, |$of:ident $(, $name:ident: $kind:ty)*| => $work:expr) => {
        let link = $api.link();
        $api.add(move |$of: referee_table::PlayerId $(, $name: $kind)*| { let $of = referee_table::Owner::Player($of); $work(&link, $of $(, $name)*) });
        let link = $api.link();
        $api.add(move |$of: referee_table::PieceId $(, $name: $kind)*| { let $of = referee_table::Owner::Piece($of); $work(&link, $of $(, $name)*) });
        let link = $api.link();
        $api.add(move |$of: referee_table::Cell $(, $name: $kind)*| { let $of = referee_table::Owner::Place($of); $work(&link, $of $(, $name)*) });
        let link = $api.link();
        $api.add(move |_: crate::values::GameItself $(, $name: $kind)*| $work(&link, referee_table::Owner::Game $(, $name)*));
    };
}
pub(super) use for_owners;
