//! What rules, and expressions about their play, do with turns and rounds.

use crate::natives::turn_rules;
use crate::script::Script;
use referee_table::{ROUND_BEGINS, ROUND_ENDS, TurnRules};

/// Returns what the functions of the rules do with turns and rounds.
pub(super) fn rules(script: &Script) -> TurnRules {
    let mut rules = turn_rules(|name| script.calls(name));
    rules.begin_rounds = script.function(ROUND_BEGINS, 0).is_some();
    rules.end_rounds = script.function(ROUND_ENDS, 0).is_some();
    rules.rounds |= rules.begin_rounds || rules.end_rounds;
    rules
}

/// Returns what an expression about the play of rules reads of turns and rounds. A function of the rules that reads them makes the
/// rules ones that do.
#[must_use]
pub fn turns_read_by(expression: &str) -> TurnRules {
    turn_rules(|name| {
        let mut found = expression.match_indices(name);
        found.any(|(at, _)| {
            let before = expression.get(..at).and_then(|before| before.chars().next_back());
            let after = expression.get(at + name.len()..).unwrap_or_default().trim_start();
            !before.is_some_and(|letter| letter == '_' || letter.is_alphanumeric()) && after.starts_with('(')
        })
    })
}
