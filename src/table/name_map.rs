//! A map from names.

use std::collections::HashMap;

/// A map from names. Loading a game looks up thousands of names; what comes from outside is hashed as often as the author
/// writes it, so a fast hash is enough.
pub(crate) type NameMap<T, K = String> = HashMap<K, T, ahash::RandomState>;
