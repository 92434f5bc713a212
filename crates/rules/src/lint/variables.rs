//! Parameters and variables that nobody reads. Rules run all the same, so these are notes.

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use super::needed::is_called_by_name;
use super::used::Used;
use crate::layers::{OFFERED, author_name, is_house, is_internal, rules_place};
use crate::script::{Declared, Function, Local, LocalId, Name, Node, What};
use referee_diagnostic::{Code, Diagnostic};

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
        (&UNREAD_VARIABLE, Snippet::Turn("me.score = [1, 2].map(|«n»| 3).len;")),
        (&UNREAD_VARIABLE, Snippet::Turn("try { me.score += 1; } catch («why») { me.score = 0; }")),
        (&UNREAD_VARIABLE, Snippet::Turn("let «far» = me.score; far = 4; me.score = far;")),
        (&UNREAD_VARIABLE, Snippet::Turn("let far = me.score; me.score += far; «far» = 0;")),
    ],
    right: &[
        Snippet::Turn("let far = 1; for n in 1..4 { far = n; if n > me.score { break; } far = 9; } me.score = far;"),
        Snippet::Turn("let far = 1; let more = || far; me.score = more.call(); far = 2; me.score += more.call();"),
        Snippet::Turn("let far = 1; if me.tired { far = 2; } far += 1; me.score = far;"),
        Snippet::Turn("me.score = [1, 2].map(|_n| 3).len;"),
        Snippet::Turn(r#"let _far = roll("leap"); me.score += 1;"#),
        Snippet::Turn(r#"try { me.score += 1; } catch (why) { if why == "no" { me.score = 0; } }"#),
        Snippet::Turn("try { me.score += 1; } catch { me.score = 0; }"),
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
    code: Code::UnreadVariable,
    text: r"
A note of `referee check`: nobody reads a variable of the rules, the error after `catch`, a parameter of a function that only
the rules call or of a closure, or the value that a line gives to a variable. Something may be forgotten. Remove it, or let its name begin with `_` to say that it is meant: `fn landing(_me, cell)`.

Functions that the program calls, such as `why_not`, phases, functions of cards, and functions that a house rule of the game
redefines get what there is, and need not read it.
",
};

/// The functions that the program calls with all their arguments, whether they need them or not.
const CALLED: [&str; 8] = ["turn", "moves", "apply", "ended", "stuck", "why_not", "resigned", OFFERED.0];

/// Reports each parameter and variable of the rules that nobody reads. A name that begins with `_` says that
/// it is not read.
pub(super) fn check(l: &mut Linter<'_>, used: &Used) {
    // The functions of the game that a house rule redefines are told of without it.
    let is_meant =
        |function: &&Function| !function.is_built_in() && (is_house(function.layer) || !is_internal(&function.name));
    // Of a function that nothing calls, its parameters are not told, either.
    let running = used.running();
    let runs = |function: &&Function| function.layer != 0 || running.contains(function.name.as_str());
    let own = l.script.functions.iter().filter(is_meant).filter(runs);
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
    let author = author_name(name);
    let others = if is_house(function.layer) { &used.of_game } else { &used.redefined };
    let is_redefined = others.contains(&(author.clone(), count));
    let is_given = is_redefined
        || CALLED.contains(&author.as_str())
        || [name, &author].iter().any(|name| is_called_by_name(name, script, schema));
    let idle = function.locals.iter().enumerate().filter(|(at, local)| {
        let is_looked_at = match local.how {
            Declared::Parameter => !is_given,
            Declared::OfClosure | Declared::Let | Declared::Const | Declared::Caught => true,
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
            Declared::OfClosure => {
                (format!("the closure does not read its parameter `{name}`"), format!("call it `_{name}` to say so"))
            }
            Declared::Caught => {
                (format!("nothing reads the error `{name}`"), "write `catch { … }` without it".to_owned())
            }
            _ => (format!("nothing reads the variable `{name}`"), format!("remove it, or call it `_{name}` to say so")),
        };
        Some(UNREAD_VARIABLE.at(&label.source, label.span, message).help(help))
    };
    let mut found: Vec<Diagnostic> = idle.filter_map(|(_, local)| note(local)).collect();
    let is_read = |local: LocalId| mentioned.get(local).is_some_and(|count| *count > 0);
    function.body.walk(&mut |node| {
        if let What::Block(statements) = &node.what {
            let is_whole = std::ptr::eq(node, &raw const function.body);
            found.extend(lost_values(l, function, statements, is_whole, &is_read));
        }
    });
    found
}

/// Returns a note for each value that a statement gives to a variable, and that a later statement replaces before anything
/// reads it. After the last statement of a function, nothing reads it either.
fn lost_values(
    l: &Linter<'_>,
    function: &Function,
    statements: &[Node],
    is_whole: bool,
    is_read: &dyn Fn(LocalId) -> bool,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (number, statement) in statements.iter().enumerate() {
        let (local, at, is_new) = match &statement.what {
            What::Let { local, value } if !matches!(value.what, What::Nothing) => (*local, None, true),
            What::Assign(assign) => match assign.to.local() {
                Some(local) => (local, Some(assign.to.at), false),
                None => continue,
            },
            _ => continue,
        };
        let Some(variable) = function.local(local) else { continue };
        if variable.captured || variable.name.starts_with('_') || !is_read(local) {
            continue;
        }
        let rest = statements.get(number + 1..).unwrap_or_default();
        let is_lost = match rest.iter().find(|next| may_read(next, local)) {
            Some(next) => replaces(next, local),
            None => is_whole && !is_new,
        };
        let at = at.unwrap_or(variable.at);
        if let Some(label) = l.label(at).filter(|_| is_lost) {
            let message = format!("nothing reads this value of `{}`", variable.name);
            let help = "remove it, or read it before the next one is given";
            found.push(UNREAD_VARIABLE.at(&label.source, label.span, message).help(help));
        }
    }
    found
}

/// Returns whether a statement mentions a variable, or may go on where something does.
fn may_read(statement: &Node, local: LocalId) -> bool {
    let mut may = false;
    statement.walk(&mut |node| {
        may |= node.local() == Some(local) || matches!(node.what, What::Break(_) | What::Continue | What::Throw(_));
    });
    may
}

/// Returns whether a statement gives a variable a value that does not depend on the one before.
fn replaces(statement: &Node, local: LocalId) -> bool {
    match &statement.what {
        What::Assign(assign) => {
            assign.sign.is_none() && assign.to.local() == Some(local) && !may_read(&assign.value, local)
        }
        _ => false,
    }
}
