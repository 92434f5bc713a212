//! The signatures of native functions, each taken apart once for all calls.

use std::cell::OnceCell;
use std::ops::RangeInclusive;

use super::sorts::Sort;
use crate::rules::layers::Entry;
use crate::table::NameMap;

/// A native function as calls need it.
pub(super) struct Signature<'e> {
    pub(super) entry: &'e Entry,
    /// The kinds of its parameters, once they were needed: rules call few of the functions.
    kinds: OnceCell<Vec<&'e str>>,
}

/// Native functions by name.
pub(super) type Signatures<'e> = NameMap<Vec<Signature<'e>>, &'e str>;

impl<'e> Signature<'e> {
    /// Returns the kinds of its parameters, without the `…`.
    pub(super) fn kinds(&self) -> &[&'e str] {
        self.kinds.get_or_init(|| self.entry.parameters().into_iter().map(|parameter| parameter.kind).collect())
    }

    /// Returns the numbers of arguments that it takes.
    pub(super) fn counts(&self) -> RangeInclusive<usize> {
        let least = self.kinds().len();
        least..=least + self.entry.more()
    }

    /// Returns the kind of its result.
    pub(super) fn result(&self) -> Option<Sort> {
        self.entry.result().and_then(Sort::of_result)
    }

    /// Returns the usual and the other kind that the function takes as its argument of this number; `None` if they are not
    /// known.
    pub(super) fn sorts_of_parameter(&self, at: usize) -> Option<[Sort; 2]> {
        let sort = match *self.kinds().get(at)? {
            "die" | "ask" | "verb" | "event" | "clause" | "option" | "property" | "zone name" | "kind"
            | "piece name" | "phase" => Sort::Text,
            kind => Sort::of_result(kind)?,
        };
        // These take a list of players as well.
        Some(match self.entry.name() {
            "win" | "lose" => [sort, Sort::List],
            _ => [sort, sort],
        })
    }
}

/// Returns the signatures of these functions.
pub(super) fn signatures(entries: &[Entry]) -> Signatures<'_> {
    let mut signatures = Signatures::default();
    for entry in entries {
        signatures.entry(entry.name()).or_default().push(Signature { entry, kinds: OnceCell::new() });
    }
    signatures
}
