//! Events, actions and options that are not of the form that the game file declares.

use rhai::Position;

use super::arguments::WRONG_VALUES;
use super::calls::WRONG_ARITY;
use super::check::{Check, Snippet, Walk};
use super::linter::{Linter, known};
use super::texts::UNKNOWN_VALUE;
use super::uses::form_of;
use crate::script::{Call, Node, Target};
use crate::values::{Kind, Sort};
use referee_diagnostic::counted;
use referee_table::Form;

pub(super) static CHECK: Check = Check {
    name: "forms",
    finds: &[&WRONG_ARITY, &WRONG_VALUES, &UNKNOWN_VALUE],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&WRONG_ARITY, Snippet::Turn(r#"«event»("hops", frog(me));"#)),
        (&WRONG_ARITY, Snippet::Turn(r#"choose(me, "eat", [«may»("eat", frog(me))]);"#)),
        (&WRONG_VALUES, Snippet::Turn(r#"event("hops", frog(me), «3»);"#)),
        (&WRONG_VALUES, Snippet::Turn(r#"choose(me, "hop", [«1», 2]);"#)),
        (&WRONG_VALUES, Snippet::Turn(r#"choose(me, "hop", [may("hop", «frog»(me))]);"#)),
        (&WRONG_VALUES, Snippet::Turn(r#"choose(me, "hop", [«"rest"»]);"#)),
        (&WRONG_VALUES, Snippet::Turn(r#"choose(me, "eat", «cells»(frog(me)));"#)),
        (&WRONG_VALUES, Snippet::Turn(r#"event("rests", «()»);"#)),
        (&WRONG_VALUES, Snippet::Turn(r#"choose(me, "eat", [may("eat", log, «()»)]);"#)),
        (&UNKNOWN_VALUE, Snippet::Turn(r#"event("says", me, «"clam"»);"#)),
        (&UNKNOWN_VALUE, Snippet::Turn(r#"choose(me, "say", [may("say", «"sleepy"»)]);"#)),
    ],
    right: &[
        Snippet::Turn(r#"event("hops", frog(me), cell(frog(me)));"#),
        Snippet::Turn(r#"choose(me, "hop", around(cells(frog(me))));"#),
        Snippet::Turn(r#"choose(me, "hop", [may("rest"), may("hop", cell(frog(me)))]);"#),
        Snippet::Turn(r#"choose(me, "eat", [may("eat", log, 3)]);"#),
        Snippet::Turn(r#"choose(me, "spread", [[1, 2], [3]]);"#),
        Snippet::Turn(r#"let said = choose(me, "say", ["calm", "angry"]); event("says", me, said);"#),
    ],
};

/// Reports events, actions and options that are not of the form that the game file declares.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let Some(call) = node.call().filter(|call| !call.method && call.target == Target::Native) else { return };
    match (call.name.as_str(), call.args.as_slice()) {
        ("event" | "may", [verb, values @ ..]) => {
            if let Some(form) = verb.text().and_then(|verb| form_of(l.schema, &call.name, verb)) {
                values_of(l, form, values, node.at);
            }
        }
        ("choose" | "choose_then" | "choose_all", [_, verb, options, ..]) => {
            if let Some(form) = verb.text().and_then(|verb| form_of(l.schema, "may", verb)) {
                offered(l, call, form, options);
            }
        }
        _ => {}
    }
}

/// Reports another number of values than a form has, and values that are not of its kinds.
fn values_of(l: &mut Linter<'_>, form: &Form, values: &[Node], at: Position) {
    let kinds = form.kinds();
    let verb = &form.verb;
    let least = kinds.iter().rposition(|(_, optional)| !optional).map_or(0, |last| last + 1);
    if !(least..=kinds.len()).contains(&values.len()) {
        let some = |count: usize| counted(count, "value");
        let wanted = match (least, kinds.len()) {
            (least, most) if least == most => some(most),
            (least, most) => format!("{least} to {}", some(most)),
        };
        let message = format!("`{verb}` takes {wanted}, got {}", values.len());
        return l.report(&WRONG_ARITY, at, message, format!("use the form `{form}`"));
    }
    for ((kind, optional), value) in kinds.iter().zip(values) {
        if !optional && l.is_always_nothing(value) {
            let message = format!("`{verb}` takes {} here, found `()`", Kind::of_answer(kind).words());
            let help = l.instead_of_nothing(value).unwrap_or_else(|| format!("use the form `{form}`"));
            return l.report_value(&WRONG_VALUES, value, message, help);
        }
        if let referee_table::Kind::Word(words) = kind.one()
            && let texts = l.texts_for(kind, value)
            && !texts.is_empty()
        {
            texts.iter().for_each(|text| l.one_of_words(verb, words, text));
            continue;
        }
        let wanted = Kind::of_answer(kind);
        let Some(found) = known(&value.kind) else { continue };
        if !matches!(kind, referee_table::Kind::Many(..)) && found.excludes(&wanted) {
            let help = l.instead(value, &wanted).unwrap_or_else(|| format!("use the form `{form}`"));
            let found = found.without_nothing().words();
            let message = format!("`{verb}` takes {} here, found {found}", wanted.words());
            return l.report_value(&WRONG_VALUES, value, message, help);
        }
    }
}

/// Reports options that are not of the kind of an ask's form.
fn offered(l: &mut Linter<'_>, call: &Call, form: &Form, options: &Node) {
    if let crate::script::What::List(items) = &options.what {
        for item in items {
            if offers(l, form, item, &item.kind) {
                return;
            }
        }
        return;
    }
    let element = match call.name.as_str() {
        "choose_all" if options.kind.is(Sort::Function) => options.kind.part().element(),
        "choose_all" => return,
        _ => options.kind.element(),
    };
    offers(l, form, options, &element);
}

/// Reports an option, or several, of this kind, if the form has another one. Returns whether it did.
fn offers(l: &mut Linter<'_>, form: &Form, option: &Node, kind: &Kind) -> bool {
    let Some(found) = known(kind).map(Kind::without_nothing).filter(|found| !found.may_be(Sort::Action)) else {
        return false;
    };
    let verb = &form.verb;
    let kinds = form.kinds();
    let needed = kinds.iter().filter(|(_, optional)| !optional).count();
    let (message, help) = match kinds.as_slice() {
        [] => (format!("`{verb}` has no values, found {}", found.words()), format!("write `may(\"{verb}\")`")),
        _ if needed > 1 => (
            format!("an option of `{verb}` has {}, found {}", counted(needed, "value"), found.words()),
            format!("make an action with all of them: `may(\"{verb}\", …)`"),
        ),
        [(referee_table::Kind::Many(..), _), ..] => return false,
        [(kind, _), rest @ ..] => {
            let wanted = Kind::of_answer(kind);
            // An option may be the value of a kind that stands later, after one that is left out.
            if !found.excludes(&wanted) || rest.iter().any(|(kind, _)| !found.excludes(&Kind::of_answer(kind))) {
                return false;
            }
            let of_text = option.text().and_then(|text| {
                let other = form_of(l.schema, "may", text).filter(|other| other.kinds().is_empty())?;
                Some(format!("write `may(\"{}\")`", other.verb))
            });
            let is_one = option.kind.sort().map(Sort::plain) == found.sort().map(Sort::plain);
            let help = of_text
                .or_else(|| l.instead(option, &wanted).filter(|_| is_one))
                .unwrap_or_else(|| format!("use the form `{form}`"));
            (format!("an option of `{verb}` is {}, found {}", wanted.words(), found.words()), help)
        }
    };
    l.report_value(&WRONG_VALUES, option, message, help);
    true
}
