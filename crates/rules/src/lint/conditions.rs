//! Conditions that are no booleans.

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use crate::script::{Node, What};
use crate::values::Sort;
use referee_diagnostic::Code;

pub(super) static CHECK: Check = Check {
    name: "conditions",
    finds: &[&WRONG_CONDITION],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&WRONG_CONDITION, Snippet::Turn("if «around»(cells(frog(me))) { win(me); }")),
        (&WRONG_CONDITION, Snippet::Turn("if «me».score { win(me); }")),
        (&WRONG_CONDITION, Snippet::Turn(r#"while «roll»("leap") { me.score += 1; }"#)),
        (&WRONG_CONDITION, Snippet::Turn(r#"if me.tired && «at»(cell_named("b2")) { win(me); }"#)),
        (&WRONG_CONDITION, Snippet::Turn("let found = me.seen; if found == () || «found» { win(me); }")),
        (&WRONG_CONDITION, Snippet::Turn("switch me.score { 1 if «me».score => win(me), _ => lose(me) }")),
        (&WRONG_CONDITION, Snippet::Condition("red.tired || «red».score")),
    ],
    right: &[
        Snippet::Turn("if !around(cells(frog(me))).is_empty() && me.score != 0 { win(me); }"),
        Snippet::Turn(r#"let done = me.tired; if done || at(cell_named("b2")) != () { win(me); }"#),
        Snippet::Rules(
            r"fn turn(me) { if ready(me) { win(me); } }
fn ready(me) { if me.score > 3 { return me.tired; } false }",
        ),
        Snippet::Turn("let all = [true, 3]; if all[0] { me.score += all[1]; }"),
        Snippet::Turn("switch me.score { 0 if !me.tired => win(me), _ => lose(me) }"),
    ],
};

pub(super) static WRONG_CONDITION: Entry = Entry {
    code: Code::WrongCondition,
    text: r#"
The condition of an `if` or a loop, or a part of `&&` and `||`, is no boolean.

```rhai
fn turn(me) {
    let free = around(cells(runner(me))) - occupied();
    if free { place(runner(me), choose(me, "walk", free)); }
}
```

Compare the value, or ask whether there is something in it: `if !free.is_empty() { … }`.
"#,
};

/// Reports a condition that is no boolean: that of an `if` or a loop, or a part of `&&` and `||`.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    match &node.what {
        What::If(parts) => parts.first().into_iter().for_each(|value| condition(l, value)),
        What::While { condition: Some(value), .. } | What::Do { condition: value, .. } => condition(l, value),
        What::And(parts) | What::Or(parts) => parts.iter().for_each(|part| condition(l, part)),
        What::Switch(switch) => {
            switch.ways.iter().filter_map(|way| way.condition.as_ref()).for_each(|value| condition(l, value));
        }
        _ => {}
    }
}

fn condition(l: &mut Linter<'_>, value: &Node) {
    if value.kind.may_be(Sort::Truth) || value.kind.is_never() {
        return;
    }
    let kind = if value.kind.is(Sort::Nothing) { value.kind.clone() } else { value.kind.without_nothing() };
    let message = format!("a condition is a boolean, found {}", kind.words());
    let help = as_condition(l, value, "").unwrap_or_else(|| "compare it, with `==` or `>`".to_owned());
    l.report_once(&WRONG_CONDITION, value.start(), message, help);
}

/// Returns help for a value in place of a condition, or after `!`.
pub(super) fn as_condition(l: &Linter<'_>, value: &Node, sign: &str) -> Option<String> {
    let name = l.written_or(value, "…");
    let is_negated = sign == "!";
    let not = if is_negated { "" } else { "!" };
    Some(match value.kind.sort()? {
        Sort::Cells | Sort::Moves | Sort::Zone | Sort::List | Sort::Text => format!("write `{not}{name}.is_empty()`"),
        Sort::Dirs => format!("write `{not}in_any({name}).is_empty()`"),
        Sort::Number => format!("compare it: `{name} {} 0`", if is_negated { "==" } else { "!=" }),
        Sort::Player | Sort::Piece | Sort::Men | Sort::Cell | Sort::Move => {
            format!("compare it: `{name} {} ()`", if is_negated { "==" } else { "!=" })
        }
        _ => return None,
    })
}
