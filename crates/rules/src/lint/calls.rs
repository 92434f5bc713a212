//! Calls of functions that do not exist, or with another number of values than they take.

use std::collections::BTreeSet;

use rhai::Position;

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use crate::layers::author_name;
use crate::natives::{self, Named};
use crate::script::{Call, Name, Node, Target, What};
use referee_diagnostic::{Code, did_you_mean};

pub(super) static CHECK: Check = Check {
    name: "calls",
    finds: &[&UNKNOWN_FUNCTION, &WRONG_ARITY],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&UNKNOWN_FUNCTION, Snippet::Turn(r#"«rol»("leap");"#)),
        (&UNKNOWN_FUNCTION, Snippet::Turn("«end_turn»();")),
        (&UNKNOWN_FUNCTION, Snippet::Turn("me.score = «random»(1, 6);")),
        (&UNKNOWN_FUNCTION, Snippet::Turn("let far = |n| n + 1; me.score = «far»(2);")),
        (&UNKNOWN_FUNCTION, Snippet::Turn(r#"let far = «Fn»("fra"); me.score = far.call(2);"#)),
        (&WRONG_ARITY, Snippet::Turn("«place»(log);")),
        (
            &WRONG_ARITY,
            Snippet::Rules(
                r"fn turn(me) { me.score = «far»(1, 2); }
fn far(n) { n + 1 }",
            ),
        ),
        (
            &WRONG_ARITY,
            Snippet::Rules(
                r#"fn turn(me) { me.score = «Fn»("far").call(1, 2); }
fn far(n) { n + 1 }"#,
            ),
        ),
        (&UNKNOWN_FUNCTION, Snippet::Condition("«scor»(red) == 3")),
    ],
    right: &[
        Snippet::Turn("let far = |n| n + 1; me.score = far.call(2);"),
        Snippet::Rules(
            r#"fn turn(me) { let far = Fn("far"); me.score = far.call(1); }
fn far(n) { n + 1 }"#,
        ),
        Snippet::Rules(
            r"fn turn(me) { me.score = far(1) + far(1, 2); }
fn far(n) { n + 1 }
fn far(n, more) { n + more }",
        ),
        Snippet::Turn("let all = #{ far: |n| n + 1 }; me.score = all.far.call(2);"),
    ],
};

pub(super) static UNKNOWN_FUNCTION: Entry = Entry {
    code: Code::UnknownFunction,
    text: r#"
The rules have no function of this name and neither has the API, or the function takes another number of arguments.

```rhai
fn turn(me) {
    rol("stride");
}
```

docs/rules-api.md lists all functions.
"#,
};

pub(super) static WRONG_ARITY: Entry = Entry {
    code: Code::WrongArity,
    text: r"
The rules call a function with too many or too few arguments.

```rhai
fn turn(me) {
    place(rock);
}
```

The message shows how to call the function.
",
};

/// Wrong names that newcomers give to functions, each with the help for it.
const OF_OTHERS: &[(&[&str], &str)] = &[
    (&["empty", "isEmpty"], "write `is_empty`; the cells where nothing is are `all_cells() - occupied()`"),
    (&["empty_cells", "free_cells"], "write `all_cells() - occupied()`"),
    (&["size", "length"], "write `count` for a set of cells or moves, `len` for a list"),
    (
        &["play", "play_move"],
        "write `make(move)` for one move; choose one of several first: `make(choose(me, \"move\", found))`",
    ),
    (&["delete", "capture"], "write `remove(cell)` to clear a cell, or `lift(piece)` to take a piece off the board"),
    (&["next_player", "opponent", "other_player"], "write `after(me)`: the next player in the order of play"),
    (&["neighbours", "neighbors", "adjacent"], "write `around(cells)`; for one cell, `around(one(cell))`"),
    (&["random", "rand", "throw"], "write `roll(\"die\")` with the name of a die of the game file"),
    (&["end_turn"], "leave it out: the turn ends where the function `turn` ends"),
    (&["end_game", "game_over"], "write `win(player)`, `lose(player)`, `draw_game()` or `nobody_wins()`"),
];

/// Reports what is wrong with a call itself, whatever its values are.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    match &node.what {
        What::Call(call) => {
            called_value(l, call);
            match call.target {
                Target::Unknown => unknown(l, call, node.at),
                Target::Script => {}
                Target::Native | Target::OtherScript => arity(l, call, node.at),
            }
        }
        What::Name(Name::Function(name)) => function_value(l, name, node.at),
        _ => {}
    }
}

