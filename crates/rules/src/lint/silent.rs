//! Functions of the rules that only have a value, and statements that call one of them and use no value.

use std::collections::BTreeSet;

use super::check::{Check, Snippet, Walk};
use super::linter::Linter;
use super::pure::{forms, is_silent, passes_silent};
use super::unused::UNUSED_VALUE;
use super::used::Used;
use crate::layers::author_name;
use crate::script::{Call, Function, Node, Script, Target, What};
use crate::values::Sort;

pub(super) static CHECK: Check = Check {
    name: "silent",
    finds: &[&UNUSED_VALUE],
    walks: &[Walk::Notes(check)],
    wrong: &[
        (
            &UNUSED_VALUE,
            Snippet::Rules(
                r"fn turn(me) { let far = 3; if me.tired { «slowed»(far); } me.score += far; }
fn slowed(far) { if far > 2 { return far - 2; } far / 2 }",
            ),
        ),
        (
            &UNUSED_VALUE,
            Snippet::Rules(
                r"fn turn(me) { «best»(); me.score += 1; }
fn best() { let all = []; for one in players() { all.push(one.score); } top(all) }
fn top(all) { let top = 0; for one in all { top = max(top, one); } top }",
            ),
        ),
        (
            &UNUSED_VALUE,
            Snippet::Rules(
                r"fn turn(me) { players().«filter»(leads); me.score += 1; }
fn leads(one) { one.score > 3 }",
            ),
        ),
        (
            &UNUSED_VALUE,
            Snippet::Rules(
                r"fn turn(me) { for n in 1..3 { «sum_to»(n); } me.score += 1; }
fn sum_to(n) { if n == 0 { 0 } else { n + sum_to(n - 1) } }",
            ),
        ),
    ],
    right: &[
        Snippet::Rules(
            r"fn turn(me) { more(me); me.score += 1; }
fn more(me) { me.score += 1; me.score }",
        ),
        Snippet::Rules(
            r#"fn turn(me) { allowed(me); me.score += 1; }
fn allowed(me) { if me.score > 30 { throw "too many"; } true }"#,
        ),
        Snippet::Rules(
            r"fn turn(me) { players().map(more); me.score += 1; }
fn more(one) { one.score += 1; one.score }",
        ),
        Snippet::Rules(
            r"fn turn(me) { let n = 0; n.bump(); me.score += n; }
fn bump() { this += 1; this }",
        ),
        Snippet::Rules(
            r"fn turn(me) { let all = []; players().map(|one| all.push(doubled(one))); me.score += all.len; }
fn doubled(one) { one.score * 2 }",
        ),
        Snippet::Rules(
            r"fn turn(me) { landing(me); me.score += 1; }
fn landing(_me) { }",
        ),
        Snippet::Rules(
            r"fn turn(me) { me.score = { plan(me) }; }
fn plan(me) { me.score + 1 }",
        ),
    ],
};

/// Reports each statement that calls a function which only has a value, where nothing uses it.
fn check(l: &mut Linter<'_>, used: &Used) {
    let script = l.script;
    let silent = silent(script, used);
    for function in script.functions.iter().filter(|function| !function.is_built_in()) {
        l.function = function;
        let mut idle = Vec::new();
        but_last(function.body.statements(), &mut idle);
        function.body.walk(&mut |node| add_idle(node, &mut idle));
        for statement in idle {
            if let What::Call(call) = &statement.what
                && is_idle(script, call, &silent)
            {
                report(l, statement, call);
            }
        }
    }
}

fn report(l: &mut Linter<'_>, statement: &Node, call: &Call) {
    let name = author_name(&call.name);
    let changed = call.args.first().and_then(Node::local).filter(|_| call.target == Target::Script);
    let changed = changed.filter(|_| call.args.first().is_some_and(|first| first.kind == statement.kind));
    let help = match (changed, l.written(statement)) {
        (Some(_), Some(written)) => {
            let local = l.written_or(call.args.first().unwrap_or(statement), "found");
            format!("write `{local} = {written};` to change `{local}`, or remove it")
        }
        _ => format!("keep it in a variable: `let found = {name}(…);`, or remove it"),
    };
    let message = format!("nothing uses the result of `{name}`, and it does nothing else");
    l.report(&UNUSED_VALUE, statement.at, message, help);
}

/// A function of the rules: its name, and the number of its parameters.
type Key<'s> = (&'s str, usize);

/// Returns the functions of the rules that only have a value. What a house rule redefines may do more.
fn silent<'s>(script: &'s Script, used: &Used) -> BTreeSet<Key<'s>> {
    let is_redefined = |key: &Key<'_>| used.redefined.contains(&(key.0.to_owned(), key.1));
    let functions = script.functions.iter().filter(|function| !function.this && !is_redefined(&function.key()));
    let mut rest: Vec<&Function> = functions.collect();
    loop {
        let silent: BTreeSet<Key<'_>> = rest.iter().map(|function| function.key()).collect();
        let before = rest.len();
        rest.retain(|function| {
            is_silent(&function.body, function.parameters, &|name, count| silent.contains(&(name, count)))
        });
        if rest.len() == before {
            return silent;
        }
    }
}

/// Returns whether a call that stands alone only has a value, and calls a function of the rules.
fn is_idle(script: &Script, call: &Call, silent: &BTreeSet<Key<'_>>) -> bool {
    let is_known = |name: &str, count: usize| silent.contains(&(name, count));
    match call.target {
        Target::Script => !call.method && is_known(&call.name, call.args.len()) && returns(script, call),
        Target::Native => takes_functions(call) && only_tells(call) && passes_silent(call, &is_known),
        _ => false,
    }
}

/// Returns whether a function of the rules returns something.
fn returns(script: &Script, call: &Call) -> bool {
    let function = script.function(&call.name, call.args.len());
    function.is_some_and(|function| !function.result.is(Sort::Nothing) && !function.result.is_never())
}

/// Adds the statements in the blocks of a node whose values nothing uses.
fn add_idle<'n>(node: &'n Node, idle: &mut Vec<&'n Node>) {
    match &node.what {
        What::If(parts) => parts.iter().skip(1).for_each(|branch| but_last(branch.statements(), idle)),
        What::Try(parts) => [&parts.body, &parts.handler].iter().for_each(|block| but_last(block.statements(), idle)),
        What::While { body, .. } | What::Do { body, .. } => all_of(body.statements(), idle),
        What::For(parts) => all_of(parts.body.statements(), idle),
        What::Closure(closure) => but_last(closure.body.statements(), idle),
        What::Block(statements) => {
            let inner = statements.iter().filter(|inner| matches!(inner.what, What::Block(_)));
            inner.for_each(|inner| but_last(inner.statements(), idle));
        }
        _ => {}
    }
}

fn all_of<'n>(statements: &'n [Node], idle: &mut Vec<&'n Node>) {
    for statement in statements {
        match &statement.what {
            What::If(parts) => parts.iter().skip(1).for_each(|branch| {
                all_of(branch.statements().last().map_or(&[], std::slice::from_ref), idle);
            }),
            _ => idle.push(statement),
        }
    }
}

fn but_last<'n>(statements: &'n [Node], idle: &mut Vec<&'n Node>) {
    if let Some((_, before)) = statements.split_last() {
        all_of(before, idle);
    }
}

/// Returns whether a native function gets functions that it calls.
fn takes_functions(call: &Call) -> bool {
    forms(call).iter().any(|form| form.calls())
}

fn only_tells(call: &Call) -> bool {
    forms(call).iter().all(|form| form.only_tells())
}
