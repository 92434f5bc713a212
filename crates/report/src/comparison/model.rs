//! A comparison: its readings and its results.

use std::collections::BTreeSet;
use std::fmt::Write;

use referee_diagnostic::printable;
use referee_play::{Measure, Pairs};
use referee_scenario::{Compared, Issue, Odds, SetUpFlags};
use referee_table::{PlayerId, Schema};

/// A comparison of one or more readings with another. Its report is made from this alone.
#[derive(Debug)]
pub struct Comparison<'c> {
    /// The game.
    pub schema: &'c Schema,
    /// The variant of the games, if one was named.
    pub variant: Option<String>,
    /// The reading that all others are compared with.
    pub base: ReadingNames,
    /// The other readings; exactly one, unless these are all options.
    pub readings: Vec<ComparedReading>,
    /// Whether the readings are those of all options.
    pub all_options: bool,
    /// Of all options: those of which not every value is tried.
    pub cut: &'c [Issue],
    /// The players of the games, in the order of play.
    pub players: &'c [PlayerId],
    /// The policy of each player, as written on the command line.
    pub policies: &'c [String],
    /// Why these players took part, if the user did not choose them and others were possible.
    pub why_these: Option<String>,
    /// The flags for the first reading, and those for the others.
    pub flags: (SetUpFlags, SetUpFlags),
    /// The condition for the end of a game, if there is one.
    pub chance: Option<&'c str>,
    /// The seed.
    pub seed: u64,
    /// The number of games under each reading.
    pub games: u64,
    /// The number of turns after which a game is stopped.
    pub max_plies: u64,
    /// The measures of the games.
    pub measures: &'c [Measure],
}

/// The options and house rules of a reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadingNames {
    /// A short description that distinguishes it.
    pub label: String,
    /// The options that the user chose, as `OPTION=VALUE`.
    pub chosen: Vec<String>,
    /// Its house rules, in order.
    pub houses: Vec<String>,
    /// All options with their values.
    pub settings: Vec<(String, String)>,
}

/// Returns the names of the counters that statistics of the games of a game include.
#[must_use]
pub fn counters(schema: &Schema) -> BTreeSet<String> {
    schema.statistics().map(|(property, _)| schema.property_name(property).to_owned()).collect()
}

/// Returns the counters of two readings that the game itself does not declare.
#[must_use]
pub fn own_counters(game: &Schema, readings: [&BTreeSet<String>; 2]) -> BTreeSet<String> {
    &(readings[0] | readings[1]) - &counters(game)
}

/// The odds under two readings, or why one of them is not known.
pub type OddsPair = Result<(Odds, Odds), String>;

/// A reading, compared with another.
#[derive(Debug)]
pub struct ComparedReading {
    /// Its options and house rules.
    pub names: ReadingNames,
    /// The scenarios.
    pub scenarios: Vec<Compared>,
    /// For each measure its sums over pairs of games; `None` if no games were played or they cannot be compared.
    pub games: Option<Vec<Pairs>>,
    /// Why games cannot be compared, if they cannot.
    pub why_no_games: Option<String>,
    /// The counters of its games, or of those of the first reading, that the game itself does not declare.
    pub own_counters: BTreeSet<String>,
    /// The odds from the set-up, if the user asked for them.
    pub odds: Option<OddsPair>,
}

impl Comparison<'_> {
    /// Returns the variant in parentheses, if one was named.
    pub(super) fn of_variant(&self) -> String {
        self.variant.as_ref().map_or_else(String::new, |variant| format!(" ({variant})"))
    }

    /// Returns who plays, and how they decide.
    pub(super) fn who_plays(&self) -> String {
        if self.players.is_empty() {
            return String::new();
        }
        let who = self.players.iter().zip(self.policies);
        let who: Vec<String> =
            who.map(|(player, policy)| format!("{} ({policy})", self.schema.player_name(*player))).collect();
        let mut text = printable(&format!("players: {}\n", who.join(", ")));
        if let Some(why) = &self.why_these {
            let _ = writeln!(text, "{why}; choose players with `{}`", self.flags.0.players);
        }
        text
    }
}

/// Returns whether two readings are the same.
pub(super) fn is_same(one: &ReadingNames, other: &ReadingNames) -> bool {
    one.settings == other.settings && one.houses == other.houses
}

/// Returns the right form of a noun or verb for a number.
pub(super) const fn plural<'w>(number: usize, one: &'w str, many: &'w str) -> &'w str {
    if number == 1 { one } else { many }
}
