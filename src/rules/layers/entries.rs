//! The descriptions of the functions that rules may call.

/// A function of the rules API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The heading under which the reference lists it.
    pub subject: &'static str,
    /// The name, parameters and result: `roll(die: die) -> number`. `…` means more arguments.
    pub signature: String,
    /// The description.
    pub doc: &'static str,
}

/// A parameter of a function: `die: die`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter<'e> {
    /// The kind, as in the signature.
    pub(crate) kind: &'e str,
}

impl Entry {
    /// Returns the function's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.signature.split('(').next().unwrap_or_default()
    }

    /// Returns whether an expectation can use the function: it returns a value, and neither asks nor changes the game.
    #[must_use]
    pub fn only_tells(&self) -> bool {
        const CHANGES: [&str; 8] = ["roll", "choose", "choose_all", "draw", "remove", "turn_up", "pick_up", "look_at"];
        self.result().is_some() && !CHANGES.contains(&self.name())
    }

    /// Returns the kind of the result, such as `number`; `None` if the function returns no value.
    #[must_use]
    pub fn result(&self) -> Option<&str> {
        self.signature.split_once(") -> ").map(|(_, result)| result)
    }

    /// Returns the parameters without the `…`.
    pub(crate) fn parameters(&self) -> Vec<Parameter<'_>> {
        let inside = self.signature.split_once('(').map_or("", |(_, rest)| rest);
        let inside = inside.split_once(')').map_or("", |(inside, _)| inside);
        let named = inside.split(',').map(str::trim_start).filter(|part| !part.is_empty() && *part != "…");
        named.map(|part| Parameter { kind: part.split_once(':').map_or(part, |(_, kind)| kind.trim_start()) }).collect()
    }

    /// Returns whether the function is useless in a game without a board.
    pub(crate) fn is_about_cells(&self) -> bool {
        const KINDS: [&str; 7] = ["cell", "cells", "dirs", "direction", "move", "moves", "path"];
        let kinds = self.parameters();
        let mut kinds = kinds.iter().map(|parameter| parameter.kind).chain(self.result());
        self.subject == "The board"
            || matches!(self.name(), "is_off" | "lift" | "longest_line" | "occupied" | "can_move")
            || kinds.any(|kind| KINDS.contains(&kind))
    }

    /// Returns the maximum number of arguments for `…`.
    pub(crate) fn more(&self) -> usize {
        if self.signature.contains('…') { MORE } else { 0 }
    }
}

/// The maximum number of arguments for `…`.
pub(crate) const MORE: usize = 8;
