//! Conditions and comparisons in rules that are always true or always false. Rules run all the same, so these are notes.

use super::check::{Check, Snippet, Walk};
use super::facts::number;
use super::linter::{Linter, known};
use super::pure::{is_pure, is_same};
use super::reached::{Found, Reached};
use super::same::{ALWAYS_THE_SAME, beside};
use super::used::Used;
use crate::script::{Node, What};
use crate::values::{Kind, Sort};

pub(super) static CHECK: Check = Check {
    name: "constant",
    finds: &[&ALWAYS_THE_SAME],
    walks: &[Walk::Notes(check)],
    wrong: &[
        (&ALWAYS_THE_SAME, Snippet::Turn("if «false» { win(me); } me.score += 1;")),
        (&ALWAYS_THE_SAME, Snippet::Turn("if 1 «>» 2 { win(me); } me.score += 1;")),
        (&ALWAYS_THE_SAME, Snippet::Turn("while «false» { me.score += 1; } me.score += 1;")),
        (&ALWAYS_THE_SAME, Snippet::Turn("if me.tired && !«false» { win(me); } me.score += 1;")),
        (&ALWAYS_THE_SAME, Snippet::Turn("if me.score «<»= me.score { me.score += 1; }")),
        (&ALWAYS_THE_SAME, Snippet::Turn("if me.tired || «me».tired { win(me); } me.score += 1;")),
        (&ALWAYS_THE_SAME, Snippet::Turn("let far = me.score; if far «=»= () { win(me); } me.score += 1;")),
        (&ALWAYS_THE_SAME, Snippet::Turn("if me.score «!»= () { me.score += 1; }")),
        (&ALWAYS_THE_SAME, Snippet::Turn("me.score += (me.score ?? «0»);")),
        (&ALWAYS_THE_SAME, Snippet::Turn("let who = after(me) ?? «red»; who.score += 1;")),
        (&ALWAYS_THE_SAME, Snippet::Turn("me.score «=» me.score; me.tired = true;")),
        (&ALWAYS_THE_SAME, Snippet::Turn("if me.tired && «!»me.tired { win(me); } me.score += 1;")),
        (&ALWAYS_THE_SAME, Snippet::Turn("if me.score in 1..4 && «me».score == 4 { win(me); } me.score += 1;")),
        (&ALWAYS_THE_SAME, Snippet::Turn("if me.score in [1, 3] && «me».score == 2 { win(me); } me.score += 1;")),
        (&ALWAYS_THE_SAME, Snippet::Turn("if me.score == 3 && «me».score == 4 { win(me); } me.score += 1;")),
        (
            &ALWAYS_THE_SAME,
            Snippet::Turn("if me.score > 40 && me.tired && «me».score < 10 { win(me); } me.score += 1;"),
        ),
        (
            &ALWAYS_THE_SAME,
            Snippet::Turn(r#"if me.mood != "calm" || «me».mood != "angry" { win(me); } me.score += 1;"#),
        ),
        (
            &ALWAYS_THE_SAME,
            Snippet::Turn("if me.score > red.score && «red».score >= me.score { win(me); } me.score += 1;"),
        ),
    ],
    right: &[
        Snippet::Turn("if me.score > 3 && me.score < 10 || me.score == 12 { win(me); } me.score += 1;"),
        Snippet::Turn(r#"if me.mood != "calm" && me.mood != "angry" || me == red { me.score += 1; }"#),
        Snippet::Turn("let far = me.score; if far < 3 && { far += 3; far > 4 } { win(me); } me.score += 1;"),
        Snippet::Turn("me.score = red.score; let all = [1, 2]; all[0] = all[1]; me.score += all[0];"),
        Snippet::Turn("while true { me.score += 1; if me.score > 3 { break; } }"),
        Snippet::Turn("do { me.score += 1; if me.score > 3 { break; } me.score += 2; } while false;"),
        Snippet::Turn(r#"if roll("leap") == roll("leap") { me.score += 1; }"#),
        Snippet::Turn("if me.home == () || cell(frog(me)) == () { me.score += 1; }"),
        Snippet::Turn("let who = me.rival ?? me; who.score += (piece(\"carp\").size ?? 1);"),
        Snippet::Turn("let best = (); for n in 1..3 { if best == () || n > best { best = n; } } me.score = best;"),
        Snippet::Rules(
            r"fn turn(me) { if next(me) == next(me) { me.score += 1; } }
fn next(me) { me.score += 1; me.score }",
        ),
    ],
};

fn check(l: &mut Linter<'_>, _used: &Used) {
    let script = l.script;
    for function in script.functions.iter().filter(|function| !function.is_built_in()) {
        function.body.walk(&mut |node| of_node(l, node));
        for found in Reached::find(function, &|_| None) {
            match found {
                Found::Never(part, before) => beside(l, part, &before, true),
                Found::Always(part, before) => beside(l, part, &before, false),
                _ => {}
            }
        }
    }
}

fn of_node(l: &mut Linter<'_>, node: &Node) {
    match &node.what {
        What::If(parts) => parts.first().into_iter().for_each(|condition| decided(l, condition)),
        // `while true` says that the loop ends by `break`, and `do … while false` that it is left by it.
        What::While { condition: Some(condition), .. } if truth(condition) != Some(true) => decided(l, condition),
        What::Switch(switch) => {
            switch.ways.iter().filter_map(|way| way.condition.as_ref()).for_each(|condition| decided(l, condition));
        }
        What::And(parts) | What::Or(parts) => {
            parts.iter().for_each(|part| decided(l, part));
            twice(l, parts);
        }
        What::Assign(assign) if assign.sign.is_none() && is_same(&assign.to, &assign.value) && is_pure(&assign.to) => {
            let message = "both sides are the same, so this changes nothing".to_owned();
            l.report(&ALWAYS_THE_SAME, node.at, message, "write another value, or remove it".to_owned());
        }
        What::Coalesce(parts) => never_lacking(l, parts),
        What::Operator(sign, parts) => {
            if let [one, other] = parts.as_slice() {
                compared(l, sign, (one, other), node);
            }
        }
        _ => {}
    }
}

/// Reports a condition that looks at nothing.
fn decided(l: &mut Linter<'_>, condition: &Node) {
    if let (Some(truth), false) = (truth(condition), matches!(condition.what, What::And(_) | What::Or(_))) {
        let message = format!("this condition is always {truth}");
        let help = "look at something that changes, or remove it".to_owned();
        l.report(&ALWAYS_THE_SAME, of_sign(condition).at, message, help);
    }
}

/// Returns what is negated.
fn of_sign(condition: &Node) -> &Node {
    match &condition.what {
        What::Operator(sign, parts) if sign == "!" => parts.first().map_or(condition, of_sign),
        _ => condition,
    }
}

/// Returns whether a condition is true, if it looks at nothing.
fn truth(condition: &Node) -> Option<bool> {
    match &condition.what {
        What::Truth(truth) => Some(*truth),
        What::Operator(sign, parts) => match parts.as_slice() {
            [one] if sign == "!" => truth(one).map(|truth| !truth),
            [one, other] => ordered(sign, &number(one)?, &number(other)?),
            _ => None,
        },
        _ => None,
    }
}

fn ordered<T: Ord>(sign: &str, one: &T, other: &T) -> Option<bool> {
    Some(match sign {
        "==" => one == other,
        "!=" => one != other,
        "<" => one < other,
        "<=" => one <= other,
        ">" => one > other,
        ">=" => one >= other,
        _ => return None,
    })
}

/// Reports a part of `&&` or `||` that is there already.
fn twice(l: &mut Linter<'_>, parts: &[Node]) {
    for (at, part) in parts.iter().enumerate() {
        let before = parts.get(..at).unwrap_or_default();
        if before.iter().any(|before| is_same(before, part)) && parts.iter().all(is_pure) && truth(part).is_none() {
            let message = "this condition is here already".to_owned();
            l.report(&ALWAYS_THE_SAME, part.start(), message, "remove it, or write another one".to_owned());
        }
    }
}

/// Reports a comparison of equal sides, or of `()` with what never is `()`.
fn compared(l: &mut Linter<'_>, sign: &str, (one, other): (&Node, &Node), node: &Node) {
    let Some(truth_of_same) = ordered(sign, &0, &0).filter(|_| truth(node).is_none()) else { return };
    if is_same(one, other) && is_pure(one) {
        let message = format!("both sides are the same, so this is always {truth_of_same}");
        return l.report(&ALWAYS_THE_SAME, node.at, message, "compare with another value".to_owned());
    }
    let value = match (&one.what, &other.what) {
        (What::Nothing, _) => other,
        (_, What::Nothing) => one,
        _ => return,
    };
    let Some(words) = never_nothing(l, value).filter(|_| matches!(sign, "==" | "!=")) else { return };
    let message = format!("{words} is never `()`, so this is always {}", sign == "!=");
    l.report(&ALWAYS_THE_SAME, node.at, message, "remove the comparison, or compare with another value".to_owned());
}

/// Returns words for a value that never is `()`.
fn never_nothing(l: &Linter<'_>, value: &Node) -> Option<String> {
    // A house rule may give a function another result.
    let of_rules = value.call().is_some_and(|call| l.is_own(&call.name));
    known(&value.kind).filter(|kind| !kind.may_be(Sort::Nothing) && !of_rules).map(Kind::words)
}

/// Reports what is after `??` and never used, because what is before it never is `()`.
fn never_lacking(l: &mut Linter<'_>, parts: &[Node]) {
    let [value, other, ..] = parts else { return };
    let Some(words) = never_nothing(l, value) else { return };
    let message = format!("{words} is never `()`, so what is after `??` is never used");
    let help = format!("remove `?? {}`", l.written_or(other, "…"));
    l.report_value(&ALWAYS_THE_SAME, other, message, help);
}
