//! The places where the built-in turn calls functions of the rules.

use crate::rules::layers::BuiltIn;
use crate::trace::RulesPlace;

/// The places where the built-in turn calls its hooks.
pub(crate) struct Turn {
    pub(super) choose: RulesPlace,
    pub(super) moves: RulesPlace,
    pub(super) apply: RulesPlace,
    pub(super) ended: RulesPlace,
    /// The call of `stuck`, if the rules have this function for a player without a move.
    pub(super) stuck: Option<RulesPlace>,
}

impl Turn {
    pub(crate) fn of(built_in: BuiltIn) -> Self {
        let place = |function| built_in.call(function).unwrap_or_default();
        Self {
            choose: place("choose"),
            moves: place("moves"),
            apply: place("apply"),
            ended: place("ended"),
            stuck: built_in.call("stuck"),
        }
    }
}
