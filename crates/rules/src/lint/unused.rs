//! Values that nothing uses.

use referee_diagnostic::Code;
use rhai::Position;

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use super::pure::{is_pure, passes_silent};
use crate::natives::Form;
use crate::script::{Call, Name, Node, What};

pub(super) static CHECK: Check = Check {
    name: "unused",
    finds: &[&UNUSED_VALUE, &UNUSED_COMPARISON, &NOT_CALLED],
    walks: &[Walk::Bodies(in_function), Walk::Nodes(check)],
    wrong: &[
        (&UNUSED_VALUE, Snippet::Turn("me.score «+» 1; win(me);")),
        (&UNUSED_VALUE, Snippet::Turn("«cells»(log); me.score = 1;")),
        (&UNUSED_VALUE, Snippet::Turn("me.«score»; win(me);")),
        (&UNUSED_VALUE, Snippet::Turn("«me».tired && me.score > 3; win(me);")),
        (&UNUSED_VALUE, Snippet::Turn("players().«filter»(|one| one.tired); win(me);")),
        (&UNUSED_VALUE, Snippet::Turn("[1, 2].«map»(|n| { let m = n + 1; m * 2 }); win(me);")),
        (
            &UNUSED_VALUE,
            Snippet::Rules(
                r"fn turn(me) { me.score = far(3); }
fn far(n) { if n > 1 { let «n» = n - 1; } n }",
            ),
        ),
        (&UNUSED_COMPARISON, Snippet::Turn("me.score «=»= 1; win(me);")),
        (&UNUSED_COMPARISON, Snippet::Turn("if me.tired { me.score «>» 3 } win(me);")),
        (&NOT_CALLED, Snippet::Turn("if me.score > 3 { «draw_game»; } me.score += 1;")),
        (
            &NOT_CALLED,
            Snippet::Turn(
                r"if «score» { win(me); }
}
fn score(me) {
    me.score",
            ),
        ),
    ],
    right: &[
        Snippet::Turn("me.score += 1; win(me);"),
        Snippet::Rules(
            r"fn turn(me) { me.score = if me.score == 1 { far(2) } else { far(3) }; }
fn far(n) { if n == 2 { n + 1 } else { n } }",
        ),
        Snippet::Rules("fn turn(me) { let all = [2, 1]; all.pop(); all.reverse(); me.score = all[0]; }"),
        // Rules stop where there is no such element.
        Snippet::Turn("let all = [1, 2]; all[0]; me.score += all.len;"),
        Snippet::Rules(
            r"fn turn(me) { far(me); }
fn far(me) { me.score += 1; me.score }",
        ),
        Snippet::Turn(
            "players().map(|one| { one.score += 1; one.score }); let n = 0; [1, 2].map(|m| n += m); me.score = n;",
        ),
        Snippet::Turn("let far = |n| n == 1; if far.call(1) { me.score += 1; }"),
    ],
};

pub(super) static UNUSED_VALUE: Entry = Entry {
    code: Code::UnusedValue,
    text: r#"
A statement computes or reads a value that nothing uses, so it does nothing.

```rhai
fn turn(me) {
    me.score + roll("stride");
    win(me);
}
```

Write `+=` to change the value: `me.score += roll("stride");`. Keep the value in a variable, or remove the statement.

The same is reported of `list.filter(…)` and `list.map(…)` whose closure only has a value. Of a function of the rules that
only has a value it is a note of `referee check`: write `far = slowed(far);` in place of `slowed(far);`.

The same is reported if `let far = far - 1;` makes a new variable beside a parameter `far` and nothing uses it before the
block ends: write `far = far - 1;` to change the parameter.
"#,
};

pub(super) static UNUSED_COMPARISON: Entry = Entry {
    code: Code::UnusedComparison,
    text: r#"
A comparison is a statement of its own, so nothing uses its result.

```rhai
fn turn(me) {
    let far = roll("stride");
    me.score == far;
    win(me);
}
```

Write `=` to set a value: `me.score = far;`. Write `if me.score == far { … }` to do something in this case.
"#,
};

pub(super) static NOT_CALLED: Entry = Entry {
    code: Code::NotCalled,
    text: r#"
The name of a function stands alone, where its result is needed or where it should run. Without brackets, nothing calls it.

```rhai
fn turn(me) {
    if roll("stride") == 6 { draw_game; }
}
```

Write brackets, with the values that the function takes: `draw_game()`, `score(me)`. The name of an ask, a die or an option
needs quotes: `action.verb == "walk"`.
"#,
};

