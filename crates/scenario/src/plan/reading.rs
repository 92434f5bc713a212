//! A reading of the rules: options and house rules besides those of a scenario.

use std::collections::BTreeSet;

use referee_table::{OptionId, Setting};

/// Options and house rules under which scenarios are planned, as if each of them had a `with` line for them.
///
/// Rules that a scenario sets itself, by its lines, its house rules or its variant, stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The options with their values.
    pub settings: Vec<(OptionId, Setting)>,
    /// The options that house rules declare, by their names, and their values.
    pub of_houses: Vec<(String, String)>,
    /// The names of the house rules, over those of the scenario.
    pub houses: Vec<String>,
}

/// The options of a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settled {
    /// The value of each option.
    pub(crate) values: Vec<Setting>,
    /// The options that the scenario sets itself.
    pub(crate) own: BTreeSet<OptionId>,
}
