//! Functions for maps, of Rhai's library.

use super::entry::{By, Cost, Does, Entry, library};
use super::library::{clear, contains, get, is_empty, keys, length, remove, values};

/// The entries of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    library("clear(map: map)", "Removes all keys.", Does::ChangesFirst, Cost::Small, By::Library(clear)),
    library(
        "contains(map: map, key: text) -> bool",
        "Returns whether the map has a key.",
        Does::Nothing,
        Cost::Compares,
        By::Library(contains),
    ),
    library(
        "drain(map: map, wanted: function of bool) -> map",
        "Removes the keys for which a function of key and value returns `true`, and returns them.",
        Does::ChangesFirst,
        Cost::Reads,
        By::PreludeOrRhai,
    ),
    library(
        "fill_with(map: map, other: map)",
        "Adds the keys of another map that this one does not have.",
        Does::Fills,
        Cost::Reads,
        By::Rhai,
    ),
    library(
        "filter(map: map, wanted: function of bool) -> map",
        "Returns the keys for which a function of key and value returns `true`.",
        Does::Nothing,
        Cost::Reads,
        By::PreludeOrRhai,
    ),
    library(
        "get(map: map, key: text) -> value",
        "Returns the value of a key, or `()`.",
        Does::Nothing,
        Cost::Small,
        By::Library(get),
    ),
    library(
        "is_empty(map: map) -> bool",
        "Returns whether the map has no keys.",
        Does::Nothing,
        Cost::Small,
        By::Library(is_empty),
    ),
    library("keys(map: map) -> list of text", "Returns the keys.", Does::Nothing, Cost::Reads, By::Library(keys)),
    library("len(map: map) -> number", "Returns the number of keys.", Does::Nothing, Cost::Small, By::Library(length)),
    library(
        "map(map: map, made: function) -> map",
        "Returns the results of a function of key and value for each key.",
        Does::Nothing,
        Cost::Reads,
        By::PreludeOrRhai,
    ),
    library("mixin(map: map, other: map)", "Takes over all keys of another map.", Does::Fills, Cost::Reads, By::Rhai),
    library(
        "remove(map: map, key: text) -> value",
        "Removes a key and returns its value, or `()`.",
        Does::ChangesFirst,
        Cost::Reads,
        By::Library(remove),
    ),
    library(
        "retain(map: map, wanted: function of bool) -> map",
        "Keeps the keys for which a function of key and value returns `true`, and returns the others.",
        Does::ChangesFirst,
        Cost::Reads,
        By::PreludeOrRhai,
    ),
    library("set(map: map, key: text, value: value)", "Gives a key a value.", Does::Fills, Cost::Reads, By::Rhai),
    library("to_json(map: map) -> text", "Returns the map as JSON.", Does::Nothing, Cost::Writes, By::Rhai),
    library(
        "values(map: map) -> list",
        "Returns the values of the keys.",
        Does::Nothing,
        Cost::Reads,
        By::Library(values),
    ),
];
