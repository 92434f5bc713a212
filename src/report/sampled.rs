//! What reports say of decisions that were made by a sample of deals.

use serde::Serialize;

use crate::diagnostic::counted;
use crate::play::Deals;

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
