//! What rules do with turns and rounds.

/// What the rules of a game, or what is asked about its play, do with turns and rounds. It says which of a state's [`Turns`](super::Turns) decide
/// how play goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnRules {
    /// Whether the rules change the order of turns by `extra_turn`, `skip`, `set_order` or `no_turn`.
    pub change: bool,
    /// Whether the rules have a function for the beginning of a round.
    pub begin_rounds: bool,
    /// Whether the rules have a function for the end of a round.
    pub end_rounds: bool,
    /// Whether it matters when a round ends.
    pub rounds: bool,
    /// Whether the number of the round is read.
    pub read_round: bool,
    /// Whether the number of turns is read.
    pub read_number: bool,
    /// Whether it is read who had the last turn, or whose turn it is.
    pub read_last: bool,
}

impl TurnRules {
    /// Returns whether turns only follow each other in the order of play, or as `next_turn` says.
    #[must_use]
    pub fn is_plain(self) -> bool {
        self == Self::default()
    }

    /// Returns what these rules or others do.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            change: self.change || other.change,
            begin_rounds: self.begin_rounds || other.begin_rounds,
            end_rounds: self.end_rounds || other.end_rounds,
            rounds: self.rounds || other.rounds,
            read_round: self.read_round || other.read_round,
            read_number: self.read_number || other.read_number,
            read_last: self.read_last || other.read_last,
        }
    }
}