const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

/// Reports values in a function, or in an expression outside of scripts, that nothing uses. The last statement is its
/// result.
pub(super) fn in_function(l: &mut Linter<'_>) {
    let statements = l.statements();
    unused_but_last(l, statements);
}

/// Reports values in the blocks of a node that nothing uses, and names of functions where their result is needed. The
/// last statement of a block may be its value, but a loop has no value of its own.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    match &node.what {
        What::If(parts) => {
            let [condition, then, other] = &**parts;
            unused_but_last(l, then.statements());
            unused_but_last(l, other.statements());
            function_name(l, condition);
        }
        What::Try(parts) => {
            unused_but_last(l, parts.body.statements());
            unused_but_last(l, parts.handler.statements());
        }
        What::While { condition, body } => {
            unused_among(l, body.statements());
            condition.iter().for_each(|condition| _ = function_name(l, condition));
        }
        What::Do { body, condition, .. } => {
            unused_among(l, body.statements());
            function_name(l, condition);
        }
        What::For(parts) => unused_among(l, parts.body.statements()),
        What::Closure(closure) => unused_but_last(l, closure.body.statements()),
        // A block in a block.
        What::Block(statements) => {
            for inner in statements.iter().filter(|inner| matches!(inner.what, What::Block(_))) {
                unused_but_last(l, inner.statements());
            }
        }
        What::And(parts) | What::Or(parts) | What::Operator(_, parts) => {
            parts.iter().for_each(|part| _ = function_name(l, part));
        }
        _ => {}
    }
}

fn unused_among(l: &mut Linter<'_>, statements: &[Node]) {
    unused_variables(l, statements);
    statements.iter().for_each(|statement| unused_value(l, statement));
}

fn unused_but_last(l: &mut Linter<'_>, statements: &[Node]) {
    unused_variables(l, statements);
    if let Some((last, before)) = statements.split_last() {
        before.iter().for_each(|statement| unused_value(l, statement));
        function_name(l, last);
    }
}

/// Reports the name of a function where its result is needed. Returns `false` for anything else.
fn function_name(l: &mut Linter<'_>, value: &Node) -> bool {
    let name = match &value.what {
        What::Name(Name::Function(name)) => name,
        What::Name(Name::Unknown(name)) if l.is_native(name) => name,
        _ => return false,
    };
    // `Fn("name")` is a value.
    let is_name = l.label(value.at).is_none_or(|label| label.source.slice(label.span) != "Fn");
    let native = l.of_api(name).first().map(|form| *form.counts().start());
    let Some(count) = l.layers.arities(name).next().or(native).filter(|_| is_name) else { return false };
    let turn =
        (l.alone && name == "turn").then(|| "to expect the turn of a player write `expect turn PLAYER`".to_owned());
    let help = turn.or_else(|| super::names::with_quotes(l, name)).or_else(|| l.in_place_of_variable(name));
    let help = help.unwrap_or_else(|| match count {
        0 => format!("write brackets to call it: `{name}()`"),
        _ => format!("write brackets to call it: `{name}(…)`"),
    });
    if !l.unquoted.contains(&value.at) {
        l.unquoted.push(value.at);
        l.report(&NOT_CALLED, value.at, format!("`{name}` is a function, and this does not call it"), help);
    }
    true
}

/// Reports a statement whose value nothing uses. The blocks of an `if` are looked at elsewhere, but for their last
/// statements.
fn unused_value(l: &mut Linter<'_>, statement: &Node) {
    if function_name(l, statement) {
        return;
    }
    match &statement.what {
        What::If(parts) => {
            let ends = parts.iter().skip(1).filter_map(|branch| branch.statements().last());
            let ends: Vec<&Node> = ends.collect();
            ends.into_iter().for_each(|last| unused_value(l, last));
        }
        What::Call(call) => unused_result(l, call, statement.at),
        What::Operator(sign, parts) => unused_operation(l, sign, parts, statement.at),
        What::Field { .. } => unused(l, statement.at, "this value", "set it with `=`, or remove the line"),
        What::Closure(_) => {
            unused(l, statement.at, "this closure", "call it, `(|…| …).call(…)`, or keep it in a variable");
        }
        What::And(_) | What::Or(_) | What::Coalesce(_) | What::Interpolated(_) | What::Map(_)
            if is_pure(statement) && !may_stop(statement) =>
        {
            unused(l, first_place(statement), "this value", "use it in a call or a condition, or remove the line");
        }
        What::Name(_) | What::Number(_) | What::Truth(_) | What::Text(_) | What::List(_) => {
            unused(l, statement.at, "this value", "use it in a call or a condition, or remove the line");
        }
        _ => {}
    }
}

