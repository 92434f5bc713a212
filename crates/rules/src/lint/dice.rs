//! Throws that do not say of which die.

use super::check::{Check, Snippet, Walk};
use super::linter::Linter;
use super::texts::UNKNOWN_COMPONENT;
use crate::script::Node;
use referee_diagnostic::one_of;

pub(super) static CHECK: Check = Check {
    name: "dice",
    finds: &[&UNKNOWN_COMPONENT],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&UNKNOWN_COMPONENT, Snippet::Turn("me.score = «roll»();")),
        (&UNKNOWN_COMPONENT, Snippet::Game("counter score for each player", "fn turn(me) { me.score = «roll»(); }")),
    ],
    right: &[
        Snippet::Turn(r#"me.score = roll("leap");"#),
        Snippet::Game(
            r"die 1..6
counter score for each player",
            "fn turn(me) { me.score = roll(); }",
        ),
    ],
};

/// Reports `roll()` in a game that does not have exactly one die.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let Some(call) = node.call() else { return };
    if call.name != "roll" || !call.args.is_empty() || l.is_own("roll") {
        return;
    }
    if l.schema.only_die().is_some() {
        return;
    }
    let (message, help) = match l.schema.dice.as_slice() {
        [] => (
            "`roll` needs a die, but this game has none".to_owned(),
            "declare one in the game file: `die 1..6`".to_owned(),
        ),
        several => {
            let names = one_of(several.iter().map(|die| die.name.as_str()), 9);
            let first = several.first().map_or("", |die| die.name.as_str());
            (
                format!("`roll` needs the name of a die, because the game has {}", several.len()),
                format!("write for example `roll(\"{first}\")`; the dice are {names}"),
            )
        }
    };
    l.report(&UNKNOWN_COMPONENT, node.at, message, help);
}
