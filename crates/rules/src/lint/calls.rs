//! Calls of functions that do not exist, with another number of values than they take, or where they are not possible.

use std::collections::BTreeSet;

use rhai::Position;

use super::linter::Linter;
use super::values::Written;
use crate::layers::author_name;
use crate::natives;
use crate::script::{Call, Name, Node, Target, What};
use referee_diagnostic::{did_you_mean, one_of};
use referee_table::BoardSpec;

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
            asks_in_closure(l, call, node.at);
            needs_board(l, call, node.at);
            needs_die(l, call, node.at);
            unquoted_phase(l, call);
            called_value(l, call);
            match call.target {
                Target::Unknown => unknown(l, call, node.at),
                Target::Script => {}
                Target::Native | Target::OtherScript => arity(l, call, node.at),
            }
        }
        What::Name(Name::Function(name)) => {
            function_value(l, name, node.at);
            asks_as_value(l, name, node.at);
        }
        _ => {}
    }
}

fn asks_in_closure(l: &mut Linter<'_>, call: &Call, at: Position) {
    if l.closures == 0 || !l.askers.contains(&call.name) {
        return;
    }
    let message = format!("`{}` asks, but asks are not possible here", author_name(&call.name));
    let help = "ask in a loop instead of a closure: `for x in list { … }`; an expectation cannot ask".to_owned();
    l.report("ask_in_closure", at, message, help);
}

/// Reports a function that asks and is used as a value. Native functions such as `map` could call it.
fn asks_as_value(l: &mut Linter<'_>, name: &str, at: Position) {
    if !l.askers.contains(name) || !l.is_own(name) || l.unquoted.contains(&at) {
        return;
    }
    let message = format!("`{}` asks, so it cannot be a function value", author_name(name));
    l.report("ask_in_closure", at, message, "ask in a loop instead: `for x in list { … }`".to_owned());
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
    l.report("unknown_function", at, format!("unknown function `{author}`"), help);
}

/// Returns help for a name that is nearly that of a function.
fn nearest_function(l: &Linter<'_>, name: &str) -> Option<String> {
    let own: Vec<String> = l.script.functions.iter().map(|function| author_name(&function.name)).collect();
    let library: BTreeSet<&str> = natives::names_of_library().collect();
    did_you_mean(name, own.iter().map(String::as_str).chain(l.names_of_natives()).chain(library))
}

fn arity(l: &mut Linter<'_>, call: &Call, at: Position) {
    let (name, given) = (call.name.as_str(), call.in_brackets().len());
    let known = l.arities(name, call.method);
    if known.contains(&given) {
        return;
    }
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
    l.report("wrong_arity", at, message, help);
}

/// Reports a function that needs cells, in a game without a board.
fn needs_board(l: &mut Linter<'_>, call: &Call, at: Position) {
    let name = call.name.as_str();
    if l.schema.board != BoardSpec::None || l.is_own(name) || natives::is_of_library(name) {
        return;
    }
    let forms = l.of_api(name);
    if !forms.is_empty() && forms.iter().all(|form| form.is_about_cells()) {
        let message = format!("`{name}` needs a board, but this game has none");
        l.report("no_board", at, message, "declare a board in the game file: `board grid 8x8`".to_owned());
    }
}

/// Reports `roll()` in a game that does not have exactly one die.
fn needs_die(l: &mut Linter<'_>, call: &Call, at: Position) {
    if call.name != "roll" || !call.args.is_empty() || l.is_own("roll") {
        return;
    }
    let (message, help) = match l.schema.dice.as_slice() {
        [_] => return,
        [] => (
            "`roll` needs a die, but this game has none".to_owned(),
            "declare one in the game file: `die 1..6`".to_owned(),
        ),
        several => {
            let names = one_of(several.iter().map(|die| die.name.as_str()), 9);
            let first = several.first().map_or("", |die| die.name.as_str());
            (
                format!("`roll` needs the name of a die, because the game has {}", several.len()),
                format!("write for example `roll(\"{first}\")`; the dice are {names}"),
            )
        }
    };
    l.report("unknown_component", at, message, help);
}

/// Reports a function of the rules in place of its name in quotes.
fn unquoted_phase(l: &mut Linter<'_>, call: &Call) {
    let at = match (call.name.as_str(), call.method) {
        ("then", false) => 0,
        ("choose_then", _) => 3,
        _ => return,
    };
    let Some(value) = call.args.get(at) else { return };
    let Some(name) = value.function_value().filter(|name| l.is_own(name)) else { return };
    l.unquoted.push(value.at);
    let name = author_name(name);
    let message = format!("`{}` takes the name of a function in quotes", call.name);
    l.report("wrong_values", value.at, message, format!("write `\"{name}\"`"));
}

/// Reports a name in `Fn("name")` that no function has.
fn function_value(l: &mut Linter<'_>, name: &str, at: Position) {
    if l.is_native(name) || !l.arities(name, false).is_empty() {
        return;
    }
    let own: Vec<String> = l.script.functions.iter().map(|function| author_name(&function.name)).collect();
    let help = did_you_mean(&author_name(name), own.iter().map(String::as_str).chain(l.names_of_natives()))
        .unwrap_or_else(|| "write it with `fn` in the rules".to_owned());
    l.report("unknown_function", at, format!("unknown function `{}`", author_name(name)), help);
}

/// Reports `Fn("name").call(…)` with another number of values than the function takes.
fn called_value(l: &mut Linter<'_>, call: &Call) {
    let Some(function) = call.before_dot().filter(|_| call.name == "call") else { return };
    let Some(name) = function.function_value() else { return };
    let counts: Vec<usize> = l.layers.arities(name).collect();
    let is_other = l.is_native(name) || natives::is_of_library(name);
    if is_other || counts.is_empty() || counts.contains(&call.in_brackets().len()) {
        return;
    }
    let wanted = arguments(&counts);
    let message = format!("`{}` takes {wanted}, got {}", author_name(name), call.in_brackets().len());
    l.report("wrong_arity", function.at, message, format!("pass {wanted}"));
}

/// Reports a function that runs as a phase with another number of values than it takes.
pub(super) fn phase(l: &mut Linter<'_>, call: &Call, phase: &Written) {
    let given = match (call.name.as_str(), call.method) {
        ("then", false) => call.args.len() - 1,
        ("choose_then", _) => 2,
        _ => return,
    };
    let counts: Vec<usize> = l.layers.arities(&phase.text).collect();
    if counts.is_empty() || counts.contains(&given) {
        return;
    }
    let name = author_name(&phase.text);
    let wanted = arguments(&counts);
    let (message, help) = match call.name.as_str() {
        "then" => {
            let values = if counts == [0] { "no values".to_owned() } else { wanted.replace("argument", "value") };
            (format!("`{name}` takes {wanted}, got {given}"), format!("write {values} after the name `\"{name}\"`"))
        }
        _ => (
            format!("`{name}` takes {wanted}, but `choose_then` passes the player and the choice"),
            format!("give it two parameters: `fn {name}(me, chosen) {{ … }}`"),
        ),
    };
    l.report_written("wrong_arity", &Written { text: name.into(), ..phase.clone() }, message, help);
}

/// Returns numbers of arguments in words: `1 or 2 arguments`.
fn arguments(counts: &[usize]) -> String {
    let list: Vec<String> = counts.iter().map(ToString::to_string).collect();
    format!("{} argument{}", list.join(" or "), if counts == [1] { "" } else { "s" })
}
