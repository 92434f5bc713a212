//! The argument for averages over deals of cards that a player does not see.

use clap::Args;

use referee_play::{Deals, MAX_SAMPLE};

#[derive(Debug, Args)]
pub(super) struct DealsArguments {
    /// With `greedy`: average over N random deals of the cards that the player does not see, if more than 1000 are
    /// possible
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SAMPLE)))]
    deals: u32,
}

impl DealsArguments {
    /// Returns how `greedy` averages.
    pub(super) fn of(&self) -> Deals {
        Deals::of(self.deals)
    }
}
