//! Checks a script before it runs: unknown functions, names and components, wrong numbers of arguments, locals that
//! hide a component, comparisons that are never true, asks inside closures.

mod arguments;
mod cards;
mod checker;
mod elements;
mod endings;
mod fixed;
mod hidden;
mod hooks;
mod instead;
mod kinds;
mod library;
mod lists;
mod literals;
mod map_keys;
mod misplaced;
mod needed;
mod never_right;
mod numbers;
mod offered;
mod operators;
mod outcomes;
mod own_names;
mod passed;
mod predicates;
mod properties;
mod recursion;
mod results;
mod scopes;
mod settings;
mod signatures;
mod sorts;
mod statements;
mod switches;
mod unknown;
mod unused;
mod uses;
mod words;
mod written;

use std::collections::BTreeSet;

use rhai::{AST, ScriptFuncDef};

use crate::diagnostic::Diagnostic;
use crate::rules::layers::{Definition, Layers, Texts, walk_all};
use crate::rules::natives::OfGame;
use crate::table::Schema;
use checker::{Checker, call_of};
pub(crate) use endings::after_the_end;

/// Returns all errors in the functions of a script, in the order of its lines.
pub(crate) fn check(layers: &Layers, of_game: &OfGame, schema: &Schema) -> Vec<Diagnostic> {
    if let Some(wrong) = needed::check(layers, schema) {
        return vec![wrong];
    }
    let mut checker = Checker::new(layers, of_game, schema, &layers.texts);
    // The built-in turn has no errors if the game has its ask.
    let lacks_ask = layers.built_in.is_some() && schema.ask("move").is_none();
    let other_ask = needed::other_ask(layers, schema);
    for ((name, parameters), function) in &layers.functions {
        match (name.as_str(), parameters) {
            ("turn", 1) if lacks_ask || other_ask.is_some() => continue,
            ("moves", 1) if lacks_ask => checker.wrong.extend(without_ask(layers, &function.def)),
            _ => {}
        }
        checker.function(&function.def);
        checker.calls_itself((name, *parameters), function.layer, &function.def);
        checker.hides_function(name, *parameters, &function.def);
    }
    checker.named_like_functions();
    let mut wrong = checker.wrong;
    wrong.extend(other_ask);
    wrong.extend(needed::of_the_other_turn(layers, schema));
    wrong.extend(cards::check(layers, schema));
    wrong.extend(unused::private_functions(layers));
    wrong.extend(hooks::check(layers, schema));
    wrong.extend(hooks::of_other_parameters(layers, schema));
    wrong.sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| (label.source.name().to_owned(), label.span)));
    wrong.dedup();
    wrong
}

/// Returns the error for rules that list moves in a game without the ask `move`.
fn without_ask(layers: &Layers, moves: &ScriptFuncDef) -> Option<Diagnostic> {
    let label = layers.name_of(moves)?;
    let message = "rules with `moves` need the ask `move`, but the game does not have it";
    let help = "add `ask move MOVE \"Move a piece\"` to the game file, or write `fn turn(me)` with another ask";
    Some(Diagnostic::new("unknown_component", &label.source, label.span, message).help(help))
}

/// Returns all errors in an expression outside the script. `known` are the additional names that it may use.
pub(crate) fn check_alone(
    layers: &Layers,
    of_game: &OfGame,
    schema: &Schema,
    ast: &AST,
    known: &[&str],
    texts: &Texts,
) -> Vec<Diagnostic> {
    let mut checker = Checker::new(layers, of_game, schema, texts);
    checker.alone = true;
    let mut known: BTreeSet<String> = known.iter().map(ToString::to_string).collect();
    // A closure may capture a variable that the expression declares.
    walk_all(ast, &mut |node| checker::declared(node, &mut known));
    checker.locals.clone_from(&known);
    let closures = ast.shared_lib().iter_script_fn_info();
    checker.closures = closures.map(|(.., def)| Definition::of(rhai::Shared::clone(def))).collect();
    // Like a closure, an expression cannot ask.
    walk_all(ast, &mut |node| checker.node(node, true, &known));
    checker.statements_alone(ast.statements());
    if checker.wrong.is_empty() {
        checker.always_the_same(ast);
    }
    checker.wrong
}
