//! The cards of a zone that no player sees.

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use crate::script::Node;
use referee_diagnostic::Code;
use referee_table::{Visibility, ZoneDef};

pub(super) static CHECK: Check = Check {
    name: "hidden",
    finds: &[&UNSEEN_CARDS],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&UNSEEN_CARDS, Snippet::Turn("me.score = cards(«deck»).len;")),
        (
            &UNSEEN_CARDS,
            Snippet::Game(
                r#"zone pile for each player hidden
zone deck
card fish from "fish.yaml" in deck"#,
                "fn turn(me) { for card in cards(«pile»(me)) { move_card(card, pile(me), pile(me)); } }",
            ),
        ),
    ],
    right: &[
        Snippet::Turn("me.score = count(deck) + cards(hand(me)).len + cards(heap).len;"),
        Snippet::Turn(r#"if has(deck, piece("carp")) { me.score += 1; }"#),
    ],
};

pub(super) static UNSEEN_CARDS: Entry = Entry {
    code: Code::UnseenCards,
    text: r"
An expression or the rules ask for the cards of a zone that nobody sees. The order of a hidden zone is decided only when a
card is drawn, so there is no list of its cards. Of a zone of which unknown cards are face down on the board, or in a
hand of which a position says only how many cards it has (`hand bob: 5 unknown`), only the number of the cards that are left is
known.

Ask for what is known: `count(deck)`, `is_empty(deck)`, `has(deck, card)`.
",
};

/// Reports the cards of a zone that is declared `hidden`.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let Some(("cards", [zone])) = node.function_call() else { return };
    let name = match (zone.component(), zone.function_call()) {
        (Some(name), _) => name.as_str(),
        (None, Some((of, [_]))) if !l.is_own(of) => of,
        _ => return,
    };
    let declared: Vec<&ZoneDef> = l.schema.zones.iter().filter(|zone| zone.name == name).collect();
    let is_hidden = |zone: &&ZoneDef| zone.visibility == Visibility::Hidden;
    if l.alone || l.is_own("cards") || declared.is_empty() || !declared.iter().all(is_hidden) {
        return;
    }
    let written = l.written_or(zone, name);
    let message = format!("no player sees the cards of `{written}`, so there is no list of them");
    let card = l.schema.pieces.iter().find(|piece| piece.card.is_some() && !piece.is_back());
    let has = card.map_or_else(String::new, |card| format!(", or `has({written}, piece(\"{}\"))`", card.name));
    let help = format!("ask for what is known: `count({written})`, `is_empty({written})`{has}");
    l.report_value(&UNSEEN_CARDS, zone, message, help);
}
