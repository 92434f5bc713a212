//! What reports say besides numbers: of decisions that were made by a sample of deals, and of games that several players
//! win together.

use serde::Serialize;

use referee_diagnostic::counted;
use referee_play::{Chance, Deals, Rounding, decimal, short_fraction};

/// The decisions that `greedy` has made by a sample of deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sampled {
    /// The number of deals in each sample.
    pub deals: u32,
    /// The number of decisions.
    pub decisions: u64,
}

impl Sampled {
    /// Returns these decisions, if there are any.
    #[must_use]
    pub fn of(deals: &Deals) -> Option<Self> {
        let (size, decisions) = (deals.sample?, deals.sampled());
        (decisions > 0).then_some(Self { deals: size, decisions })
    }

    /// Returns the line that says so.
    #[must_use]
    pub fn human(self) -> String {
        let (decisions, deals) =
            (counted(usize::try_from(self.decisions).unwrap_or(usize::MAX), "decision"), self.deals);
        format!("`greedy` made {decisions} by an average over {deals} random deals: too many were possible for all\n")
    }
}

/// Returns the sentence for a number of games, if there are any.
pub(super) fn shared_in_games(games: u64) -> String {
    match games {
        0 => String::new(),
        1 => "\nin 1 game several players win; it counts for each of them, so the shares add up to more than 100 %\n"
            .to_owned(),
        games => format!(
            "\nin {games} games several players win; they count for each of them, so the shares add up to more than 100 %\n"
        ),
    }
}

/// Returns the sentence for games whose number is not shown.
pub(super) const fn shared_in_some_games() -> &'static str {
    "\nin some games several players win; they count for each of them, so the shares add up to more than 100 %\n"
}

/// Returns the sentence for the chance that several players win; `under` names the reading, if there are several.
pub(super) fn shared_with_chance(chance: &Chance, under: Option<&str>) -> String {
    let size = if chance.is_exact() {
        short_fraction(&chance.low).unwrap_or_else(|| decimal(&chance.low, 9, Rounding::Nearest))
    } else {
        let (low, high) = (decimal(&chance.low, 9, Rounding::Down), decimal(&chance.high, 9, Rounding::Up));
        format!("{low} to {high}")
    };
    let under = under.map_or_else(String::new, |reading| format!(" under {reading}"));
    format!(
        "several players win with a chance of {size}{under}; it counts for each of them, so the chances add up to more than 1\n"
    )
}
