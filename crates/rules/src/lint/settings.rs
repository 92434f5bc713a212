//! Values that flags, counters and properties cannot have.

use referee_diagnostic::Code;
use std::collections::BTreeSet;

use rhai::Position;

use super::arguments::WRONG_VALUES;
use super::check::{Check, Entry, Snippet, Walk};
use super::linter::{Linter, known};
use super::texts::UNKNOWN_VALUE;
use super::values::outcomes;
use crate::script::{Name, Node, What, of_two};
use crate::values::{Kind, Sort};
use referee_table::{PropertyKind, Several};

pub(super) static CHECK: Check = Check {
    name: "settings",
    finds: &[&LOST_COPIES, &LOST_ORDER, &WRONG_VALUES, &UNKNOWN_VALUE],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&WRONG_VALUES, Snippet::Turn(r#"me.score = «"3"»;"#)),
        (&WRONG_VALUES, Snippet::Turn("me.tired = «1»;")),
        (&WRONG_VALUES, Snippet::Turn("me.home = «frog»(me);")),
        (&WRONG_VALUES, Snippet::Turn(r#"set(me, "score", «"3"»);"#)),
        (&WRONG_VALUES, Snippet::Turn(r#"me.score += «"1"»;"#)),
        (&WRONG_VALUES, Snippet::Turn("me.seen = «cell»(log);")),
        (&WRONG_VALUES, Snippet::Turn("me.seen = [«3»];")),
        (&UNKNOWN_VALUE, Snippet::Turn(r#"me.mood = «"clam"»;"#)),
        (&UNKNOWN_VALUE, Snippet::Turn(r#"me.mood = if me.tired { "calm" } else { «"sleepy"» };"#)),
        (&LOST_COPIES, Snippet::Turn("me.lucky = [1, «1»];")),
        (&LOST_ORDER, Snippet::Turn("me.lucky = [3, «1»];")),
        (&LOST_ORDER, Snippet::Turn("me.numbers = [3, 3, «1»];")),
        (&WRONG_VALUES, Snippet::Turn("me.path = «cells»(log);")),
        (&WRONG_VALUES, Snippet::Turn("me.path = [cell(log), «3»];")),
        (&UNKNOWN_VALUE, Snippet::Turn(r#"me.moods = ["calm", «"clam"»];"#)),
    ],
    right: &[
        Snippet::Turn(r#"me.score = 3; me.tired = true; me.home = cell(log); me.mood = "calm"; me.rival = after(me);"#),
        Snippet::Turn("me.home = (); me.rival = (); me.mood = ();"),
        Snippet::Turn("me.seen = cells(log); me.seen = [cell(log)]; me.seen = []; me.numbers = [1, 3];"),
        Snippet::Turn("me.numbers = set_of([3, 1, 1]); me.lucky = set_of([3, 1, 1]); me.numbers = [1, 1, 3];"),
        Snippet::Turn("me.path = in_order(cells(log)); me.path += cell(log); me.numbers = bag_of([3, 1, 1]);"),
        Snippet::Turn(r#"me.moods = ["calm", "angry", "calm"]; me.moods = [];"#),
        Snippet::Turn(
            r#"let all = #{ score: 1 }; all.score = "many"; me.mood = if all.score == "many" { "calm" } else { "angry" };"#,
        ),
    ],
};

pub(super) static LOST_COPIES: Entry = Entry {
    code: Code::LostCopies,
    text: r#"
Rules repeat a value in a list for a [set](language.md#bags-sets-and-lists) such as `SET of PIECE` or `CELLS`, which would keep
the value once: an option, an event, or a property, as in `choose(me, "pay", [[ore, ore]])` with `ask pay SET of PIECE`.

If repetition counts, declare a bag: `ask pay PIECES`. If it does not, write `set_of(list)`.
"#,
};

pub(super) static LOST_ORDER: Entry = Entry {
    code: Code::LostOrder,
    text: r"
Rules set a property that is a bag or a [set](language.md#bags-sets-and-lists), in which order means nothing, to a list in
another order than the one in which it keeps its values: `game.code = [3, 1, 2]` with `property code NUMBERS`.

If the order does not matter, write `bag_of(list)`, or `set_of(list)` for a set. If it does, declare a list:
`property code LIST of NUMBER`.
",
};

/// Reports a property that is set to a value of a kind that it cannot have.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    match &node.what {
        What::Assign(assign) => {
            let What::Field { of, name, .. } = &assign.to.what else { return };
            // A map may have a key of this name.
            if is_resource(l, name) && !of.kind.may_be(Sort::Map) {
                return set_resource(l, of, name, assign.to.at);
            }
            match assign.sign {
                Some(sign) => combined(l, name, &format!("{sign}="), &assign.value),
                None => set_to(l, name, &assign.value),
            }
        }
        What::Call(call) if call.name == "set" && !call.method && !l.is_own("set") => {
            if let [of, name, value] = call.args.as_slice()
                && let Some(text) = name.text()
            {
                if is_resource(l, text) {
                    return set_resource(l, of, text, name.at);
                }
                set_to(l, text, value);
            }
        }
        _ => {}
    }
}

/// Returns whether it is the name of a resource, or of the counter of its supply.
fn is_resource(l: &Linter<'_>, name: &str) -> bool {
    let declared = l.schema.properties.iter().find(|property| property.name == name);
    declared.is_some_and(|property| property.resource)
}

/// Reports a resource that is set like a counter.
fn set_resource(l: &mut Linter<'_>, of: &Node, name: &str, at: Position) {
    let resource = name.strip_suffix(referee_table::SUPPLY).unwrap_or(name);
    let message = format!("`{name}` cannot be set: a resource is paid and gained");
    let whose = if of.kind.is(Sort::Game) { "me".to_owned() } else { l.written_or(of, "me") };
    let help = format!("write `gain({whose}, #{{ {resource}: 1 }})`, or `pay({whose}, #{{ {resource}: 1 }})`");
    l.report(&WRONG_VALUES, at, message, help);
}

/// Returns the kind of a property that is declared, and not printed on cards.
fn property<'l>(l: &Linter<'l>, name: &str) -> Option<&'l PropertyKind> {
    if l.is_key(name) || l.schema.printed(name).is_some() {
        return None;
    }
    let schema = l.schema;
    schema.properties.iter().find(|property| property.name == name).map(|property| &property.kind)
}

/// Reports an operator such as `+=` after which a flag, counter or property has a value of a kind that it cannot have.
fn combined(l: &mut Linter<'_>, name: &str, sign: &str, value: &Node) {
    let Some(kind) = property(l, name) else { return };
    let Some(found) = known(&value.kind).map(Kind::without_nothing) else { return };
    let own = match kind {
        PropertyKind::Flag => Kind::TRUTH,
        PropertyKind::Counter { .. } => Kind::NUMBER,
        PropertyKind::Value(referee_table::Kind::Many(_, one)) => {
            let element = if found.is(Sort::List) { found.element() } else { found };
            return element_of_set(l, name, one, value, &element);
        }
        PropertyKind::Value(kind) => Kind::of_answer(kind),
    };
    let Some(made) = of_two(sign, &own, &found).filter(|made| made.excludes(&own)) else { return };
    let message = format!("`{sign}` with {} makes {}, but `{name}` is {}", found.words(), made.words(), own.words());
    let help = match found.is(Sort::Text) {
        true => format!("write {} without quotes", own.words()),
        false => {
            let owner = l.written_or(value, "owner");
            format!("write {}, or `{owner}.NAME` for a counter of another owner", own.words())
        }
    };
    l.report_value(&WRONG_VALUES, value, message, help);
}

/// Reports a value of a property of a plural kind that is of another kind.
fn element_of_set(l: &mut Linter<'_>, name: &str, one: &referee_table::Kind, value: &Node, element: &Kind) {
    let wanted = Kind::of_answer(one);
    let Some(found) = known(element).map(Kind::without_nothing).filter(|found| found.excludes(&wanted)) else { return };
    let message = format!("each value of the property `{name}` is {}, found {}", wanted.words(), found.words());
    let is_one = value.kind.sort().map(Sort::plain) == found.sort().map(Sort::plain);
    let help = l.instead(value, &wanted).filter(|_| is_one);
    let help = help.unwrap_or_else(|| format!("write a list in which each value is {}", wanted.words()));
    l.report_value(&WRONG_VALUES, value, message, help);
}

/// Reports a value of a kind that a property cannot have.
fn set_to(l: &mut Linter<'_>, name: &str, value: &Node) {
    let Some(kind) = property(l, name) else { return };
    if let PropertyKind::Value(kind) = kind
        && let referee_table::Kind::Word(words) = kind.one()
    {
        l.texts_for(kind, value).iter().for_each(|text| l.one_of_words(name, words, text));
    }
    outcomes(value).values.iter().for_each(|value| set_to_value(l, name, kind, value));
}

fn set_to_value(l: &mut Linter<'_>, name: &str, kind: &PropertyKind, value: &Node) {
    if value.kind.is_any() || value.kind.is_never() {
        return;
    }
    let is_nothing = value.kind.is(Sort::Nothing);
    let found = if is_nothing { Kind::NOTHING } else { value.kind.without_nothing() };
    let (fits, wanted, help) = match kind {
        PropertyKind::Flag => {
            (found.may_be(Sort::Truth), "`true` or `false` for the flag", "write `= true` or `= false`")
        }
        PropertyKind::Counter { .. } => {
            (found.may_be(Sort::Number), "a number for the counter", "write a number: `= 3`")
        }
        PropertyKind::Value(referee_table::Kind::Many(several, one)) => {
            let of = |several: Several| referee_table::Kind::Many(several, one.clone()).name();
            if *several == Several::Set
                && let Some((twice, at)) = twice(l, value)
            {
                let message = format!("the property `{name}` is a set with each value once, but {twice} is here twice");
                let help =
                    format!("write it once; if repetition counts, declare the property as `{}`", of(Several::Bag));
                return l.report(&LOST_COPIES, at, message, help);
            }
            if *several != Several::List
                && let Some((before, later, at)) = turned(value)
            {
                let what = several.words();
                let message =
                    format!("the order is lost: the property `{name}` is {what}, which keeps {later} before {before}");
                let list = of(Several::List);
                let help =
                    format!("write the values in that order; if their order matters, declare the property as `{list}`");
                return l.report(&LOST_ORDER, at, message, help);
            }
            if *several == Several::List && found.is(Sort::Cells) {
                let message = format!("the property `{name}` is a list, and a set of cells has no order");
                let help = format!("write `in_order({})`, a list of them", l.written_or(value, "cells"));
                return l.report_value(&WRONG_VALUES, value, message, help);
            }
            match &value.what {
                What::List(items) => items.iter().for_each(|item| element_of_set(l, name, one, item, &item.kind)),
                _ if found.is(Sort::List) => element_of_set(l, name, one, value, &found.element()),
                _ => {}
            }
            let fits = is_nothing || [Sort::List, Sort::Cells].iter().any(|sort| found.may_be(*sort));
            (fits, "a list for the property", "write a list: `= […]`")
        }
        PropertyKind::Value(kind) => {
            let wanted = Kind::of_answer(kind);
            if is_nothing || !found.excludes(&wanted) {
                return;
            }
            let message = format!("expected {} for the property `{name}`, found {}", wanted.words(), found.words());
            let help = l
                .instead(value, &wanted)
                .unwrap_or_else(|| format!("set it to {}, or to `()` for no value", wanted.words()));
            return l.report_value(&WRONG_VALUES, value, message, help);
        }
    };
    if !fits {
        let message = format!("expected {wanted} `{name}`, found {}", found.words());
        l.report_value(&WRONG_VALUES, value, message, help.to_owned());
    }
}

/// Returns a constant that a list contains twice.
fn twice(l: &Linter<'_>, list: &Node) -> Option<(String, Position)> {
    let What::List(items) = &list.what else { return None };
    let constants = items.iter().filter_map(|item| match &item.what {
        What::Number(number) => Some((number.to_string(), item.at)),
        What::Text(text) => Some((format!("\"{text}\""), item.at)),
        What::Name(Name::Local(_) | Name::Component(_) | Name::Constant(_)) => {
            Some((format!("`{}`", l.written_or(item, "…")), item.at))
        }
        _ => None,
    });
    let mut seen = BTreeSet::new();
    constants.into_iter().find(|(constant, _)| !seen.insert(constant.clone()))
}

/// Returns two constants of a list that are not in the order of a set, and the position of the second.
fn turned(list: &Node) -> Option<(String, String, Position)> {
    let What::List(items) = &list.what else { return None };
    let next = items.iter().skip(1);
    items.iter().zip(next).find_map(|(one, next)| match (&one.what, &next.what) {
        (What::Number(first), What::Number(second)) if first > second => {
            Some((first.to_string(), second.to_string(), next.at))
        }
        (What::Text(first), What::Text(second)) if first > second => {
            Some((format!("\"{first}\""), format!("\"{second}\""), next.at))
        }
        _ => None,
    })
}
