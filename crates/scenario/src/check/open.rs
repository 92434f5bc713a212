//! Expectations about the choices of an ask that takes any values: the rules' function `why_not` judges each one.

use crate::check::mismatch::{Verdict, mismatch};
use crate::plan::model::Asked;
use referee_diagnostic::Code;
use referee_play::Machine;
use referee_syntax::ast::ChoicesHow;
use referee_trace::{Action, Decision};

/// Returns the decisions of an expectation that take any values for its verb, or for some verb if it names none.
fn open(decisions: &[Decision], of: Asked) -> impl Iterator<Item = &Decision> {
    let mine = decisions.iter().filter(move |one| of.player.is_none_or(|player| one.player == player));
    mine.filter(move |one| of.verb.map_or(!one.open.is_empty(), |verb| one.takes(verb)))
}

/// Returns the verdict on an expectation that needs a list of the choices, where any values are taken. `wanted` are the words of
/// the expectation.
pub(super) fn not_listed(machine: &Machine<'_>, decisions: &[Decision], of: Asked, wanted: &str) -> Option<Verdict> {
    let decision = open(decisions, of).next()?;
    let asked = of.verb.filter(|verb| decision.takes(*verb)).or(decision.open.first().map(|open| open.ask))?;
    let names = machine.names();
    let (player, verb) = (names.schema.player_name(decision.player), names.schema.verb(asked));
    let message = format!("`{player} {verb}` takes any values that `why_not` does not refuse: they are not listed");
    let other = decision
        .listed()
        .next()
        .map(|option| format!(", or name a listed verb: `expect choices {} …`", names.schema.verb(option.ask)));
    let help = format!(
        "write what is allowed and what is not: `expect choices {verb} includes …`, `refuse {player} {verb} …`{}",
        other.unwrap_or_default()
    );
    let found = mismatch(message, wanted, format!("asks {}", decision.write(names)));
    Some(found.with(|found| (found.help, found.code) = (Some(help), Some(Code::NotListed))))
}

/// Returns the decision for which an action is one of any values that are taken.
pub(super) fn taking<'d>(decisions: &'d [Decision], of: Asked, action: &Action) -> Option<&'d Decision> {
    open(decisions, of).find(|decision| decision.takes(action.ask))
}

/// Returns the verdict on choices that are of any values which are taken: all must be allowed, or none.
pub(super) fn judged(machine: &Machine<'_>, how: ChoicesHow, wanted: &[(&Decision, &Action)]) -> Option<Verdict> {
    let names = machine.names();
    for (decision, action) in wanted {
        let words = action.write(names);
        let judged = machine.program().why_not(machine.state(), decision.player, action);
        let (message, actual) = match (judged, how) {
            (Ok(None), ChoicesHow::Excludes) => (format!("allowed after all: {words}"), format!("{words} allowed")),
            (Ok(Some(reason)), ChoicesHow::Includes) => {
                (format!("the rules refuse `{words}`: {reason}"), format!("{words} refused"))
            }
            (Ok(_), _) => continue,
            (Err(wrong), _) => (format!("`why_not` stops with an error: {}", wrong.message), "an error".to_owned()),
        };
        let expected = if how == ChoicesHow::Excludes { "refused" } else { "allowed" };
        return Some(mismatch(message, format!("{words} {expected}"), actual));
    }
    None
}
