//! The functions that rules may call, as they are written.

/// A function of the rules API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is about.
    pub subject: &'static str,
    /// Its name, parameters and result: `roll(die: die) -> number`; `…` stands for more values.
    pub signature: String,
    /// What it does.
    pub doc: &'static str,
}

/// A parameter of a function: `die: die`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter<'e> {
    /// Its kind, as the signature words it.
    pub(crate) kind: &'e str,
}

impl Entry {
    /// Returns the function's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.signature.split('(').next().unwrap_or_default()
    }

    /// What it gives: `number`; nothing for a function that gives nothing.
    #[must_use]
    pub fn result(&self) -> Option<&str> {
        self.signature.split_once(") -> ").map(|(_, result)| result)
    }

    /// Returns its parameters, without the `…`.
    pub(crate) fn parameters(&self) -> Vec<Parameter<'_>> {
        let inside = self.signature.split_once('(').map_or("", |(_, rest)| rest);
        let inside = inside.rsplit_once(')').map_or("", |(inside, _)| inside);
        let named = inside.split(", ").filter(|part| !part.is_empty() && *part != "…");
        named.map(|part| Parameter { kind: part.split_once(": ").map_or(part, |(_, kind)| kind) }).collect()
    }

    /// Returns whether it means nothing in a game without a board.
    pub(crate) fn is_about_cells(&self) -> bool {
        const KINDS: [&str; 7] = ["cell", "cells", "dirs", "direction", "move", "moves", "path"];
        let kinds = self.parameters();
        let mut kinds = kinds.iter().map(|parameter| parameter.kind).chain(self.result());
        self.subject == "The board"
            || matches!(self.name(), "is_off" | "lift" | "longest_line" | "occupied" | "can_move")
            || kinds.any(|kind| KINDS.contains(&kind))
    }

    /// Returns whether it takes more values behind its parameters, and how many at most.
    pub(crate) fn most(&self) -> usize {
        let more = if self.signature.contains('…') { MORE } else { 0 };
        self.parameters().len() + more
    }
}

/// How many more values `…` takes at most.
pub(crate) const MORE: usize = 8;
