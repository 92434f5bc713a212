//! Values that nothing uses.

use rhai::Position;

use super::linter::Linter;
use crate::natives::{self, Form};
use crate::script::{Call, Name, Node, What};

const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

/// Reports values in a function, or in an expression outside of scripts, that nothing uses. The last statement is its
/// result.
pub(super) fn in_function(l: &mut Linter<'_>) {
    let body = &l.function.body;
    // An expression is written in braces.
    let body = match &body.what {
        What::Block(statements) if l.alone => match statements.as_slice() {
            [one] if matches!(one.what, What::Block(_)) => one,
            _ => body,
        },
        _ => body,
    };
    if l.alone {
        body.statements().iter().for_each(|statement| sets_the_game(l, statement));
    }
    unused_but_last(l, body.statements());
}

/// Reports a statement of an expression outside of scripts that sets a value of the game.
fn sets_the_game(l: &mut Linter<'_>, statement: &Node) {
    if let What::Assign(assign) = &statement.what
        && matches!(assign.to.what, What::Field { .. })
        && assign.sign.is_none()
    {
        let example = l.schema.example_comparison();
        let help = example.replace("write a comparison, such as", "write `==` to compare, as in");
        let message = "an expression cannot set a value of the game".to_owned();
        l.report("wrong_expression", statement.at, message, help);
    }
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
        l.report("not_called", value.at, format!("`{name}` is a function, and this does not call it"), help);
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
        What::Name(_) | What::Number(_) | What::Text(_) | What::List(_) => {
            unused(l, statement.at, "this value", "use it in a call or a condition, or remove the line");
        }
        _ => {}
    }
}

fn unused(l: &mut Linter<'_>, at: Position, what: &str, help: &str) {
    l.report("unused_value", at, format!("nothing uses {what}"), help.to_owned());
}

/// Reports a call without effect.
fn unused_result(l: &mut Linter<'_>, call: &Call, at: Position) {
    let name = call.name.as_str();
    if l.is_own(name) {
        return;
    }
    let forms = l.forms(name, call.args.len());
    let tells = |form: &&Form| form.only_tells() && !form.calls();
    // A map may have a function of this name, and `list.reverse()` is another function than `reverse(direction)`.
    let takes = |form: &&&Form| {
        let first = call.args.first().map(|first| &first.kind);
        first.is_none_or(|first| form.parameters.first().is_none_or(|parameter| !parameter.kind.excludes(first)))
    };
    let fitting: Vec<&Form> = forms.iter().filter(takes).copied().collect();
    if fitting.is_empty() || !fitting.iter().all(tells) || natives::is_of_library(name) && l.is_key(name) {
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
    let code = if COMPARISONS.contains(&sign) { "unused_comparison" } else { "unused_value" };
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
        l.report("unused_value", place, message, help);
    }
}

/// Reports an expression outside of scripts that looks at nothing, so that it always has the same truth.
pub(super) fn always_the_same(l: &mut Linter<'_>) {
    let mut looks = false;
    let mut first = None;
    l.function.body.walk(&mut |node| match &node.what {
        What::Call(_) => looks = true,
        What::Truth(_) | What::Number(_) | What::Text(_) => _ = first.get_or_insert(node.at),
        // A column of a table, or a variable of the expression.
        What::Name(Name::Local(_)) => _ = first.get_or_insert(node.at),
        What::And(_) | What::Or(_) | What::Block(_) | What::Nothing | What::Operator(..) | What::Let { .. } => {}
        _ => looks = true,
    });
    let is_truth = l.function.result.is(crate::values::Sort::Truth);
    if let (false, Some(at), true) = (looks, first, is_truth) {
        let message = "this does not look at the game, so it is always the same".to_owned();
        let help = l.schema.example_comparison();
        l.report("nothing_checked", at, message, help);
    }
}
