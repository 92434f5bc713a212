//! What reports say of games that several players win together: each of them has won, so shares and chances of the
//! players add up to more than the whole.

use crate::play::{Chance, Rounding, decimal, short_fraction};

/// Returns the sentence for a number of games, if there are any.
pub(super) fn in_games(games: u64) -> String {
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
pub(super) const fn in_some_games() -> &'static str {
    "\nin some games several players win; they count for each of them, so the shares add up to more than 100 %\n"
}

/// Returns the sentence for the chance that several players win; `under` names the reading, if there are several.
pub(super) fn with_chance(chance: &Chance, under: Option<&str>) -> String {
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
