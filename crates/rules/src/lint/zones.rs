//! Zones that are used as lists.

use super::arguments::WRONG_VALUES;
use super::check::{Check, Snippet, Walk};
use super::linter::Linter;
use crate::script::{Node, What};
use crate::values::Sort;

pub(super) static CHECK: Check = Check {
    name: "zones",
    finds: &[&WRONG_VALUES],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&WRONG_VALUES, Snippet::Turn("me.score = hand(me).«len»;")),
        (&WRONG_VALUES, Snippet::Turn("me.score = heap.«len»();")),
        (&WRONG_VALUES, Snippet::Turn("move_card(hand(me)«[»0], hand(me), heap);")),
    ],
    right: &[
        Snippet::Turn("me.score = count(hand(me)) + cards(heap).len;"),
        Snippet::Turn("let hands = [hand(red), hand(blue)]; me.score = hands.len + count(hands[0]);"),
    ],
};

/// Reports a zone that is used as a list: `hand(me).len`, `hand(me)[0]`, `hand(me).len()`.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let (zone, form) = match &node.what {
        What::Index { of, .. } => (&**of, "cards(ZONE)[0]"),
        What::Field { of, name, .. } if name == "len" => (&**of, "count(ZONE)"),
        What::Call(call) if call.method && call.name == "len" => match call.args.first() {
            Some(of) => (of, "count(ZONE)"),
            None => return,
        },
        _ => return,
    };
    let named = match zone.function_call() {
        Some((name, _)) if l.schema.is_zone(name) => l.called(name),
        _ if zone.kind.is_or_nothing(Sort::Zone) => "zone".to_owned(),
        _ => return,
    };
    let help = format!("write `{}`", form.replace("ZONE", &l.written_or(zone, &named)));
    l.report(&WRONG_VALUES, node.at, "a zone is not a list".to_owned(), help);
}
