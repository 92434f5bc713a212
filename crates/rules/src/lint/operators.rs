//! Operators that do not exist for their values.

use referee_diagnostic::Code;
use rhai::Position;

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use crate::script::{Node, What, of_one, of_two};
use crate::values::{Kind, Sort};

pub(super) static CHECK: Check = Check {
    name: "operators",
    finds: &[&WRONG_OPERATOR],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&WRONG_OPERATOR, Snippet::Turn("let free = cells(log) «+» occupied(); me.score = count(free);")),
        (&WRONG_OPERATOR, Snippet::Turn("me.score = cells(log) «-» 1;")),
        (&WRONG_OPERATOR, Snippet::Turn("me.score = «-»cells(log);")),
        (&WRONG_OPERATOR, Snippet::Turn("if «!»me.score { win(me); }")),
        (&WRONG_OPERATOR, Snippet::Turn("let all = [1, 2]; me.score = all «*» 2;")),
        (&WRONG_OPERATOR, Snippet::Turn("if me.score «&» 1 == 0 { win(me); }")),
        (&WRONG_OPERATOR, Snippet::Turn("if «!»me.score == 3 { win(me); }")),
        (&WRONG_OPERATOR, Snippet::Turn("let others = players() «-» me; me.score = others.len;")),
        (&WRONG_OPERATOR, Snippet::Turn("let far = cell(log); far «+»= 1; me.home = far;")),
        (&WRONG_OPERATOR, Snippet::Turn(r#"let far = roll("leap")[0]; me.score «+»= far;"#)),
        (&WRONG_OPERATOR, Snippet::Turn(r#"let cost = #{ walk: 1, swim: 2 }; me.score «+»= cost["wlak"];"#)),
        (&WRONG_OPERATOR, Snippet::Condition("red.score «+» blue == 3")),
    ],
    right: &[
        Snippet::Turn("let free = (cells(log) | occupied()) - cells(frog(me)); me.score = count(free);"),
        Snippet::Turn("let all = [1, 2]; all += 3; all += [4]; me.score = -all[3] + 8;"),
        Snippet::Turn(r#"let found = "far: " + me.score + '!'; if found != "" { me.score += 1; }"#),
        Snippet::Turn("let many = #{ a: 1 } + #{ b: 2 }; me.score = many.a ** 2 + many.b % 2;"),
        Snippet::Turn("let bits = 5; if bits[0] && !bits[1] { me.score += bits[0..=1]; }"),
        Snippet::Turn(r#"let cost = #{ walk: 1 }; if cost["swim"] == () { me.score += cost["run"] ?? 3; }"#),
        Snippet::Turn(r#"let cost = #{ walk: 1 }; cost["swim"] = 2; me.score += cost["swim"];"#),
        Snippet::Turn(r#"let cost = #{}; for one in players() { cost[name(one)] = 2; } me.score += cost["red"];"#),
        Snippet::Turn("if me.tired & !me.tired ^ true { me.score += 1; }"),
    ],
};

pub(super) static WRONG_OPERATOR: Entry = Entry {
    code: Code::WrongOperator,
    text: r"
There is no such operator for these two values.

```rhai
fn turn(me) {
    let free = around(cells(runner(me))) + all_cells();
    me.score = count(free);
}
```

The message says what the values are, and where they come from. Sets of cells are joined with `|`, taken from each other
with `-`, and what is in both is `&`.
",
};

/// Reports an operator that does not exist for its values.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    match &node.what {
        What::Operator(sign, parts) if is_comparison(sign) => {
            if let [one, other] = parts.as_slice() {
                negated(l, sign, one, other);
            }
        }
        What::Operator(sign, parts) => match parts.as_slice() {
            [one] => alone(l, sign, one, node.at),
            [one, other] => combined(l, sign, one, other, node.at),
            _ => {}
        },
        What::Assign(assign) => {
            if let Some(sign) = assign.sign {
                combined(l, &format!("{sign}="), &assign.to, &assign.value, node.at);
            }
        }
        _ => {}
    }
}

fn alone(l: &mut Linter<'_>, operator: &str, one: &Node, at: Position) {
    if of_one(operator, &one.kind).is_some() {
        return;
    }
    let wanted = if operator == "!" { "a boolean" } else { "a number" };
    let message = format!("`{operator}` is for {wanted}, found {}", one.kind.without_nothing().words());
    let help = if operator == "!" { super::conditions::as_condition(l, one, "!") } else { None };
    l.report_once(&WRONG_OPERATOR, at, message, help.unwrap_or_else(|| "use another value".to_owned()));
}

fn combined(l: &mut Linter<'_>, operator: &str, one: &Node, other: &Node, at: Position) {
    let (left, right) = (&one.kind, &other.kind);
    if of_two(operator, left, right).is_some() {
        return;
    }
    let (message, help) = match (left.is_any(), right.is_any()) {
        (false, false) => (
            format!("there is no `{operator}` for {} and {}", said(left).words(), said(right).words()),
            instead(l, operator, one, other),
        ),
        (is_left, _) => {
            let only = if is_left { right } else { left };
            let is_condition = matches!(operator, "&" | "|") && only.is(Sort::Truth);
            (
                format!("there is no `{operator}` for {}", said(only).words()),
                is_condition.then(|| format!("join conditions with `{operator}{operator}`")),
            )
        }
    };
    let help = help.unwrap_or_else(|| format!("`{operator}` is for {}", wanted(operator)));
    let help = l.with_origin(help, [one, other]);
    l.report_once(&WRONG_OPERATOR, at, message, help);
}

fn said(kind: &Kind) -> Kind {
    if kind.is(Sort::Nothing) { kind.clone() } else { kind.without_nothing() }
}

/// Returns what an operator is for, in words.
fn wanted(operator: &str) -> &'static str {
    match operator.trim_end_matches('=') {
        "+" => "numbers, strings, lists, maps and moves",
        "-" => "numbers and sets of cells",
        "&" | "|" => "numbers, booleans and sets of cells",
        "^" => "numbers and booleans",
        "!" => "booleans",
        _ => "numbers",
    }
}

/// Returns help for an operator that does not exist for these values.
fn instead(l: &Linter<'_>, operator: &str, one: &Node, other: &Node) -> Option<String> {
    if let Some(brackets) = with_brackets(l, operator, one, other) {
        return Some(brackets);
    }
    let (first, second) = (l.written_or(one, "…"), l.written_or(other, "…"));
    let sign = operator.trim_end_matches('=');
    let (left, right) = (said(&one.kind).sort()?.plain(), said(&other.kind).sort()?.plain());
    Some(match (sign, left, right) {
        ("|" | "&", Sort::Moves, Sort::Moves | Sort::Move) => format!("join moves with `+`: `{first} + {second}`"),
        ("+", Sort::Cells, Sort::Cells) => format!("join sets of cells with `|`: `{first} | {second}`"),
        ("+", Sort::Dirs, Sort::Dirs) => format!("join sets for directions with `|`: `{first} | {second}`"),
        ("+" | "-" | "|" | "&", Sort::Cells, Sort::Cell) => {
            let sign = if sign == "+" { "|" } else { sign };
            format!("write the set of one cell: `{first} {sign} one({second})`")
        }
        ("|", Sort::Dirs, Sort::Cells) => format!("write the cells of all directions: `in_any({first}) | {second}`"),
        ("|" | "-", Sort::Cells, Sort::Dirs) => {
            format!("write the cells of all directions: `{first} {sign} in_any({second})`")
        }
        ("+", Sort::Move, Sort::Move | Sort::Moves) => {
            format!("begin with no moves: `no_moves() + {first} + {second}`")
        }
        ("+", Sort::List, right) => format!("add a list, `{first} + [{second}]`")
            .replace("[…]", if right == Sort::Number { "[3]" } else { "[…]" }),
        (_, Sort::Nothing, _) | (_, _, Sort::Nothing) => "`()` means no value: give it a value first".to_owned(),
        (_, Sort::Cells | Sort::Zone | Sort::Moves, Sort::Number) => {
            format!("write `count({first})` for their number")
        }
        (_, Sort::Number, Sort::Cells | Sort::Zone | Sort::Moves) => {
            format!("write `count({second})` for their number")
        }
        ("-", Sort::List, _) if other.kind.meets(&one.kind.element()) => {
            format!("write the others: `{first}.filter(|one| one != {second})`")
        }
        (_, Sort::List, Sort::Number) => format!("write `{first}.len` for the number of values"),
        (_, Sort::Number, Sort::List) => format!("write `{second}.len` for the number of values"),
        (_, Sort::Cell, Sort::Number) => {
            format!("write `number({first})`, `row({first})` or `column({first})` for a number of a cell")
        }
        ("&" | "|", Sort::Truth, _) | ("&" | "|", _, Sort::Truth) => {
            format!("join conditions with `{sign}{sign}`")
        }
        _ => return None,
    })
}

/// Returns help for `mask & 1 == 0`, which compares first.
fn with_brackets(l: &Linter<'_>, operator: &str, one: &Node, other: &Node) -> Option<String> {
    let What::Operator(sign, parts) = &other.what else { return None };
    let ([second, third], "&" | "|" | "^") = (parts.as_slice(), operator) else { return None };
    if !is_comparison(sign) || !one.kind.is_or_nothing(Sort::Number) {
        return None;
    }
    let written = |node: &Node| l.written_or(node, "…");
    let (one, second, third) = (written(one), written(second), written(third));
    Some(format!("write brackets, because `{sign}` comes first: `({one} {operator} {second}) {sign} {third}`"))
}

fn is_comparison(sign: &str) -> bool {
    matches!(sign, "==" | "!=" | "<" | "<=" | ">" | ">=")
}

/// Reports `!n == 3`, which is `(!n) == 3`.
fn negated(l: &mut Linter<'_>, sign: &str, one: &Node, other: &Node) {
    let opposite = match sign {
        "==" => "!=",
        "!=" => "==",
        "<" => ">=",
        "<=" => ">",
        ">" => "<=",
        _ => "<",
    };
    let What::Operator(not, parts) = &one.what else { return };
    if let ("!", [value]) = (not.as_str(), parts.as_slice())
        && of_one("!", &value.kind).is_none()
    {
        let message = format!("`!` is for a boolean, found {}", value.kind.without_nothing().words());
        let written = (l.written_or(value, "…"), l.written_or(other, "…"));
        let help = format!("write `{} {opposite} {}`", written.0, written.1);
        l.report_once(&WRONG_OPERATOR, one.at, message, help);
    }
}
