//! Comparisons of values that are never equal, or that have no order, and cases that a `switch` never chooses.

use rhai::{Dynamic, ImmutableString, Position};

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::{Linter, known};
use crate::host::instead_of_text;
use crate::script::{Node, Switch, What};
use crate::values::{Kind, Sort};
use referee_diagnostic::{Code, one_of};
use referee_table::{Choice, Schema};

pub(super) static CHECK: Check = Check {
    name: "never_equal",
    finds: &[&NEVER_EQUAL, &COMPONENT_AND_TEXT],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&NEVER_EQUAL, Snippet::Turn(r#"if me.score «=»= "3" { win(me); }"#)),
        (&NEVER_EQUAL, Snippet::Turn(r#"if option("goal") «=»= "three" { win(me); }"#)),
        (&NEVER_EQUAL, Snippet::Turn("if around(cells(log)) «=»= 3 { win(me); }")),
        (&NEVER_EQUAL, Snippet::Turn("if cell(log) «=»= frog(me) { win(me); }")),
        (&NEVER_EQUAL, Snippet::Turn("if 1 < me.score «<» 5 { win(me); }")),
        (&NEVER_EQUAL, Snippet::Turn("if at(cell_named(\"b2\")) «!»= false { win(me); }")),
        (&NEVER_EQUAL, Snippet::Turn("if me.tired «=»= 0 { win(me); }")),
        (&NEVER_EQUAL, Snippet::Turn("if me «<» after(me) { win(me); }")),
        (&NEVER_EQUAL, Snippet::Turn("if cells(log) «=»= () { win(me); }")),
        (&NEVER_EQUAL, Snippet::Turn(r#"if [1, 2].contains(«"1"») { win(me); }"#)),
        (&NEVER_EQUAL, Snippet::Turn(r#"switch me.score { «"1"» => win(me), _ => lose(me) }"#)),
        (&COMPONENT_AND_TEXT, Snippet::Turn(r#"if me == «"red"» { win(me); }"#)),
        (&COMPONENT_AND_TEXT, Snippet::Turn(r#"if «"log"» == at(cell_named("c3")) { win(me); }"#)),
        (&NEVER_EQUAL, Snippet::Condition(r#"red.score «=»= "3""#)),
    ],
    right: &[
        Snippet::Turn(r#"if me.score == 3 || name(me) == "blue" || owner(frog(me)) == me { me.score += 1; }"#),
        Snippet::Turn(r#"if cell(log) == () || at(cell_named("b2")) == () { me.score += 1; }"#),
        Snippet::Turn("let best = (); if best == () { best = 3; } if best == 3 { me.score += 1; }"),
        Snippet::Turn(r#"let first = [1, "two"]; if first[1] == "two" { me.score += 1; }"#),
        Snippet::Rules(
            r#"fn turn(me) { if same(1, 2) || same("a", "b") { win(me); } }
fn same(one, other) { one == other }"#,
        ),
        Snippet::Turn("switch me.score { 0 => me.score += 1, _ => lose(me) }"),
        Snippet::Turn("if me.home == () && cells(log) == cells(log) { me.score += 1; }"),
    ],
};

pub(super) static NEVER_EQUAL: Entry = Entry {
    code: Code::NeverEqual,
    text: r#"
Two values of different kinds are compared: a number with a string, a player with a cell. They are never equal, and
neither is smaller. Only `()` may be compared with anything, by `==` and `!=`.

```rhai
fn turn(me) {
    if option("goal") == "three" { return; }
    let far = roll("stride");
    if far == "3" { me.score += 1; }
}
```

Compare values of one kind: `far == 3`. If the kinds are known, `referee` reports this when it loads the rules;
otherwise, when play reaches it.
"#,
};

pub(super) static COMPONENT_AND_TEXT: Entry = Entry {
    code: Code::ComponentAndText,
    text: r#"
Rules compare a player, a piece or a cell with a string. They are never equal.

```rhai
fn turn(me) {
    if owner(rock) == "red" { win(me); }
    roll("stride");
}
```

Compare with the component, `owner(rock) == red`, or compare `name(…)` with the string. If the kinds are known, `referee`
reports this when it loads the rules; otherwise, when play reaches it.
"#,
};

/// Reports `==` between kinds that are never equal, and `<` between those without an order.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    match &node.what {
        What::Operator(sign, parts) => {
            let ordered = matches!(sign.as_str(), "<" | "<=" | ">" | ">=");
            if let ([one, other], true) = (parts.as_slice(), ordered || matches!(sign.as_str(), "==" | "!=")) {
                compared(l, sign, (one, other), node.at, ordered);
            }
        }
        What::Switch(switch) => cases(l, switch, node.at),
        What::Call(call) if matches!(call.name.as_str(), "contains" | "index_of") && !l.is_own(&call.name) => {
            if let [list, value] = call.args.as_slice() {
                never_contained(l, list, value);
            }
        }
        _ => {}
    }
}

/// Kinds of which two values cannot be compared at all.
const WITHOUT_EQUALITY: [Sort; 5] = [Sort::Dirs, Sort::Moves, Sort::Action, Sort::Function, Sort::Game];

/// Returns whether two values of these kinds may be compared so.
fn may_compare(left: &Kind, right: &Kind, ordered: bool) -> bool {
    if left.is_any() || right.is_any() || left.is_never() || right.is_never() {
        return true;
    }
    let pairs = |sort: Sort| match ordered {
        true => matches!(sort, Sort::Number | Sort::Text),
        false => !WITHOUT_EQUALITY.contains(&sort),
    };
    let both = left
        .sorts()
        .map(Sort::plain)
        .any(|sort| sort != Sort::Nothing && pairs(sort) && right.sorts().any(|other| other.plain() == sort));
    // Anything may be compared with `()`; two values that may both be `()` are not compared for that.
    both || !ordered && (left.is(Sort::Nothing) || right.is(Sort::Nothing))
}

fn compared(l: &mut Linter<'_>, operator: &str, (one, other): (&Node, &Node), at: Position, ordered: bool) {
    let is_reported = |side: &Node| l.unquoted.contains(&side.at);
    if is_reported(one) || is_reported(other) || never_nothing(l, one, other, at) {
        return;
    }
    let (left, right) = (&one.kind, &other.kind);
    if may_compare(left, right, ordered) {
        if !ordered && left.is(Sort::Zone) && right.is(Sort::Zone) {
            two_zones(l, one, other, at);
        }
        return;
    }
    let (left, right) = (said(left), said(right));
    let message = if ordered {
        format!("`{operator}` cannot order {} and {}", left.words(), right.words())
    } else if left.sort().map(Sort::plain) == right.sort().map(Sort::plain) {
        format!("`{operator}` cannot compare {} and {}", left.words(), right.words())
    } else {
        format!("{} never equals {}", left.words(), right.words())
    };
    if !ordered && (with_text(l, other, &left, &message) || with_text(l, one, &right, &message)) {
        return;
    }
    let help = chained(l, operator, one, other).or_else(|| no_value(l, operator, one, other));
    let help = help.or_else(|| in_place_of(l, one, other, &right)).or_else(|| in_place_of(l, other, one, &left));
    let help = help.or_else(|| of_same_kind(l, operator, (one, &left), (other, &right)));
    let help = help.unwrap_or_else(|| match left.is(Sort::Nothing) || right.is(Sort::Nothing) {
        true => "compare with `()` only by `==` or `!=`".to_owned(),
        false => "compare values of the same kind".to_owned(),
    });
    let help = l.with_origin(help, [one, other]);
    l.report(&NEVER_EQUAL, at, message, help);
}

/// Returns help for `1 < n < 5`.
fn chained(l: &Linter<'_>, operator: &str, one: &Node, other: &Node) -> Option<String> {
    let What::Operator(sign, parts) = &one.what else { return None };
    let ([first, second], true) = (parts.as_slice(), one.kind.is(Sort::Truth)) else { return None };
    let is_ordered = |sign: &str| matches!(sign, "<" | "<=" | ">" | ">=" | "==");
    if !is_ordered(sign) || !is_ordered(operator) || !second.kind.meets(&other.kind) {
        return None;
    }
    let written = |node: &Node| l.written_or(node, "…");
    let (first, second, third) = (written(first), written(second), written(other));
    Some(format!("write two comparisons: `{first} {sign} {second} && {second} {operator} {third}`"))
}

/// Returns help for a value that is compared with what other languages have in place of `()`, a boolean that is compared with
/// a number, and a number in quotes.
fn no_value(l: &Linter<'_>, operator: &str, one: &Node, other: &Node) -> Option<String> {
    let (value, written) = match (&one.what, &other.what) {
        (_, What::Truth(_) | What::Number(_) | What::Text(_)) => (one, other),
        (What::Truth(_) | What::Number(_) | What::Text(_), _) => (other, one),
        _ => return None,
    };
    let name = l.written_or(value, "…");
    match (&written.what, value.kind.sort()?.plain()) {
        (What::Text(text), Sort::Number) => {
            let number = text.parse::<i64>().ok()?;
            Some(format!("write the number without quotes: `{name} {operator} {number}`"))
        }
        (What::Number(number @ 0..=1), Sort::Truth) if matches!(operator, "==" | "!=") => {
            let not = if (*number == 1) == (operator == "==") { "" } else { "!" };
            Some(format!("a boolean is a condition without a comparison: `{not}{name}`"))
        }
        (What::Number(0) | What::Truth(_), Sort::Piece | Sort::Player | Sort::Cell | Sort::Move)
            if value.kind.may_be(Sort::Nothing) && matches!(operator, "==" | "!=") =>
        {
            let is_none = matches!(written.what, What::Truth(true)) != (operator == "==");
            Some(format!("`()` is no value: write `{name} {} ()`", if is_none { "==" } else { "!=" }))
        }
        _ => None,
    }
}

/// Returns a kind as messages say it: without that it may also be `()`.
fn said(kind: &Kind) -> Kind {
    if kind.is(Sort::Nothing) { kind.clone() } else { kind.without_nothing() }
}

/// Reports the result of a function that is compared with `()` and never is `()`. Returns whether it did.
fn never_nothing(l: &mut Linter<'_>, one: &Node, other: &Node, at: Position) -> bool {
    let value = match (one.kind.is(Sort::Nothing), other.kind.is(Sort::Nothing)) {
        (true, false) => other,
        (false, true) => one,
        _ => return false,
    };
    let Some((name, args)) = value.function_call() else { return false };
    let Some(sort) = value.kind.sort().filter(|_| !value.kind.may_be(Sort::Nothing)) else { return false };
    let is_never = matches!(sort, Sort::Men | Sort::Cells | Sort::Dirs | Sort::Moves | Sort::List | Sort::Zone);
    if !is_never || l.is_own(name) || name == "choose" {
        return false;
    }
    let written = match args {
        [] => format!("{name}()"),
        [one] if matches!(one.what, What::Name(_)) => format!("{name}({})", l.written_or(one, "…")),
        _ => "…".to_owned(),
    };
    let message = match sort {
        Sort::Men => format!("`{written}` is never `()`"),
        _ => format!("{} {} never `()`", sort.words(), if sort == Sort::Moves { "are" } else { "is" }),
    };
    let help = match sort {
        Sort::Men => format!("write `cells({written}).is_empty()`: a kind of many stands for all its pieces"),
        Sort::Dirs => format!("write `in_any({written}).is_empty()`"),
        Sort::Zone => format!("write `is_empty({written})`"),
        _ => format!("write `{written}.is_empty()`"),
    };
    l.report(&NEVER_EQUAL, at, message, help);
    true
}

/// Reports two different zones, each named, that are compared.
fn two_zones(l: &mut Linter<'_>, one: &Node, other: &Node, at: Position) {
    let named = |zone: &Node| match (zone.function_call(), zone.component()) {
        (Some((name, [player])), _) => Some(format!("{name}({})", player.component()?)),
        (_, Some(name)) => Some(name.to_string()),
        _ => None,
    };
    if let (Some(one), Some(other)) = (named(one), named(other)) {
        let help = format!("compare the cards: `cards({one}) == cards({other})`");
        l.report(&NEVER_EQUAL, at, "a zone only equals itself".to_owned(), help);
    }
}

/// Reports a component that is compared with a string. Returns `false` for other values.
fn with_text(l: &mut Linter<'_>, value: &Node, kind: &Kind, message: &str) -> bool {
    let (Some(text), Some(sort)) = (value.text(), kind.sort()) else { return false };
    if !matches!(sort, Sort::Player | Sort::Piece | Sort::Men | Sort::Cell | Sort::Cells | Sort::Zone) {
        return false;
    }
    let help = instead_of_text(l.schema, sort.words(), text);
    l.report_text(&COMPONENT_AND_TEXT, value.at, text, message.to_owned(), help);
    true
}

/// Returns help for a comparison of `side` with a value of another kind.
fn in_place_of(l: &Linter<'_>, side: &Node, other: &Node, kind: &Kind) -> Option<String> {
    if let Some(("option", [name])) = side.function_call() {
        return of_option(l.schema, name.text()?, kind);
    }
    if other.text().is_some() {
        return side.kind.is(Sort::List).then(|| "search the list with `.contains(…)`".to_owned());
    }
    if let What::Field { of, name, .. } = &side.what
        && of.kind.is_or_nothing(Sort::Move)
        && name == "captures"
    {
        return Some(format!("write `count(captured({}))` for the number of cells", l.written_or(of, "move")));
    }
    let own = |otherwise| l.written_or(side, otherwise);
    match (side.kind.sort()?.plain(), kind.sort()?.plain()) {
        (Sort::Cell, Sort::Number) => Some(format!("write `number({})` for the number of a cell", own("cell"))),
        (Sort::Piece, Sort::Player) => {
            Some(format!("write `owner({})` for the player whose piece it is", own("piece")))
        }
        (Sort::Piece, Sort::Cell) => Some(format!("write `cell({})` for the cell of a piece", own("piece"))),
        (Sort::Player | Sort::Piece | Sort::Cell, Sort::Text) => {
            Some(format!("compare the name: `name({})`", own("…")))
        }
        (Sort::Cells, Sort::Cell) => Some(format!("write `{}.has({})`", own("cells"), l.written_or(other, "cell"))),
        (Sort::Cells | Sort::Zone | Sort::Moves, Sort::Number) => {
            Some(format!("write `count({})` for their number", own("…")))
        }
        (Sort::Dirs, _) => Some(format!("write `in_any({})` for the cells of all directions", own("dirs"))),
        (Sort::List, Sort::Number) => {
            let list = own("list");
            let may_be_numbers = side.kind.element().may_be(Sort::Number) || side.kind.element().is_never();
            let sum = if may_be_numbers { format!(", or `sum({list})` for their sum") } else { String::new() };
            Some(format!("write `{list}.len` for the number of values{sum}"))
        }
        (Sort::Map, _) if side.kind.fields().is_none_or(|fields| fields.contains_key("verb")) => {
            Some(format!("if it is what `choose` returned, write `{}.value`", own("chosen")))
        }
        _ => None,
    }
}

fn of_option(schema: &Schema, name: &str, kind: &Kind) -> Option<String> {
    let option = schema.options.iter().find(|option| option.name == name)?;
    let values = option.choice.words();
    let quoted: Vec<String> = values.iter().map(|value| format!("\"{value}\"")).collect();
    let quoted = || one_of(quoted.iter().map(String::as_str), 9);
    Some(match &option.choice {
        Choice::Numbers(..) => format!("compare it with a number: the option `{name}` is {}", values.concat()),
        Choice::Words(_) if kind.is(Sort::Number) => format!(
            "compare it with one of {}, or declare it with a range of numbers: `option {name} = 3 in 1..9`",
            quoted()
        ),
        Choice::Words(_) => format!("compare it with one of {}", quoted()),
    })
}

/// Returns help for a comparison whose operator is not for the kind that both sides have.
fn of_same_kind(
    l: &Linter<'_>,
    operator: &str,
    (one, left): (&Node, &Kind),
    (other, right): (&Node, &Kind),
) -> Option<String> {
    let (first, second) = (l.written_or(one, "first"), l.written_or(other, "second"));
    let sides = |form: &str| format!("{} {operator} {}", form.replace('_', &first), form.replace('_', &second));
    let sort = left.sort().map(Sort::plain);
    Some(match sort? {
        _ if sort != right.sort().map(Sort::plain) => return None,
        Sort::Moves | Sort::Cells => format!("compare their numbers: `{}`", sides("count(_)")),
        Sort::Zone => format!("compare the numbers of cards: `{}`", sides("count(_)")),
        Sort::List => format!("compare the numbers of values: `{}`", sides("_.len")),
        Sort::Dirs => format!("compare the cells of all directions: `{}`", sides("in_any(_)")),
        Sort::Cell => format!("compare their numbers: `{}`", sides("number(_)")),
        Sort::Action => {
            "compare the values that the actions are made of, or what `choose` returns: `chosen.verb`".to_owned()
        }
        Sort::Player | Sort::Piece => format!("compare a value of theirs: `{first}.NAME {operator} {second}.NAME`"),
        _ => return None,
    })
}

/// Reports a value that a list never contains, because its elements are of other kinds.
fn never_contained(l: &mut Linter<'_>, list: &Node, value: &Node) {
    if !list.kind.is_or_nothing(Sort::List) {
        return;
    }
    let element = list.kind.element();
    let (Some(element), Some(found)) = (known(&element), known(&value.kind)) else { return };
    // `index_of` takes a function, too.
    if !element.excludes(&found.without_nothing()) || found.may_be(Sort::Function) {
        return;
    }
    let (element, found) = (said(element), said(found));
    let message = format!("this list never contains {}: each of its values is {}", found.words(), element.words());
    let help = match (value.text(), element.sort()) {
        (Some(text), Some(sort @ (Sort::Player | Sort::Piece | Sort::Cell))) => {
            instead_of_text(l.schema, sort.words(), text)
        }
        _ => l.instead(value, &element).unwrap_or_else(|| format!("look for {}", element.words())),
    };
    l.report_value(&NEVER_EQUAL, value, message, help);
}

/// Reports cases to which the value of a `switch` is never equal.
fn cases(l: &mut Linter<'_>, switch: &Switch, at: Position) {
    let kind = said(&switch.value.kind);
    let mut values: Vec<&Dynamic> = switch.cases.iter().map(|case| &case.on).collect();
    values.retain(|value| !Kind::of_dynamic(value).is(Sort::Range));
    values.sort_by_cached_key(|value| value.to_string());
    let other = |value: &&&Dynamic| {
        let found = Kind::of_dynamic(value);
        known(&found).is_some() && known(&kind).is_some() && found.excludes(&kind)
    };
    if let Some(value) = values.iter().find(other) {
        case_of_another_kind(l, &kind, value, at);
    }
}

fn case_of_another_kind(l: &mut Linter<'_>, kind: &Kind, value: &Dynamic, at: Position) {
    let message = format!("{} never equals {}", kind.words(), Kind::of_dynamic(value).words());
    let text = value.read_lock::<ImmutableString>().map(|text| text.clone());
    let several = |sort| match sort {
        Sort::Number => "numbers",
        Sort::Truth => "`true` and `false`",
        _ => "strings, in quotes",
    };
    let help = match (kind.sort(), &text) {
        (Some(Sort::Number), Some(text)) if text.parse::<i64>().is_ok() => {
            format!("write the number without quotes: `{text} => …`")
        }
        (Some(sort @ (Sort::Number | Sort::Text | Sort::Truth)), _) => {
            format!("write cases that are {}", several(sort))
        }
        _ => "a case is a number or a string: compare with `if … == …` instead".to_owned(),
    };
    match (text, value.as_int()) {
        (Some(text), _) => l.report_string(&NEVER_EQUAL, at, &text, message, help),
        (None, Ok(number)) => l.report_number(&NEVER_EQUAL, at, number, message, help),
        (None, Err(_)) => l.report(&NEVER_EQUAL, at, message, help),
    }
}