/// Returns whether the rules may stop here: there may be no such element.
fn may_stop(value: &Node) -> bool {
    let mut stops = false;
    value.walk(&mut |part| stops = stops || matches!(part.what, What::Index { .. }));
    stops
}

/// Returns where a value begins; for a text with values between backticks, the first of these.
fn first_place(value: &Node) -> Position {
    match &value.what {
        What::Interpolated(parts) => {
            parts.iter().map(Node::start).find(|at| !at.is_none()).unwrap_or_else(|| value.start())
        }
        _ => value.start(),
    }
}

fn unused(l: &mut Linter<'_>, at: Position, what: &str, help: &str) {
    l.report(&UNUSED_VALUE, at, format!("nothing uses {what}"), help.to_owned());
}

/// Reports a call without effect.
fn unused_result(l: &mut Linter<'_>, call: &Call, at: Position) {
    let name = call.name.as_str();
    if l.is_own(name) {
        return;
    }
    let tells = |form: &&Form| form.only_tells() && (!form.calls() || passes_silent(call, &|_, _| false));
    // A map may have a function of this name, and `list.reverse()` is another function than `reverse(direction)`.
    let takes = |form: &&Form| {
        let first = call.args.first().map(|first| &first.kind);
        first.is_none_or(|first| form.parameters.first().is_none_or(|parameter| !parameter.kind.excludes(first)))
    };
    let fitting: Vec<&Form> = l.forms(call).filter(takes).collect();
    if fitting.is_empty() || !fitting.iter().all(tells) || call.natives.are_of_library() && l.is_key(name) {
        return;
    }
    let help = format!("keep it in a variable: `let found = {name}(…);`, or remove it");
    unused(l, at, &format!("the result of `{name}`"), &help);
}

fn unused_operation(l: &mut Linter<'_>, sign: &str, parts: &[Node], at: Position) {
    let can_be_set = parts.first().is_some_and(|first| {
        matches!(first.what, What::Field { .. } | What::Name(_)) || first.call().is_some_and(|call| call.method)
    });
    let help = match sign {
        _ if l.alone => "join conditions with `&&`: `{ … && … }`".to_owned(),
        "==" if can_be_set => "write `=` to set the value, or `if … { … }` to do something in this case".to_owned(),
        "!" | "==" | "!=" | "<" | "<=" | ">" | ">=" => {
            "write `if … { … }` to do something in this case, or remove it".to_owned()
        }
        "+" | "-" | "*" | "/" | "%" if can_be_set && parts.len() == 2 => format!("write `{sign}=` to change the value"),
        _ => "keep it in a variable, or remove it".to_owned(),
    };
    let code = if COMPARISONS.contains(&sign) { &UNUSED_COMPARISON } else { &UNUSED_VALUE };
    l.report(code, at, format!("nothing uses the result of this `{sign}`"), help);
}

/// Reports variables of a block that nothing after them uses, and that are computed from a parameter of the same name:
/// the parameter should change. Others do no harm.
fn unused_variables(l: &mut Linter<'_>, statements: &[Node]) {
    for (at, statement) in statements.iter().enumerate() {
        let What::Let { local, value } = &statement.what else { continue };
        let name = l.local(*local);
        let parameter = l.function.params().iter().position(|parameter| parameter.name == name);
        let Some(parameter) = parameter.filter(|parameter| parameter != local) else { continue };
        let rest = statements.get(at + 1..).unwrap_or_default();
        let used = |nodes: &[Node], wanted: usize| {
            let mut used = false;
            nodes.iter().for_each(|node| node.walk(&mut |part| used |= part.local() == Some(wanted)));
            used
        };
        if used(rest, *local) || !used(std::slice::from_ref(value), parameter) {
            continue;
        }
        let place = l.function.local(*local).map_or(statement.at, |local| local.at);
        let message = format!("nothing uses this `{name}`: `let` makes a variable beside the `{name}` of the function");
        let help = format!("write `{name} = …` without `let` to change the other one");
        l.report(&UNUSED_VALUE, place, message, help);
    }
}
