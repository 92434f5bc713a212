//! The data of a graph: named places with coordinates, the links between them, and lines of places.

use std::cmp::Ordering;

use super::Value;

/// The data file of a board of places and links. A game has each of its files once, so they are compared by name.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The name of the file, as the line `board graph from "…"` has it.
    pub file: String,
    /// The places, in the order of the file.
    pub places: Vec<GraphPlace>,
    /// The links, in the order of the file.
    pub links: Vec<GraphLink>,
    /// The names of the values that are printed on places or links.
    pub printed: Vec<String>,
    /// The lines of places: each with its places by their numbers, from 0, in order.
    pub lines: Vec<Vec<usize>>,
}

/// A place of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphPlace {
    /// Its name.
    pub name: String,
    /// Where it is drawn: to the right and up.
    pub at: (i32, i32),
    /// The values printed on it.
    pub printed: Vec<(String, Value)>,
}

/// A link between two places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphLink {
    /// The places that it joins, by their numbers, from 0.
    pub ends: [usize; 2],
    /// Its name: one of its own, or `FROM/TO`, with a number after further links of the same places.
    pub name: String,
    /// Whether steps lead only from its first place to its second one.
    pub one_way: bool,
    /// The values printed on it.
    pub printed: Vec<(String, Value)>,
}

impl PartialEq for Graph {
    fn eq(&self, other: &Self) -> bool {
        self.file == other.file
    }
}

impl Eq for Graph {}

impl PartialOrd for Graph {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Graph {
    fn cmp(&self, other: &Self) -> Ordering {
        self.file.cmp(&other.file)
    }
}
