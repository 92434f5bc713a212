//! A map from names.

use std::collections::HashMap;

/// A map from names. Loading a game looks up thousands of names, and the standard library's hash takes several times as
/// long. Nothing may depend on the order of the names.
pub type NameMap<T, K = String> = HashMap<K, T, ahash::RandomState>;
