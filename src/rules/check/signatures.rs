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

    /// Returns the kind of its result; `None` if it is not known.
    pub(super) fn result(&self) -> Option<Sort> {
        self.entry.result().map_or(Some(Sort::Nothing), Sort::of_result)
    }

    /// Returns the kinds that the function takes as its argument of this number, the usual one first; `None` if they are not
    /// known.
    pub(super) fn sorts_of_parameter(&self, at: usize) -> Option<&'static [Sort]> {
        // These take a list of players as well.
        let several = matches!(self.entry.name(), "win" | "lose");
        Some(match *self.kinds().get(at)? {
            "die" | "ask" | "verb" | "event" | "clause" | "option" | "property" | "zone name" | "kind"
            | "piece name" | "phase" | "text" => &[Sort::Text],
            "player" if several => &[Sort::Player, Sort::List],
            "player" => &[Sort::Player],
            "number" | "direction" => &[Sort::Number],
            "bool" => &[Sort::Truth],
            "piece" => &[Sort::Piece],
            "cell" => &[Sort::Cell],
            "cells" => &[Sort::Cells],
            "cell or cells" => &[Sort::Cell, Sort::Cells],
            "dirs" => &[Sort::Dirs],
            "zone" => &[Sort::Zone],
            "move" => &[Sort::Move],
            "moves" => &[Sort::Moves],
            "list" => &[Sort::List],
            "function" => &[Sort::Function],
            "owner" => &[Sort::Player, Sort::Piece, Sort::Game],
            "component" => &[Sort::Player, Sort::Piece, Sort::Cell],
            "options" => &[Sort::List, Sort::Cells, Sort::Range, Sort::Moves],
            _ => return None,
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
