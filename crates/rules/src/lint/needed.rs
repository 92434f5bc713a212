//! Checks for the functions that the rules need: `turn`, or those of the built-in turn.

use super::arguments::WRONG_VALUES;
use super::calls::UNKNOWN_FUNCTION;
use super::check::{Check, Snippet, Walk};
use super::linter::Linter;
use super::texts::UNKNOWN_COMPONENT;
use crate::layers::{Layers, is_internal};
use crate::script::{Function, Script};
use referee_diagnostic::{Diagnostic, counted, nearest};
use referee_source::Span;
use referee_table::{Form, Kind, Schema};

pub(super) static CHECK: Check = Check {
    name: "needed",
    finds: &[&UNKNOWN_FUNCTION, &UNKNOWN_COMPONENT, &WRONG_VALUES],
    walks: &[Walk::First(check), Walk::Scripts(ask_of_the_turn), Walk::Scripts(of_the_other_turn)],
    wrong: &[
        (&UNKNOWN_FUNCTION, Snippet::Rules("fn «trun»(me) { me.score += 1; }")),
        (&UNKNOWN_FUNCTION, Snippet::Rules("fn «turn»() { red.score += 1; }")),
        (
            &UNKNOWN_FUNCTION,
            Snippet::Rules(
                r"fn turn(me) { me.score += 1; }
fn «ended»(me) { if me.score > 3 { win(me); } }",
            ),
        ),
        (
            &UNKNOWN_COMPONENT,
            Snippet::Game(
                r"board grid 3x3
piece king for each player symbols r b",
                r#"fn «moves»(me) { no_moves() + path(cell(king(me)), cell_named("b2")) }
fn apply(me, move) { make(move); }
fn ended(me) { lose(me); }"#,
            ),
        ),
        (
            &WRONG_VALUES,
            Snippet::Game(
                r"board grid 3x3
«ask move CELL»
piece king for each player symbols r b",
                r#"fn moves(me) { no_moves() + path(cell(king(me)), cell_named("b2")) }
fn apply(me, move) { make(move); }
fn ended(me) { lose(me); }"#,
            ),
        ),
    ],
    right: &[
        Snippet::Rules(
            r"fn turn(me) { ended(me); }
fn ended(me) { if me.score > 3 { win(me); } }",
        ),
        Snippet::Game(
            r"board grid 3x3
ask move MOVE
piece king for each player symbols r b
place red at a1",
            r#"fn moves(me) { no_moves() + path(cell(king(red)), cell_named("b2")) }
fn apply(me, move) { make(move); }
fn ended(me) { lose(me); }"#,
        ),
    ],
};

/// A function that the rules need.
struct Needed {
    name: &'static str,
    arity: usize,
    form: &'static str,
}

const TURN: Needed = Needed { name: "turn", arity: 1, form: "fn turn(me) { … }" };
const MOVES: Needed = Needed { name: "moves", arity: 1, form: "fn moves(me) { … }" };
/// The functions that the built-in turn calls besides `moves`.
const OF_MOVES: [Needed; 2] = [
    Needed { name: "apply", arity: 2, form: "fn apply(me, move) { … }" },
    Needed { name: "ended", arity: 1, form: "fn ended(me) { … }" },
];

/// Returns the error for a function that the rules need and do not have.
pub(super) fn check(layers: &Layers, script: &Script, schema: &Schema) -> Option<Diagnostic> {
    let of_other_parameters = |needed: &Needed| {
        let other = layers.arities(needed.name).find(|arity| *arity != needed.arity)?;
        let function = script.function(needed.name, other)?;
        other_parameters(layers, function, needed.name, needed.arity, needed.form)
    };
    let missing = match script.function("turn", 1) {
        None => {
            let wrong = of_other_parameters(&TURN).or_else(|| of_other_parameters(&MOVES));
            if let Some(wrong) = wrong.or_else(|| misspelt(layers, script, schema, &[TURN, MOVES])) {
                return Some(wrong);
            }
            TURN
        }
        Some(turn) if turn.is_built_in() => {
            let missing = OF_MOVES.into_iter().find(|needed| layers.lacks(needed.name, needed.arity))?;
            let wrong = of_other_parameters(&missing);
            if let Some(wrong) = wrong.or_else(|| misspelt(layers, script, schema, std::slice::from_ref(&missing))) {
                return Some(wrong);
            }
            missing
        }
        Some(_) => return None,
    };
    let Needed { name, form, .. } = missing;
    let rules = layers.texts.rules()?;
    let end = rules.text().trim_end().len();
    let help = match name {
        "turn" => format!("write `{form}`, or list the moves with `moves`, `apply` and `ended`"),
        _ => format!("write `{form}`: rules with `moves` need it"),
    };
    let message = format!("the rules have no function `{name}`");
    Some(UNKNOWN_FUNCTION.at(rules, Span::new(end..end), message).help(help))
}

