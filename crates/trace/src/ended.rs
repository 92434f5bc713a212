//! How a game ended, for readers.

use std::fmt::{Display, Formatter, Result};

use referee_diagnostic::Label;

/// How a game ended, and by what.
///
/// It explains the end of a game, and is no part of its position. So two of them are equal if their outcomes are: rules
/// may end the same game by another clause, or on another line.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The outcome in the words of the language: `winner red`.
    pub outcome: String,
    /// The clause that was applied last in the last turn.
    pub clause: Option<String>,
    /// The call in the rules that ended the game.
    pub place: Option<Label>,
}

impl PartialEq for Ended {
    fn eq(&self, other: &Self) -> bool {
        self.outcome == other.outcome
    }
}

impl Eq for Ended {}

impl Ended {
    /// Returns the file and the line, counted from 1, of the call that ended the game.
    #[must_use]
    pub fn at(&self) -> Option<(&str, usize)> {
        self.place.as_ref().map(|label| (label.source.name(), label.source.line(label.span.start)))
    }

    /// Returns the outcome and the clause: `winner red (E1)`.
    #[must_use]
    pub fn short(&self) -> String {
        let clause = self.clause.as_ref().map(|clause| format!(" ({clause})"));
        format!("{}{}", self.outcome, clause.unwrap_or_default())
    }
}

impl Display for Ended {
    /// Writes the outcome, the clause and the line of the rules: `winner red (E1), games/pig/rules.rhai:20`.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        formatter.write_str(&self.short())?;
        self.at().map_or(Ok(()), |(file, line)| write!(formatter, ", {file}:{line}"))
    }
}
