//! The symmetries that a game declares.

use std::sync::Arc;

use referee_source::{Source, Span};

/// The symmetries that a game declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetries {
    /// The location of each word in the game file, by [`SymmetryWord`]; `None` if it is not declared.
    words: [Option<(Arc<Source>, Span)>; SymmetryWord::ALL.len()],
}

/// A word of a `symmetry` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SymmetryWord {
    /// The board is turned onto itself.
    Rotations,
    /// The board is mirrored onto itself, in any way.
    Reflections,
    /// Left and right are exchanged; every row stays.
    LeftRight,
    /// The players are exchanged, with all that is theirs; the order of play stays.
    Colours,
}

impl SymmetryWord {
    /// All words.
    pub const ALL: [Self; 4] = [Self::Rotations, Self::Reflections, Self::LeftRight, Self::Colours];

    /// Returns the word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Rotations => "rotations",
            Self::Reflections => "reflections",
            Self::LeftRight => "left-right",
            Self::Colours => "colours",
        }
    }
}

impl Symmetries {
    /// Returns the declarations of a game that declares none.
    #[must_use]
    pub const fn none() -> Self {
        Self { words: [const { None }; SymmetryWord::ALL.len()] }
    }

    /// Declares a word at this location. Returns `false` if it is declared already.
    pub fn declare(&mut self, word: SymmetryWord, source: &Arc<Source>, span: Span) -> bool {
        let slot = self.words.get_mut(word as usize);
        slot.is_some_and(|slot| slot.replace((Arc::clone(source), span)).is_none())
    }

    /// Returns whether no word is declared.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(Option::is_none)
    }

    /// Returns the location of a word, if it is declared.
    #[must_use]
    pub fn place(&self, word: SymmetryWord) -> Option<(&Arc<Source>, Span)> {
        self.words.get(word as usize)?.as_ref().map(|(source, span)| (source, *span))
    }

    /// Returns the declarations without any other word.
    pub(super) fn only(&self, word: SymmetryWord) -> Self {
        let mut only = Self::none();
        if let Some((slot, place)) = only.words.get_mut(word as usize).zip(self.words.get(word as usize)) {
            slot.clone_from(place);
        }
        only
    }

    pub(super) fn has(&self, word: SymmetryWord) -> bool {
        self.place(word).is_some()
    }
}