/// Reports each function that only the built-in turn would call, in rules with a turn of their own.
pub(super) fn of_the_other_turn(l: &mut Linter<'_>) {
    let (layers, script, schema) = (l.layers, l.script, l.schema);
    let Some(turn) = script.function("turn", 1).filter(|turn| !turn.is_built_in()) else { return };
    let stuck = Needed { name: "stuck", arity: 1, form: "fn stuck(me) { … }" };
    let idle = OF_MOVES.into_iter().chain([stuck]).filter_map(|Needed { name, arity, .. }| {
        let function = script.function(name, arity)?;
        // A house rule may put a turn of its own in place of the other one.
        if function.layer != turn.layer || is_used(name, script, schema) {
            return None;
        }
        let label = layers.label_of(&function.name, function.parameters)?;
        let message = format!("nothing calls `{name}`: it is only called by itself in rules without `turn`");
        let call = if arity == 1 { format!("{name}(me)") } else { format!("{name}(me, move)") };
        let wrong = UNKNOWN_FUNCTION.at(&label.source, label.span, message);
        Some(wrong.help(format!("call it in `turn`: `{call}`, or remove it")))
    });
    l.wrong.extend(idle);
}

/// Reports that the ask of the built-in turn is missing, or does not take one move: a turn makes one.
pub(super) fn ask_of_the_turn(l: &mut Linter<'_>) {
    let wrong = match (l.layers.built_in, l.schema.asks.iter().find(|form| form.verb == "move")) {
        (None, _) => None,
        (Some(_), Some(form)) => other_ask(form),
        (Some(_), None) => l.script.function("moves", 1).and_then(|moves| without_ask(l, moves)),
    };
    l.wrong.extend(wrong);
}

/// Returns whether the built-in turn has its ask. Otherwise nothing else is wrong with it.
pub(super) fn has_ask_of_the_turn(l: &Linter<'_>) -> bool {
    let form = l.schema.asks.iter().find(|form| form.verb == "move");
    form.is_some_and(takes_a_move)
}

fn takes_a_move(form: &Form) -> bool {
    matches!(form.kinds()[..], [(Kind::Move, _)])
}

fn other_ask(form: &Form) -> Option<Diagnostic> {
    let (source, span) = &form.place;
    let message = "rules with `moves` need the ask `move` of one move";
    let help = "write `ask move MOVE`: `moves` lists the moves, and the player chooses one";
    let wrong = WRONG_VALUES.at(source, *span, message).help(help);
    (!takes_a_move(form)).then_some(wrong)
}

fn without_ask(l: &Linter<'_>, moves: &Function) -> Option<Diagnostic> {
    let label = l.layers.label_of(&moves.name, moves.parameters)?;
    let message = "rules with `moves` need the ask `move`, but the game does not have it";
    let help = "add `ask move MOVE \"Move a piece\"` to the game file, or write `fn turn(me)` with another ask";
    Some(UNKNOWN_COMPONENT.at(&label.source, label.span, message).help(help))
}

/// Returns the error for a function that has other parameters than the program calls it with.
pub(super) fn other_parameters(
    layers: &Layers,
    function: &Function,
    name: &str,
    arity: usize,
    form: &str,
) -> Option<Diagnostic> {
    let label = layers.label_of(&function.name, function.parameters)?;
    let message = format!(
        "`{name}` has {}, but needs {}",
        counted(function.parameters, "parameter"),
        counted(arity, "parameter")
    );
    Some(UNKNOWN_FUNCTION.at(&label.source, label.span, message).help(format!("write `{form}`")))
}

/// Returns the error for a function that nothing calls and whose name is nearly that of a missing function.
fn misspelt(layers: &Layers, script: &Script, schema: &Schema, missing: &[Needed]) -> Option<Diagnostic> {
    let own = script.functions.iter();
    let own = own.filter(|function| !is_internal(&function.name) && !is_called(&function.name, script, schema));
    let (function, needed) = own.into_iter().find_map(|function| {
        let meant = nearest(&function.name, missing.iter().map(|needed| needed.name))?;
        Some((function, missing.iter().find(|needed| needed.name == meant)?))
    })?;
    let label = layers.label_of(&function.name, function.parameters)?;
    let message = format!("the rules have no function `{}`", needed.name);
    let help = format!("did you mean `{}`? Write `{}`", needed.name, needed.form);
    Some(UNKNOWN_FUNCTION.at(&label.source, label.span, message).help(help))
}

/// Returns whether a function with this name is called in the rules or on a card. Variables and strings may have it, too.
fn is_called(name: &str, script: &Script, schema: &Schema) -> bool {
    script.calls(name) || is_on_a_card(name, schema)
}

/// Returns whether the name could be that of a function which is called: in a call, in a string, as a value, or on a card.
pub(super) fn is_used(name: &str, script: &Script, schema: &Schema) -> bool {
    script.mentions(name) || is_on_a_card(name, schema)
}

/// Returns whether something calls a function by its name in a string: as a phase, as a value, or from a card.
pub(super) fn is_called_by_name(name: &str, script: &Script, schema: &Schema) -> bool {
    let mut named = false;
    for function in &script.functions {
        function.body.walk(&mut |node| {
            named = named
                || node.text().is_some_and(|text| text == name)
                || node.function_value().is_some_and(|value| value == name);
        });
    }
    named || is_on_a_card(name, schema)
}

fn is_on_a_card(name: &str, schema: &Schema) -> bool {
    schema.functions.iter().any(|function| function.name == name)
}
