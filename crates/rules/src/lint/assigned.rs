//! Assignments to what never changes: a constant of the rules, a player, a piece, a zone, the game.

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use crate::layers::author_name;
use crate::script::{Assign, Call, Declared, Name, Node, Target, What};
use crate::values::Sort;
use referee_diagnostic::Code;

pub(super) static CHECK: Check = Check {
    name: "assigned",
    finds: &[&CONSTANT],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (
            &CONSTANT,
            Snippet::Rules(
                r"const N = 3;
fn turn(me) { «N» = 1; me.score = N; }",
            ),
        ),
        (
            &CONSTANT,
            Snippet::Rules(
                r"const FAR_OFF = 3;
fn turn(me) { if me.tired { «FAR_OFF» += 1; } me.score = FAR_OFF; }",
            ),
        ),
        (
            &CONSTANT,
            Snippet::Rules(
                r"const ALL = [3, 4];
fn turn(me) { «ALL»[0] = 1; me.score = ALL[0]; }",
            ),
        ),
        (
            &CONSTANT,
            Snippet::Rules(
                r"const ALL = #{ far: 3 };
fn turn(me) { «ALL».far -= 1; me.score = ALL.far; }",
            ),
        ),
        (&CONSTANT, Snippet::Turn("«red» = after(me);")),
        (&CONSTANT, Snippet::Turn("«log» = cell(frog(me));")),
        (&CONSTANT, Snippet::Turn("«deck» = heap;")),
        (&CONSTANT, Snippet::Turn("«game» = me.score;")),
        (&CONSTANT, Snippet::Turn("let swap = || { «red» = me; }; swap.call();")),
        (&CONSTANT, Snippet::Turn("const all = [1]; «all».push(2); me.score = all.len;")),
    ],
    right: &[
        Snippet::Rules(
            r"const N = 3;
fn turn(me) { let n = N; n += 1; me.score = n; }",
        ),
        Snippet::Rules(
            r"const ALL = [3, 4];
fn turn(me) { let all = ALL; all[0] = 1; all.push(2); me.score = all[0] + ALL[0]; }",
        ),
        Snippet::Rules(
            r"const ALL = [3, 4];
fn turn(me) { me.score = ALL.filter(|one| one > 3).len; }",
        ),
        Snippet::Turn("red.score = 3; game.round += 1; let who = red; who = me; who.score += 1;"),
        Snippet::Turn("me = after(me); me.score += 1; for n in 1..3 { n += 1; me.score = n; }"),
        Snippet::Turn("const all = [1]; me.score = all.len + all.filter(|one| one > 0).len;"),
    ],
};

pub(super) static CONSTANT: Entry = Entry {
    code: Code::Constant,
    text: r#"
The rules assign to something that cannot change: a constant, or a name of the game.

```rhai
const STEPS = 2;

fn turn(me) {
    STEPS += roll("stride");
}
```

Use a variable, `let steps = STEPS;`, or a counter if the value must last.
"#,
};

/// Reports an assignment to a constant or a component, or to a part of a constant.
fn check(l: &mut Linter<'_>, node: &Node) {
    match &node.what {
        What::Assign(assign) => assigned(l, assign),
        What::Call(call) if call.method => changed(l, call),
        _ => {}
    }
}

fn assigned(l: &mut Linter<'_>, assign: &Assign) {
    let root = assign.to.root();
    match &root.what {
        What::Name(Name::Constant(name)) => {
            let help = in_place_of_constant(l, name);
            l.report(&CONSTANT, root.at, format!("cannot change the constant `{}`", author_name(name)), help);
        }
        // The properties of a component may change.
        What::Name(Name::Component(name)) if assign.to.component().is_some() => {
            let what = match root.kind.sort() {
                Some(Sort::Player) => "the player ",
                Some(Sort::Piece | Sort::Men) => "the piece ",
                Some(Sort::Zone) => "the zone ",
                _ => "",
            };
            let message = format!("cannot change {what}`{name}`: it is a name of the game");
            let help = in_place_of_component(l, name, root, assign);
            l.report(&CONSTANT, root.at, message, help);
        }
        _ => {}
    }
}

/// Reports a method that would change a list or a map which the function declares with `const`.
fn changed(l: &mut Linter<'_>, call: &Call) {
    let Some(of) = call.before_dot() else { return };
    let Some(local) = of.local().and_then(|local| l.function.local(local)) else { return };
    let changes = |sort| call.natives.change_first(sort);
    if local.how == Declared::Const && of.kind.sort().is_some_and(changes) && call.target == Target::Native {
        let name = &local.name;
        let help = format!("declare it with `let` to change it: `let {name} = …;`");
        l.report(&CONSTANT, of.at, format!("cannot change the constant `{name}`"), help);
    }
}

/// Returns help for who wants to change a constant of the rules.
fn in_place_of_constant(l: &Linter<'_>, name: &str) -> String {
    let author = author_name(name);
    let other = match author.to_lowercase() {
        lower if lower == author || l.is_local(&lower) || l.is_component(&lower) => "now".to_owned(),
        lower => lower,
    };
    let value = l.layers.constants.get(name).and_then(|constant| constant.value.as_int().ok());
    let lasting = match value {
        Some(value) => format!("a counter of the game file: `counter {other} = {value}`"),
        None => "a property of the game file".to_owned(),
    };
    format!("use a variable, `let {other} = {author};`, or, for a value that lasts longer than the function, {lasting}")
}

/// Returns help for who wants to change a name of the game.
fn in_place_of_component(l: &Linter<'_>, name: &str, component: &Node, assign: &Assign) -> String {
    let value = l.written_or(&assign.value, "…");
    let (sort, given) = (component.kind.sort(), assign.value.kind.sort());
    match (sort.map(Sort::plain), given.map(Sort::plain)) {
        (Some(Sort::Piece), Some(Sort::Cell)) => format!("to place it on a cell, write `place({name}, {value});`"),
        _ => format!("use a variable of another name: `let other = {value};`"),
    }
}
