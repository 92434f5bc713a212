//! Maps from names, and sets of them.

use std::collections::{HashMap, HashSet};

/// A map from names. Loading a game looks up thousands of names, and the standard library's hash takes several times as
/// long. Nothing may depend on the order of the names.
pub type NameMap<T, K = String> = HashMap<K, T, ahash::RandomState>;

/// A set of names, with the same hash. Nothing may depend on their order.
pub type NameSet<K = String> = HashSet<K, ahash::RandomState>;
