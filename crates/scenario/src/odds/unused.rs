//! Actions and policies without an effect on any decision that came up.

use crate::plan::strategy::StrategyPart;
use crate::write::answers::shorten;
use referee_diagnostic::{Code, Diagnostic, did_you_mean};
use referee_play::{DecisionsSeen, Instruction, Policy, StrategyProfile};
use referee_table::{Names, PlayerId};
use referee_trace::Action;

/// Returns every part of a strategy that has no effect, with its error, whose location callers know.
pub(crate) fn unused(
    names: Names<'_>,
    strategy: &StrategyProfile,
    met: &DecisionsSeen,
) -> Vec<(StrategyPart, Diagnostic)> {
    let actions = strategy.actions.iter().enumerate().filter(|(at, _)| !met.actions.contains(at));
    let actions = actions.map(|(at, one)| {
        let message = format!("this has no effect: {}", why_not(names, met, one));
        let help = instead(names, met, one.player, Some(&one.action));
        (StrategyPart::Action(at), Diagnostic::general(Code::UnusedLine, message).help(help))
    });
    // A policy stands for what is left, even if that is nothing. Only a claim about best or worst play needs a decision.
    let policies = strategy
        .policies
        .iter()
        .enumerate()
        .filter(|(_, (_, policy))| matches!(policy, Policy::Best | Policy::Worst))
        .filter(|(at, (player, _))| !met.policies.contains(at) && !met.options.contains_key(player));
    let policies = policies.map(|(at, (player, _))| {
        let message = format!("this has no effect: {} decides nothing before the horizon", name(names, *player));
        let help = instead(names, met, *player, None);
        (StrategyPart::Policy(at), Diagnostic::general(Code::UnusedLine, message).help(help))
    });
    actions.chain(policies).collect()
}

fn name(names: Names<'_>, player: PlayerId) -> &str {
    names.schema.player_name(player)
}

fn why_not(
    names: Names<'_>,
    met: &DecisionsSeen,
    Instruction { player, action, condition, .. }: &Instruction,
) -> String {
    let who = name(names, *player);
    let Some(options) = met.options.get(player) else { return format!("{who} decides nothing before the horizon") };
    let fitting: Vec<String> =
        options.iter().filter(|option| action.fits(option)).map(|one| one.write(names)).collect();
    match fitting.as_slice() {
        [] => format!("{who} never has the option `{}`", action.write(names)),
        [_] if condition.is_some() => {
            format!("when {who} has this option, its condition never holds or the decision is already covered")
        }
        [_] => format!("every decision of {who} that it fits is already covered"),
        several => format!("it fits {} options: {}", several.len(), shorten(several)),
    }
}

/// Returns help for a part without an effect: a suggestion, and the decisions that came up.
fn instead(names: Names<'_>, met: &DecisionsSeen, player: PlayerId, action: Option<&Action>) -> String {
    let options = |player: &PlayerId| -> Vec<String> {
        met.options.get(player).into_iter().flatten().map(|option| option.write(names)).collect()
    };
    let own = options(&player);
    let fits =
        action.is_some_and(|action| met.options.get(&player).into_iter().flatten().any(|option| action.fits(option)));
    let near =
        action.filter(|_| !fits).and_then(|action| did_you_mean(&action.write(names), own.iter().map(String::as_str)));
    let all: Vec<String> =
        met.options.keys().map(|player| format!("{}: {}", name(names, *player), shorten(&options(player)))).collect();
    let came = match all.is_empty() {
        true => "remove it: no player decides anything before the horizon".to_owned(),
        false => format!(
            "remove it, or write it for a decision that comes up; these are the decisions with their options\n{}",
            all.join("\n")
        ),
    };
    match near {
        Some(near) => format!("{near}\n{came}"),
        None => came,
    }
}
