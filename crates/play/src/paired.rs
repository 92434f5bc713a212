//! Counts of pairs of games: two games with the same seed and number under two readings of the rules.
//!
//! Both games draw from equal generators (common random numbers), so that their differences vary less than those of
//! unrelated games. All counts are integers, so that sums do not depend on the order of games.

use super::tally::Tally;
use referee_diagnostic::MustBe as _;
use referee_table::{ClauseId, Outcome, Owner, PlayerId, PropertyId, Schema};

/// A number that each game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Whether this player wins, alone or with others.
    Wins(PlayerId),
    /// Whether it is a draw.
    Draw,
    /// Whether no player wins.
    Nobody,
    /// Whether it was stopped after too many turns.
    Unfinished,
    /// Whether the given condition holds at its end.
    Held,
    /// The number of turns of a finished game.
    Turns,
    /// The number of decisions.
    Decisions,
    /// The sum of the numbers of options of all decisions.
    Options,
    /// The number of captures.
    Captures,
    /// A counter at the end of a finished game; its index in [`Schema::statistics`].
    Counter(usize, PropertyId, Owner),
    /// Whether this clause was applied last; `None` for a game that ends without a clause.
    EndedBy(Option<ClauseId>),
    /// How often a clause was applied.
    Clause(ClauseId),
}

impl Measure {
    /// Returns the measures of the games of these players; `has_condition` says whether a condition is given.
    #[must_use]
    pub fn all(schema: &Schema, players: &[PlayerId], has_condition: bool) -> Vec<Self> {
        let clauses = || (0..schema.clauses.len()).map(ClauseId::at);
        let counters = schema.statistics().enumerate().filter(|(_, (_, owner))| match owner {
            Owner::Player(player) => players.contains(player),
            Owner::Game | Owner::Piece(_) | Owner::Place(_) => true,
        });
        let results =
            players.iter().map(|player| Self::Wins(*player)).chain([Self::Draw, Self::Nobody, Self::Unfinished]);
        let held = has_condition.then_some(Self::Held);
        let lengths = [Self::Turns, Self::Decisions, Self::Options, Self::Captures];
        let counters = counters.map(|(at, (property, owner))| Self::Counter(at, property, owner));
        let ended = clauses().map(Some).chain([None]).map(Self::EndedBy);
        results.chain(held).chain(lengths).chain(counters).chain(ended).chain(clauses().map(Self::Clause)).collect()
    }

    /// Returns whether it is 0 or 1 in each game, so that its mean is a share of the games.
    #[must_use]
    pub const fn is_share(self) -> bool {
        self.is_result() || matches!(self, Self::Held | Self::EndedBy(_))
    }

    /// Returns whether it is a result of the game.
    #[must_use]
    pub const fn is_result(self) -> bool {
        matches!(self, Self::Wins(_) | Self::Draw | Self::Nobody | Self::Unfinished)
    }

    /// Returns the number of a game; `None` for a game without it. Without an outcome, the game was stopped. `held` says
    /// whether the condition holds at its end.
    #[must_use]
    pub fn of(self, game: &Tally, outcome: Option<&Outcome>, held: bool) -> Option<i64> {
        let count = |number: u64| i64::try_from(number).ok();
        match self {
            Self::Wins(player) => {
                Some(i64::from(matches!(outcome, Some(Outcome::Won(players)) if players.contains(&player))))
            }
            Self::Draw => Some(i64::from(outcome == Some(&Outcome::Draw))),
            Self::Nobody => Some(i64::from(outcome == Some(&Outcome::Nobody))),
            Self::Unfinished => Some(i64::from(outcome.is_none())),
            Self::Held => Some(i64::from(held)),
            Self::Turns => outcome.and_then(|_| count(game.plies)),
            Self::Decisions => count(game.decisions),
            Self::Options => count(game.options),
            Self::Captures => count(game.captures),
            Self::Clause(clause) => {
                count(game.clauses.get(clause.index()).copied().or_missing("the count of a clause", 0))
            }
            Self::EndedBy(clause) => Some(i64::from(outcome.is_some() && game.last_clause == clause)),
            Self::Counter(at, ..) => outcome.and_then(|_| game.counters.get(at).copied()),
        }
    }
}

/// The sums of a measure over pairs of games. A sum that is too large stays at the greatest number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// The number of pairs in which both games have the measure.
    pub pairs: u64,
    /// The sum over the first games.
    pub before: i128,
    /// The sum over the second games.
    pub after: i128,
    /// The sum of the squared differences.
    pub squares: i128,
    /// The number of pairs whose two numbers differ.
    pub differ: u64,
}

impl Pairs {
    /// Adds a pair of games.
    pub fn add(&mut self, before: Option<i64>, after: Option<i64>) {
        let (Some(before), Some(after)) = (before, after) else { return };
        let (before, after) = (i128::from(before), i128::from(after));
        self.pairs += 1;
        self.before += before;
        self.after += after;
        let square = (after - before).saturating_mul(after - before);
        self.squares = self.squares.saturating_add(square);
        self.differ += u64::from(before != after);
    }

    /// Adds the pairs of another part of the same run.
    pub fn merge(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.before += other.before;
        self.after += other.after;
        self.squares = self.squares.saturating_add(other.squares);
        self.differ += other.differ;
    }

    /// Returns whether the two games of each pair have the same number.
    #[must_use]
    pub const fn are_equal(&self) -> bool {
        self.squares == 0
    }

    /// Returns the sum of the differences.
    #[must_use]
    pub const fn difference(&self) -> i128 {
        self.after - self.before
    }
}
