//! Private functions of house rules that nothing in their file names.

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use crate::layers::{author_name, is_house};
use crate::script::{Function, Script};
use referee_diagnostic::Code;

pub(super) static CHECK: Check = Check {
    name: "private",
    finds: &[&HOUSE_FUNCTION],
    walks: &[Walk::Scripts(check)],
    wrong: &[
        (
            &HOUSE_FUNCTION,
            Snippet::House(
                r"private fn «more»(me) { me.score }
fn steps(me, far) { me.score + far }",
            ),
        ),
        (
            &HOUSE_FUNCTION,
            Snippet::House(
                r"private fn «more»(me) { if me.score > 3 { more(me) } else { 0 } }
fn steps(me, far) { me.score + far }",
            ),
        ),
    ],
    right: &[
        Snippet::House(
            r"private fn more(me) { me.score }
fn steps(me, far) { more(me) + far }",
        ),
        Snippet::House(
            r"private fn more(me) { me.score }
fn steps(me, far) { sum([me].map(more)) + far }",
        ),
    ],
};

pub(super) static HOUSE_FUNCTION: Entry = Entry {
    code: Code::HouseFunction,
    text: r"
A house rule has a function that the rules do not have, a helper that the rules already have, or a private function that
nothing in its file calls.

```rhai games/race/house/wrong.rhai
/// Wrong.
fn rust(me) { }
```

A house rule redefines functions of the same name and number of parameters. Helpers of its own are `private fn` with new
names.
",
};

/// Reports private functions of house rules that nothing in their file names.
pub(super) fn check(l: &mut Linter<'_>) {
    let (layers, script) = (l.layers, l.script);
    let own = |function: &&Function| is_house(function.layer) && layers.is_private(&function.name, function.parameters);
    let unused = script.functions.iter().filter(own).filter(|function| !is_named(script, function));
    let wrong = |function: &Function| {
        let label = layers.label_of(&function.name, function.parameters)?;
        let message = format!("nothing calls the private function `{}`", author_name(&function.name));
        let help = "call it in a function of this house rule, or remove it";
        Some(HOUSE_FUNCTION.at(&label.source, label.span, message).help(help))
    };
    l.wrong.extend(unused.filter_map(wrong));
}

/// Returns whether another function of the same file names a function.
fn is_named(script: &Script, function: &Function) -> bool {
    let name = author_name(&function.name);
    let others = script.functions.iter().filter(|other| other.layer == function.layer && other.key() != function.key());
    let mut others = others.into_iter();
    others.any(|other| other.mentions().iter().any(|named| author_name(named) == name))
}