fn unknown(l: &mut Linter<'_>, call: &Call, at: Position) {
    let name = call.name.as_str();
    let author = author_name(name);
    let unchanged = author.strip_prefix("base_").filter(|base| l.is_own(base));
    let is_helper = call.method && l.script.functions.iter().any(|function| author_name(&function.name) == name);
    let help = match OF_OTHERS.iter().find(|(others, _)| others.contains(&name)) {
        _ if is_helper => format!("call the helper of a house rule as a function: `{name}(…)`"),
        _ if let Some(base) = unchanged => format!("write `{base}(…)`: this file does not redefine it"),
        Some((_, help)) => (*help).to_owned(),
        None if l.is_local(name) => format!("write `{name}.call(…)` to call a function that is in a variable"),
        None => nearest_function(l, &author)
            .unwrap_or_else(|| "write it with `fn` in the rules, or call a function of docs/rules-api.md".to_owned()),
    };
    l.report(&UNKNOWN_FUNCTION, at, format!("unknown function `{author}`"), help);
}

/// Returns help for a name that is nearly that of a function.
fn nearest_function(l: &Linter<'_>, name: &str) -> Option<String> {
    let own: Vec<String> = l.script.functions.iter().map(|function| author_name(&function.name)).collect();
    let library: BTreeSet<&str> = natives::names_of_library().collect();
    did_you_mean(name, own.iter().map(String::as_str).chain(l.names_of_natives()).chain(library))
}

fn arity(l: &mut Linter<'_>, call: &Call, at: Position) {
    let (name, given) = (call.name.as_str(), call.in_brackets().len());
    if l.forms(call).next().is_some() || l.layers.arities(name).any(|arity| arity == given) {
        return;
    }
    let known = l.arities(name, call.method);
    if known.is_empty() {
        return unknown(l, call, at);
    }
    let list: Vec<String> = known.iter().map(ToString::to_string).collect();
    let wanted = list.join(" or ");
    let plural = if wanted == "1" { "" } else { "s" };
    let message = format!("`{}` takes {wanted} argument{plural}, got {given}", author_name(name));
    let help = match l.of_api(name).first() {
        Some(form) => format!("use the form `{}`", form.written()),
        None => format!("pass {wanted} argument{plural}"),
    };
    l.report(&WRONG_ARITY, at, message, help);
}

/// Reports a name in `Fn("name")` that no function has.
fn function_value(l: &mut Linter<'_>, name: &str, at: Position) {
    if l.is_native(name) || !l.arities(name, false).is_empty() {
        return;
    }
    let own: Vec<String> = l.script.functions.iter().map(|function| author_name(&function.name)).collect();
    let help = did_you_mean(&author_name(name), own.iter().map(String::as_str).chain(l.names_of_natives()))
        .unwrap_or_else(|| "write it with `fn` in the rules".to_owned());
    l.report(&UNKNOWN_FUNCTION, at, format!("unknown function `{}`", author_name(name)), help);
}

/// Reports `Fn("name").call(…)` with another number of values than the function takes.
fn called_value(l: &mut Linter<'_>, call: &Call) {
    let Some(function) = call.before_dot().filter(|_| call.name == "call") else { return };
    let Some(name) = function.function_value() else { return };
    let counts: Vec<usize> = l.layers.arities(name).collect();
    let is_other = l.is_native(name) || Named::of(name).are_of_library();
    if is_other || counts.is_empty() || counts.contains(&call.in_brackets().len()) {
        return;
    }
    let wanted = arguments(&counts);
    let message = format!("`{}` takes {wanted}, got {}", author_name(name), call.in_brackets().len());
    l.report(&WRONG_ARITY, function.at, message, format!("pass {wanted}"));
}

/// Returns numbers of arguments in words: `1 or 2 arguments`.
pub(super) fn arguments(counts: &[usize]) -> String {
    let list: Vec<String> = counts.iter().map(ToString::to_string).collect();
    format!("{} argument{}", list.join(" or "), if counts == [1] { "" } else { "s" })
}
