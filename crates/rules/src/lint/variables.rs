//! Parameters and variables that nobody reads. Rules run all the same, so these are notes.

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use super::needed::is_called_by_name;
use super::used::Used;
use crate::layers::{author_name, is_internal, rules_place};
use crate::script::{Declared, Function, Local, LocalId, Name, What};
use referee_diagnostic::Diagnostic;

pub(super) static CHECK: Check = Check {
    name: "variables",
    finds: &[&UNREAD_VARIABLE],
    walks: &[Walk::Notes(check)],
    wrong: &[
        (&UNREAD_VARIABLE, Snippet::Turn(r#"let «far» = roll("leap"); me.score += 1;"#)),
        (&UNREAD_VARIABLE, Snippet::Turn("let «far» = 0; for n in 1..3 { far += n; } me.score += 1;")),
        (
            &UNREAD_VARIABLE,
            Snippet::Rules(
                r"fn turn(me) { me.score = far(me, 3); }
fn «far»(me, more) { me.score }",
            ),
        ),
    ],
    right: &[
        Snippet::Turn(r#"let _far = roll("leap"); me.score += 1;"#),
        Snippet::Turn("let far = 0; for n in 1..3 { far += n; } me.score += far;"),
        Snippet::Turn("let far = 3; me.score = sum([1, 2].map(|n| n + far));"),
        Snippet::Rules(
            r#"fn turn(me) { then("next", me, 3); }
fn next(me, far) { me.score += 1; }"#,
        ),
        Snippet::Rules(
            r#"fn turn(me) { me.score += 1; }
fn why_not(me, action) { "no" }"#,
        ),
    ],
};

pub(super) static UNREAD_VARIABLE: Entry = Entry {
    code: "unread_variable",
    text: r"
A note of `referee check`: nobody reads a variable of the rules, or a parameter of a function that only the rules call.
Something may be forgotten. Remove it, or let its name begin with `_` to say that it is meant: `fn landing(_me, cell)`.

Functions that the program calls, such as `why_not`, phases, functions of cards, and functions that a house rule of the game
redefines get what there is, and need not read it.
",
};

/// The functions that the program calls with all their arguments, whether they need them or not.
const CALLED: [&str; 6] = ["turn", "moves", "apply", "ended", "stuck", "why_not"];

/// Reports each parameter and variable of the rules that nobody reads. A name that begins with `_` says that
/// it is not read.
pub(super) fn check(l: &mut Linter<'_>, used: &Used) {
    let own = l.script.functions.iter().filter(|function| function.layer == 0 && !is_internal(&function.name));
    let found: Vec<Diagnostic> = own.flat_map(|function| of_function(l, used, function)).collect();
    l.wrong.extend(found);
}

fn of_function(l: &Linter<'_>, used: &Used, function: &Function) -> Vec<Diagnostic> {
    let (layers, script, schema) = (l.layers, l.script, l.schema);
    let mut assigned: Vec<LocalId> = Vec::new();
    let mut mentioned: Vec<usize> = vec![0; function.locals.len()];
    function.body.walk(&mut |node| match &node.what {
        // The target of an assignment is no reading: not even that of `total += 1`.
        What::Assign(assign) => assigned.extend(assign.to.local()),
        What::Name(Name::Local(local)) => mentioned.get_mut(*local).into_iter().for_each(|count| *count += 1),
        _ => {}
    });
    for local in assigned {
        mentioned.get_mut(local).into_iter().for_each(|count| *count -= 1);
    }
    // The program, a phase or a card passes what it has.
    let (name, count) = function.key();
    let is_redefined = used.redefined.contains(&(name.to_owned(), count));
    let is_given = is_redefined || CALLED.contains(&name) || is_called_by_name(name, script, schema);
    let idle = function.locals.iter().enumerate().filter(|(at, local)| {
        let is_looked_at = match local.how {
            Declared::Parameter => !is_given,
            Declared::Let | Declared::Const => true,
            _ => false,
        };
        is_looked_at && mentioned.get(*at) == Some(&0) && !local.name.starts_with('_')
    });
    let note = |local: &Local| {
        let label = match local.how {
            Declared::Parameter => layers.label_of(&function.name, function.parameters)?,
            _ => layers.texts.label(rules_place(local.at))?,
        };
        let name = &local.name;
        let (message, help) = match local.how {
            Declared::Parameter => (
                format!("`{}` does not read its parameter `{name}`", author_name(&function.name)),
                format!("remove it, or call it `_{name}` to say so"),
            ),
            _ => (format!("nothing reads the variable `{name}`"), format!("remove it, or call it `_{name}` to say so")),
        };
        Some(UNREAD_VARIABLE.at(&label.source, label.span, message).help(help))
    };
    idle.filter_map(|(_, local)| note(local)).collect()
}
