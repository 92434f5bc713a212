//! Throws that do not say of which die, or who sees them.

use super::calls::WRONG_ARITY;
use super::check::{Check, Snippet, Walk};
use super::linter::Linter;
use super::numbers::thrown;
use super::texts::UNKNOWN_COMPONENT;
use crate::natives::{needs_player, not_secret};
use crate::script::{Call, Node, Target};
use referee_diagnostic::one_of;
use referee_table::Sight;

pub(super) static CHECK: Check = Check {
    name: "dice",
    finds: &[&UNKNOWN_COMPONENT, &WRONG_ARITY],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&UNKNOWN_COMPONENT, Snippet::Turn("me.score = «roll»();")),
        (&UNKNOWN_COMPONENT, Snippet::Game("counter score for each player", "fn turn(me) { me.score = «roll»(); }")),
        (&WRONG_ARITY, Snippet::Turn(r#"me.score = «roll»(me, "leap");"#)),
        (&WRONG_ARITY, Snippet::Game(SECRET, r#"fn turn(me) { if «roll»("cup") + roll("fate") == 6 { win(me); } }"#)),
        (
            &WRONG_ARITY,
            Snippet::Game(SECRET, r#"fn turn(me) { if roll(me, "cup") + «roll»(me, "fate") == 6 { win(me); } }"#),
        ),
    ],
    right: &[
        Snippet::Turn(r#"me.score = roll("leap");"#),
        Snippet::Game(
            r"die 1..6
counter score for each player",
            "fn turn(me) { me.score = roll(); }",
        ),
        Snippet::Game(SECRET, r#"fn turn(me) { if roll(me, "cup") + roll("fate") == 6 { win(me); } }"#),
    ],
};

const SECRET: &str = "die cup 1..6 secret\ndie fate 1..6 hidden";

/// Reports `roll()` in a game that does not have exactly one die, and throws that do not say for whom they are, or say it
/// where nobody in particular sees them.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let Some(call) = node.call() else { return };
    if call.name != "roll" || call.target != Target::Native {
        return;
    }
    if !call.args.is_empty() || l.schema.only_die().is_some() {
        return for_whom(l, call, node);
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

/// Reports a throw of a secret die for nobody, and one of another die for a player.
fn for_whom(l: &mut Linter<'_>, call: &Call, node: &Node) {
    let Some(die) = thrown(l.schema, &call.args) else { return };
    let message = match (die.sight, call.args.len()) {
        (Sight::Secret, 0 | 1) => needs_player(&die.name),
        (Sight::Open | Sight::Hidden, 2) => not_secret(&die.name),
        _ => return,
    };
    let (message, help) = message.split_once(": ").unwrap_or((&message, ""));
    l.report(&WRONG_ARITY, node.at, message.to_owned(), help.to_owned());
}
