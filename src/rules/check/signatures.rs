//! The signatures of native functions, taken apart once for all calls.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::rc::Rc;

use super::sorts::Sort;
use crate::rules::layers::Entry;

/// A native function as calls need it.
pub(super) struct Signature<'e> {
    pub(super) entry: &'e Entry,
    /// The kinds of its parameters, without the `…`.
    pub(super) kinds: Vec<&'e str>,
    /// The numbers of arguments that it takes.
    pub(super) counts: RangeInclusive<usize>,
    /// The kind of its result.
    pub(super) result: Option<Sort>,
}

/// Native functions by name.
pub(super) type Signatures<'e> = BTreeMap<&'e str, Vec<Rc<Signature<'e>>>>;

impl<'e> Signature<'e> {
    fn of(entry: &'e Entry) -> Self {
        let kinds: Vec<&str> = entry.parameters().into_iter().map(|parameter| parameter.kind).collect();
        let counts = kinds.len()..=entry.most();
        Self { entry, kinds, counts, result: entry.result().and_then(Sort::of_result) }
    }

    /// Returns the kinds that the function takes as its argument of this number; `None` if it takes several, or if they
    /// are not known.
    pub(super) fn sorts_of_parameter(&self, at: usize) -> Option<Vec<Sort>> {
        let sort = match *self.kinds.get(at)? {
            "die" | "ask" | "verb" | "event" | "clause" | "option" | "property" | "zone name" | "kind"
            | "piece name" | "phase" => Sort::Text,
            kind => Sort::of_result(kind)?,
        };
        // These take a list of players as well.
        Some(match self.entry.name() {
            "win" | "lose" => vec![sort, Sort::List],
            _ => vec![sort],
        })
    }
}

/// Returns the signatures of these functions.
pub(super) fn signatures(entries: &[Entry]) -> Signatures<'_> {
    let mut signatures = Signatures::new();
    for entry in entries {
        signatures.entry(entry.name()).or_default().push(Rc::new(Signature::of(entry)));
    }
    signatures
}
