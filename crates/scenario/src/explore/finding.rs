//! The findings of an exploration.

use referee_diagnostic::{Code, Diagnostic};
use referee_source::Span;

/// The kind of a finding, the most serious first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The rules stop with an error.
    Fault,
    /// An invariant, by its index, is not true or cannot be evaluated.
    Broken(usize),
    /// Nobody wins, and no clause of the rulebook ended the game.
    Unexplained,
    /// The game or a turn does not end.
    Unfinished,
    /// The game cannot end from here, for any decisions and any random outcomes.
    Trapped,
}

/// The identity of a finding: the kind, the code of the message, and its location in the rules.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FindingKey {
    /// The kind.
    pub kind: Kind,
    /// The file of the rules; empty if the finding has no place in them.
    pub file: String,
    /// The first and the last byte of the place.
    pub span: (u32, u32),
    /// The code of the message.
    pub code: Code,
}

/// Something that was found in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its identity.
    pub key: FindingKey,
    /// The message.
    pub diagnostic: Diagnostic,
}

impl Finding {
    /// Returns a finding that is identified by the place of its message in the rules.
    pub(super) fn placed(kind: Kind, diagnostic: Diagnostic) -> Self {
        let place = diagnostic.labels.first().map(|label| {
            let Span { start, end } = label.span;
            (label.source.name().to_owned(), (start, end))
        });
        let (file, span) = place.unwrap_or_default();
        Self { key: FindingKey { kind, file, span, code: diagnostic.code }, diagnostic }
    }

    /// Returns a finding without a place in the rules.
    pub(super) fn unplaced(kind: Kind, diagnostic: Diagnostic) -> Self {
        Self { key: FindingKey { kind, file: String::new(), span: (0, 0), code: diagnostic.code }, diagnostic }
    }
}
